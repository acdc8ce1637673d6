import OffprintCSS
import OffprintCoreTypes
import OffprintLayout
import Testing

@testable import OffprintPainting

@Suite("Blurs") struct BlurTests {
  private let memory = LayerMemory(limit: 1 << 30)

  /// The number of pixels processed to blur a mask that is fully covered.
  private func cost(_ sigma: Double, side: Int = 300) throws -> Int {
    let meter = WorkMeter(deadline: .never)
    let mask = try #require(try CoverageMask(PixelRect(x: 0, y: 0, width: side, height: side), memory))
    var path = VectorPath()
    path.add(RoundedRect(mask.rect))
    mask.fill(path, .identity)
    try Blur(sigma: sigma).apply(mask, meter)
    return meter.pixels
  }

  @Test("A blur processes the same number of pixels whatever its radius")
  func costIsIndependentOfRadius() throws {
    let narrow = try cost(2)
    for sigma in [8.0, 40, 200, 500] { #expect(try cost(sigma) == narrow) }
    #expect(narrow < 3 * 300 * 300)
  }

  @Test("Empty layers are not blurred")
  func emptyLayers() throws {
    let meter = WorkMeter(deadline: .never)
    let layer = try #require(try PixelLayer(PixelRect(x: 0, y: 0, width: 500, height: 500), memory))
    try Blur(sigma: 50).apply(layer, meter)
    #expect(meter.pixels < 500 * 500)
  }

  @Test("A wide blur uses a layer with fewer pixels: nested ones stay within a small budget")
  func wideBlursAreReduced() throws {
    var page = Page(width: 60, height: 60), parent = FragmentID(0)
    for _ in 0..<6 { parent = page.add(in: parent, width: 60, height: 60, color: "r") { $0.effects.filter = [.blur(400)] } }
    var limits = Limits()
    limits.layerBytes = 16 << 20
    #expect(try pixels(page.list(), limits: limits).count == 60)
  }

  @Test("The center of a box much larger than its blur keeps its color, at any radius")
  func middleKeepsItsColor() throws {
    for radius: Float in [3, 30, 100, 300] {
      var page = Page(width: 4, height: 2)
      page.add(x: -2000, y: -2000, width: 4000, height: 4000, color: "r") { $0.effects.filter = [.blur(radius)] }
      #expect(try rasterized(page.list()) == ["rrrr", "rrrr"], "\(radius)")
    }
  }

  @Test("An edge blurred at a reduced size falls off like one at full size")
  func reducedEdge() throws {
    // A Gaussian's integral is the same at the same number of sigmas from the edge.
    func profile(_ sigma: Int) throws -> [Int] {
      var page = Page(width: 6 * sigma, height: 1)
      page.add(x: Double(3 * sigma), y: -2000, width: 4000, height: 4000, color: "k") { $0.effects.filter = [.blur(Float(sigma))] }
      let row = try pixels(page.list())[0]
      return (0..<12).map { Int(row[$0 * sigma / 2 + sigma / 4] & 255) }
    }
    for (a, b) in zip(try profile(28), try profile(112)) { #expect(abs(a - b) <= 2) }
  }

  @Test("Bands do not affect wide blurs, shadows and backdrop filters")
  func bands() throws {
    var page = Page(width: 40, height: 50)
    page.add(x: 5, y: 5, width: 20, height: 20, color: "r") { $0.effects.filter = [.blur(50)] }
    page.add(x: 15, y: 10, width: 12, height: 20, color: "b") {
      $0.effects.filter = [.dropShadow(Shadow(color: .color(Letter.color("k")), x: 3, y: 2, blur: 60))]
    }
    page.add(x: 0, y: 20, width: 40, height: 20, color: " ") { $0.effects.backdropFilter = [.blur(40)] }
    let whole = try pixels(page.list())
    for height in [3, 16, 31] { #expect(try pixels(page.list(), bandHeight: height) == whole) }
    #expect(Set(whole.joined()).count > 2)
  }
}
