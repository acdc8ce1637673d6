import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import Testing
import OffprintTypography

@testable import OffprintLayout

/// Flex containers built in code, in a root as wide as the viewport.
private struct Page {
  let arena = StyleArena()
  var tree: BoxTree

  init() {
    tree = BoxTree(styled: StyledDocument(document: Document(names: .known), arena: arena, styles: []))
    tree.append(Box(kind: .blockContainer, style: arena.anonymousStyle(inheriting: arena.initialStyle, display: .block)), to: .none)
    let root = add(to: BoxID(0), kind: .blockContainer)
    tree.boxes[root.index].isRoot = true
  }

  @discardableResult
  mutating func add(
    to parent: BoxID = BoxID(1), kind: BoxKind = .flexContainer, direction: Direction = .ltr,
    _ change: ((inout BoxStyle, inout AlignStyle) -> Void)? = nil
  ) -> BoxID {
    var box = BoxStyle()
    box.display = kind == .flexContainer ? .flex : .block
    var align = AlignStyle()
    change?(&box, &align)
    var inherited = TextStyle()
    inherited.direction = direction
    let style = arena.modified(arena.initialStyle) {
      $0.box = arena.allocate(box)
      $0.align = arena.allocate(align)
      $0.text = arena.allocate(inherited)
    }
    return tree.append(Box(kind: kind, style: style), to: parent)
  }

  mutating func item(
    in parent: BoxID, _ width: Float?, _ height: Float?, _ change: ((inout BoxStyle, inout AlignStyle) -> Void)? = nil
  ) -> BoxID {
    add(to: parent, kind: .blockContainer) { box, align in
      if let width { box.width = size(width) }
      if let height { box.height = size(height) }
      change?(&box, &align)
    }
  }

  func layout() throws -> [BoxID: [Double]] {
    let engine = LayoutEngine(
      tree: tree, fonts: FontContext(fonts: FontSet(registry: FontRegistry(folders: []))),
      viewport: LayoutSize(width: LayoutUnit(800), height: LayoutUnit(600)), deadline: .never)
    let result = try engine.layoutPage()
    var rects: [BoxID: [Double]] = [:]
    func visit(_ id: FragmentID, _ origin: LayoutPoint) {
      let fragment = result[id]
      rects[fragment.box] = [origin.x.double, origin.y.double, fragment.size.width.double, fragment.size.height.double]
      for link in result.children(of: id) { visit(link.fragment, origin + link.offset) }
    }
    visit(result.root, .zero)
    return rects
  }
}

private func px(_ value: Float) -> LengthPercentageAuto { .value(.length(value)) }
private func size(_ value: Float) -> SizeValue { .value(.length(value)) }

@Suite struct FlexTests {
  @Test("Free space is distributed by flex-grow, and space beyond a maximum is redistributed")
  func grow() throws {
    var page = Page()
    let flex = page.add { box, _ in
      box.width = size(300); box.height = size(10)
    }
    let a = page.item(in: flex, 0, nil) { $1.flexGrow = 1 }
    let b = page.item(in: flex, 0, nil) {
      $1.flexGrow = 2; $0.maxWidth = size(50)
    }
    let c = page.item(in: flex, 0, nil) { $1.flexGrow = 4 }
    let rects = try page.layout()
    #expect(rects[a] == [0, 0, 50, 10])
    #expect(rects[b] == [50, 0, 50, 10])
    #expect(rects[c] == [100, 0, 200, 10])
  }

  @Test("Flex factors with a sum below one distribute only that share of the space")
  func partialGrow() throws {
    var page = Page()
    let flex = page.add { box, _ in box.width = size(100) }
    let a = page.item(in: flex, 0, 5) { $1.flexGrow = 0.25 }
    #expect(try page.layout()[a]?[2] == 25)
  }

  @Test("Items shrink by factor times base size, but not below their content size")
  func shrink() throws {
    var page = Page()
    let flex = page.add { box, _ in box.width = size(100) }
    let a = page.item(in: flex, 100, 5)
    let b = page.item(in: flex, 300, 5)
    let c = page.item(in: flex, 100, 5)
    page.add(to: c, kind: .blockContainer) { box, _ in box.width = size(60) }
    let rects = try page.layout()
    #expect(rects[a]?[2] == 10)
    #expect(rects[b]?[2] == 30)
    #expect(rects[c]?[2] == 60)
  }

