import OffprintCSS
import OffprintCoreTypes
import OffprintTypography

/// Stretchy and large operators. https://w3c.github.io/mathml-core/#layout-of-operators
enum MathStretchyOperator {
  /// Whether the single character of an `mo` element may use a glyph variant.
  static func applies(_ engine: LayoutEngine, _ box: BoxID) -> Bool {
    guard let core = engine.coreOperator(box), let character = core.character else { return false }
    let style = engine.style(box)
    guard engine.fonts.primaryGlyph(character, engine.inlineFont(style).handle) != nil else { return false }
    return core.isStretchy || core.properties.contains(.largeOp) && !style.font.isMathCompact
  }

  static func layout(_ frame: inout MathFrame) throws -> LayoutResult {
    guard let core = frame.engine.coreOperator(frame.box), let character = core.character else {
      return try frame.finish(ascent: .zero, descent: .zero)
    }
    let target = target(frame, core)
    let axis: FontContext.StretchAxis = core.isVertical ? .vertical : .horizontal
    let size = target.map { $0.ascent + $0.descent } ?? .zero
    guard let glyph = frame.engine.fonts.stretch(mirrored(character, frame), axis, to: size.double, frame.font.handle) else {
      return try frame.finish(ascent: .zero, descent: .zero)
    }
    let ascent = floored(glyph.ascent), descent = floored(glyph.descent)
    // The ink is centered on the target.
    var shift = LayoutUnit.zero
    if core.isStretchy, core.isVertical {
      let extents = target ?? (.zero, .zero)
      shift = ((ascent - descent) - (extents.ascent - extents.descent)) / 2
    }
    frame.italicCorrection = LayoutUnit(glyph.italicCorrection)
    let advance = LayoutUnit(glyph.advance)
    let text = frame.engine.tree.children(of: frame.box).first { _ in true } ?? frame.box
    MathGlyphs.add(
      glyph, character, of: text, to: &frame, inline: frame.edges.inlineStart + (frame.contentInline - advance) / 2,
      baseline: frame.edges.blockStart + ascent)
    return try frame.finish(
      ascent: frame.edges.blockStart + ascent - shift, descent: descent + shift + frame.edges.blockEnd)
  }

  static func sizes(_ measure: MathMeasure) -> MinMaxSizes {
    let engine = measure.engine
    guard let core = engine.coreOperator(measure.box), let character = core.character else { return MinMaxSizes() }
    let font = engine.inlineFont(measure.style).handle
    var width = 0.0
    if !core.isStretchy {
      width = engine.fonts.stretch(character, .vertical, to: displayHeight(engine, measure.style).double, font)?.advance ?? 0
    } else if core.isVertical {
      width = engine.fonts.preferredStretchedInline(character, font)
    } else {
      width = engine.fonts.stretch(character, .horizontal, to: 0, font)?.advance ?? 0
    }
    return MinMaxSizes(min: LayoutUnit(width), max: LayoutUnit(width))
  }

  private static func floored(_ value: Double) -> LayoutUnit {
    LayoutUnit(raw: Int32(clamping: Int((min(max(value, -1e6), 1e6) * 64).rounded(.down))))
  }

  /// Delimiters are mirrored in right-to-left lines.
  static func mirrored(_ character: UInt32, _ frame: MathFrame) -> UInt32 {
    frame.direction.isRTL ? Bidi.mirrored(character) : character
  }

  private static func displayHeight(_ engine: LayoutEngine, _ style: ComputedStyle) -> LayoutUnit {
    LayoutUnit(engine.fonts.mathConstant(.displayOperatorMinHeight, engine.inlineFont(style).handle) ?? 0)
  }

  // MARK: The target

  /// The target ascent and descent of the operator. Along the inline axis the entire size is the ascent.
  private static func target(_ frame: MathFrame, _ core: MathOperator) -> (ascent: LayoutUnit, descent: LayoutUnit)? {
    guard core.isStretchy else { return (displayHeight(frame.engine, frame.style), .zero) }
    switch frame.stretch {
    case .inline(let size) where !core.isVertical: return (size, .zero)
    case .block(let ascent, let descent) where core.isVertical: return limited(frame, symmetric(frame, core, ascent, descent))
    default: return nil
    }
  }

  private static func symmetric(
    _ frame: MathFrame, _ core: MathOperator, _ ascent: LayoutUnit, _ descent: LayoutUnit
  ) -> (ascent: LayoutUnit, descent: LayoutUnit) {
    guard core.properties.contains(.symmetric) else { return (ascent, descent) }
    let axis = frame.axisHeight
    let half = max(ascent - axis, descent + axis)
    return (half + axis, half - axis)
  }

  /// Applies `minsize` and `maxsize`.
  private static func limited(
    _ frame: MathFrame, _ target: (ascent: LayoutUnit, descent: LayoutUnit)
  ) -> (ascent: LayoutUnit, descent: LayoutUnit) {
    let size = target.ascent + target.descent
    let minimum = (MathAttributes.length("minsize", frame.box, frame.engine, basis: size) ?? LayoutUnit(frame.fontSize)).clampedToZero
    let maximum = max(MathAttributes.length("maxsize", frame.box, frame.engine, basis: size) ?? .max, minimum)
    if size <= .zero { return (minimum / 2, minimum - minimum / 2) }
    guard size < minimum || maximum < size else { return target }
    let wanted = size < minimum ? minimum : maximum
    // Above the maximum size Chromium derives the ascent from the target descent.
    let ascent = (size < minimum ? target.ascent : target.descent) * (wanted.double / size.double)
    return (ascent, wanted - ascent)
  }
}

/// Glyphs that do not belong to text: operators and radicals.
enum MathGlyphs {
  static func add(
    _ glyph: StretchyGlyph, _ character: UInt32, of text: BoxID, to frame: inout MathFrame, inline: LayoutUnit, baseline: LayoutUnit
  ) {
    var run = PositionedGlyphRun(face: glyph.face, size: glyph.size, glyphs: [])
    run.glyphs = glyph.glyphs.map { PositionedGlyphRun.Glyph(id: $0.glyph, x: $0.x, y: $0.y) }
    let height = frame.font.height
    let bytes = Unicode.Scalar(character).map { Array(String(Character($0)).utf8) } ?? []
    var shape = TextFragment(glyphs: [run], ascent: height.ascent, text: bytes, isRTL: frame.direction.isRTL)
    shape.outset = Float(max(glyph.ascent, glyph.descent, glyph.advance))
    frame.engine.fragments.texts.append(shape)
    let size = LayoutSize(width: LayoutUnit(glyph.advance), height: height.ascent + height.descent)
    var fragment = Fragment(kind: .text, box: text, style: frame.style, size: size)
    fragment.payload = Int32(clamping: frame.engine.fragments.texts.count - 1)
    fragment.baseline = height.ascent
    frame.addPiece(
      frame.engine.append(fragment, children: []), size, at: LogicalOffset(inline: inline, block: baseline - height.ascent))
  }
}
