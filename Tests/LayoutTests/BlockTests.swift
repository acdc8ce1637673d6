import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import Testing
import OffprintTypography

@testable import OffprintLayout

/// A page built in code: boxes without text, indexed in order of creation.
private struct Page {
  let arena = StyleArena()
  var tree: BoxTree
  var viewport = LayoutSize(width: LayoutUnit(800), height: LayoutUnit(600))

  init(quirks: Bool = false) {
    var document = Document(names: .known)
    document.quirksMode = quirks ? .quirks : .noQuirks
    tree = BoxTree(styled: StyledDocument(document: document, arena: arena, styles: []))
    tree.append(Box(kind: .blockContainer, style: arena.anonymousStyle(inheriting: arena.initialStyle, display: .block)), to: .none)
    let root = add(to: BoxID(0))
    tree.boxes[root.index].isRoot = true
  }

  var root: BoxID { BoxID(1) }

  @discardableResult
  mutating func add(
    to parent: BoxID? = nil, kind: BoxKind = .blockContainer, margin: (Float, Float, Float, Float)? = nil,
    _ box: ((inout BoxStyle) -> Void)? = nil, record change: ((inout StyleRecord, StyleArena) -> Void)? = nil
  ) -> BoxID {
    var style = BoxStyle()
    style.display = .block
    style.originalDisplay = .block
    if let (top, right, bottom, left) = margin {
      style.margin = PhysicalSides(top: px(top), right: px(right), bottom: px(bottom), left: px(left))
    }
    box?(&style)
    let computed = arena.modified(arena.initialStyle) { record in
      record.box = arena.allocate(style)
      change?(&record, arena)
    }
    return tree.append(Box(kind: kind, style: computed), to: parent ?? root)
  }

