/// The metrics of a face at a size, in CSS px.
@frozen public struct FontMetrics: Hashable, Sendable, BitwiseCopyable {
  /// Rounded like in Chromium, for line boxes.
  public var ascent: Float = 0
  public var descent: Float = 0
  public var lineGap: Float = 0
  /// Unrounded ascent and descent, for glyph boxes.
  public var exactAscent: Float = 0
  public var exactDescent: Float = 0
  /// The part above the baseline of a box of the font's size that is divided in the ratio of ascent and descent in `OS/2`.
  public var normalizedAscent: Float = 0
  /// `ex`.
  public var xHeight: Float = 0
  /// `cap`.
  public var capHeight: Float = 0
  /// `ch`: the advance of "0".
  public var zeroAdvance: Float = 0
  /// `ic`: the advance of "水".
  public var icAdvance: Float = 0
  /// The advance of a space.
  public var spaceAdvance: Float = 0
  /// The font's own average advance, which determines the width of text fields.
  public var averageCharWidth: Float = 0
  /// The width of the bounding box of all glyphs, in whole px.
  public var maxCharWidth: Float = 0
  /// The distance from the baseline down to the underline's top, and its thickness.
  public var underlinePosition: Float = 0
  public var underlineThickness: Float = 0
  /// The distance from the baseline up to the strikethrough's top, and its thickness.
  public var strikeoutPosition: Float = 0
  public var strikeoutThickness: Float = 0
  public var unitsPerEm: Float = 1000
  public var size: Float = 0

  public init() {}

  /// The metrics of geometrically scaled glyphs, without rounding them again.
  public func scaled(by scale: Float) -> FontMetrics {
    var result = self
    let lengths: [WritableKeyPath<FontMetrics, Float>] = [
      \.ascent, \.descent, \.lineGap, \.exactAscent, \.exactDescent, \.normalizedAscent, \.xHeight, \.capHeight, \.zeroAdvance, \.icAdvance,
      \.spaceAdvance, \.averageCharWidth, \.maxCharWidth, \.underlinePosition, \.underlineThickness, \.strikeoutPosition,
      \.strikeoutThickness, \.size,
    ]
    for length in lengths { result[keyPath: length] *= scale }
    return result
  }

  /// `line-height: normal`.
  @inlinable public var lineSpacing: Float { ascent + descent + lineGap }

  /// The distance from the top of a line of `height` to its baseline, with half-leading above and below. If the leading is odd, Chromium
  /// puts the smaller half above.
  @inlinable public func baseline(inLineOfHeight height: Float) -> Float {
    ((height - (ascent + descent)) / 2).rounded(.down) + ascent
  }
}

/// The vertical metrics of a face, in font units.
struct FaceMetrics: Hashable, Sendable {
  var ascender = 0.0
  var descender = 0.0  // negative below the baseline
  var lineGap = 0.0
  /// The typographic values of `OS/2`, whatever the others are.
  var typoAscender = 0.0
  var typoDescender = 0.0
  var xHeight = 0.0
  var capHeight = 0.0
  var underlinePosition = 0.0
  var underlineThickness = 0.0
  var strikeoutPosition = 0.0
  var strikeoutThickness = 0.0
  var averageCharWidth = 0.0
  /// The bounding box of all glyphs.
  var boxWidth = 0.0
  /// Whether there are `vhea` and `vmtx` tables with vertical advances.
  var hasVerticalAdvances = false
}

extension FontMetrics {
  /// The size that glyphs are scaled to. Chromium truncates sizes to whole 1/64 px, so that text of 11.2 px is set at 11.1875 px.
  static func advanceSize(_ size: Double) -> Double { (size * 64).rounded(.down) / 64 }

  /// Pixels for each font unit of advances and outlines. FreeType rounds the scale to 16 fractional bits (`FT_Request_Metrics`): with 1000 units
  /// for each em, the advance of a glyph that is one em wide is 25.0001 px at 25 px.
  static func glyphScale(_ size: Double, unitsPerEm: Int) -> Double {
    guard unitsPerEm > 0 else { return 0 }
    return (advanceSize(size) * 64 * 65536 / Double(unitsPerEm)).rounded(.toNearestOrAwayFromZero) / (64 * 65536)
  }

  /// Scales `face` to `size`, rounding ascent, descent and gap like Chromium's `SimpleFontData`.
  init(face: FaceMetrics, unitsPerEm: Double, size: Double) {
    let scale = unitsPerEm > 0 ? size / unitsPerEm : 0
    let exactAscent = face.ascender * scale, exactDescent = -face.descender * scale
    var ascent = exactAscent.rounded(.toNearestOrAwayFromZero), descent = exactDescent.rounded(.toNearestOrAwayFromZero)
    // Without hinting, glyphs could lose their lowest row if the descent was rounded down, so one row is moved from the ascent.
    if descent < exactDescent, ascent >= 1 {
      descent += 1
      ascent -= 1
    }
    self.ascent = Float(ascent)
    self.descent = Float(descent)
    lineGap = Float((face.lineGap * scale).rounded(.toNearestOrAwayFromZero))
    self.exactAscent = Float(exactAscent)
    self.exactDescent = Float(exactDescent)
    let (over, under) =
      face.typoAscender > 0 && face.typoDescender <= 0 ? (face.typoAscender, -face.typoDescender) : (face.ascender, -face.descender)
    normalizedAscent = Float(over + under > 0 ? min(max(over / (over + under), 0), 1) * size : size)
    xHeight = Float(face.xHeight > 0 ? face.xHeight * scale : exactAscent * 0.56)
    capHeight = Float(face.capHeight > 0 ? face.capHeight * scale : exactAscent)
    underlinePosition = Float(-face.underlinePosition * scale)
    underlineThickness = Float(face.underlineThickness * scale)
    strikeoutPosition = Float(face.strikeoutPosition * scale)
    strikeoutThickness = Float(face.strikeoutThickness * scale)
    let advanceScale = Self.glyphScale(size, unitsPerEm: Int(unitsPerEm))
    averageCharWidth = Float(face.averageCharWidth * advanceScale)
    maxCharWidth = Float((face.boxWidth * advanceScale).rounded(.toNearestOrAwayFromZero))
    self.unitsPerEm = Float(unitsPerEm)
    self.size = Float(size)
  }
}
