internal import COffprintPango

/// Operations of FreeType for drawing glyphs.
enum FreeType {
  /// Sets the size in pixels per em; returns the scale for a bitmap-only face, otherwise 0.
  static func setSize(_ face: FT_Face, _ size: Float) -> Double {
    let isScalable = face.pointee.face_flags & FT_Long(FT_FACE_FLAG_SCALABLE) != 0
    let count = Int(face.pointee.num_fixed_sizes)
    guard !isScalable, count > 0, let sizes = face.pointee.available_sizes else {
      FT_Set_Char_Size(face, 0, FT_F26Dot6((Double(size) * 64).rounded()), 72, 72)
      return 0
    }
    // The smallest strike that need not be enlarged, otherwise the largest.
    var best = 0
    for index in 1..<max(count, 1) {
      let candidate = Double(sizes[index].y_ppem) / 64, known = Double(sizes[best].y_ppem) / 64
      if known < Double(size) ? candidate > known : candidate >= Double(size) && candidate < known { best = index }
    }
    FT_Select_Size(face, FT_Int(best))
    let ppem = Double(sizes[best].y_ppem) / 64
    return ppem > 0 ? Double(size) / ppem : 1
  }

  /// Emboldens and slants like Skia.
  ///
  /// - Parameter emSize: The em size of the outline, which is drawn at `size` px.
  static func synthesize(_ outline: inout FT_Outline, _ instance: FaceInstance, emSize: FT_Pos, size: Float, isEmboldened: Bool = true) {
    if instance.isSyntheticBold, isEmboldened {
      let strength = FT_Pos((Double(emSize) * boldness(size)).rounded())
      FT_Outline_Embolden(&outline, strength)
      // Distributes the additional weight to both sides.
      FT_Outline_Translate(&outline, -strength / 2, -strength / 2)
    }
    if instance.isSyntheticOblique {
      var matrix = FT_Matrix(xx: 0x10000, xy: 0x4000, yx: 0, yy: 0x10000)
      FT_Outline_Transform(&outline, &matrix)
    }
  }

  /// The additional weight of synthetic bold as a fraction of an em: 1/24 up to 9 px, 1/32 from 36 px on.
  static func boldness(_ size: Float) -> Double {
    let part = min(max((Double(size) - 9) / 27, 0), 1)
    return 1.0 / 24 + (1.0 / 32 - 1.0 / 24) * part
  }

  /// Whether the outline is neither empty nor larger than any glyph image should be.
  static func isDrawable(_ outline: inout FT_Outline) -> Bool {
    guard outline.n_points > 0 else { return false }
    var box = FT_BBox()
    FT_Outline_Get_CBox(&outline, &box)
    let limit = 4096 * 64
    return box.xMax &- box.xMin < limit && box.yMax &- box.yMin < limit
  }

  /// The slot's bitmap, unscaled.
  static func copy(_ slot: FT_GlyphSlot) -> (image: GlyphImage, bytes: [UInt8]) {
    let bitmap = slot.pointee.bitmap
    guard let (bytes, format) = rows(bitmap) else { return (.empty, []) }
    let image = GlyphImage(
      left: slot.pointee.bitmap_left, top: slot.pointee.bitmap_top, width: Int32(clamping: bitmap.width),
      height: Int32(clamping: bitmap.rows), format: format, offset: 0)
    return (image, bytes)
  }

