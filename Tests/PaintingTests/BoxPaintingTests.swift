import OffprintCSS
import OffprintCoreTypes
import OffprintImages
import OffprintLayout
import OffprintPainting
import Testing

@Suite("Boxes") struct BoxPaintingTests {
  @Test("Edges snap to the nearest pixel, so that adjacent boxes leave no gap")
  func snapping() throws {
    var page = Page(width: 4, height: 1)
    page.add(x: 0.4, width: 1.2, height: 1, color: "r")
    page.add(x: 1.6, width: 1.8, height: 1, color: "b")
    #expect(try rasterized(page.list()) == ["rrb."])
  }

  @Test("A border is at least one pixel wide, in whole pixels")
  func borderWidths() throws {
    var page = Page(width: 5, height: 5)
    page.add(width: 5, height: 5, color: "y", border: 1.9) { $0.border.color = PhysicalSides(all: .color(Letter.color("r"))) }
    page.add(x: 2, y: 2, width: 1, height: 1, border: 0.2) { $0.border.color = PhysicalSides(all: .color(Letter.color("b"))) }
    #expect(try rasterized(page.list()) == ["rrrrr", "ryyyr", "rybyr", "ryyyr", "rrrrr"])
  }

  @Test("A scale of two doubles everything, and the origin moves the image across the page")
  func scaleAndOrigin() throws {
    var page = Page(width: 2, height: 1)
    page.add(x: 0.5, width: 1, height: 1, color: "r")
    #expect(try rasterized(page.list(scale: 2)) == [".rr.", ".rr."])
    #expect(try rasterized(page.list(scale: 2, origin: (1, 0))) == ["rr..", "rr.."])
  }

  @Test("Backgrounds are clipped to the box of background-clip")
  func backgroundClip() throws {
    var page = Page(width: 4, height: 4)
    page.add(width: 4, height: 4, color: "g", border: 1) {
      $0.border.color = PhysicalSides(all: .color(.transparent))
      $0.background.layers[0].clip = .paddingBox
    }
    #expect(try rasterized(page.list()) == ["....", ".gg.", ".gg.", "...."])
  }

  @Test("Gradients end in the colors of their stops and change abruptly where two stops coincide")
  func gradients() throws {
    var page = Page(width: 4, height: 1)
    let red = ColorValue.color(Letter.color("r")), blue = ColorValue.color(Letter.color("b"))
    page.add(width: 4, height: 1) {
      $0.background.layers[0].image = .gradient(
        Gradient(
          shape: .linear(angle: 90),
          stops: [.init(color: red, position: nil), .init(color: red, position: .length(3)), .init(color: blue, position: .length(3))],
          repeating: false))
    }
    #expect(try rasterized(page.list()) == ["rrrb"])
    let ramp = ResolvedGradient(
      geometry: .linear(from: DisplayPoint(0, 0), to: DisplayPoint(1, 0)),
      stops: [.init(offset: 0, color: .black), .init(offset: 1, color: .transparent)])
    #expect(ramp.color(at: -1) == SIMD4(0, 0, 0, 1))
    #expect(ramp.color(at: 0.5) == SIMD4(0, 0, 0, 0.5))
    #expect(ramp.color(at: 2) == SIMD4(0, 0, 0, 0))
  }

  @Test("Background images repeat from their position, or not at all")
  func tiles() throws {
    let bitmap = try #require(Bitmap(width: 2, height: 1, pixels: [0xffff0000, 0xff0000ff]))
    let area = RoundedRect(PixelRect(x: 0, y: 0, width: 6, height: 1))
    var pattern = Pattern(source: .bitmap(bitmap, smooth: true), tile: DisplayRect(x: 1, y: 0, width: 2, height: 1), area: area)
    pattern.periodX = 3
    pattern.periodY = 1
    #expect(try rasterized(list(6, 1, [.pattern(pattern)])) == [".rb.rb"])
  }

  @Test("Dashed, dotted and double borders are transparent between their lines")
  func borderStyles() throws {
    var page = Page(width: 8, height: 8)
    page.add(width: 8, height: 8, border: 3) {
      $0.border.style = PhysicalSides(all: .double)
      $0.border.color = PhysicalSides(all: .color(Letter.color("r")))
    }
    let rows = try rasterized(page.list())
    #expect(rows[0] == "rrrrrrrr")
    #expect(rows[1] == "r......r")
    #expect(rows[2] == "r.rrrr.r")
    #expect(rows[3] == "r.r..r.r")
  }

  @Test("Radii that do not fit are all reduced by the same factor")
  func radii() {
    let shape = RoundedRect(
      DisplayRect(x: 0, y: 0, width: 10, height: 40), radii: PhysicalCorners(all: DisplayRadius(10, 20))
    ).constrained()
    #expect(shape.radii.topLeft == DisplayRadius(5, 10))
  }

  @Test("Shadows are outside the box and fall off like a Gaussian")
  func shadows() throws {
    let box = RoundedRect(PixelRect(x: 20, y: 0, width: 40, height: 200))
    for shape in [box, RoundedRect(box.rect, radii: PhysicalCorners(all: DisplayRadius(4, 4)))] {
      let shadow = BoxShadow(shape: shape, box: box, isInset: false, sigma: 5, color: .black)
      let rows = try pixels(list(80, 200, [.shadow(shadow)]), background: nil)
      let alphas = rows[100].map { $0 >> 24 }
      #expect(alphas[20..<60].allSatisfy { $0 == 0 })
      #expect(abs(Int(alphas[19]) - 117) < 8)
      #expect(alphas[0] < 3)
      #expect(zip(alphas[0..<20], alphas[1..<20]).allSatisfy { $0 <= $1 })
    }
  }

  @Test("NaN and infinite numbers paint nothing and do not trap")
  func hostileNumbers() throws {
    var path = VectorPath()
    path.move(.nan, .infinity)
    path.line(-.infinity, 1e300)
    path.close()
    let shape = RoundedRect(
      DisplayRect(x: -1e12, y: .nan, width: .infinity, height: 1e12), radii: PhysicalCorners(all: DisplayRadius(.infinity, .nan)))
    let commands: [DisplayCommand] = [
      .fillPath(path, .black), .strokePath(path, Stroke(width: .nan), .black), .fillRoundedRect(shape.constrained(), .black),
      .shadow(BoxShadow(shape: shape, box: shape, isInset: true, sigma: .infinity, color: .black)),
      .pushTransform(AffineTransform(a: .nan, b: 0, c: 0, d: 1, e: 0, f: 0)), .fillRect(PixelRect(x: 0, y: 0, width: 4, height: 4), .black),
      .popTransform,
    ]
    _ = try pixels(list(4, 4, commands))
  }
}
