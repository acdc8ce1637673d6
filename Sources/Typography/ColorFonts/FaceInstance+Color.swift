internal import COffprintPango

extension FaceInstance {
  /// Whether `colorPaint` can return a paint for some glyph.
  public var hasColorPaints: Bool { face.info.hasColorPaints }

  /// The `COLR` paint of a glyph; nil if it is drawn in the text color only, or is a bitmap.
  public func colorPaint(_ glyph: UInt32, steps: ColorSteps = ColorSteps()) -> ColorPaint? {
    guard hasColorPaints else { return nil }
    steps.beginGlyph()
    let coordinates = normalizedCoordinates
    return face.data.withBytes { bytes in
      let reader = SFNTReader(bytes: bytes), offsets = reader.faceOffsets()
      guard face.index < offsets.count else { return nil }
      return ColorTable(reader, faceAt: offsets[face.index], palette, coordinates, steps: steps)?.paint(glyph)
    }
  }

  /// The instance's normalized axis coordinates, -1 to 1; empty for the default instance.
  private var normalizedCoordinates: [Double] {
    guard !variations.isEmpty, let font = makeHBFont() else { return [] }
    defer { hb_font_destroy(font) }
    var count: UInt32 = 0
    guard let values = hb_font_get_var_coords_normalized(font, &count) else { return [] }
    return UnsafeBufferPointer(start: values, count: Int(count)).map { Double($0) / 16384 }
  }
}