  /// The border boxes of all boxes, as [x, y, width, height].
  func layout() throws -> [BoxID: [Double]] {
    let engine = LayoutEngine(
      tree: tree, fonts: FontContext(fonts: FontSet(registry: FontRegistry(folders: []))), viewport: viewport, deadline: .never)
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

@Suite struct BlockTests {
  @Test("Adjoining margins of siblings, parents and empty blocks collapse into the largest")
  func collapse() throws {
    var page = Page()
    let body = page.add(margin: (8, 8, 8, 8))
    let parent = page.add(to: body, margin: (10, 0, 10, 0))
    let first = page.add(to: parent, margin: (30, 0, 20, 0)) { $0.height = size(10) }
    page.add(to: parent, margin: (50, 0, 40, 0))
    let last = page.add(to: parent, margin: (-15, 0, 60, 0)) { $0.height = size(10) }
    let rects = try page.layout()
    #expect(rects[body] == [8, 30, 784, 55])
    #expect(rects[first] == [8, 30, 784, 10])
    #expect(rects[last] == [8, 75, 784, 10])
    // The margin of the last child collapses through its ancestors up to the root, which contains it.
    #expect(rects[page.root] == [0, 0, 800, 145])
  }

  @Test("Padding and a specified height contain the margins of children")
  func separated() throws {
    var page = Page()
    let padded = page.add { $0.padding.top = .length(1) }
    let child = page.add(to: padded, margin: (20, 0, 20, 0)) { $0.height = size(10) }
    let tall = page.add { $0.height = size(100) }
    page.add(to: tall, margin: (0, 0, 70, 0)) { $0.height = size(100) }
    let after = page.add { $0.height = size(5) }
    let rects = try page.layout()
    #expect(rects[child] == [0, 21, 800, 10])
    #expect(rects[padded] == [0, 0, 800, 31])
    #expect(rects[tall] == [0, 51, 800, 100])
    #expect(rects[after] == [0, 151, 800, 5])
  }

  @Test("Auto margins center a box, and over-constrained boxes keep their start margin")
  func autoMargins() throws {
    var page = Page()
    let centered = page.add {
      $0.width = size(200); $0.height = size(1)
      $0.margin.left = .auto; $0.margin.right = .auto
    }
    let pushed = page.add {
      $0.width = size(200); $0.height = size(1)
      $0.margin.left = .auto; $0.margin.right = px(50)
    }
    let wide = page.add(margin: (0, 50, 0, 20)) {
      $0.width = size(900); $0.height = size(1)
    }
    let rects = try page.layout()
    #expect(rects[centered]?[0] == 300)
    #expect(rects[pushed]?[0] == 550)
    #expect(rects[wide]?[0] == 20)
  }

  @Test("Used sizes follow from percentages, minimums, maximums and box-sizing")
  func sizes() throws {
    var page = Page()
    let half = page.add {
      $0.width = .value(.percentage(50)); $0.maxWidth = size(300); $0.minHeight = size(20)
      $0.padding = PhysicalSides(all: .length(5))
    }
    let bordered = page.add {
      $0.boxSizing = .borderBox; $0.width = size(100); $0.height = size(40)
      $0.padding = PhysicalSides(all: .length(5))
    }
    let percentInAuto = page.add { $0.height = .value(.percentage(50)) }
    let ratio = page.add {
      $0.width = size(120); $0.aspectRatio = .init(ratio: 2, auto: false)
    }
    let rects = try page.layout()
    #expect(rects[half]?[2...] == [310, 30])
    #expect(rects[bordered]?[2...] == [100, 40])
    #expect(rects[percentInAuto]?[3] == 0)
    #expect(rects[ratio]?[2...] == [120, 60])
  }

  @Test("Floats stack side by side, move below if they do not fit, and are cleared")
  func floats() throws {
    var page = Page()
    page.viewport.width = LayoutUnit(200)
    let left = page.add {
      $0.float = .left; $0.width = size(100); $0.height = size(50)
    }
    let right = page.add {
      $0.float = .right; $0.width = size(80); $0.height = size(30)
    }
    let dropped = page.add {
      $0.float = .left; $0.width = size(60); $0.height = size(10)
    }
    let inFlow = page.add { $0.height = size(5) }
    let cleared = page.add {
      $0.clear = .both; $0.height = size(5)
    }
    let rects = try page.layout()
    #expect(rects[left] == [0, 0, 100, 50])
    #expect(rects[right] == [120, 0, 80, 30])
    #expect(rects[dropped] == [100, 30, 60, 10])
    #expect(rects[inFlow] == [0, 0, 200, 5])
    #expect(rects[cleared] == [0, 50, 200, 5])
  }

  @Test("A float before the first content moves with the margins collapsing there")
  func floatInCollapsingMargins() throws {
    var page = Page()
    let outer = page.add(margin: (10, 0, 0, 0))
    let float = page.add(to: outer) {
      $0.float = .left; $0.width = size(10); $0.height = size(10)
    }
    let inner = page.add(to: outer, margin: (40, 0, 0, 0)) { $0.height = size(5) }
    let rects = try page.layout()
    #expect(rects[outer]?[1] == 40)
    #expect(rects[inner]?[1] == 40)
    #expect(rects[float]?[1] == 40)
  }

  @Test("Clearance separates a block's margin from preceding margins")
  func clearance() throws {
    var page = Page()
    let outer = page.add()
    page.add(to: outer) {
      $0.float = .left; $0.width = size(10); $0.height = size(30)
    }
    let cleared = page.add(to: outer, margin: (100, 0, 0, 0)) {
      $0.clear = .left; $0.height = size(5)
    }
    let rects = try page.layout()
    #expect(rects[outer] == [0, 0, 800, 35])
    #expect(rects[cleared]?[1] == 30)
  }

  @Test("A formatting context root is placed next to floats if it fits, otherwise below")
  func rootBesideFloats() throws {
    var page = Page()
    page.viewport.width = LayoutUnit(300)
    page.add {
      $0.float = .left; $0.width = size(100); $0.height = size(50)
    }
    let beside = page.add(margin: (0, 10, 0, 10)) {
      $0.display = .flowRoot; $0.height = size(20)
    }
    let below = page.add {
      $0.display = .flowRoot; $0.width = size(250); $0.height = size(20)
    }
    let rects = try page.layout()
    #expect(rects[beside] == [100, 0, 190, 20])
    #expect(rects[below] == [0, 50, 250, 20])
  }

  @Test("A formatting context root contains its floats and its children's margins")
  func rootContainsFloats() throws {
    var page = Page()
    let root = page.add {
      $0.overflowX = .hidden; $0.overflowY = .hidden
    }
    page.add(to: root, margin: (15, 0, 25, 0)) { $0.height = size(10) }
    page.add(to: root) {
      $0.float = .right; $0.width = size(10); $0.height = size(100)
    }
    let rects = try page.layout()
    #expect(rects[root] == [0, 0, 800, 150])
  }

  @Test("A float shrinks to fit its contents, with floats in it side by side")
  func shrinkToFit() throws {
    var page = Page()
    let outer = page.add { $0.float = .left }
    page.add(to: outer) {
      $0.float = .left; $0.width = size(60); $0.height = size(10)
    }
    page.add(to: outer) {
      $0.float = .right; $0.width = size(40); $0.height = size(20)
    }
    let rects = try page.layout()
    #expect(rects[outer] == [0, 0, 100, 20])
  }

  @Test("Absolutely positioned boxes: insets, stretching, auto margins and the static position")
  func positioned() throws {
    var page = Page()
    let container = page.add(margin: (20, 0, 0, 30)) {
      $0.position = .relative; $0.width = size(400); $0.height = size(200); $0.padding = PhysicalSides(all: .length(10))
    }
    let stretched = page.add(to: container) {
      $0.position = .absolute; $0.inset = PhysicalSides(top: px(5), right: px(15), bottom: .auto, left: px(25)); $0.height = size(10)
    }
    let corner = page.add(to: container) {
      $0.position = .absolute; $0.inset = PhysicalSides(top: .auto, right: px(0), bottom: px(0), left: .auto)
      $0.width = size(50); $0.height = size(50)
    }
    let centered = page.add(to: container) {
      $0.position = .absolute; $0.inset = PhysicalSides(all: px(0)); $0.margin = PhysicalSides(all: .auto)
      $0.width = size(100); $0.height = size(100)
    }
    page.add(to: container) { $0.height = size(7) }
    let statically = page.add(to: container) {
      $0.position = .absolute; $0.width = size(5); $0.height = size(5)
    }
    let fixed = page.add(to: container) {
      $0.position = .fixed; $0.inset = PhysicalSides(top: px(1), right: .auto, bottom: .auto, left: px(2)); $0.width = size(5)
    }
    let rects = try page.layout()
    #expect(rects[stretched] == [55, 25, 380, 10])
    #expect(rects[corner] == [400, 190, 50, 50])
    #expect(rects[centered] == [190, 80, 100, 100])
    #expect(rects[statically] == [40, 37, 5, 5])
    #expect(rects[fixed] == [2, 1, 5, 0])
  }

  @Test("Relative positioning moves a box without moving following content")
  func relative() throws {
    var page = Page()
    let moved = page.add {
      $0.position = .relative; $0.height = size(10); $0.inset = PhysicalSides(top: px(3), right: px(9), bottom: px(7), left: px(4))
    }
    let next = page.add { $0.height = size(10) }
    let rects = try page.layout()
    #expect(rects[moved] == [4, 3, 800, 10])
    #expect(rects[next] == [0, 10, 800, 10])
  }

  @Test("In vertical writing modes blocks are stacked horizontally")
  func vertical() throws {
    var page = Page()
    let vertical: (inout StyleRecord, StyleArena) -> Void = { record, arena in
      var text = record.text.pointee
      text.writingMode = .verticalRl
      record.text = arena.allocate(text)
    }
    let container = page.add(
      {
        $0.width = size(100); $0.height = size(60)
      }, record: vertical)
    let first = page.add(to: container, margin: (0, 10, 0, 20), { $0.width = size(10) }, record: vertical)
    let second = page.add(to: container, margin: (5, 30, 0, 0), { $0.width = size(10) }, record: vertical)
    let rects = try page.layout()
    #expect(rects[first] == [80, 0, 10, 60])
    #expect(rects[second] == [40, 5, 10, 55])
  }

  @Test("Columns are balanced and break between blocks")
  func columns() throws {
    var page = Page()
    let container = page.add({ $0.width = size(220) }) { record, arena in
      var align = record.align.pointee
      align.columnCount = 2
      align.columnGap = .length(20)
      record.align = arena.allocate(align)
    }
    let blocks = (0..<4).map { _ in
      page.add(to: container) {
        $0.height = size(30); $0.breakInside = .avoid
      }
    }
    let rects = try page.layout()
    #expect(rects[container]?[3] == 60)
    #expect(rects[blocks[1]] == [0, 30, 100, 30])
    #expect(rects[blocks[2]] == [120, 0, 100, 30])
  }

  @Test("In quirks mode percentage heights resolve against the nearest ancestor with a height")
  func quirkyPercentages() throws {
    var page = Page(quirks: true)
    let auto = page.add()
    let child = page.add(to: auto) { $0.height = .value(.percentage(50)) }
    let rects = try page.layout()
    #expect(rects[child]?[3] == 300)
    #expect(rects[page.root]?[3] == 600)
  }
}
