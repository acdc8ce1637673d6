import OffprintCSS
import OffprintCoreTypes
import Glibc

// Resolves gradients to the size of their image. https://drafts.csswg.org/css-images-4/#gradients
extension PaintContext {
  func resolve(_ gradient: Gradient, width: Double, height: Double, _ style: ComputedStyle) -> ResolvedGradient {
    let geometry: ResolvedGradient.Geometry
    /// The length of the gradient line in device pixels.
    var line: Double
    switch gradient.shape {
    case .linear(let angle):
      let radians = Double(angle.isFinite ? angle : 0) * .pi / 180
      var (sx, sy) = (sin(radians), -cos(radians))
      if abs(sx) < 1e-9 { sx = 0 }
      if abs(sy) < 1e-9 { sy = 0 }
      (geometry, line) = linear(sx, sy, width, height)
    case .linearTo(let toX, let toY):
      // Toward a corner, the 50% line runs through the two neighboring corners.
      let (sx, sy) = toX != 0 && toY != 0 ? (Double(toX) * height, Double(toY) * width) : (Double(toX), Double(toY))
      let norm = (sx * sx + sy * sy).squareRoot()
      (geometry, line) = norm > 0 ? linear(sx / norm, sy / norm, width, height) : linear(0, 1, width, height)
    case .line(let from, let to):
      let (a, b) = (position(from, width, height), position(to, width, height))
      (geometry, line) = (.linear(from: a, to: b), 0)
    case .circles(let from, let first, let to, let second):
      geometry = .conical(
        focus: position(from, width, height), focalRadius: first.resolve(0.0) * scale, center: position(to, width, height),
        radius: second.resolve(0.0) * scale)
      line = 0
    case .radial(let ending, let at):
      let center = position(at, width, height)
      let (rx, ry) = radii(ending, center, width, height)
      geometry = .radial(center: center, rx: max(rx, 1e-6), ry: max(ry, 1e-6))
      line = rx
    case .conic(let from, let at):
      geometry = .conic(center: position(at, width, height), start: Double(from.isFinite ? from : 0) * .pi / 180)
      line = 0
    }
    var isConic = false
    if case .conic = geometry { isConic = true }
    var stops = resolveStops(gradient, style) { value in
      if isConic { return value.resolve(1.0) }
      guard line > 0 else { return value.resolve(1.0) - value.resolve(0.0) }
      return value.resolve(line / self.scale) * self.scale / line
    }
    if gradient.repeating, case .radial(_, let rx, let ry) = geometry, min(rx, ry) <= 1e-6 { stops = mean(of: stops) }
    return ResolvedGradient(
      geometry: geometry, stops: stops, isRepeating: gradient.repeating, interpolation: gradient.interpolation, hue: gradient.hue)
  }

  /// A repeating gradient of zero size is painted in its average color. https://drafts.csswg.org/css-images-3/#degenerate-radials
  private func mean(of stops: [ResolvedGradient.Stop]) -> [ResolvedGradient.Stop] {
    guard let first = stops.first, let last = stops.last, last.offset > first.offset else { return Array(stops.suffix(1)) }
    var sum = SIMD4<Float>.zero
    for (a, b) in zip(stops, stops.dropFirst()) {
      let weight: Float = (b.offset - a.offset) / (last.offset - first.offset) / 2
      sum += SIMD4(a.color.red, a.color.green, a.color.blue, a.color.alpha) * weight
      sum += SIMD4(b.color.red, b.color.green, b.color.blue, b.color.alpha) * weight
    }
    return [ResolvedGradient.Stop(offset: 0, color: Color(red: sum.x, green: sum.y, blue: sum.z, alpha: sum.w))]
  }

  private func linear(_ sx: Double, _ sy: Double, _ width: Double, _ height: Double) -> (ResolvedGradient.Geometry, Double) {
    let half = (abs(width * sx) + abs(height * sy)) / 2
    let center = DisplayPoint(width / 2, height / 2)
    return (
      .linear(
        from: DisplayPoint(center.x - sx * half, center.y - sy * half), to: DisplayPoint(center.x + sx * half, center.y + sy * half)),
      2 * half
    )
  }

  private func position(_ value: Position, _ width: Double, _ height: Double) -> DisplayPoint {
    DisplayPoint(value.x.resolve(width / scale) * scale, value.y.resolve(height / scale) * scale)
  }

