/// The glyph of an emphasis mark and its font: the face that has the mark, at half the text's size, which Chromium rounds to whole pixels.
public struct EmphasisMark: Sendable {
  public var face: FaceInstance
  public var glyph: UInt32
  /// The metrics of the face that has the mark.
  public var metrics: FontMetrics
  /// The extent of the marks' em box above and below their baseline.
  public var emAscent: Float
  public var emDescent: Float
  /// The extent of the marks' line, from the primary font.
  public var ascent: Float
  public var descent: Float

  /// Nil if no font has the mark.
  public init?(_ mark: String, _ fonts: FontContext, _ font: FontHandle) {
    var font = font
    // Marks must not be shaped with small-caps features.
    if var description = fonts.resolvedFont(font)?.description, description.caps != .normal {
      description.caps = .normal
      font = fonts.font(description)
    }
    let shaped = fonts.shape(Array(mark.utf8), font: font)
    guard let segment = shaped.segments.first, let glyph = shaped.glyphs.first else { return nil }
    face = segment.face
    self.glyph = glyph.glyph
    let size = (segment.size / 2).rounded()
    metrics = fonts.metrics(of: segment.face, size: size)
    let line = fonts.primaryFace(font).map { fonts.metrics(of: $0, size: size) } ?? metrics
    ascent = line.ascent
    descent = line.descent
    // The em box is that of the face that has the mark, as for ruby.
    emAscent = metrics.normalizedAscent.rounded(.up)
    emDescent = (metrics.size - metrics.normalizedAscent).rounded(.up)
  }

  /// Whether a character is marked. https://drafts.csswg.org/css-text-decor-4/#text-emphasis-style-property
  public static func isMarked(_ codepoint: UInt32) -> Bool {
    guard let scalar = Unicode.Scalar(codepoint) else { return false }
    switch scalar.properties.generalCategory {
    case .spaceSeparator, .lineSeparator, .paragraphSeparator, .control, .format, .unassigned: return false
    case .connectorPunctuation, .dashPunctuation, .openPunctuation, .closePunctuation, .initialPunctuation, .finalPunctuation,
      .otherPunctuation:
      return isMarkedPunctuation(scalar)
    default: return true
    }
  }

  /// Symbols that Unicode classifies as punctuation.
  private static func isMarkedPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "#", "%", "‰", "‱", "٪", "؉", "؊", "&", "⁊", "§", "¶", "@", "〽", "﹟", "＃", "﹪", "％", "﹠", "＆", "﹫", "＠": true
    default: false
    }
  }
}
