import Images
import CoreTypes

// https://drafts.fxtf.org/filter-effects/#supported-filter-functions on premultiplied pixels.
extension DisplayFilter {
  /// - Throws: why a filter of SVG elements leaves the layer as it is.
  func apply(to layer: PixelLayer) throws(ImageError) {
    switch self {
    case .blur(let sigma): Blur(sigma: sigma).apply(layer)
    case .matrix(let m) where m.count >= 12:
      DisplayFilter.map(layer) { r, g, b in
        (
          m[0] * r + m[1] * g + m[2] * b + m[3], m[4] * r + m[5] * g + m[6] * b + m[7], m[8] * r + m[9] * g + m[10] * b + m[11]
        )
      }
    case .matrix: break
    case .transfer(let slope, let intercept):
      DisplayFilter.map(layer) { ($0 * slope + intercept, $1 * slope + intercept, $2 * slope + intercept) }
    case .opacity(let amount):
      let factor = UInt32((min(max(amount, 0), 1) * 255).rounded())
      for y in layer.rect.top..<layer.rect.bottom {
        let row = layer.row(y)
        for x in 0..<layer.rect.width { row[x] = scalePixel(row[x], factor) }
      }
    case .luminanceToAlpha: DisplayFilter.luminanceToAlpha(layer)
    case .reference(let filter): try DisplayFilter.draw(filter, layer)
    case .dropShadow(let x, let y, let sigma, let color): DisplayFilter.dropShadow(layer, x, y, sigma, color)
    }
  }

  private static func map(_ layer: PixelLayer, _ change: (Float, Float, Float) -> (Float, Float, Float)) {
    var (lastIn, lastOut): (UInt32, UInt32) = (0, 0)
    for y in layer.rect.top..<layer.rect.bottom {
      let row = layer.row(y)
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

  /// https://drafts.fxtf.org/css-masking-1/#MaskValues: of premultiplied colours the luminance is that times alpha already.
  private static func luminanceToAlpha(_ layer: PixelLayer) {
    for y in layer.rect.top..<layer.rect.bottom {
      let row = layer.row(y)
      for x in 0..<layer.rect.width where row[x] != 0 {
        let p = row[x]
        let sum = (p >> 16 & 255) * 13933 + (p >> 8 & 255) * 46871 + (p & 255) * 4732
        row[x] = ((sum + 32768) >> 16) << 24
      }
    }
  }

  /// Through the SVG library; what it cannot draw is left as it is.
  private static func draw(_ filter: SVGFilter, _ layer: PixelLayer) throws(ImageError) {
    let rect = layer.rect
    var encoder = try PNGEncoder(width: rect.width, height: rect.height, options: .init(compression: .fast))
    encoder.append(rows: UnsafeRawPointer(layer.pixels), count: rect.height, stride: layer.stride * 4)
    let png = try encoder.finish()
    let view = SVGReference.Area(
      x: (Double(rect.left) - filter.origin.x) / filter.scale, y: (Double(rect.top) - filter.origin.y) / filter.scale,
      width: Double(rect.width) / filter.scale, height: Double(rect.height) / filter.scale)
    let image = filter.reference.filtering(png: png, box: (filter.width, filter.height), view: view)
    let drawn = try image.bitmap(width: rect.width, height: rect.height)
    drawn.withUnsafePixels { pixels in
      for y in 0..<rect.height {
        let row = layer.row(rect.top + y)
        for x in 0..<rect.width { row[x] = pixels[y * rect.width + x] }
      }
    }
  }

  private static func dropShadow(_ layer: PixelLayer, _ dx: Double, _ dy: Double, _ sigma: Double, _ color: Color) {
    guard let mask = CoverageMask(layer.rect) else { return }
    let (ox, oy) = (clampedPixel(dx.rounded()), clampedPixel(dy.rounded()))
    let r = layer.rect
    for y in r.top..<r.bottom where y - oy >= r.top && y - oy < r.bottom {
      let from = layer.row(y - oy), to = mask.row(y)
      for x in 0..<r.width where x - ox >= 0 && x - ox < r.width { to[x] = UInt8(truncatingIfNeeded: from[x - ox] >> 24) }
    }
    Blur(sigma: sigma).apply(mask)
    let pixel = color.premultipliedPixel
    for y in r.top..<r.bottom {
      let row = layer.row(y), coverage = mask.row(y)
      for x in 0..<r.width { row[x] = blendOver(scalePixel(pixel, UInt32(coverage[x])), row[x]) }
    }
  }
}
