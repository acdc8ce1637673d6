import OffprintCoreTypes
import Glibc
import OffprintImages
import OffprintTypography

// Images and gradients, rasterized row by row.
extension Rasterizer {
  private static let maximumRaster = 8192.0

  func paint(_ pattern: Pattern, _ index: Int, _ bounds: PixelRect, _ state: State) throws {
    var area = bounds.intersection(state.clip)
    // An area of whole pixels needs no other clip.
    if state.transform.isPixelTranslation, let pixels = pattern.area.pixels { area = area.intersection(state.transform.mapBounds(pixels)) }
    guard !area.isEmpty, !pattern.tile.isEmpty, let inverse = state.transform.inverted else { return }
    // Coverage, if the area is not a rectangle of whole pixels.
    var shape: CoverageMask?
    if !(state.transform.isPixelTranslation && pattern.area.pixels != nil) {
      shape = try CoverageMask(area, memory)
      var path = VectorPath()
      path.add(pattern.area)
      shape?.fill(path, state.transform)
      if shape == nil { return }
    }
    let clip = try mask(for: area, state)
    let row = UnsafeMutablePointer<UInt32>.allocate(capacity: area.width)
    defer { row.deallocate() }
    let isTiled = pattern.periodX > 0 || pattern.periodY > 0
    if case .gradient(let gradient) = pattern.source, !isTiled {
      let sampler = gradientSampler(gradient, index)
      let step = DisplayPoint(inverse.a, inverse.b)
      for y in area.top..<area.bottom {
        try meter.spend(2 * area.width)
        let start = inverse.map(DisplayPoint(Double(area.left) + 0.5, Double(y) + 0.5)) - DisplayPoint(pattern.tile.x, pattern.tile.y)
        if sampler.isOpaque, shape == nil, clip == nil {
          sampler.fill(state.layer.pointer(area.left, y), count: area.width, start: start, step: step)
          continue
        }
        sampler.fill(row, count: area.width, start: start, step: step)
        state.layer.blend(row, x: area.left, y: y, count: area.width, shape, clip)
      }
      return
    }
    guard let sampler = try sampler(pattern, index, state.transform) else { return }
    if state.transform.isPixelTranslation {
      let columns = sampler.columns(x: area.left, count: area.width, offset: state.transform.e)
      for y in area.top..<area.bottom {
        try meter.spend(2 * area.width)
        sampler.fill(row, columns, y: Double(y) + 0.5 - state.transform.f)
        state.layer.blend(row, x: area.left, y: y, count: area.width, shape, clip)
      }
    } else {
      for y in area.top..<area.bottom {
        try meter.spend(8 * area.width)
        for x in 0..<area.width { row[x] = sampler.pixel(inverse.map(DisplayPoint(Double(area.left + x) + 0.5, Double(y) + 0.5))) }
        state.layer.blend(row, x: area.left, y: y, count: area.width, shape, clip)
      }
    }
  }

  private func gradientSampler(_ gradient: ResolvedGradient, _ index: Int) -> GradientSampler {
    if let cached = kept.gradient(index) ?? gradients.value(gradient) { return cached }
    let made = GradientSampler(gradient)
    gradients.keep(made, gradient, byteCount: GradientSampler.byteCount)
    kept.keep(made, index)
    return made
  }

