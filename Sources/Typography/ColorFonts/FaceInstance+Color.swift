internal import COffprintPango

extension FaceInstance {
  /// Whether glyphs may be painted as `colorPaint` says.
  public var hasColorPaints: Bool { face.info.hasColorPaints }

  /// How a glyph is painted by `COLR`; nil for one that is drawn in the text's colour alone, or is a picture.
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

  /// Where the instance is along each of the font's axes, -1 to 1; empty where it is what the font is by default.
  private var normalizedCoordinates: [Double] {
    guard !variations.isEmpty, let font = makeHBFont() else { return [] }
    defer { hb_font_destroy(font) }
    var count: UInt32 = 0
    guard let values = hb_font_get_var_coords_normalized(font, &count) else { return [] }
    return UnsafeBufferPointer(start: values, count: Int(count)).map { Double($0) / 16384 }
  }
}
