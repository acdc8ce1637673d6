import OffprintCoreTypes
import Glibc
import OffprintLayout

/// https://drafts.fxtf.org/filter-effects/#feDiffuseLightingElement and #feSpecularLightingElement
struct Lighting: Sendable {
  let light: SVGFilter.Light
  let color: Color
  let surfaceScale: Double
  let constant: Double
  /// The specular exponent; nil for diffuse lighting.
  let exponent: Double?

  /// The surface normal from the alpha differences around a pixel. https://drafts.fxtf.org/filter-effects/#feDiffuseLightingElement
  static func normal(_ a: (Int, Int) -> Double, _ x: Int, _ y: Int, _ rect: PixelRect, _ scale: Double) -> SIMD3<Double> {
    let left = x > rect.left, right = x < rect.right - 1, top = y > rect.top, bottom = y < rect.bottom - 1
    let rows: [(Int, Double)] = (top ? [(-1, 1.0)] : []) + [(0, 2)] + (bottom ? [(1, 1)] : [])
    let columns: [(Int, Double)] = (left ? [(-1, 1.0)] : []) + [(0, 2)] + (right ? [(1, 1)] : [])
    let (x0, x1) = (left ? x - 1 : x, right ? x + 1 : x), (y0, y1) = (top ? y - 1 : y, bottom ? y + 1 : y)
    var nx = 0.0, ny = 0.0
    for (dy, weight) in rows { nx += weight * (a(x1, y + dy) - a(x0, y + dy)) }
    for (dx, weight) in columns { ny += weight * (a(x + dx, y1) - a(x + dx, y0)) }
    let rowSum = rows.reduce(0) { $0 + $1.1 }, columnSum = columns.reduce(0) { $0 + $1.1 }
    let wide = Double(max(1, x1 - x0)), high = Double(max(1, y1 - y0))
    return normalize(SIMD3(-scale * nx * 2 / (rowSum * wide), -scale * ny * 2 / (columnSum * high), 1))
  }

  static func normalize(_ v: SIMD3<Double>) -> SIMD3<Double> {
    let length = (v * v).sum().squareRoot()
    return length > 0 ? v / length : v
  }

  /// The unit vector from a point of the surface to the light, and the strength of the light there.
  func direction(_ x: Double, _ y: Double, _ z: Double) -> (SIMD3<Double>, Double) {
    switch light {
    case .distant(let azimuth, let elevation):
      let a = azimuth * .pi / 180, e = elevation * .pi / 180
      return (SIMD3(cos(a) * cos(e), sin(a) * cos(e), sin(e)), 1)
    case .point(let lx, let ly, let lz): return (Self.normalize(SIMD3(lx - x, ly - y, lz - z)), 1)
    case .spot(let lx, let ly, let lz, let at, let exponent, let cone):
      let l = Self.normalize(SIMD3(lx - x, ly - y, lz - z))
      let s = Self.normalize(SIMD3(at[0] - lx, at[1] - ly, at[2] - lz))
      let cosine = -(l * s).sum()
      guard cosine > 0 else { return (l, 0) }
      if let cone {
        let limit = cos(abs(cone) * .pi / 180)
        if cosine < limit { return (l, 0) }
        // Chromium (Skia) softens the edge of the cone.
        let inner = limit + 0.016
        let strength = pow(cosine, exponent)
        return (l, cosine < inner ? strength * (cosine - limit) / 0.016 : strength)
      }
      return (l, pow(cosine, exponent))
    }
  }

  /// The intensity of the light reflected toward the viewer, at least 0, as a factor of each color component.
  func intensity(_ normal: SIMD3<Double>, _ x: Double, _ y: Double, _ z: Double) -> Double {
    let (l, strength) = direction(x, y, z)
    guard strength > 0 else { return 0 }
    guard let exponent else { return constant * max(0, (normal * l).sum()) * strength }
    let h = Self.normalize(l + SIMD3(0, 0, 1))
    return constant * pow(max(0, (normal * h).sum()), exponent) * strength
  }
}