  /// The rows of a bitmap without padding, one or four bytes per pixel.
  private static func rows(_ bitmap: FT_Bitmap) -> (bytes: [UInt8], format: GlyphImage.Format)? {
    let width = Int(bitmap.width), height = Int(bitmap.rows), pitch = Int(bitmap.pitch)
    guard width > 0, height > 0, width <= 8192, height <= 8192, let buffer = bitmap.buffer else { return nil }
    let isColor = Int(bitmap.pixel_mode) == Int(FT_PIXEL_MODE_BGRA.rawValue)
    let isMono = Int(bitmap.pixel_mode) == Int(FT_PIXEL_MODE_MONO.rawValue)
    let length = isColor ? width * 4 : width
    guard isMono ? abs(pitch) * 8 >= width : abs(pitch) >= length else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(length * height)
    for row in 0..<height {
      let start = buffer + (pitch >= 0 ? row * pitch : (height - 1 - row) * -pitch)
      if isMono {
        for x in 0..<width { bytes.append(start[x >> 3] >> UInt8(7 - x & 7) & 1 != 0 ? 255 : 0) }
      } else {
        bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: length))
      }
    }
    return (bytes, isColor ? .premultipliedBGRA : .coverage)
  }

  /// The maximum number of pixels of a glyph's bitmap. A PNG in a font of a few kilobytes can have 32,767 px per side, which FreeType
  /// decodes at once.
  private static let maximumPixels = 2048 * 2048

  /// The number of pixels of a glyph's bitmap in the font, without decoding it; nil if it cannot be drawn.
  private static func pixels(_ face: FT_Face, _ glyph: UInt32) -> Int? {
    guard FT_Load_Glyph(face, glyph, FT_Int32(FT_LOAD_COLOR) | FT_Int32(FT_LOAD_BITMAP_METRICS_ONLY)) == 0, let slot = face.pointee.glyph
    else { return nil }
    let pixels = Int(slot.pointee.bitmap.width) * Int(slot.pointee.bitmap.rows)
    return pixels <= maximumPixels ? pixels : nil
  }

  /// The scaled bitmap of a glyph in a bitmap font.
  ///
  /// - Returns: The image, and the number of bytes processed.
  static func bitmap(
    _ face: FT_Face, _ glyph: UInt32, scale: Double, phase: Int
  ) -> (image: GlyphImage, bytes: [UInt8], work: Int) {
    guard let pixels = pixels(face, glyph), FT_Load_Glyph(face, glyph, FT_Int32(FT_LOAD_COLOR)) == 0, let slot = face.pointee.glyph
    else { return (.empty, [], 0) }
    let (image, bytes) = scaled(slot, scale: scale, phase: phase)
    return (image, bytes, pixels * 4)
  }

  private static func scaled(_ slot: FT_GlyphSlot, scale: Double, phase: Int) -> (GlyphImage, [UInt8]) {
    if slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE, FT_Render_Glyph(slot, FT_RENDER_MODE_NORMAL) != 0 { return (.empty, []) }
    guard let (bytes, format) = rows(slot.pointee.bitmap) else { return (.empty, []) }
    let source = BitmapSource(
      bytes: bytes, width: Int(slot.pointee.bitmap.width), height: Int(slot.pointee.bitmap.rows),
      channels: format == .coverage ? 1 : 4)
    let left = Double(slot.pointee.bitmap_left) * scale + Double(phase) / 4, top = -Double(slot.pointee.bitmap_top) * scale
    let x = left.rounded(.down), y = top.rounded(.down)
    let width = (left + Double(source.width) * scale).rounded(.up) - x, height = (top + Double(source.height) * scale).rounded(.up) - y
    guard width > 0, height > 0, width <= 2048, height <= 2048 else { return (.empty, []) }
    let image = GlyphImage(
      left: Int32(x), top: Int32(-y), width: Int32(width), height: Int32(height), format: format, offset: 0)
    return (image, source.scaled(by: scale, left: left - x, top: top - y, width: Int(width), height: Int(height)))
  }
}

/// A bitmap to be scaled, with each pixel the mean of the pixels it covers.
private struct BitmapSource {
  var bytes: [UInt8]
  var width: Int
  var height: Int
  var channels: Int

  /// The source pixels that a target pixel covers, and the weight of each.
  private struct Span {
    var first: Int
    var weights: [Float]
  }

  private static func spans(_ count: Int, source: Int, scale: Double, start: Double) -> [Span] {
    (0..<count).map { index in
      var low = (Double(index) - start) / scale, high = (Double(index + 1) - start) / scale
      if scale > 1 {  // enlarged: bilinear interpolation of the two nearest
        let centre = (low + high) / 2
        (low, high) = (centre - 0.5, centre + 0.5)
      }
      let first = Int(low.rounded(.down)), last = Int(high.rounded(.up))
      let total = Float(high - low)
      var span = Span(first: max(first, 0), weights: [])
      for pixel in first..<max(last, first) where pixel >= 0 && pixel < source {
        span.weights.append(Float(min(high, Double(pixel + 1)) - max(low, Double(pixel))) / total)
      }
      return span
    }
  }

  func scaled(by scale: Double, left: Double, top: Double, width newWidth: Int, height newHeight: Int) -> [UInt8] {
    let columns = BitmapSource.spans(newWidth, source: width, scale: scale, start: left)
    let rows = BitmapSource.spans(newHeight, source: height, scale: scale, start: top)
    var narrow = [Float](repeating: 0, count: newWidth * height * channels)
    for y in 0..<height {
      for (x, span) in columns.enumerated() {
        for (offset, weight) in span.weights.enumerated() {
          let from = (y * width + span.first + offset) * channels, to = (y * newWidth + x) * channels
          for channel in 0..<channels { narrow[to + channel] += Float(bytes[from + channel]) * weight }
        }
      }
    }
    var result = [UInt8](repeating: 0, count: newWidth * newHeight * channels)
    for (y, span) in rows.enumerated() {
      for index in 0..<newWidth * channels {
        var sum: Float = 0
        for (offset, weight) in span.weights.enumerated() { sum += narrow[(span.first + offset) * newWidth * channels + index] * weight }
        result[y * newWidth * channels + index] = UInt8(min(max(sum + 0.5, 0), 255))
      }
    }
    return result
  }
}