  @Test("A scroll container has no automatic minimum size")
  func scrollContainer() throws {
    var page = Page()
    let flex = page.add { box, _ in box.width = size(50) }
    let item = page.item(in: flex, 100, 5) { box, _ in
      box.overflowX = .hidden; box.overflowY = .hidden
    }
    page.add(to: item, kind: .blockContainer) { box, _ in box.width = size(90) }
    #expect(try page.layout()[item]?[2] == 50)
  }

  @Test("Lines wrap, share the free cross space and stretch their items")
  func wrap() throws {
    var page = Page()
    let flex = page.add { box, align in
      box.width = size(100); box.height = size(100); align.flexWrap = .wrap; align.columnGap = .length(10); align.rowGap = .length(20)
    }
    let a = page.item(in: flex, 45, nil), b = page.item(in: flex, 45, 10), c = page.item(in: flex, 50, nil)
    let rects = try page.layout()
    #expect(rects[a] == [0, 0, 45, 45])
    #expect(rects[b] == [55, 0, 45, 10])
    #expect(rects[c] == [0, 65, 50, 35])
  }

  @Test("Reversed axes start at the other end")
  func reversed() throws {
    var page = Page()
    let flex = page.add { box, align in
      box.width = size(100); box.height = size(100); align.flexDirection = .rowReverse; align.flexWrap = .wrapReverse
      align.alignContent = Alignment(.flexStart)
    }
    let a = page.item(in: flex, 60, 10), b = page.item(in: flex, 60, 20)
    let rects = try page.layout()
    #expect(rects[a] == [40, 90, 60, 10])
    #expect(rects[b] == [40, 70, 60, 20])
  }

  @Test("In a column container with right-to-left text the cross axis starts at the right")
  func rightToLeft() throws {
    var page = Page()
    let flex = page.add(direction: .rtl) { box, align in
      box.width = size(100); align.flexDirection = .column; align.alignItems = Alignment(.flexStart)
    }
    let a = page.item(in: flex, 30, 10)
    #expect(try page.layout()[a] == [70, 0, 30, 10])
  }

  @Test("order reorders items, and equal values keep document order")
  func order() throws {
    var page = Page()
    let flex = page.add { box, _ in box.width = size(100) }
    let a = page.item(in: flex, 10, 1) { $1.order = 1 }
    let b = page.item(in: flex, 10, 1)
    let c = page.item(in: flex, 10, 1) { $1.order = -1 }
    let rects = try page.layout()
    #expect([a, b, c].map { rects[$0]?[0] } == [20, 10, 0])
  }

  @Test("Auto margins take precedence over alignment")
  func autoMargins() throws {
    var page = Page()
    let flex = page.add { box, align in
      box.width = size(100); box.height = size(50); align.justifyContent = Alignment(.center)
    }
    let a = page.item(in: flex, 20, 10) { box, _ in
      box.margin.left = .auto; box.margin.top = .auto; box.margin.bottom = .auto
    }
    #expect(try page.layout()[a] == [80, 20, 20, 10])
  }

  @Test("Overflowing items are centered beyond both edges unless alignment is safe")
  func safe() throws {
    var page = Page()
    let flex = page.add { box, align in
      box.width = size(50); box.height = size(10); align.alignItems = Alignment(.center)
    }
    let a = page.item(in: flex, 10, 30)
    let b = page.item(in: flex, 10, 30) { $1.alignSelf = Alignment(.center, .safe) }
    let rects = try page.layout()
    #expect(rects[a]?[1] == -10)
    #expect(rects[b]?[1] == 0)
  }

  @Test("The height of a stretched item is definite, so percentages in it resolve")
  func stretchedIsDefinite() throws {
    var page = Page()
    let flex = page.add { box, _ in box.width = size(100) }
    _ = page.item(in: flex, 10, 80)
    let item = page.item(in: flex, 10, nil)
    let child = page.add(to: item, kind: .blockContainer) { box, _ in box.height = .value(.percentage(50)) }
    #expect(try page.layout()[child]?[3] == 40)
  }

