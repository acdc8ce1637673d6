internal import OffprintCSS
internal import Glibc

/// The alpha of a gradient at each point of a box, which is all that `shape-outside` requires. Alpha is interpolated the same way in every
/// color space.
///
/// https://drafts.csswg.org/css-images-4/#gradients
struct GradientAlpha {
  private enum Geometry {
    case linear(from: ShapePoint, direction: ShapePoint, length: Double)
    case radial(center: ShapePoint, rx: Double, ry: Double)
    case conic(center: ShapePoint, start: Double)
  }
  private struct Stop {
    var offset: Double
    var alpha: Double
  }

  private let geometry: Geometry
  private let stops: [Stop]
  private let isRepeating: Bool

  init(_ gradient: Gradient, width: Double, height: Double, style: ComputedStyle) {
    var line = 0.0
    switch gradient.shape {
    case .linear(let angle):
      let radians = Double(angle.isFinite ? angle : 0) * .pi / 180
      (geometry, line) = Self.linear(sin(radians), -cos(radians), width, height)
    case .linearTo(let x, let y):
      let (dx, dy) = x != 0 && y != 0 ? (Double(x) * height, Double(y) * width) : (Double(x), Double(y))
      let norm = (dx * dx + dy * dy).squareRoot()
      (geometry, line) = norm > 0 ? Self.linear(dx / norm, dy / norm, width, height) : Self.linear(0, 1, width, height)
    case .line(let from, let to):
      let start = ShapePoint(x: from.x.resolve(width), y: from.y.resolve(height))
      let (dx, dy) = (to.x.resolve(width) - start.x, to.y.resolve(height) - start.y)
      line = (dx * dx + dy * dy).squareRoot()
      geometry = .linear(from: start, direction: line > 0 ? ShapePoint(x: dx / line, y: dy / line) : ShapePoint(x: 0, y: 0), length: line)
    case .circles(_, _, let to, let radius):
      // The ending circle.
      line = max(radius.resolve(0.0), 1e-6)
      geometry = .radial(center: ShapePoint(x: to.x.resolve(width), y: to.y.resolve(height)), rx: line, ry: line)
    case .radial(let ending, let at):
      let center = ShapePoint(x: at.x.resolve(width), y: at.y.resolve(height))
      let (rx, ry) = Self.radii(ending, center, width, height)
      geometry = .radial(center: center, rx: max(rx, 1e-6), ry: max(ry, 1e-6))
      line = rx
    case .conic(let from, let at):
      geometry = .conic(
        center: ShapePoint(x: at.x.resolve(width), y: at.y.resolve(height)), start: Double(from.isFinite ? from : 0) * .pi / 180)
      line = 1
    }
    stops = Self.stops(gradient, style, line: line)
    isRepeating = gradient.repeating
  }

  /// The alpha in 0...1 at a point.
  func alpha(x: Double, y: Double) -> Double {
    switch geometry {
    case .linear(let from, let direction, let length):
      guard length > 0 else { return stops.last?.alpha ?? 0 }
      return alpha(at: ((x - from.x) * direction.x + (y - from.y) * direction.y) / length)
    case .radial(let center, let rx, let ry):
      let dx = (x - center.x) / rx, dy = (y - center.y) / ry
      return alpha(at: (dx * dx + dy * dy).squareRoot())
    case .conic(let center, let start):
      let turn = (atan2(x - center.x, center.y - y) - start) / (2 * .pi)
      return alpha(at: turn - turn.rounded(.down))
    }
  }

  private func alpha(at offset: Double) -> Double {
    guard let first = stops.first, let last = stops.last else { return 0 }
    var t = offset
    let length = last.offset - first.offset
    if isRepeating, length > 1e-6 { t = first.offset + (t - first.offset) - ((t - first.offset) / length).rounded(.down) * length }
    if t < first.offset { return first.alpha }
    for (a, b) in zip(stops, stops.dropFirst()) where t < b.offset {
      return b.offset > a.offset ? a.alpha + (b.alpha - a.alpha) * (t - a.offset) / (b.offset - a.offset) : b.alpha
    }
    return last.alpha
  }

