extension FaceInstance {
  /// Whether glyphs may be painted as `colorPaint` says.
  public var hasColorPaints: Bool { face.info.hasColorPaints }

  /// How a glyph is painted by `COLR`; nil for one that is drawn in the text's colour alone, or is a picture.
  public func colorPaint(_ glyph: UInt32) -> ColorPaint? {
    guard hasColorPaints else { return nil }
    return face.data.withBytes { bytes in
      let reader = SFNTReader(bytes: bytes), offsets = reader.faceOffsets()
      guard face.index < offsets.count else { return nil }
      return ColorTable(reader, faceAt: offsets[face.index], palette)?.paint(glyph)
    }
  }
}
