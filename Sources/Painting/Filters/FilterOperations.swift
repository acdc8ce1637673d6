import OffprintCoreTypes
import Glibc
import OffprintLayout

/// Filter primitives on pixels.
enum FilterOperations {
  static func matrix(_ m: [Float], _ c: SIMD4<Float>) -> SIMD4<Float> {
    guard m.count == 20 else { return c }
    func row(_ i: Int) -> Float { m[i] * c.x + m[i + 1] * c.y + m[i + 2] * c.z + m[i + 3] * c.w + m[i + 4] }
    return SIMD4(row(0), row(5), row(10), row(15))
  }

  /// https://drafts.fxtf.org/filter-effects/#feComponentTransferElement
  static func table(_ function: SVGFilter.Function) -> [UInt8] {
    (0...255).map { index in
      let c = Double(index) / 255
      let value: Double
      switch function {
      case .identity: value = c
      case .table(let v):
        let n = v.count - 1
        let k = min(Int(c * Double(n)), max(0, n - 1))
        value = n == 0 ? v[0] : c >= 1 ? v[n] : v[k] + (c - Double(k) / Double(n)) * Double(n) * (v[k + 1] - v[k])
      case .discrete(let v): value = v[min(Int(c * Double(v.count)), v.count - 1)]
      case .linear(let slope, let intercept): value = slope * c + intercept
      case .gamma(let amplitude, let exponent, let offset): value = amplitude * pow(c, exponent) + offset
      }
      return UInt8((max(0, min(1, value.isNaN ? 0 : value)) * 255).rounded())
    }
  }

  /// Composites `a` (the `in` input) with `b`, in place. https://drafts.fxtf.org/filter-effects/#feCompositeElement
  static func composite(_ a: PixelLayer, _ b: PixelLayer, _ name: String, _ k: [Double]) {
    for y in a.rect.top..<a.rect.bottom {
      let top = a.row(y), below = b.pointer(a.rect.left, y)
      for x in 0..<a.rect.width {
        let (s, d) = (top[x], below[x])
        switch name {
        case "in": top[x] = scalePixel(s, d >> 24)
        case "out": top[x] = scalePixel(s, 255 - d >> 24)
        case "atop": top[x] = scalePixel(s, d >> 24) &+ scalePixel(d, 255 - s >> 24)
        case "xor": top[x] = scalePixel(s, 255 - d >> 24) &+ scalePixel(d, 255 - s >> 24)
        case "lighter": top[x] = add(s, d)
        case "arithmetic": top[x] = arithmetic(s, d, k)
        default: top[x] = blendOver(d, s)
        }
      }
    }
  }

  private static func add(_ s: UInt32, _ d: UInt32) -> UInt32 {
    func part(_ shift: UInt32) -> UInt32 { min(255, (s >> shift & 255) + (d >> shift & 255)) << shift }
    return part(24) | part(16) | part(8) | part(0)
  }

  private static func arithmetic(_ s: UInt32, _ d: UInt32, _ k: [Double]) -> UInt32 {
    guard k.count == 4 else { return 0 }
    func part(_ shift: UInt32) -> Double {
      let a = Double(s >> shift & 255) / 255, b = Double(d >> shift & 255) / 255
      return max(0, min(1, k[0] * a * b + k[1] * a + k[2] * b + k[3]))
    }
    let alpha = part(24)
    func byte(_ value: Double) -> UInt32 { UInt32((min(value, alpha) * 255).rounded()) }
    return byte(alpha) << 24 | byte(part(16)) << 16 | byte(part(8)) << 8 | byte(part(0))
  }

  static func tile(_ input: PixelLayer, _ source: PixelRect, _ out: PixelLayer, _ region: PixelRect) {
    guard !source.isEmpty else { return }
    for y in region.top..<region.bottom {
      let row = out.row(y) - out.rect.left
      let sy = source.top + ((y - source.top) % source.height + source.height) % source.height
      for x in region.left..<region.right {
        let sx = source.left + ((x - source.left) % source.width + source.width) % source.width
        row[x] = input.pointer(sx, sy).pointee
      }
    }
  }

