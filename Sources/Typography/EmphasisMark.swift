/// The glyph that marks emphasis, and its font: the face that has the mark, at half the text's size, in whole pixels as
/// browsers have it.
public struct EmphasisMark: Sendable {
  public var face: FaceInstance
  public var glyph: UInt32
  /// Of the font that has the mark.
  public var metrics: FontMetrics
  /// How far the em box of the marks reaches above and below their baseline: that of the text's first font, at half the size.
  public var emAscent: Float
  public var emDescent: Float
  /// The same of their line.
  public var ascent: Float
  public var descent: Float

  /// Nil where no font has the mark.
  public init?(_ mark: String, _ fonts: FontContext, _ font: FontHandle) {
    var font = font
    // Marks are no letters that capitals could make smaller.
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
    // The em box is that of the face that has the mark, as that of ruby would be.
    emAscent = metrics.normalizedAscent.rounded(.up)
    emDescent = (metrics.size - metrics.normalizedAscent).rounded(.up)
  }

  /// Whether a character takes a mark. https://drafts.csswg.org/css-text-decor-4/#text-emphasis-style-property
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

  /// Symbols that Unicode counts as punctuation.
  private static func isMarkedPunctuation(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "#", "%", "‰", "‱", "٪", "؉", "؊", "&", "⁊", "§", "¶", "@", "〽", "﹟", "＃", "﹪", "％", "﹠", "＆", "﹫", "＠": true
    default: false
    }
  }
}
