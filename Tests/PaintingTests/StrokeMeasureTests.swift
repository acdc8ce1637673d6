import OffprintCoreTypes
import Testing

@testable import OffprintPainting

@Suite("The flattening tolerance of strokes in documents") struct StrokeMeasureTests {
  private func circles(_ radius: Double, count: Int = 1) -> VectorPath {
    var path = VectorPath()
    for _ in 0..<count {
      path.elements += [.move(DisplayPoint(radius, 0))]
      path.elements += Array(
        repeating: .cubic(DisplayPoint(radius, radius), DisplayPoint(-radius, radius), DisplayPoint(-radius, 0)), count: 4)
    }
    return path
  }

  @Test("Curves of usual sizes have Cairo's tolerance, large ones a number of lines bounded by the path's elements")
  func curves() {
    let stroke = Stroke(width: 1)
    #expect(StrokeMeasure(circles(50), stroke, .identity).tolerance == 0.1)
    let large = StrokeMeasure(circles(1e9, count: 1000), stroke, .identity)
    #expect(large.tolerance > 0.1 && large.lines < 20 * 5000)
    #expect(StrokeMeasure(circles(1e300), stroke, .scaling(1e300, 1e300)).lines.isFinite)
  }

  @Test("Excessive dashes are not measured individually")
  func dashes() {
    var path = VectorPath(), stroke = Stroke(width: 1)
    path.move(0, 0)
    path.line(400, 0)
    stroke.dashes = [3, 1]
    #expect(StrokeMeasure(path, stroke, .identity).tolerance == 0.1)
    stroke.dashes = [0.01]
    #expect(StrokeMeasure(path, stroke, .identity).tolerance >= 0.1)
    #expect(StrokeMeasure(path, stroke, .identity).lines < 4100)
  }
}
