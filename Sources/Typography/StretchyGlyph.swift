internal import COffprintPango

/// A character stretched along an axis: a glyph variant of another size, or an assembly of glyphs.
public struct StretchyGlyph: Sendable {
  /// Positions relative to the pen at the baseline, y downward, in CSS px.
  public var glyphs: [(glyph: UInt32, x: Float, y: Float)] = []
  public var face: FaceInstance
  public var size: Float
  public var advance: Double = 0
  public var ascent: Double = 0
  public var descent: Double = 0
  public var italicCorrection: Double = 0
}

extension FontContext {
  public enum StretchAxis: Sendable { case horizontal, vertical }

  private static let maximumRecords: UInt32 = 20
  private static let maximumParts = 1 << 12

  /// The shape of a character that is `target` px long along an axis, or as close as possible; nil if the font's first face lacks it.
  ///
  /// https://w3c.github.io/mathml-core/#dfn-shape-a-stretchy-glyph
  public func stretch(_ codepoint: UInt32, _ axis: StretchAxis, to target: Double, _ font: FontHandle) -> StretchyGlyph? {
    guard let base = primaryGlyph(codepoint, font), let resolved = resolvedFont(font), let (face, _, _) = mathFont(font) else { return nil }
    var result = StretchyGlyph(face: face, size: Float(size(of: face, in: resolved)))
    for glyph in [base] + variants(of: base, axis, font) {
      let ink = ink(ofPrimary: glyph, font)
      result.glyphs = [(glyph, 0, 0)]
      result.advance = advance(ofPrimary: glyph, font)
      (result.ascent, result.descent) = (Double(ink.ascent), Double(ink.descent))
      result.italicCorrection = italicCorrection(glyph, font)
      if Double(axis == .vertical ? ink.height : ink.width) >= target { return result }
    }
    return assembly(of: base, axis, target, font, like: result) ?? result
  }

  /// The width of the widest vertical variant of a character, which is reserved on a line before its height is known.
  ///
  /// https://w3c.github.io/mathml-core/#dfn-preferred-inline-size-of-a-glyph-stretched-along-the-block-axis
  public func preferredStretchedInline(_ codepoint: UInt32, _ font: FontHandle) -> Double {
    guard let base = primaryGlyph(codepoint, font) else { return 0 }
    let glyphs = [base] + variants(of: base, .vertical, font) + parts(of: base, .vertical, font).parts.map(\.glyph)
    return glyphs.map { advance(ofPrimary: $0, font) }.max() ?? 0
  }

  private func direction(_ axis: StretchAxis) -> hb_direction_t { axis == .horizontal ? HB_DIRECTION_LTR : HB_DIRECTION_BTT }

  private func variants(of base: UInt32, _ axis: StretchAxis, _ font: FontHandle) -> [UInt32] {
    guard let (_, hbFont, _) = mathFont(font) else { return [] }
    var count = FontContext.maximumRecords
    var records = [hb_ot_math_glyph_variant_t](repeating: hb_ot_math_glyph_variant_t(), count: Int(count))
    _ = hb_ot_math_get_glyph_variants(hbFont, base, direction(axis), 0, &count, &records)
    return records.prefix(Int(count)).map(\.glyph)
  }

  /// A part of an assembly, in CSS px.
  private struct Part {
    var glyph: UInt32
    var start: Double
    var end: Double
    var advance: Double
    var isExtender: Bool
  }

  private func parts(of base: UInt32, _ axis: StretchAxis, _ font: FontHandle) -> (parts: [Part], italicCorrection: Double) {
    guard let (_, hbFont, scale) = mathFont(font) else { return ([], 0) }
    var count = FontContext.maximumRecords
    var records = [hb_ot_math_glyph_part_t](repeating: hb_ot_math_glyph_part_t(), count: Int(count))
    var italic: hb_position_t = 0
    _ = hb_ot_math_get_glyph_assembly(hbFont, base, direction(axis), 0, &count, &records, &italic)
    let parts = records.prefix(Int(count)).map { record in
      Part(
        glyph: record.glyph, start: Double(record.start_connector_length) * scale, end: Double(record.end_connector_length) * scale,
        advance: Double(record.full_advance) * scale, isExtender: record.flags.rawValue & HB_OT_MATH_GLYPH_PART_FLAG_EXTENDER.rawValue != 0)
    }
    return (parts, Double(italic) * scale)
  }

