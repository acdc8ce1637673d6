import OffprintCoreTypes
import Testing

@testable import OffprintPainting

@Suite("The cost of filling paths") struct PathCostTests {
  private let area = PixelRect(x: 0, y: 0, width: 800, height: 800)

  private func curves(_ count: Int) -> VectorPath {
    var path = VectorPath(), seed = 1
    func next() -> Double {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return Double(seed % 800)
    }
    path.elements.append(.move(DisplayPoint(0, 0)))
    for _ in 0..<count {
      path.elements.append(.cubic(DisplayPoint(next(), next()), DisplayPoint(next(), next()), DisplayPoint(next(), next())))
    }
    return path
  }

  @Test("Curves across the image cost by their crossings: 4,000 exceed the limit of a path, 500 do not")
  func curves() {
    #expect(PathCost(curves(4000), .identity, area).steps > Double(Limits().pathSteps))
    #expect(PathCost(curves(500), .identity, area).steps < Double(Limits().pathSteps) / 4)
  }

  @Test("A path of a thousand elements exceeds a limit of one step")
  func few() {
    #expect(throws: LimitExceeded(limit: "pathSteps", allowed: 1)) {
      try WorkMeter(deadline: .never, pathSteps: 1).permit(PathCost(curves(1000), .identity, area))
    }
  }
}
