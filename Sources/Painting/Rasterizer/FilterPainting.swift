import OffprintCoreTypes
import OffprintImages

// Filter functions on premultiplied pixels. https://drafts.fxtf.org/filter-effects/#supported-filter-functions
extension Rasterizer {
  /// Filters a layer in which each pixel covers a square of `1 << shift` pixels of the image.
  func apply(_ filter: DisplayFilter, to layer: PixelLayer, _ shift: Int) throws {
    let scale = 1 / Double(1 << shift)
    switch filter {
    case .blur(let sigma): try Blur.apply(sigma: sigma * scale, to: layer, memory, meter)
    case .matrix(let m) where m.count >= 12:
      try map(layer) { r, g, b in
        (
          m[0] * r + m[1] * g + m[2] * b + m[3], m[4] * r + m[5] * g + m[6] * b + m[7], m[8] * r + m[9] * g + m[10] * b + m[11]
        )
      }
    case .matrix: break
    case .transfer(let slope, let intercept):
      try map(layer) { ($0 * slope + intercept, $1 * slope + intercept, $2 * slope + intercept) }
    case .opacity(let amount):
      let factor = UInt32((min(max(amount, 0), 1) * 255).rounded())
      try eachRow(layer) { row in for x in 0..<layer.rect.width { row[x] = scalePixel(row[x], factor) } }
    case .luminanceToAlpha: try luminanceToAlpha(layer)
    case .graph(let graph): try apply(graph, to: layer)
    case .linearize: try convert(layer, toLinear: true)
    case .dropShadow(let x, let y, let sigma, let color): try dropShadow(layer, x * scale, y * scale, sigma * scale, color)
    }
  }

  private func eachRow(_ layer: PixelLayer, _ body: (UnsafeMutablePointer<UInt32>) -> Void) throws {
    for y in layer.rect.top..<layer.rect.bottom {
      try meter.spend(layer.rect.width)
      body(layer.row(y))
    }
  }

  private func map(_ layer: PixelLayer, _ change: (Float, Float, Float) -> (Float, Float, Float)) throws {
    var (lastIn, lastOut): (UInt32, UInt32) = (0, 0)
    try eachRow(layer) { row in
      for x in 0..<layer.rect.width {
        let pixel = row[x]
        if pixel != lastIn {
          let alpha = Float(pixel >> 24)
          guard alpha > 0 else { continue }
          let c = change(Float(pixel >> 16 & 255) / alpha, Float(pixel >> 8 & 255) / alpha, Float(pixel & 255) / alpha)
          let a = alpha / 255
          func part(_ v: Float) -> Float { (v > 0 ? min(v, 1) : 0) * a }
          (lastIn, lastOut) = (pixel, packPixel(SIMD4(part(c.0), part(c.1), part(c.2), a)))
        }
        row[x] = lastOut
      }
    }
  }

  /// The luminance of a premultiplied color already includes its alpha. https://drafts.fxtf.org/css-masking-1/#MaskValues
  private func luminanceToAlpha(_ layer: PixelLayer) throws {
    try eachRow(layer) { row in for x in 0..<layer.rect.width where row[x] != 0 { row[x] = PixelLayer.luminance(row[x]) << 24 } }
  }

  private func dropShadow(_ layer: PixelLayer, _ dx: Double, _ dy: Double, _ sigma: Double, _ color: Color) throws {
    guard let mask = try CoverageMask(layer.rect, memory) else { return }
    let (ox, oy) = (clampedPixel(dx.rounded()), clampedPixel(dy.rounded()))
    let r = layer.rect
    for y in r.top..<r.bottom where y - oy >= r.top && y - oy < r.bottom {
      try meter.spend(r.width)
      let from = layer.row(y - oy), to = mask.row(y)
      for x in max(0, ox)..<max(0, ox, min(r.width, r.width + ox)) { to[x] = UInt8(truncatingIfNeeded: from[x - ox] >> 24) }
    }
    try Blur.apply(sigma: sigma, to: mask, memory, meter)
    let pixel = color.premultipliedPixel
    for y in r.top..<r.bottom {
      try meter.spend(r.width)
      let row = layer.row(y), coverage = mask.row(y)
      for x in 0..<r.width { row[x] = blendOver(scalePixel(pixel, UInt32(coverage[x])), row[x]) }
    }
  }
}
