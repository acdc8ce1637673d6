internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintImages

// https://drafts.csswg.org/css-shapes-1/#shapes-from-image
extension ShapeOutside {
  /// Larger images are ignored: the margin box is excluded.
  private static let maximumPixels = 1 << 24

  /// The pixels of an image with an alpha above `shape-image-threshold`; nil without an image.
  func raster(_ image: ImageValue) -> FloatShape? {
    let content = reference(.contentBox)
    var area = PixelArea(left: pixel(content.left), top: pixel(content.top), width: pixel(content.width), height: pixel(content.height))
    guard let alpha = alphaSource(image, content, &area), area.width > 0, area.height > 0 else { return nil }
    guard area.width <= 32_767, area.height <= 32_767, area.width * area.height <= Self.maximumPixels else { return nil }
    let threshold = Double(min(max(style.effects.shapeImageThreshold, 0), 1))
    let isTurned = !direction.isHorizontal
    var rows = [ClosedRange<Int>?](repeating: nil, count: isTurned ? area.width : area.height)
    for y in 0..<area.height {
      for x in 0..<area.width where alpha(x, y) > threshold {
        let (row, column) = isTurned ? (x, y) : (y, x)
        rows[row] = rows[row].map { min($0.lowerBound, column)...max($0.upperBound, column + 1) } ?? column...(column + 1)
      }
    }
    return .raster(lineRelative(rows, area).grown(by: spread, from: 0, to: pixel(isTurned ? marginBox.width : marginBox.height)))
  }

  /// Converts spans by physical row (by column in vertical text), relative to the corner of the image, to line-relative ones.
  private func lineRelative(_ rows: [ClosedRange<Int>?], _ area: PixelArea) -> RasterShape {
    if direction.isHorizontal { return RasterShape(top: area.top, rows: rows.map { $0?.shifted(by: area.left) }) }
    let height = pixel(marginBox.height)
    let spans = rows.map { span -> ClosedRange<Int>? in
      guard let span = span?.shifted(by: area.top) else { return nil }
      return direction.mode == .sidewaysLr ? (height - span.upperBound)...(height - span.lowerBound) : span
    }
    guard direction.isFlippedBlocks else { return RasterShape(top: area.left, rows: spans) }
    return RasterShape(top: pixel(marginBox.width) - area.left - area.width, rows: spans.reversed())
  }

  private func pixel(_ value: Double) -> Int { Int(max(-1e6, min(value, 1e6)).rounded()) }

  private struct PixelArea {
    var left: Int
    var top: Int
    var width: Int
    var height: Int
  }

  // MARK: Alpha

  /// The alpha at each pixel of an image. Sets `area` to the image's position: in its natural size in the content box, or that of the
  /// replaced element.
  private func alphaSource(_ image: ImageValue, _ content: ShapeBox, _ area: inout PixelArea) -> ((Int, Int) -> Double)? {
    switch image {
    case .none: return nil
    case .solid(let color):
      let alpha = Double(color.resolve(style.text.color).alpha)
      return { _, _ in alpha }
    case .gradient(let gradient):
      let source = GradientAlpha(gradient, width: Double(area.width), height: Double(area.height), style: style)
      return { x, y in source.alpha(x: Double(x) + 0.5, y: Double(y) + 0.5) }
    case .url, .dense:
      guard let image = engine.tree.images.image(image, style) else { return nil }
      place(image, content, &area)
      return bitmapAlpha(image, area)
    }
  }

  private func place(_ image: DecodedImage, _ content: ShapeBox, _ area: inout PixelArea) {
    guard engine.tree[box].kind != .replaced else { return placeObject(content, &area) }
    if let width = image.intrinsicWidth, let height = image.intrinsicHeight {
      (area.width, area.height) = (pixel(width), pixel(height))
    } else if let ratio = image.ratio, ratio > 0 {
      let isWide = content.width / ratio > content.height
      (area.width, area.height) = isWide ? (pixel(content.height * ratio), area.height) : (area.width, pixel(content.width / ratio))
    }
  }

  /// https://drafts.csswg.org/css-images-3/#the-object-fit
  private func placeObject(_ content: ShapeBox, _ area: inout PixelArea) {
    let number = Int(engine.tree[box].replaced)
    guard engine.tree.replaced.indices.contains(number), style.box.objectFit != .fill else { return }
    let replaced = engine.tree.replaced[number]
    guard let width = replaced.naturalWidth.map(Double.init), let height = replaced.naturalHeight.map(Double.init), width > 0, height > 0
    else { return }
    let inside = min(content.width / width, content.height / height), outside = max(content.width / width, content.height / height)
    let scale =
      switch style.box.objectFit {
      case .cover: outside
      case .none: 1.0
      case .scaleDown: min(1, inside)
      default: inside
      }
    let x = style.box.objectPosition.x.resolve(content.width - width * scale)
    let y = style.box.objectPosition.y.resolve(content.height - height * scale)
    area = PixelArea(left: pixel(content.left + x), top: pixel(content.top + y), width: pixel(width * scale), height: pixel(height * scale))
  }

  private func bitmapAlpha(_ image: DecodedImage, _ area: PixelArea) -> ((Int, Int) -> Double)? {
    guard area.width > 0, area.height > 0, area.width * area.height <= Self.maximumPixels,
      let bitmap = try? image.bitmap(width: area.width, height: area.height, limits: engine.limits, deadline: engine.deadline),
      bitmap.width > 0, bitmap.height > 0
    else { return nil }
    let alphas = bitmap.withUnsafePixels { pixels in pixels.map { UInt8($0 >> 24) } }
    let (width, height) = (bitmap.width, bitmap.height)
    guard alphas.count == width * height else { return nil }
    return { x, y in
      let column = min(width - 1, (2 * x + 1) * width / (2 * area.width)), row = min(height - 1, (2 * y + 1) * height / (2 * area.height))
      return Double(alphas[row * width + column]) / 255
    }
  }
}

extension ClosedRange<Int> {
  fileprivate func shifted(by amount: Int) -> ClosedRange<Int> { (lowerBound + amount)...(upperBound + amount) }
}