  // MARK: Geometry

  private static func linear(_ dx: Double, _ dy: Double, _ width: Double, _ height: Double) -> (Geometry, Double) {
    let half = (abs(width * dx) + abs(height * dy)) / 2
    let from = ShapePoint(x: width / 2 - dx * half, y: height / 2 - dy * half)
    return (.linear(from: from, direction: ShapePoint(x: dx, y: dy), length: 2 * half), 2 * half)
  }

  /// https://drafts.csswg.org/css-images-3/#radial-size
  private static func radii(
    _ ending: Gradient.RadialEnding, _ center: ShapePoint, _ width: Double, _ height: Double
  ) -> (Double, Double) {
    let nearX = min(abs(center.x), abs(width - center.x)), farX = max(abs(center.x), abs(width - center.x))
    let nearY = min(abs(center.y), abs(height - center.y)), farY = max(abs(center.y), abs(height - center.y))
    func pair(_ isCircle: Bool, _ circle: Double, _ ellipse: (Double, Double)) -> (Double, Double) { isCircle ? (circle, circle) : ellipse }
    let root = 2.0.squareRoot()
    switch ending {
    case .closestSide(let circle): return pair(circle, min(nearX, nearY), (nearX, nearY))
    case .farthestSide(let circle): return pair(circle, max(farX, farY), (farX, farY))
    case .closestCorner(let circle): return pair(circle, hypot(nearX, nearY), (nearX * root, nearY * root))
    case .farthestCorner(let circle): return pair(circle, hypot(farX, farY), (farX * root, farY * root))
    case .circle(let radius): return pair(true, max(0, radius.resolve(width)), (0, 0))
    case .ellipse(let x, let y): return (max(0, x.resolve(width)), max(0, y.resolve(height)))
    }
  }

  // MARK: Stops

  /// https://drafts.csswg.org/css-images-4/#color-stop-fixup. A transition hint becomes a stop with the average alpha.
  private static func stops(_ gradient: Gradient, _ style: ComputedStyle, line: Double) -> [Stop] {
    var isConic = false
    if case .conic = gradient.shape { isConic = true }
    func offset(_ position: LengthPercentage) -> Double {
      if isConic { return position.resolve(1.0) }
      return line > 0 ? position.resolve(line) / line : position.resolve(0.0) > 0 ? 1 : 0
    }
    let given = gradient.stops.prefix(4096)
    var offsets = given.map { $0.position.map(offset) }
    guard !offsets.isEmpty else { return [] }
    fixUp(&offsets)
    var result: [Stop] = []
    var alphas: [Double?] = given.map { stop in stop.color.map { Double(min(max($0.resolve(style.text.color).alpha, 0), 1)) } }
    for index in alphas.indices where alphas[index] == nil && index > 0 && index + 1 < alphas.count {
      alphas[index] = ((alphas[index - 1] ?? 0) + (alphas[index + 1] ?? 0)) / 2
    }
    for (offset, alpha) in zip(offsets, alphas) { result.append(Stop(offset: offset ?? 0, alpha: alpha ?? 0)) }
    return result
  }

  private static func fixUp(_ offsets: inout [Double?]) {
    let last = offsets.count - 1
    if offsets[0] == nil { offsets[0] = 0 }
    if offsets[last] == nil { offsets[last] = 1 }
    var highest = -Double.infinity
    for index in offsets.indices {
      guard let value = offsets[index] else { continue }
      highest = max(highest, value)
      offsets[index] = highest
    }
    var index = 0
    while index <= last {
      guard offsets[index] == nil else { index += 1; continue }
      let next = offsets[index...].firstIndex { $0 != nil } ?? last
      let low = offsets[max(0, index - 1)] ?? 0, high = offsets[next] ?? 1
      for place in index..<next { offsets[place] = low + (high - low) * Double(place - index + 1) / Double(next - index + 1) }
      index = max(next, index + 1)
    }
  }
}
