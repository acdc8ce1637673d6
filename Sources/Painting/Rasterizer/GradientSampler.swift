internal import COffprintPixels
import OffprintCoreTypes
import Glibc

/// Looks up the colors of a gradient in a table; abrupt changes are computed exactly.
struct GradientSampler {
  private static let size = Int(PIXELS_TABLE)
  /// Approximate memory of one sampler in bytes.
  static let byteCount = size * 5 + 256
  private let gradient: ResolvedGradient
  /// The colors, followed by `after` and `before`.
  private let table: [UInt32]
  /// Whether the cell of the table contains an abrupt change.
  private let inexact: [Bool]
  private let first: Float
  private let length: Float
  private let before: UInt32
  private let after: UInt32

  init(_ gradient: ResolvedGradient) {
    self.gradient = gradient
    let start = gradient.stops.first?.offset ?? 0, end = gradient.stops.last?.offset ?? 1
    first = start
    length = max(end - start, 1e-9)
    let count = GradientSampler.size
    var table = [UInt32](repeating: 0, count: count), inexact = [Bool](repeating: false, count: count)
    for i in 0..<count { table[i] = packPixel(gradient.color(at: start + length * (Float(i) + 0.5) / Float(count))) }
    for jump in gradient.jumps {
      let cell = Int(max(-1, min(Float(count), ((jump - start) / length * Float(count)).rounded(.down))))
      for near in cell - 1...cell + 1 where near >= 0 && near < count { inexact[near] = true }
    }
    before = packPixel(gradient.color(at: start - 1))
    after = packPixel(gradient.color(at: end))
    self.table = table + [after, before]
    self.inexact = inexact
    isOpaque = !inexact.contains(true) && table.allSatisfy { $0 >> 24 == 255 } && (before & after) >> 24 == 255
    isPlain = !gradient.isRepeating && !inexact.contains(true)
  }

  @inline(__always)
  private func pixel(_ t: Double, _ table: UnsafeBufferPointer<UInt32>, _ inexact: UnsafeBufferPointer<Bool>) -> UInt32 {
    var u = (Float(t) - first) / length
    if gradient.isRepeating {
      u -= u.rounded(.down)
      // The offset is infinite or NaN.
      if !(u >= 0) { return before }
    } else if !(u >= 0) {
      return before
    } else if u >= 1 {
      return after
    }
    let cell = min(Int(u * Float(GradientSampler.size)), GradientSampler.size - 1)
    return inexact[cell] ? packPixel(gradient.color(at: Float(t))) : table[cell]
  }

  /// Whether every color is opaque.
  let isOpaque: Bool
  /// Whether no cell contains an abrupt change, so that the table alone is sufficient.
  private let isPlain: Bool

  /// Fills pixels with centers at `start + i * step`, in coordinates of the tile.
  func fill(_ out: UnsafeMutablePointer<UInt32>, count: Int, start: DisplayPoint, step: DisplayPoint) {
    table.withUnsafeBufferPointer { table in
      inexact.withUnsafeBufferPointer { inexact in
        let plain = pixels_gradient(table: table.baseAddress, first: first, length: length)
        switch gradient.geometry {
        case .linear(let from, let to):
          let dx = to.x - from.x, dy = to.y - from.y, squared = dx * dx + dy * dy
          guard squared > 0 else { return out.update(repeating: after, count: count) }
          let t = ((start.x - from.x) * dx + (start.y - from.y) * dy) / squared, dt = (step.x * dx + step.y * dy) / squared
          if abs(dt) < 1e-12 { return out.update(repeating: pixel(t, table, inexact), count: count) }
          if isPlain { return pixels_linear_gradient(out, count, t, dt, plain) }
          for i in 0..<count { out[i] = pixel(t + Double(i) * dt, table, inexact) }
        case .radial(let center, let rx, let ry):
          let x = (start.x - center.x) / rx, y = (start.y - center.y) / ry, dx = step.x / rx, dy = step.y / ry
          if isPlain { return pixels_radial_gradient(out, count, x, dx, y, dy, plain) }
          for i in 0..<count {
            let px = x + Double(i) * dx, py = y + Double(i) * dy
            out[i] = pixel((px * px + py * py).squareRoot(), table, inexact)
          }
        case .conical(let focus, let focalRadius, let center, let radius):
          let cone = GradientCone(focus, focalRadius, center, radius)
          for i in 0..<count {
            let t = cone.offset(start.x + Double(i) * step.x, start.y + Double(i) * step.y)
            out[i] = t.map { pixel($0, table, inexact) } ?? 0
          }
        case .conic(let center, let angle):
          for i in 0..<count {
            let x = start.x + Double(i) * step.x - center.x, y = start.y + Double(i) * step.y - center.y
            let turn = (atan2(x, -y) - angle) / (2 * Double.pi)
            out[i] = pixel(turn - turn.rounded(.down), table, inexact)
          }
        }
      }
    }
  }
}

/// Maps points to offsets in a gradient between two circles. https://html.spec.whatwg.org/#dom-context-2d-createradialgradient
struct GradientCone {
  private let focus: DisplayPoint, focalRadius: Double
  private let dx: Double, dy: Double, dr: Double, a: Double

  init(_ focus: DisplayPoint, _ focalRadius: Double, _ center: DisplayPoint, _ radius: Double) {
    self.focus = focus
    self.focalRadius = focalRadius
    (dx, dy, dr) = (center.x - focus.x, center.y - focus.y, radius - focalRadius)
    a = dx * dx + dy * dy - dr * dr
  }

  /// The largest offset whose circle contains the point; nil if absent.
  func offset(_ x: Double, _ y: Double) -> Double? {
    let px = x - focus.x, py = y - focus.y
    let b = px * dx + py * dy + focalRadius * dr, c = px * px + py * py - focalRadius * focalRadius
    if abs(a) < 1e-12 {
      guard abs(b) > 1e-12 else { return nil }
      let t = c / (2 * b)
      return focalRadius + t * dr >= 0 ? t : nil
    }
    let discriminant = b * b - a * c
    guard discriminant >= 0 else { return nil }
    let root = discriminant.squareRoot()
    let first = (b + root) / a, second = (b - root) / a
    let (high, low) = (max(first, second), min(first, second))
    if focalRadius + high * dr >= 0 { return high }
    return focalRadius + low * dr >= 0 ? low : nil
  }
}