  private func sampler(_ pattern: Pattern, _ index: Int, _ transform: AffineTransform) throws -> ImageSampler? {
    var smooth = true, wraps = false
    let bitmap: Bitmap
    let scaleX = max(1e-3, (transform.a * transform.a + transform.b * transform.b).squareRoot())
    let scaleY = max(1e-3, (transform.c * transform.c + transform.d * transform.d).squareRoot())
    switch pattern.source {
    case .bitmap(var image, let isSmooth):
      smooth = isSmooth
      func ratios() -> (Double, Double) {
        (
          pattern.sourceRect.width * Double(image.width) / (pattern.tile.width * scaleX),
          pattern.sourceRect.height * Double(image.height) / (pattern.tile.height * scaleY)
        )
      }
      var (ratioX, ratioY) = ratios()
      if let whole = image.whole, min(ratioX, ratioY) < 0.99 || !isSmooth {
        image = try self.bitmap(of: whole) ?? image
        (ratioX, ratioY) = ratios()
      }
      if image.halvings > 0, min(ratioX, ratioY) < 0.99 {
        report(
          ImageError(
            .limitExceeded,
            "An image is rendered at a lower resolution: the images exceed the limit of \(limits.decodedBytes) bytes (decodedBytes)."
          ))
      }
      bitmap = isSmooth ? try mipmaps.bitmap(image, ratioX: ratioX, ratioY: ratioY, meter) : image
    case .vector(let image):
      if let known = kept.bitmap(index) { bitmap = known; break }
      // The size does not depend on the visible part, so that all bands use the same bitmap. The image is laid out in the tile before it is
      // transformed.
      let largest = max(scaleX, scaleY)
      var width = pattern.tile.width * largest / max(pattern.sourceRect.width, 1e-3)
      var height = pattern.tile.height * largest / max(pattern.sourceRect.height, 1e-3)
      let excess = max(width, height) / Self.maximumRaster
      if excess > 1 { width /= excess; height /= excess }
      let size = (max(1, clampedPixel(width.rounded())), max(1, clampedPixel(height.rounded())))
      try meter.checkDeadline()
      guard !kept.failed.contains(index),
        let drawn = reporting({ () throws(ImageError) in
          try image.bitmap(width: size.0, height: size.1, limits: limits, deadline: meter.deadline)
        })
      else {
        kept.failed.insert(index)
        try meter.checkDeadline()
        return nil
      }
      bitmap = drawn
      kept.keep(drawn, index)
    case .list(let list):
      wraps = true
      if let known = kept.bitmap(index) { bitmap = known; break }
      guard let drawn = try self.bitmap(of: list) else { return nil }
      bitmap = drawn
      kept.keep(drawn, index)
    case .gradient(let gradient):
      if let known = kept.bitmap(index) { bitmap = known; break }
      let width = clampedPixel(min(pattern.tile.width, Self.maximumRaster).rounded(.up))
      let height = clampedPixel(min(pattern.tile.height, Self.maximumRaster).rounded(.up))
      guard width > 0, height > 0, width * height <= 16 << 20, var drawn = Bitmap(width: width, height: height) else { return nil }
      let sampler = GradientSampler(gradient)
      let step = DisplayPoint(pattern.tile.width / Double(width), 0)
      try drawn.withUnsafeMutablePixels { pixels in
        guard let base = pixels.baseAddress else { return }
        for y in 0..<height {
          try meter.spend(2 * width)
          let start = DisplayPoint(0.5 * step.x, (Double(y) + 0.5) * pattern.tile.height / Double(height))
          sampler.fill(base + y * width, count: width, start: start, step: step)
        }
      }
      smooth = false
      bitmap = drawn
      kept.keep(drawn, index)
    }
    guard !bitmap.isEmpty else { return nil }
    return ImageSampler(
      bitmap, smooth: smooth, sourceRect: pattern.sourceRect, tile: pattern.tile, periodX: pattern.periodX, periodY: pattern.periodY,
      wraps: wraps)
  }

  /// The image at full size, if it was decoded at a smaller size than the page needs.
  private func bitmap(of whole: FullResolutionJPEG) throws -> Bitmap? {
    if let cached = kept.bitmap(whole) { return cached }
    try meter.checkDeadline()
    let made = reporting { () throws(ImageError) in try whole.bitmap(limits: limits, deadline: meter.deadline) }
    try meter.checkDeadline()
    if let made { kept.keep(made, whole) }
    return made
  }

  /// The rasterized contents of a list.
  private func bitmap(of list: DisplayList) throws -> Bitmap? {
    let (width, height) = (list.bounds.width, list.bounds.height)
    let charged = try memory.take(width * height * 4)
    defer { withExtendedLifetime(charged) {} }
    guard let layer = try PixelLayer(list.bounds, memory) else { return nil }
    try draw(list, onto: layer)
    return Bitmap(width: width, height: height, copying: layer.pixels, stride: layer.stride * 4)
  }
}
