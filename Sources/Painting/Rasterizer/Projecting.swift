import OffprintCoreTypes

// Groups in 3D scenes: rasterized flat, then resampled through their projection.
extension Rasterizer {
  /// Resamples `layer` through `projection` into `area` of the enclosing layer.
  func projected(_ layer: PixelLayer, _ projection: Projection, _ area: PixelRect, _ state: State) throws -> PixelLayer? {
    guard let back = Projection(state.transform).concatenating(projection).inverted, let out = try PixelLayer(area, memory) else {
      return nil
    }
    for y in area.top..<area.bottom {
      try meter.spend(8 * area.width)
      let row = out.pointer(area.left, y)
      for x in 0..<area.width {
        // Points behind the viewer stay transparent.
        guard let p = back.map(DisplayPoint(Double(area.left + x) + 0.5, Double(y) + 0.5)) else { continue }
        row[x] = layer.sample(p)
      }
    }
    return out
  }
}

extension PixelLayer {
  /// Bilinear interpolation of the four pixels around a point. Pixels outside of the layer are transparent.
  fileprivate func sample(_ p: DisplayPoint) -> UInt32 {
    let x = p.x - 0.5, y = p.y - 0.5
    guard x > Double(rect.left) - 1, y > Double(rect.top) - 1, x < Double(rect.right), y < Double(rect.bottom) else { return 0 }
    let left = x.rounded(.down), top = y.rounded(.down)
    let fx = UInt32((x - left) * 256), fy = UInt32((y - top) * 256)
    let column = clampedPixel(left), line = clampedPixel(top)
    func pixel(_ x: Int, _ y: Int) -> UInt32 {
      x >= rect.left && y >= rect.top && x < rect.right && y < rect.bottom ? pointer(x, y).pointee : 0
    }
    let corners = (pixel(column, line), pixel(column + 1, line), pixel(column, line + 1), pixel(column + 1, line + 1))
    if corners.0 == corners.1, corners.2 == corners.3, corners.0 == corners.2 { return corners.0 }
    var result: UInt32 = 0
    for shift: UInt32 in [0, 8, 16, 24] {
      let a = corners.0 >> shift & 255, b = corners.1 >> shift & 255, c = corners.2 >> shift & 255, d = corners.3 >> shift & 255
      let upper = a * (256 - fx) + b * fx, lower = c * (256 - fx) + d * fx
      result |= min(255, (upper * (256 - fy) + lower * fy + 32768) >> 16) << shift
    }
    return result
  }
}
