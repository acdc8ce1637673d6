import CSS
import CoreTypes
import Images
import Layout
import Painting
import Testing

@Suite("Masks, clip paths and filters of SVG") struct MaskTests {
  private func reference(_ kind: SVGReference.Kind, _ content: String) -> ImageStore {
    let element = ["mask", "clipPath", "filter"][kind == .mask ? 0 : kind == .clipPath ? 1 : 2]
    let text = "<\(element) id='\(SVGReference.name)'>\(content)</\(element)>"
    var store = ImageStore()
    store.references["#a"] = SVGReference(kind: kind, id: "a", definitions: Array(text.utf8))
    return store
  }

  @Test("clip-path: url() lets through what the element covers, from the box's corner")
  func clipPath() throws {
    var page = Page(width: 6, height: 2)
    page.add(x: 1, width: 4, height: 2, color: "r") { $0.effects.clipPath = .reference("#a") }
    let store = reference(.clipPath, "<rect x='1' width='2' height='1'/>")
    #expect(try picture(page.list(images: store)) == ["..rr..", "......"])
  }

  @Test("mask-image: url() reads the brightness of a <mask>, unless mask-mode says alpha")
  func maskModes() throws {
    let store = reference(.mask, "<rect width='2' height='1' fill='#000'/><rect x='2' width='2' height='1' fill='#fff'/>")
    for (mode, expected) in [(BackgroundLayer.MaskMode.matchSource, "..rr"), (.luminance, "..rr"), (.alpha, "rrrr")] {
      var page = Page(width: 4, height: 1)
      page.add(width: 4, height: 1, color: "r") {
        var layer = BackgroundLayer()
        layer.image = .url("#a")
        layer.maskMode = mode
        $0.effects.mask = [layer]
      }
      #expect(try picture(page.list(images: store)) == [expected], "\(mode)")
    }
  }

  @Test("A mask that refers to nothing hides the box")
  func missingMask() throws {
    var page = Page(width: 2, height: 1)
    page.add(width: 2, height: 1, color: "r") {
      var layer = BackgroundLayer()
      layer.image = .url("#none")
      $0.effects.mask = [layer]
    }
    #expect(try picture(page.list()) == [".."])
  }

  @Test("filter: url() draws through the filter's elements")
  func filter() throws {
    var page = Page(width: 8, height: 4)
    page.add(x: 2, width: 4, height: 4, color: "r") { $0.effects.filter = [.reference("#a")] }
    let store = reference(.filter, "<feFlood flood-color='#0f0'/><feComposite in2='SourceGraphic' operator='in'/>")
    #expect(try picture(page.list(images: store)) == Array(repeating: "..gggg..", count: 4))
  }

  @Test("Rotations in a three-dimensional context add up; what is turned edge-on is not seen")
  func preserve3D() throws {
    for (angle, expected) in [(Float(30), "rr.."), (90, "....")] {
      var page = Page(width: 4, height: 1)
      let outer = page.add(width: 4, height: 1) {
        $0.effects.transform = [.rotate3d(0, 1, 0, angle)]
        $0.effects.transformOrigin = Position(x: .length(0), y: .length(0))
        $0.effects.transformStyle = .preserve3d
      }
      page.add(in: outer, width: 4, height: 1, color: "r") {
        $0.effects.transform = [.rotate3d(0, 1, 0, 30)]
        $0.effects.transformOrigin = Position(x: .length(0), y: .length(0))
        $0.effects.backfaceVisibility = .hidden
      }
      #expect(try picture(page.list()) == [expected], "\(angle)")
    }
  }
}
