import OffprintCSS
import OffprintCoreTypes
import OffprintImages
import OffprintLayout
import OffprintPainting
import Testing

@Suite("Masks and 3D transforms") struct MaskTests {
  @Test("A mask with a missing reference hides the box")
  func missingMask() throws {
    var page = Page(width: 2, height: 1)
    page.add(width: 2, height: 1, color: "r") {
      var layer = BackgroundLayer()
      layer.image = .url("#none")
      $0.effects.mask = [layer]
    }
    #expect(try rasterized(page.list()) == [".."])
  }

  @Test("Rotations in a 3D rendering context accumulate; boxes seen edge-on are invisible")
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
      #expect(try rasterized(page.list()) == [expected], "\(angle)")
    }
  }
}
