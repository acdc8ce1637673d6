import OffprintCoreTypes
import Testing

@testable import OffprintCSS
@testable import OffprintLayout

@Suite("SVG attribute data") struct SVGDataTests {
  private func path(_ text: String) -> [VectorPath.Element] { VectorPath(svgPath: text.utf8).elements }

  private func p(_ x: Double, _ y: Double) -> DisplayPoint { DisplayPoint(x, y) }

  @Test("Path data is parsed up to the first error")
  func pathErrors() {
    #expect(path("M1 2L3 4 5,6") == [.move(p(1, 2)), .line(p(3, 4)), .line(p(5, 6))])
    #expect(path("M1 2L3 4L5") == [.move(p(1, 2)), .line(p(3, 4))])
    #expect(path("M1 2x3") == [.move(p(1, 2))])
    #expect(path("L1 2") == [])
    #expect(path("") == [])
  }

  @Test("Numbers need separators only where they would be ambiguous")
  func compactNumbers() {
    #expect(path("M.5.5-1-.5e1") == [.move(p(0.5, 0.5)), .line(p(-1, -5))])
    #expect(path("m1 1h2v-3z") == [.move(p(1, 1)), .line(p(3, 1)), .line(p(3, -2)), .close])
  }

  @Test("Arc flags are single digits, and an arc without radius is a line")
  func arcs() {
    #expect(path("M0 0A1 1 0 002 0").count > 1)
    #expect(path("M0 0A0 1 0 0 0 5 5") == [.move(p(0, 0)), .line(p(5, 5))])
    #expect(path("M0 0A1 1 0 2 0 5 5") == [.move(p(0, 0))])
  }

  @Test("A subpath after a closed one starts at the start of that")
  func afterClose() {
    #expect(path("M1 1L4 1zl0 2") == [.move(p(1, 1)), .line(p(4, 1)), .close, .line(p(1, 3))])
  }

  @Test("A transform is a list of functions; one invalid function invalidates the list")
  func transforms() {
    func parse(_ text: String) -> AffineTransform? { SVGTransformList.parse(text.utf8) }
    #expect(parse("translate(3)") == .translation(3, 0))
    #expect(parse(" translate(1 2),scale(2) ") == AffineTransform(a: 2, b: 0, c: 0, d: 2, e: 1, f: 2))
    #expect(parse("matrix(1 2 3 4 5 6)") == AffineTransform(a: 1, b: 2, c: 3, d: 4, e: 5, f: 6))
    #expect(parse("rotate(90 5)") == nil && parse("scale(1") == nil && parse("spin(4)") == nil)
    let turned = parse("rotate(90 5 5)")?.map(DisplayPoint(10, 5))
    #expect(turned.map { abs($0.x - 5) < 1e-9 && abs($0.y - 10) < 1e-9 } == true)
  }

  @Test("preserveAspectRatio fits an image into its viewport")
  func aspect() {
    let box = DisplayRect(x: 0, y: 0, width: 10, height: 10), viewport = DisplayRect(x: 0, y: 0, width: 40, height: 20)
    func place(_ text: String) -> AffineTransform { SVGAspect(text).transform(box, to: viewport) }
    #expect(place("") == AffineTransform(a: 2, b: 0, c: 0, d: 2, e: 10, f: 0))
    #expect(place("xMaxYMin") == AffineTransform(a: 2, b: 0, c: 0, d: 2, e: 20, f: 0))
    #expect(place("xMinYMax slice") == AffineTransform(a: 4, b: 0, c: 0, d: 4, e: 0, f: -20))
    #expect(place("none") == AffineTransform(a: 4, b: 0, c: 0, d: 2, e: 0, f: 0))
    #expect(place("xMidyMid") == place(""))
  }

  @Test("Distances along a path follow its curves")
  func measure() {
    let line = SVGPathMeasure(VectorPath(svgPath: "M0 0H3V4".utf8))
    #expect(line.length == 7)
    #expect(line.place(at: 5)?.point == p(3, 2) && line.place(at: 5)?.angle == 90)
    #expect(line.place(at: 7.5) == nil && line.place(at: -1) == nil)
    let circle = SVGPathMeasure(VectorPath(svgPath: "M10 0A10 10 0 0 1 -10 0A10 10 0 0 1 10 0".utf8))
    #expect(abs(circle.length - 62.83) < 0.5)
  }

  @Test("Ellipses are as long as their chords with a tolerance of half a px, and positions are on the ellipse")
  func roundMeasure() {
    let ellipse = VectorPath.ellipse(center: p(300, 0), rx: 300, ry: 400), measure = SVGPathMeasure(ellipse, isRound: true)
    guard let place = measure.place(at: measure.length * 0.43) else { return #expect(Bool(false)) }
    #expect(abs(place.point.x - 443.93) < 0.01 && abs(place.point.y - 350.959) < 0.01)
    #expect(abs(place.angle - 143.905) < 0.01)
    let onIt = (place.point.x - 300) * (place.point.x - 300) / 90_000 + place.point.y * place.point.y / 160_000
    #expect(abs(onIt - 1) < 1e-9)
  }

  @Test("The bounding box of a curve excludes its control points")
  func bounds() {
    let box = VectorPath(svgPath: "M0 0C0 8 8 8 8 0".utf8).tightBounds
    #expect(box.map { $0.height == 6 && $0.width == 8 } == true)
  }

  @Test("Hostile data terminates")
  func hostile() {
    for text in ["M1e999 0L-1e999 nan", "M0 0A1e-300 1e300 1e9 1 1 1 1", String(repeating: "M0 0", count: 10_000), "M\u{0}1"] {
      _ = SVGPathMeasure(VectorPath(svgPath: text.utf8)).length
    }
  }
}