  /// https://w3c.github.io/mathml-core/#the-glyphassembly-table
  private func assembly(
    of base: UInt32, _ axis: StretchAxis, _ target: Double, _ font: FontHandle, like single: StretchyGlyph
  ) -> StretchyGlyph? {
    let (parts, italic) = parts(of: base, axis, font)
    guard !parts.isEmpty, let (_, hbFont, scale) = mathFont(font) else { return nil }
    let minimum = Double(hb_ot_math_get_min_connector_overlap(hbFont, direction(axis))) * scale
    guard let plan = AssemblyPlan(parts.map { ($0.start, $0.end, $0.advance, $0.isExtender) }, minimum: minimum, target: target) else {
      return nil
    }
    var result = single
    result.italicCorrection = italic
    result.glyphs = []
    var position = 0.0, across = (ascent: -Double.infinity, descent: -Double.infinity, left: 0.0, right: 0.0)
    for part in parts {
      for _ in 0..<(part.isExtender ? plan.repetitions : 1) {
        guard result.glyphs.count < FontContext.maximumParts else { break }
        let ink = ink(ofPrimary: part.glyph, font)
        // From bottom to top; the lower end of each part's ink is at its position.
        result.glyphs.append(
          axis == .horizontal ? (part.glyph, Float(position), 0) : (part.glyph, 0, -Float(position + Double(ink.descent))))
        across.ascent = max(across.ascent, Double(ink.ascent))
        across.descent = max(across.descent, Double(ink.descent))
        across.left = min(across.left, Double(ink.left))
        across.right = max(across.right, Double(ink.right))
        position += part.advance - plan.overlap
      }
    }
    guard !result.glyphs.isEmpty else { return nil }
    if axis == .horizontal {
      (result.advance, result.ascent, result.descent) = (plan.size, across.ascent, across.descent)
    } else {
      (result.advance, result.ascent, result.descent) = (across.right - across.left, plan.size, 0)
    }
    return result
  }
}

/// How often an assembly's extenders are repeated and how much its parts overlap, for a length of at least `target`.
///
/// https://w3c.github.io/mathml-core/#dfn-glyph-assembly-size
struct AssemblyPlan {
  var repetitions = 0
  var overlap = 0.0
  var size = 0.0

  private static let maximumGlyphs = 1024.0

  init?(_ parts: [(start: Double, end: Double, advance: Double, isExtender: Bool)], minimum: Double, target: Double) {
    var fixed = 0.0, extended = 0.0, fixedCount = 0.0, extenderCount = 0.0, maximum = Double.greatestFiniteMagnitude
    for (index, part) in parts.enumerated() {
      if part.isExtender {
        extended += part.advance
        extenderCount += 1
      } else {
        fixed += part.advance
        fixedCount += 1
      }
      if part.isExtender || index > 0 { maximum = min(maximum, part.start) }
      if part.isExtender || index < parts.count - 1 { maximum = min(maximum, part.end) }
    }
    let gain = extended - minimum * extenderCount
    guard extenderCount > 0, maximum >= minimum, gain > 0, target.isFinite else { return nil }
    let wanted = ((target - fixed + minimum * (fixedCount - 1)) / gain).rounded(.up)
    let times = min(max(wanted, 0), ((AssemblyPlan.maximumGlyphs - fixedCount) / extenderCount).rounded(.down))
    let count = fixedCount + times * extenderCount
    guard count > 0 else { return nil }
    overlap = maximum
    if count > 1 { overlap = max(minimum, min(maximum, (fixed + times * extended - target) / (count - 1))) }
    repetitions = Int(max(times, 0))
    size = fixed + times * extended - overlap * (count - 1)
  }
}
