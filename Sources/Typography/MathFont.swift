internal import COffprintPango

/// A constant of the `MATH` table. https://learn.microsoft.com/typography/opentype/spec/math#mathconstants-table
public enum MathConstant: UInt8, Sendable {
  case scriptPercentScaleDown, scriptScriptPercentScaleDown, delimitedSubFormulaMinHeight, displayOperatorMinHeight, mathLeading, axisHeight
  case accentBaseHeight, flattenedAccentBaseHeight, subscriptShiftDown, subscriptTopMax, subscriptBaselineDropMin, superscriptShiftUp
  case superscriptShiftUpCramped, superscriptBottomMin, superscriptBaselineDropMax, subSuperscriptGapMin
  case superscriptBottomMaxWithSubscript, spaceAfterScript, upperLimitGapMin, upperLimitBaselineRiseMin, lowerLimitGapMin
  case lowerLimitBaselineDropMin, stackTopShiftUp, stackTopDisplayStyleShiftUp, stackBottomShiftDown, stackBottomDisplayStyleShiftDown
  case stackGapMin, stackDisplayStyleGapMin, stretchStackTopShiftUp, stretchStackBottomShiftDown, stretchStackGapAboveMin
  case stretchStackGapBelowMin, fractionNumeratorShiftUp, fractionNumeratorDisplayStyleShiftUp, fractionDenominatorShiftDown
  case fractionDenominatorDisplayStyleShiftDown, fractionNumeratorGapMin, fractionNumDisplayStyleGapMin, fractionRuleThickness
  case fractionDenominatorGapMin, fractionDenomDisplayStyleGapMin, skewedFractionHorizontalGap, skewedFractionVerticalGap
  case overbarVerticalGap, overbarRuleThickness, overbarExtraAscender, underbarVerticalGap, underbarRuleThickness, underbarExtraDescender
  case radicalVerticalGap, radicalDisplayStyleVerticalGap, radicalRuleThickness, radicalExtraAscender, radicalKernBeforeDegree
  case radicalKernAfterDegree, radicalDegreeBottomRaisePercent
}

/// The ink bounds of a glyph relative to the pen, in CSS px, positive upward for the ascent and downward for the descent. Chromium measures
/// them in whole pixels.
public struct InkBounds: Hashable, Sendable {
  public var left: Float = 0
  public var right: Float = 0
  public var ascent: Float = 0
  public var descent: Float = 0
  public init() {}
  public var width: Float { right - left }
  public var height: Float { ascent + descent }
}

// Properties of fonts for mathematical layout. HarfBuzz checks the table's bounds, and ignores an invalid table.
extension FontContext {
  /// Nil if the font has no `MATH` table. In CSS px; percentages as fractions of one.
  public func mathConstant(_ constant: MathConstant, _ font: FontHandle) -> Double? {
    guard let (face, hbFont, scale) = mathFont(font), hb_ot_math_has_data(face.face.hbFace) != 0 else { return nil }
    let value = Double(hb_ot_math_get_constant(hbFont, hb_ot_math_constant_t(rawValue: UInt32(constant.rawValue))))
    switch constant {
    case .scriptPercentScaleDown, .scriptScriptPercentScaleDown, .radicalDegreeBottomRaisePercent: return value / 100
    default: return value * scale
    }
  }

  /// The scales of a math font for scripts of the first level and of further levels; nil for other fonts.
  public func mathScriptScales(_ font: FontHandle) -> (script: Float, scriptScript: Float)? {
    guard let script = mathConstant(.scriptPercentScaleDown, font), let further = mathConstant(.scriptScriptPercentScaleDown, font) else {
      return nil
    }
    return (Float(script), Float(further))
  }

  /// The glyph of a character in the font's first face; nil if it has none.
  public func primaryGlyph(_ codepoint: UInt32, _ font: FontHandle) -> UInt32? {
    guard let glyph = resolvedFont(font)?.primary?.face.glyph(for: codepoint), glyph != 0 else { return nil }
    return glyph
  }

  /// The advance of a glyph of the font's first face.
  public func advance(ofPrimary glyph: UInt32, _ font: FontHandle) -> Double {
    guard let (_, hbFont, scale) = mathFont(font) else { return 0 }
    return Double(hb_font_get_glyph_h_advance(hbFont, glyph)) * scale
  }

  /// The ink of a glyph of the font's first face.
  public func ink(ofPrimary glyph: UInt32, _ font: FontHandle) -> InkBounds {
    guard let resolved = resolvedFont(font), let primary = resolved.primary else { return InkBounds() }
    return ink(glyph, primary, size: Float(size(of: primary, in: resolved)))
  }

  /// https://w3c.github.io/mathml-core/#dfn-italic-correction-of-a-glyph-assembly
  func italicCorrection(_ glyph: UInt32, _ font: FontHandle) -> Double {
    guard let (face, hbFont, scale) = mathFont(font), hb_ot_math_has_data(face.face.hbFace) != 0 else { return 0 }
    return Double(hb_ot_math_get_glyph_italics_correction(hbFont, glyph)) * scale
  }

  /// The ink bounds of a glyph at a size, in whole pixels: the area its image would cover.
  public func ink(_ glyph: UInt32, _ instance: FaceInstance, size: Float) -> InkBounds {
    var extents = hb_glyph_extents_t()
    var bounds = InkBounds()
    guard size > 0, size.isFinite, let hbFont = hbFont(for: instance), hb_font_get_glyph_extents(hbFont, glyph, &extents) != 0,
      extents.width != 0, extents.height != 0
    else { return bounds }
    let scale = FontMetrics.glyphScale(Double(size), unitsPerEm: instance.face.info.unitsPerEm)
    // Outlines are scaled to 1/64 px before they are rasterized.
    func steps(_ units: Int32) -> Double { (Double(units) * scale * 64).rounded() / 64 }
    let left = steps(extents.x_bearing), right = steps(extents.x_bearing &+ extents.width)
    let top = steps(extents.y_bearing), bottom = steps(extents.y_bearing &+ extents.height)
    let bold = instance.isSyntheticBold ? Double(size) * FreeType.boldness(size) / 2 : 0
    bounds.left = Float((left - bold).rounded(.down))
    bounds.right = Float((right + bold).rounded(.up))
    bounds.ascent = Float((top + bold).rounded(.up))
    bounds.descent = Float((bold - bottom).rounded(.up))
    return bounds
  }

  /// The first face, its HarfBuzz font, and the CSS px per font unit.
  func mathFont(_ font: FontHandle) -> (face: FaceInstance, hbFont: OpaquePointer, scale: Double)? {
    guard let resolved = resolvedFont(font), let primary = resolved.primary, let hbFont = hbFont(for: primary) else { return nil }
    let size = FontMetrics.advanceSize(size(of: primary, in: resolved))
    return (primary, hbFont, size / Double(max(primary.face.info.unitsPerEm, 1)))
  }
}