  /// Erodes or dilates rows, then columns. https://drafts.fxtf.org/filter-effects/#feMorphologyElement
  ///
  /// - Throws: `DeadlineExceeded`.
  static func morphology(_ layer: PixelLayer, _ dilates: Bool, _ rx: Int, _ ry: Int, _ meter: WorkMeter) throws {
    let area = layer.rect
    var line = [UInt32](repeating: 0, count: max(area.width, area.height))
    func run(_ start: UnsafeMutablePointer<UInt32>, _ count: Int, _ step: Int, _ radius: Int) throws {
      // A radius of the whole line covers all of it from every pixel.
      let radius = min(radius, count)
      guard radius > 0 else { return }
      try meter.spend(8 * (count + 2 * radius))
      for i in 0..<count { line[i] = start[i * step] }
      for shift in [UInt32(0), 8, 16, 24] { extreme(&line, count, radius, dilates, shift, start, step) }
    }
    for y in area.top..<area.bottom { try run(layer.row(y), area.width, 1, rx) }
    for x in 0..<area.width { try run(layer.pixels + x, area.height, layer.stride, ry) }
  }

  /// Minimum or maximum of a channel in sliding windows, by van Herk's algorithm. Pixels beyond the line are 0.
  private static func extreme(
    _ line: inout [UInt32], _ count: Int, _ radius: Int, _ dilates: Bool, _ shift: UInt32, _ out: UnsafeMutablePointer<UInt32>, _ step: Int
  ) {
    let window = 2 * radius + 1, padded = count + 2 * radius
    func value(_ i: Int) -> UInt32 { i < radius || i >= radius + count ? 0 : line[i - radius] >> shift & 255 }
    func best(_ a: UInt32, _ b: UInt32) -> UInt32 { dilates ? max(a, b) : min(a, b) }
    var forward = [UInt32](repeating: 0, count: padded), backward = forward
    for i in 0..<padded { forward[i] = i % window == 0 ? value(i) : best(forward[i - 1], value(i)) }
    for i in stride(from: padded - 1, through: 0, by: -1) {
      backward[i] = i == padded - 1 || i % window == window - 1 ? value(i) : best(backward[i + 1], value(i))
    }
    for i in 0..<count {
      let v = best(backward[i], forward[min(padded - 1, i + window - 1)])
      out[i * step] = out[i * step] & ~(255 << shift) | v << shift
    }
  }

  /// https://drafts.fxtf.org/filter-effects/#feConvolveMatrixElement
  static func convolve(_ input: PixelLayer, _ c: SVGFilter.Convolution, _ out: PixelLayer, _ region: PixelRect, _ y: Int) {
    guard !region.isEmpty else { return }
    func pixel(_ x: Int, _ y: Int) -> UInt32 {
      var (x, y) = (x, y)
      if x < region.left || x >= region.right || y < region.top || y >= region.bottom {
        switch c.edge {
        case .none: return 0
        case .duplicate: (x, y) = (min(max(x, region.left), region.right - 1), min(max(y, region.top), region.bottom - 1))
        case .wrap:
          x = region.left + ((x - region.left) % region.width + region.width) % region.width
          y = region.top + ((y - region.top) % region.height + region.height) % region.height
        }
      }
      return input.pointer(x, y).pointee
    }
    let row = out.row(y) - out.rect.left
    for x in region.left..<region.right {
      var sum = SIMD4<Double>.zero
      for j in 0..<c.rows {
        for i in 0..<c.columns {
          let p = pixel(x - c.targetX + i, y - c.targetY + j)
          let k = c.kernel[(c.rows - 1 - j) * c.columns + (c.columns - 1 - i)]
          var v = SIMD4(Double(p >> 16 & 255), Double(p >> 8 & 255), Double(p & 255), Double(p >> 24))
          if c.preservesAlpha { v = v.w > 0 ? SIMD4(v.x / v.w, v.y / v.w, v.z / v.w, v.w / 255) * 255 : .zero }
          sum += v * k
        }
      }
      sum = sum / c.divisor
      let own = input.pointer(x, y).pointee >> 24
      let alpha = c.preservesAlpha ? Double(own) : max(0, min(255, sum.w + c.bias * 255))
      func byte(_ v: Double) -> UInt32 {
        let biased = c.preservesAlpha ? max(0, min(255, v + c.bias * 255)) * alpha / 255 : max(0, min(alpha, v + c.bias * alpha))
        return UInt32(biased.rounded())
      }
      row[x] = UInt32(alpha.rounded()) << 24 | byte(sum.x) << 16 | byte(sum.y) << 8 | byte(sum.z)
    }
  }

