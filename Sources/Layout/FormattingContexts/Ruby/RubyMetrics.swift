internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// The extents of text relative to its baseline, for placing ruby and emphasis marks.
enum RubyMetrics {
  /// The extents of the lines of a part relative to `baseline`: the em boxes of its texts, and its atomic inlines; nil without any.
  ///
  /// - Parameter baseline: Relative to the line-over edge.
  static func contents(_ engine: LayoutEngine, _ part: FragmentID, _ style: ComputedStyle, baseline: LayoutUnit) -> FontHeight? {
    let direction = WritingDirection(style), isCentral = LineMetrics.isCentral(style)
    var result = FontHeight.none
    func visit(_ id: FragmentID, over: LayoutUnit, depth: Int) {
      let fragment = engine.fragments[id], size = direction.logical(fragment.size)
      switch fragment.kind {
      case .text:
        guard let ascent = fragment.baseline, size.inline > .zero else { return }
        let texts = engine.fragments.texts, payload = Int(fragment.payload), metrics = engine.inlineFont(fragment.style).metrics
        let used = texts.indices.contains(payload) ? texts[payload].glyphs : []
        let em = emHeight(metrics, used: used.map { engine.fonts.metrics(of: $0.face, size: $0.size) }, isCentral: isCentral)
        let line = isCentral ? FontHeight(ascent: size.block, descent: .zero).centered.ascent : ascent
        result.unite(em.moved(by: over + line - baseline))
        return
      case .box where engine.tree[fragment.box].kind != .inline && depth > 0:
        result.unite(FontHeight(ascent: baseline - over, descent: over + size.block - baseline))
        return
      case .box, .line: break
      }
      guard depth < 64 else { return }
      for child in engine.fragments.children(of: id) {
        let own = lineOver(child, engine.fragments[child.fragment].size, in: fragment.size, direction.mode)
        visit(child.fragment, over: over + own, depth: depth + 1)
      }
    }
    visit(part, over: .zero, depth: 0)
    return result.isNone ? nil : result
  }

  /// The distance from the line-over edge of a fragment to that of a child.
  private static func lineOver(_ child: FragmentLink, _ size: LayoutSize, in outer: LayoutSize, _ mode: WritingMode) -> LayoutUnit {
    switch mode {
    case .horizontalTb: child.offset.y
    case .sidewaysLr: child.offset.x
    case .verticalRl, .verticalLr, .sidewaysRl: outer.width - child.offset.x - size.width
    }
  }

  /// The em box of a font relative to the baseline, otherwise its ascent and descent. Chromium rounds em boxes to whole pixels and clamps
  /// them to the ascent and descent.
  ///
  /// - Parameter used: The metrics of the faces used by the text. Their em boxes count, clamped to the box of the first font.
  static func emHeight(_ metrics: FontMetrics, used: [FontMetrics] = [], isCentral: Bool) -> FontHeight {
    var (own, part) = heights(metrics, isCentral: isCentral)
    if !used.isEmpty { part = used.reduce(into: FontHeight.none) { $0.unite(heights($1, isCentral: isCentral).em) } }
    let em = FontHeight(
      ascent: min(LayoutUnit(part.ascent.double.rounded(.up)), own.ascent),
      descent: min(LayoutUnit(part.descent.double.rounded(.up)), own.descent))
    // The center of a text with odd height is half a pixel above the baseline.
    return isCentral ? em.moved(by: own.ascent - own.centered.ascent) : em
  }

  /// The box of a text without the whole pixels that exceed the em boxes of its faces. Annotations may occupy these.
  static func emBox(_ metrics: FontMetrics, used: [FontMetrics] = [], isCentral: Bool) -> FontHeight {
    let (own, first) = heights(metrics, isCentral: isCentral), box = isCentral ? own.centered : own
    var em = used.isEmpty ? first : FontHeight.none
    for face in used { em.unite(heights(face, isCentral: isCentral).em) }
    func excess(_ side: LayoutUnit, _ em: LayoutUnit) -> LayoutUnit { LayoutUnit((side - em).clampedToZero.double.rounded(.down)) }
    return FontHeight(ascent: box.ascent - excess(own.ascent, em.ascent), descent: box.descent - excess(own.descent, em.descent))
  }

  /// The ascent and descent of a font, and its em box, relative to the baseline; for a central baseline, relative to the center. Chromium
  /// halves them exactly here, but in whole pixels when positioning text.
  private static func heights(_ metrics: FontMetrics, isCentral: Bool) -> (own: FontHeight, em: FontHeight) {
    let own = FontHeight(ascent: LayoutUnit(rounding: Double(metrics.ascent)), descent: LayoutUnit(rounding: Double(metrics.descent)))
    let em = FontHeight(
      ascent: LayoutUnit(rounding: Double(metrics.normalizedAscent)),
      descent: LayoutUnit(rounding: Double(metrics.size - metrics.normalizedAscent)))
    return isCentral ? (own.halved, em.halved) : (own, em)
  }

  /// The number of justification opportunities in a part of the text, excluding a trailing space.
  static func justificationGaps(_ engine: LayoutEngine, _ box: BoxID, in range: Range<Int>) -> Int {
    guard engine.tree[box].hasInlineChildren else { return 0 }
    let text = InlineFormattingContext.items(engine, box).text
    var count = 0, index = range.lowerBound, end = min(range.upperBound, text.count)
    if end < text.count, end > index, text[end - 1] == 0x20 { end -= 1 }
    while index < end {
      let (codepoint, length) = UTF8Scan.decode(text, index)
      index += length
      guard index < end else { break }
      if codepoint == 0x20 || codepoint == 0xa0 || UTF8Scan.isIdeographic(codepoint)
        || UTF8Scan.isIdeographic(UTF8Scan.decode(text, index).codepoint)
      {
        count += 1
      }
    }
    return count
  }
}
