import OffprintCSS
import OffprintCoreTypes
import OffprintImages
import OffprintLayout
import Testing
import OffprintTypography

@testable import OffprintPainting

@Suite("Time and memory limits of painting") struct BudgetTests {
  /// Nested boxes, each of which is a group.
  private func nested(_ depth: Int, _ change: (inout Page.Styles) -> Void) -> Page {
    var page = Page(width: 64, height: 256), parent = FragmentID(0)
    for index in 0..<depth {
      parent = page.add(in: parent, width: 64, height: 256, color: index % 2 == 0 ? "y" : "h", change)
    }
    return page
  }

  @Test("Groups that exceed the budget are painted in smaller pieces, with the same pixels")
  func smallerPieces() throws {
    let page = nested(20) { $0.effects.mixBlendMode = .multiply }
    let list = try page.list(), whole = try pixels(list)
    var limits = Limits()
    // At once they would take twenty layers of 64 kB.
    limits.layerBytes = 400_000
    #expect(try pixels(list, limits: limits) == whole)
  }

  @Test("Layers that do not fit in any piece exceed the limit layerBytes")
  func noPieceFits() throws {
    var limits = Limits()
    limits.layerBytes = 2000
    #expect(throws: LimitExceeded(limit: "layerBytes", allowed: 2000)) {
      try pixels(nested(20) { $0.effects.mixBlendMode = .multiply }.list(), limits: limits)
    }
  }

  @Test("Nested clip paths cost one mask each, not one for each clip around them")
  func nestedClips() throws {
    func cost(_ depth: Int) throws -> Int {
      let list = try nested(depth) {
        $0.effects.clipPath = .shape(.ellipse(.closestSide, .closestSide, at: Position(x: .length(32), y: .length(128))), nil)
      }.list()
      let rasterizer = Rasterizer(glyphs: GlyphRasterizer())
      try rasterizer.paint(list, background: .white, deadline: .never) { _, _ in }
      return rasterizer.meter.pixels
    }
    let few = try cost(10), many = try cost(40)
    #expect(many < 5 * few)
  }

  @Test("Released memory is reused, and counted once")
  func memoryIsReused() throws {
    let memory = LayerMemory(limit: 3 << 20)
    for _ in 0..<10 {
      let layer = try #require(try PixelLayer(PixelRect(x: 0, y: 0, width: 512, height: 512), memory))
      #expect(layer.pixels[77] == 0)
      layer.fill(layer.rect, 0xff00_00ff)
    }
    #expect(memory.used == 0 && memory.peak == 1 << 20)
    #expect(throws: LayerMemory.Exhausted.self) { _ = try PixelLayer(PixelRect(x: 0, y: 0, width: 1024, height: 1024), memory) }
  }

  @Test("Every kind of painting ends after the deadline")
  func deadlines() throws {
    let changes: [(inout Page.Styles) -> Void] = [
      { $0.effects.filter = [.blur(20)] }, { $0.effects.opacity = 0.5 }, { $0.effects.mixBlendMode = .hue },
      { $0.background.boxShadow = [Shadow(color: .color(.black), x: 1, y: 1, blur: 9)] }, { $0.effects.filter = [.grayscale(0)] },
    ]
    for change in changes {
      let list = try nested(3, change).list()
      #expect(throws: DeadlineExceeded.self) {
        try Painter().draw(list, background: .white, deadline: Deadline(after: .zero)) { _, _ in }
      }
    }
  }

  @Test("The deadline is checked while processing large layers")
  func deadlineInside() throws {
    var page = Page(width: 4000, height: 4000), parent = FragmentID(0)
    for _ in 0..<30 {
      parent = page.add(in: parent, width: 4000, height: 4000, color: "r") { $0.effects.filter = [.blur(9), .grayscale(0.5)] }
    }
    let list = try page.list(), start = ContinuousClock.now
    #expect(throws: DeadlineExceeded.self) {
      try Painter().draw(list, background: .white, deadline: Deadline(after: .milliseconds(200))) { _, _ in }
    }
    #expect(ContinuousClock.now - start < .seconds(2))
  }

  @Test("An image stored at a reduced resolution is reported if painted at a larger size")
  func halvedImages() throws {
    let whole = try #require(Bitmap(width: 16, height: 16, filledWith: 0xffff_0000)), half = try #require(whole.halved())
    for (side, problems) in [(4.0, 0), (8, 0), (16, 1)] {
      let area = DisplayRect(x: 0, y: 0, width: side, height: side)
      let recorder = DisplayListRecorder(bounds: PixelRect(x: 0, y: 0, width: 16, height: 16))
      recorder.add(.pattern(Pattern(source: .bitmap(half, smooth: true), tile: area, area: RoundedRect(area))), area.enclosing)
      let painter = Painter()
      try painter.draw(recorder.list, background: .white, deadline: .never) { rows, _ in #expect(rows[0] == 0xffff_0000) }
      #expect(painter.problems.map(\.code) == Array(repeating: .limitExceeded, count: problems), "\(side)")
    }
  }
}
