import OffprintCSS
import OffprintCoreTypes
import OffprintLayout
import OffprintPainting
import Testing

@Suite("Painting order") struct PaintingOrderTests {
  @Test("Floats are painted above later blocks, inline-level boxes above both")
  func floatsAndInlines() throws {
    var page = Page(width: 4, height: 1)
    page.add(width: 1, height: 1, color: "b") { $0.isInlineLevel = true }
    page.add(x: 0, width: 2, height: 1, color: "g") { $0.box.float = .left }
    page.add(width: 3, height: 1, color: "r")
    #expect(try rasterized(page.list()) == ["bgr."])
  }

  @Test("Boxes with negative z-index are below the blocks of their stacking context, those with positive z-index above everything")
  func zIndex() throws {
    var page = Page(width: 5, height: 1)
    page.add(width: 2, height: 1, color: "r") {
      $0.box.position = .absolute; $0.box.zIndex = 1
    }
    page.add(width: 5, height: 1, color: "y") {
      $0.box.position = .absolute; $0.box.zIndex = -1
    }
    page.add(width: 3, height: 1, color: "g") { $0.box.position = .relative }
    page.add(width: 4, height: 1, color: "b")
    #expect(try rasterized(page.list()) == ["rrgby"])
  }

  @Test("A stacking context keeps its descendants together, a positioned box without z-index does not")
  func atomicity() throws {
    for (zIndex, expected) in [(0, "gr"), (nil, "rr")] as [(Int?, String)] {
      var page = Page(width: 2, height: 1)
      let outer = page.add(width: 2, height: 1, color: "b") {
        $0.box.position = .relative; $0.box.zIndex = zIndex
      }
      page.add(in: outer, width: 2, height: 1, color: "r") {
        $0.box.position = .relative; $0.box.zIndex = 5
      }
      page.add(width: 1, height: 1, color: "g") {
        $0.box.position = .relative; $0.box.zIndex = 1
      }
      #expect(try rasterized(page.list()) == [expected])
    }
  }

  @Test("A flex item with a z-index is a stacking context without being positioned")
  func flexItems() throws {
    var page = Page(width: 2, height: 1)
    let flex = page.add(.flexContainer, width: 2, height: 1)
    page.add(in: flex, width: 2, height: 1, color: "r") { $0.box.zIndex = 1 }
    page.add(in: flex, width: 2, height: 1, color: "b")
    #expect(try rasterized(page.list()) == ["rr"])
  }

  @Test("An absolutely positioned box escapes the clip of a box that is not its containing block, but not that box's opacity")
  func escapingClip() throws {
    var page = Page(width: 4, height: 1)
    let outer = page.add(width: 4, height: 1) { $0.box.position = .relative }
    let faded = page.add(in: outer, width: 2, height: 1) {
      $0.effects.opacity = 0.5
      $0.box.overflowX = .hidden
      $0.box.overflowY = .hidden
    }
    page.add(in: faded, width: 4, height: 1, color: "r")
    page.add(in: faded, x: 3, width: 1, height: 1, color: "r", inFragment: outer) { $0.box.position = .absolute }
    #expect(try rasterized(page.list()) == ["hh.h"])
  }

  @Test("Overflow is clipped at the padding edge, independently in each axis")
  func overflowClip() throws {
    var page = Page(width: 4, height: 3)
    let box = page.add(width: 3, height: 2) { $0.box.overflowX = .clip }
    page.add(in: box, width: 4, height: 3, color: "r")
    #expect(try rasterized(page.list()) == ["rrr.", "rrr.", "rrr."])
  }

  @Test("Visible children of a hidden box are painted")
  func visibility() throws {
    var page = Page(width: 2, height: 1)
    let hidden = page.add(width: 2, height: 1, color: "r") { $0.text.visibility = .hidden }
    page.add(in: hidden, width: 1, height: 1, color: "g")
    #expect(try rasterized(page.list()) == ["g."])
  }

  @Test("Opacity applies to a group as a whole")
  func groups() throws {
    var page = Page(width: 2, height: 1)
    let group = page.add(width: 2, height: 1, color: "b") { $0.effects.opacity = 0.5 }
    page.add(in: group, width: 2, height: 1, color: "r")
    #expect(try rasterized(page.list()) == ["hh"])
  }

  @Test("The root's background covers the canvas; outlines are above later blocks")
  func canvasAndOutlines() throws {
    var page = Page(width: 5, height: 3)
    let root = page.add(width: 5, height: 1, color: "y")
    page.tree.boxes[page.fragments[root].box.index].isRoot = true
    page.add(in: root, x: 1, y: 1, width: 1, height: 1) {
      $0.border.outlineWidth = 1
      $0.border.outlineStyle = .solid
      $0.border.outlineColor = .color(Letter.color("r"))
    }
    page.add(in: root, x: 2, y: 0, width: 3, height: 3, color: "b")
    #expect(try rasterized(page.list()) == ["rrrbb", "ryrbb", "rrrbb"])
  }
}
