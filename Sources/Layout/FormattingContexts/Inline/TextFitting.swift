internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

// Lines are filled with unscaled text. Afterwards the text on them is scaled, but no other content.
// https://drafts.csswg.org/css-text-5/#text-fit-property
extension LineBreaker {
  /// The factor by which the text on a line fills it, within the limits of `fit`; nil for a line without text.
  ///
  /// Chromium does not scale to fill the indent.
  func fittingScale(_ fit: TextFit) -> Double? {
    let text = line.pieces.reduce(LayoutUnit.zero) { isScaled($1) ? $0 + $1.inlineSize : $0 }
    let room = line.availableWidth - (line.width - text)
    return text > .zero ? fit.limited(room.clampedToZero.double / text.double) : nil
  }

  /// Whether `per-line` does not scale this line.
  var isLastOfParagraph: Bool { line.isLast || line.hasForcedBreak }

  mutating func scaleText(by scale: Double) {
    guard scale != 1 else { return }
    line.textScale = scale
    for index in line.pieces.indices {
      let piece = line.pieces[index]
      guard hasText(piece) else { continue }
      let size = LayoutUnit(piece.inlineSize.double * scale)
      if piece.hangs { line.hangingWidth += size - piece.inlineSize } else { line.width += size - piece.inlineSize }
      line.pieces[index].inlineSize = size
    }
  }

  private func hasText(_ piece: LinePiece) -> Bool {
    let kind = data.items[piece.item].kind
    return kind == .text || kind == .tab
  }

  private func isScaled(_ piece: LinePiece) -> Bool { hasText(piece) && !piece.hangs }
}

extension InlineLayout {
  /// `text-fit: … consistent`: the factor for all lines, from a layout without scaling.
  static func consistentScale(_ engine: LayoutEngine, _ box: BoxID, _ context: InlineFormattingContext.Context) throws -> Double {
    var context = context
    context.isMeasure = true
    var trial = InlineLayout(engine, box, context)
    trial.isTrial = true
    try trial.run()
    return trial.leastScale ?? 1
  }
}

extension InlineFont {
  /// The distances from the baseline to the metrics of `text-box-edge`. https://drafts.csswg.org/css-inline-3/#text-edges
  func edges(_ edge: TextBoxEdge, isCentral: Bool) -> FontHeight {
    // The offset between the alphabetic and the central baseline.
    let shift = isCentral ? height.ascent - height.centered.ascent : .zero
    let ascent: LayoutUnit =
      switch edge.over {
      case .text: height.ascent
      case .cap: LayoutUnit(metrics.capHeight)
      case .ex: LayoutUnit(metrics.xHeight)
      }
    return FontHeight(ascent: ascent - shift, descent: (edge.under == .text ? height.descent : .zero) + shift)
  }

  /// The font scaled by `text-fit`. A fixed `line-height` is not scaled.
  func scaled(by scale: Double) -> InlineFont {
    guard scale != 1 else { return self }
    var font = self
    font.scale = scale
    font.leading = lineHeight - height.height
    font.metrics = metrics.scaled(by: Float(scale))
    font.height = height.scaled(by: scale)
    if !hasFixedLineHeight { font.lineHeight = LayoutUnit(lineHeight.double * scale) }
    font.letterSpacing *= Float(scale)
    font.wordSpacing *= Float(scale)
    return font
  }

  /// The extents of text with leading. If `text-fit` scales a normal `line-height`, Chromium keeps the rounding of the unscaled font below
  /// the baseline.
  func strut(_ text: FontHeight) -> FontHeight {
    guard scale != 1, isNormalLineHeight else { return text.withLeading(lineHeight: lineHeight) }
    return text.withScaledLeading(leading, scale)
  }
}

extension FontHeight {
  fileprivate func withScaledLeading(_ leading: LayoutUnit, _ scale: Double) -> FontHeight {
    let half = leading / 2
    let above = LayoutUnit(LayoutUnit(half.double * scale).floor), below = leading - LayoutUnit(half.floor)
    return FontHeight(ascent: ascent + above, descent: descent + LayoutUnit(below.double * scale))
  }

  /// The scaled extents with the leading of an unscaled `line-height`.
  func scaled(by scale: Double, lineHeight: LayoutUnit) -> FontHeight {
    scale == 1 ? withLeading(lineHeight: lineHeight) : scaled(by: scale).withScaledLeading(lineHeight - height, scale)
  }

  func scaled(by scale: Double) -> FontHeight {
    scale == 1 || isNone ? self : FontHeight(ascent: LayoutUnit(ascent.double * scale), descent: LayoutUnit(descent.double * scale))
  }
}
