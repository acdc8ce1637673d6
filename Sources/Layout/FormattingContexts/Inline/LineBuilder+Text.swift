internal import CSS
internal import CoreTypes
internal import Typography

// Text fragments.
extension LineBuilder {
  func textLinks(_ index: Int, in outer: LineRect) -> [FragmentLink] {
    let leaf = leaves[index]
    let piece = line.pieces[leaf.piece]
    let item = data.items[piece.item]
    let rect = textRect(leaf, inline: leaf.inlineSize + leaf.expansion)
    let isPlain = leaf.kind == .text && item.run >= 0
    var links: [FragmentLink] = []
    let glyphs = isPlain && !isMeasure && !leaf.isHidden ? glyphRuns(piece, item, hyphen: piece.hasHyphen) : []
    let bytes = leaf.kind == .text && !isMeasure ? Array(data.text[piece.start..<piece.end]) : []
    links.append(textLink(rect, leaf, item, glyphs, bytes, in: outer, isHidden: leaf.isHidden))
    if leaf.isHidden, let end = cuts[index], isPlain, let range = cutRange(piece, item, end) {
      var cut = piece
      cut.start = range.lowerBound
      cut.end = range.upperBound
      cut.hasHyphen = false
      let run = cutRun(item, range)
      let width = LayoutUnit(ceiling: Double(run.width))
      var rect = textRect(leaf, inline: width)
      if isRTL { rect.lineLeft = leaf.lineLeft + leaf.inlineSize + leaf.expansion - width }
      links.append(
        textLink(
          rect, leaf, item, isMeasure ? [] : glyphRuns(cut, item, hyphen: false), Array(data.text[range]), in: outer, isHidden: false))
    }
    return links
  }

  private func cutRange(_ piece: LinePiece, _ item: InlineItem, _ end: Int) -> Range<Int>? {
    end > piece.start && end <= piece.end ? piece.start..<end : nil
  }

  func cutRun(_ item: InlineItem, _ range: Range<Int>) -> ShapedRun {
    data.text.withUnsafeBufferPointer { engine.fonts.line(data.runs[item.run], range, of: $0) }
  }

  private func textRect(_ leaf: LineLeaf, inline: LayoutUnit) -> LineRect {
    let state = metrics.states[leaf.state]
    return LineRect(
      lineLeft: leaf.lineLeft, over: height.ascent + metrics.absoluteShift(leaf.state) - state.text.ascent, inline: inline,
      block: state.text.height)
  }

  private func textLink(
    _ rect: LineRect, _ leaf: LineLeaf, _ item: InlineItem, _ glyphs: [PositionedGlyphRun], _ bytes: [UInt8], in outer: LineRect,
    isHidden: Bool
  ) -> FragmentLink {
    let font = metrics.states[leaf.state].font
    let text = TextFragment(glyphs: glyphs, ascent: font.height.ascent, text: bytes, isRTL: leaf.level & 1 != 0)
    engine.fragments.texts.append(text)
    var fragment = Fragment(kind: .text, box: item.box, style: item.style, size: physicalSize(rect))
    fragment.payload = Int32(clamping: engine.fragments.texts.count - 1)
    fragment.isHiddenForPaint = isHidden
    fragment.baseline = font.height.ascent
    return FragmentLink(fragment: engine.append(fragment, children: []), offset: physicalOffset(rect, in: outer))
  }

  // MARK: Glyphs

  /// The glyphs of a part of a text, with what justification adds, and a hyphen.
  private func glyphRuns(_ piece: LinePiece, _ item: InlineItem, hyphen: Bool) -> [PositionedGlyphRun] {
    let run = cutRun(item, piece.start..<piece.end)
    var gaps: Set<UInt32> = []
    if expansion > 0, !piece.hangs { forEachGap(piece.start..<piece.end) { gaps.insert(UInt32(truncatingIfNeeded: $0)) } }
    let hyphenRun = hyphen ? InlineHyphen.shape(engine, item.style) : nil
    var pen: Float = 0
    var result: [PositionedGlyphRun] = []
    if run.isRightToLeft, let hyphenRun { append(hyphenRun, [], item, &pen, &result) }
    append(run, gaps, item, &pen, &result)
    if !run.isRightToLeft, let hyphenRun { append(hyphenRun, [], item, &pen, &result) }
    return result
  }

  private func append(
    _ run: ShapedRun, _ gaps: Set<UInt32>, _ item: InlineItem, _ pen: inout Float, _ result: inout [PositionedGlyphRun]
  ) {
    let orientation = glyphOrientation(item)
    for segment in run.segments {
      var positioned = PositionedGlyphRun(face: segment.face, size: segment.size, glyphs: [])
      positioned.isSideways = orientation == .sideways
      positioned.glyphs.reserveCapacity(segment.glyphs.count)
      for index in segment.glyphs {
        let glyph = run.glyphs[index]
        var position = PositionedGlyphRun.Glyph(id: glyph.glyph, x: pen + glyph.xOffset, y: glyph.yOffset)
        if orientation == .upright { position = upright(glyph, segment, pen: pen, item) }
        positioned.glyphs.append(position)
        pen += glyph.advance
        guard !gaps.isEmpty, gaps.contains(glyph.cluster) else { continue }
        // After the cluster in reading direction, once.
        let neighbour = run.isRightToLeft ? index - 1 : index + 1
        if !run.glyphs.indices.contains(neighbour) || run.glyphs[neighbour].cluster != glyph.cluster {
          if run.isRightToLeft { shiftRTL(&positioned, by: Float(expansion), pen: &pen) } else { pen += Float(expansion) }
        }
      }
      result.append(positioned)
    }
  }

  /// Right to left the gap lies left of the glyph that was added last.
  private func shiftRTL(_ run: inout PositionedGlyphRun, by width: Float, pen: inout Float) {
    if let last = run.glyphs.indices.last { run.glyphs[last].x += width }
    pen += width
  }

  private enum GlyphOrientation { case horizontal, sideways, upright }

  private func glyphOrientation(_ item: InlineItem) -> GlyphOrientation {
    switch container.direction.mode {
    case .horizontalTb: return .horizontal
    case .sidewaysRl, .sidewaysLr: return .sideways
    case .verticalRl, .verticalLr:
      switch item.style.text.textOrientation {
      case .sideways: return .sideways
      case .upright: return .upright
      case .mixed: return UTF8Scan.isUpright(UTF8Scan.decode(data.text, item.start).codepoint) ? .upright : .sideways
      }
    }
  }

  /// A glyph set upright in vertical text: physically from the fragment's top left corner, its em box centred on the line.
  private func upright(_ glyph: ShapedGlyph, _ segment: ShapedSegment, pen: Float, _ item: InlineItem) -> PositionedGlyphRun.Glyph {
    let font = engine.inlineFont(item.style)
    let height = font.height.height.float
    let ascent = font.metrics.exactAscent, descent = font.metrics.exactDescent
    return PositionedGlyphRun.Glyph(
      id: glyph.glyph, x: (height - glyph.advance) / 2 + glyph.xOffset, y: pen + (glyph.advance - ascent - descent) / 2 + ascent + glyph.yOffset)
  }
}
