import CoreTypes
import Glibc
import Images
import Typography

// Pictures and gradients, a row at a time.
extension DisplayListPainter {
  private static let maximumRaster = 8192.0

  func paint(_ pattern: Pattern, _ index: Int, _ bounds: PixelRect, _ state: PaintState) {
    let area = bounds.intersection(state.clip)
    guard !area.isEmpty, !pattern.tile.isEmpty, let inverse = state.transform.inverted else { return }
    // Coverage where the area is no rectangle of whole pixels.
    var shape: CoverageMask?
    if !(state.transform.isPixelTranslation && pattern.area.pixels != nil) {
      shape = CoverageMask(area)
      var path = VectorPath()
      path.add(pattern.area)
      shape?.fill(path, state.transform)
      if shape == nil { return }
    }
    let clip = mask(for: area, state)
    let row = UnsafeMutablePointer<UInt32>.allocate(capacity: area.width)
    defer { row.deallocate() }
    let isTiled = pattern.periodX > 0 || pattern.periodY > 0
    if case .gradient(let gradient) = pattern.source, !isTiled {
      let sampler = gradients[index] ?? GradientSampler(gradient)
      gradients[index] = sampler
      let step = DisplayPoint(inverse.a, inverse.b)
      for y in area.top..<area.bottom {
        let start = inverse.map(DisplayPoint(Double(area.left) + 0.5, Double(y) + 0.5)) - DisplayPoint(pattern.tile.x, pattern.tile.y)
        sampler.fill(row, count: area.width, start: start, step: step)
        state.layer.blend(row, x: area.left, y: y, count: area.width, shape, clip)
      }
      return
    }
    guard let sampler = sampler(pattern, index, state.transform) else { return }
    if state.transform.isPixelTranslation {
      let columns = sampler.columns(x: area.left, count: area.width, offset: state.transform.e)
      for y in area.top..<area.bottom {
        sampler.fill(row, columns, y: Double(y) + 0.5 - state.transform.f)
        state.layer.blend(row, x: area.left, y: y, count: area.width, shape, clip)
      }
    } else {
      for y in area.top..<area.bottom {
        for x in 0..<area.width { row[x] = sampler.pixel(inverse.map(DisplayPoint(Double(area.left + x) + 0.5, Double(y) + 0.5))) }
        state.layer.blend(row, x: area.left, y: y, count: area.width, shape, clip)
      }
    }
  }

  private func sampler(_ pattern: Pattern, _ index: Int, _ transform: AffineTransform) -> ImageSampler? {
    var smooth = true
    let bitmap: Bitmap
    let scaleX = max(1e-3, (transform.a * transform.a + transform.b * transform.b).squareRoot())
    let scaleY = max(1e-3, (transform.c * transform.c + transform.d * transform.d).squareRoot())
    switch pattern.source {
    case .bitmap(let image, let isSmooth):
      smooth = isSmooth
      let ratioX = pattern.sourceRect.width * Double(image.width) / (pattern.tile.width * scaleX)
      let ratioY = pattern.sourceRect.height * Double(image.height) / (pattern.tile.height * scaleY)
      bitmap = isSmooth ? mipmaps.bitmap(image, ratioX: ratioX, ratioY: ratioY) : image
    case .vector(let image):
      if let known = bitmaps[index] { bitmap = known; break }
      // One size for all bands: the visible part does not matter.
      var width = pattern.tile.width * scaleX / max(pattern.sourceRect.width, 1e-3)
      var height = pattern.tile.height * scaleY / max(pattern.sourceRect.height, 1e-3)
      let excess = max(width, height) / Self.maximumRaster
      if excess > 1 { width /= excess; height /= excess }
      let size = (max(1, clampedPixel(width.rounded())), max(1, clampedPixel(height.rounded())))
      guard !failed.contains(index), let drawn = reporting({ () throws(ImageError) in try image.bitmap(width: size.0, height: size.1) })
      else {
        failed.insert(index)
        return nil
      }
      bitmap = drawn
      bitmaps[index] = drawn
    case .gradient(let gradient):
      if let known = bitmaps[index] { bitmap = known; break }
      let width = clampedPixel(min(pattern.tile.width, Self.maximumRaster).rounded(.up))
      let height = clampedPixel(min(pattern.tile.height, Self.maximumRaster).rounded(.up))
      guard width > 0, height > 0, width * height <= 16 << 20, var drawn = Bitmap(width: width, height: height) else { return nil }
      let sampler = GradientSampler(gradient)
      let step = DisplayPoint(pattern.tile.width / Double(width), 0)
      drawn.withUnsafeMutablePixels { pixels in
        guard let base = pixels.baseAddress else { return }
        for y in 0..<height {
          let start = DisplayPoint(0.5 * step.x, (Double(y) + 0.5) * pattern.tile.height / Double(height))
          sampler.fill(base + y * width, count: width, start: start, step: step)
        }
      }
      smooth = false
      bitmap = drawn
      bitmaps[index] = drawn
    }
    guard !bitmap.isEmpty else { return nil }
    return ImageSampler(
      bitmap, smooth: smooth, sourceRect: pattern.sourceRect, tile: pattern.tile, periodX: pattern.periodX, periodY: pattern.periodY)
  }
}