  @Test("A flexed height is not a percentage basis if the container's height is indefinite")
  func flexedIsIndefinite() throws {
    var page = Page()
    let flex = page.add { box, align in
      box.minHeight = size(100); align.flexDirection = .column
    }
    let item = page.item(in: flex, nil, nil) { $1.flexGrow = 1 }
    let child = page.add(to: item, kind: .blockContainer) { box, _ in box.height = .value(.percentage(50)) }
    let rects = try page.layout()
    #expect(rects[item]?[3] == 100)
    #expect(rects[child]?[3] == 0)
  }

  @Test("A stretched height is transferred to the width through the aspect ratio")
  func aspectRatio() throws {
    var page = Page()
    let flex = page.add { box, _ in
      box.width = size(400); box.height = size(100)
    }
    let item = page.item(in: flex, nil, nil) { box, _ in box.aspectRatio = .init(ratio: 2, auto: false) }
    #expect(try page.layout()[item] == [0, 0, 200, 100])
  }

  @Test("Shrink-to-fit containers are as wide as their items, except for those that cannot grow")
  func intrinsic() throws {
    var page = Page()
    let flex = page.add { box, align in
      box.width = .maxContent; align.columnGap = .length(5)
    }
    _ = page.item(in: flex, 30, 10)
    let rigid = page.item(in: flex, nil, 10) {
      $1.flexBasis = size(20); $1.flexShrink = 0
    }
    page.add(to: rigid, kind: .blockContainer) { box, _ in box.width = size(15) }
    #expect(try page.layout()[flex]?[2] == 55)
  }

  @Test("Absolutely positioned children are placed as if they were the only item")
  func staticPosition() throws {
    var page = Page()
    let flex = page.add { box, align in
      box.width = size(100); box.height = size(100); box.position = .relative
      align.justifyContent = Alignment(.center); align.alignItems = Alignment(.flexEnd)
    }
    let item = page.item(in: flex, 20, 10) { box, _ in box.position = .absolute }
    #expect(try page.layout()[item] == [40, 90, 20, 10])
  }

  @Test("Balanced lines are as equal as possible, with more items on the first ones")
  func balance() throws {
    let sizes = [25, 25, 25, 25, 25, 25, 25, 100].map { LayoutUnit($0) }
    let balancer = FlexLineBalancer(sizes: sizes, gap: LayoutUnit(10), limit: LayoutUnit(100))
    #expect(balancer.lines(minimumLines: 1) == [0..<3, 3..<5, 5..<7, 7..<8])
    let free = FlexLineBalancer(sizes: [100, 30, 30].map { LayoutUnit($0) }, gap: LayoutUnit(20), limit: nil)
    #expect(free.lines(minimumLines: 2) == [0..<1, 1..<3])
    #expect(free.lines(minimumLines: 10).count == 3)
  }

  @Test("Extreme sizes and factors result in finite boxes")
  func hostile() throws {
    for value: Float in [.infinity, .nan, -.infinity, 1e30, -1e30] {
      var page = Page()
      let flex = page.add { box, align in
        box.width = size(value); align.flexWrap = .wrap; align.columnGap = .length(value)
      }
      for _ in 0..<3 {
        _ = page.item(in: flex, value, value) { box, align in
          align.flexGrow = value; align.flexShrink = value; align.flexBasis = size(value); box.margin.left = px(value)
        }
      }
      #expect(try page.layout()[flex] != nil)
    }
  }

  @Test("Deeply nested containers take linear time")
  func nested() throws {
    var page = Page()
    var parent = BoxID(1)
    for depth in 0..<60 {
      parent = page.add(to: parent) { _, align in
        align.flexDirection = depth % 2 == 0 ? .row : .column; align.flexGrow = 1
      }
    }
    let leaf = page.item(in: parent, 10, 10)
    #expect(try page.layout()[leaf]?[2] == 10)
  }
}