  static func turbulence(_ noise: TurbulenceNoise, _ turbulence: Turbulence, _ out: PixelLayer, _ region: PixelRect, _ y: Int) {
    let row = out.row(y) - out.rect.left
    for x in region.left..<region.right {
      let point = turbulence.transform.map(DisplayPoint(Double(x) + 0.5, Double(y) + 0.5))
      let alpha = noise.value(3, point)
      func part(_ channel: Int) -> Float { Float(noise.value(channel, point) * alpha) }
      row[x] = packPixel(SIMD4(part(0), part(1), part(2), Float(alpha)))
    }
  }

  static func light(
    _ input: PixelLayer, _ lighting: Lighting, _ color: UInt32, _ out: PixelLayer, _ region: PixelRect, _ y: Int
  ) {
    let row = out.row(y) - out.rect.left
    func alpha(_ x: Int, _ y: Int) -> Double { Double(input.pointer(x, y).pointee >> 24) / 255 }
    let (r, g, b) = (Double(color >> 16 & 255), Double(color >> 8 & 255), Double(color & 255))
    for x in region.left..<region.right {
      let normal = Lighting.normal(alpha, x, y, region, lighting.surfaceScale)
      let value = lighting.intensity(normal, Double(x) + 0.5, Double(y) + 0.5, lighting.surfaceScale * alpha(x, y))
      func byte(_ c: Double) -> UInt32 { UInt32(max(0, min(255, (c * value).rounded()))) }
      let (cr, cg, cb) = (byte(r), byte(g), byte(b))
      let a: UInt32 = lighting.exponent == nil ? 255 : max(cr, cg, cb)
      row[x] = a << 24 | cr << 16 | cg << 8 | cb
    }
  }

  /// https://drafts.fxtf.org/filter-effects/#feDisplacementMapElement
  static func displace(
    _ input: PixelLayer, by map: PixelLayer, _ sx: Double, _ sy: Double, _ cx: Int, _ cy: Int, _ out: PixelLayer, _ region: PixelRect
  ) {
    func channel(_ pixel: UInt32, _ index: Int) -> Double {
      let alpha = pixel >> 24
      if index == 3 { return Double(alpha) / 255 }
      guard alpha > 0 else { return 0 }
      return min(1, Double(pixel >> UInt32(16 - 8 * index) & 255) / Double(alpha))
    }
    for y in region.top..<region.bottom {
      let row = out.row(y) - out.rect.left
      for x in region.left..<region.right {
        let m = map.pointer(x, y).pointee
        let px = x + clampedPixel((sx * (channel(m, cx) - 0.5)).rounded(.towardZero))
        let py = y + clampedPixel((sy * (channel(m, cy) - 0.5)).rounded(.towardZero))
        let r = input.rect
        row[x] = px >= r.left && px < r.right && py >= r.top && py < r.bottom ? input.pointer(px, py).pointee : 0
      }
    }
  }
}