  /// https://drafts.csswg.org/css-images-3/#radial-size
  private func radii(_ ending: Gradient.RadialEnding, _ c: DisplayPoint, _ width: Double, _ height: Double) -> (Double, Double) {
    let nearX = min(abs(c.x), abs(width - c.x)), farX = max(abs(c.x), abs(width - c.x))
    let nearY = min(abs(c.y), abs(height - c.y)), farY = max(abs(c.y), abs(height - c.y))
    func corner(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    switch ending {
    case .closestSide(let circle): return circle ? (min(nearX, nearY), min(nearX, nearY)) : (nearX, nearY)
    case .farthestSide(let circle): return circle ? (max(farX, farY), max(farX, farY)) : (farX, farY)
    case .closestCorner(let circle):
      if circle { return (corner(nearX, nearY), corner(nearX, nearY)) }
      return (nearX * 2.0.squareRoot(), nearY * 2.0.squareRoot())
    case .farthestCorner(let circle):
      if circle { return (corner(farX, farY), corner(farX, farY)) }
      return (farX * 2.0.squareRoot(), farY * 2.0.squareRoot())
    case .circle(let radius):
      let r = max(0, radius.resolve(width / scale) * scale)
      return (r, r)
    case .ellipse(let x, let y): return (max(0, x.resolve(width / scale) * scale), max(0, y.resolve(height / scale) * scale))
    }
  }

  /// https://drafts.csswg.org/css-images-3/#color-stop-fixup
  private func resolveStops(
    _ gradient: Gradient, _ style: ComputedStyle, _ offset: (LengthPercentage) -> Double
  ) -> [ResolvedGradient.Stop] {
    struct Pending {
      var color: Color?
      var offset: Double?
    }
    var pending = gradient.stops.prefix(4096).map { stop in
      Pending(color: stop.color?.resolve(style.text.color), offset: stop.position.map { offset($0) }.map { $0.isFinite ? $0 : 0 })
    }
    guard !pending.isEmpty else { return [] }
    if pending[0].offset == nil { pending[0].offset = 0 }
    let last = pending.count - 1
    if pending[last].offset == nil { pending[last].offset = 1 }
    var highest = -Double.infinity
    for index in pending.indices {
      guard let value = pending[index].offset else { continue }
      highest = max(highest, value)
      pending[index].offset = highest
    }
    var index = 0
    while index < pending.count {
      guard pending[index].offset == nil else { index += 1; continue }
      let next = pending[index...].firstIndex { $0.offset != nil } ?? last
      let low = pending[max(0, index - 1)].offset ?? 0, high = pending[next].offset ?? 1
      let count = Double(next - index + 1)
      for place in index..<next { pending[place].offset = low + (high - low) * Double(place - index + 1) / count }
      index = next
    }
    var stops: [ResolvedGradient.Stop] = []
    for (index, stop) in pending.enumerated() {
      let at = stop.offset ?? 0
      if let color = stop.color {
        stops.append(ResolvedGradient.Stop(offset: Float(at), color: color))
      } else if let left = stops.last, index + 1 < pending.count, let color = pending[index + 1].color {
        appendHint(at, from: left, to: ResolvedGradient.Stop(offset: Float(pending[index + 1].offset ?? at), color: color), &stops)
      }
    }
    return stops
  }

  /// Approximates a transition hint by nine stops along its curve, as Chromium does.
  /// https://drafts.csswg.org/css-images-4/#color-stop-fixup
  private func appendHint(
    _ hint: Double, from left: ResolvedGradient.Stop, to right: ResolvedGradient.Stop, _ stops: inout [ResolvedGradient.Stop]
  ) {
    let start = Double(left.offset), end = Double(right.offset)
    let before = hint - start, after = end - hint
    guard abs(before - after) > 1e-9, end > start else { return }
    if before <= 0 { return stops.append(ResolvedGradient.Stop(offset: left.offset, color: right.color)) }
    if after <= 0 { return stops.append(ResolvedGradient.Stop(offset: right.offset, color: left.color)) }
    let exponent = log(0.5) / log(before / (end - start))
    var places: [Double] = []
    if before > after {
      for i in 0..<7 { places.append(start + before * Double(7 + i) / 13) }
      places += [hint + after / 3, hint + after * 2 / 3]
    } else {
      places = [start + before / 3, start + before * 2 / 3]
      for i in 0..<7 { places.append(hint + after * Double(i) / 13) }
    }
    for place in places {
      let part = Float(pow((place - start) / (end - start), exponent))
      func mix(_ a: Float, _ b: Float) -> Float { a + (b - a) * part }
      let (a, b) = (left.color, right.color)
      stops.append(
        ResolvedGradient.Stop(
          offset: Float(place),
          color: Color(
            red: mix(a.red, b.red), green: mix(a.green, b.green), blue: mix(a.blue, b.blue), alpha: mix(a.alpha, b.alpha))))
    }
  }
}
