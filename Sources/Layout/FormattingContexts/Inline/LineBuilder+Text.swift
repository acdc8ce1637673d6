internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

/// The clusters of a piece of text after which justification adds space.
private struct JustificationGaps {
  private var start = 0
  private var marks: [Bool] = []
  /// Whether space is added before the first cluster.
  var isLeading = false

  /// No gaps.
  init() {}

  init(_ range: Range<Int>) {
    start = range.lowerBound
    marks = Array(repeating: false, count: range.count)
  }

  mutating func insert(_ cluster: Int) { if marks.indices.contains(cluster - start) { marks[cluster - start] = true } }
  func contains(_ cluster: Int) -> Bool { marks.indices.contains(cluster - start) && marks[cluster - start] }
}

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
    let before = container.direction.isHorizontal ? LayoutUnit.zero : inlineBefore(index)
    links.append(textLink(rect, leaf, item, glyphs, bytes, in: outer, isHidden: leaf.isHidden, inlineBefore: before))
    if !glyphs.isEmpty, item.style.text.emphasisMark != nil { addEmphasis(piece, item) }
    if leaf.isHidden, let range = cuts[index], isPlain {
      var cut = piece
      cut.start = range.lowerBound
      cut.end = range.upperBound
      cut.hasHyphen = false
      let run = cutRun(item, range)
      let width = LayoutUnit(ceiling: Double(run.width) * line.textScale)
      var rect = textRect(leaf, inline: width)
      if isRTL { rect.lineLeft = leaf.lineLeft + leaf.inlineSize + leaf.expansion - width }
      links.append(
        textLink(
          rect, leaf, item, isMeasure ? [] : glyphRuns(cut, item, hyphen: false), Array(data.text[range]), in: outer, isHidden: false))
    }
    return links
  }

  /// The width of preceding leaves of the same text on this line. Only a limited number of leaves is searched.
  private func inlineBefore(_ index: Int) -> LayoutUnit {
    let leaf = leaves[index], box = data.items[line.pieces[leaf.piece].item].box
    var start = leaf.lineLeft
    for other in leaves.prefix(index).suffix(64).reversed() {
      guard other.kind == .text, data.items[line.pieces[other.piece].item].box == box, other.level == leaf.level,
        other.lineLeft + other.inlineSize + other.expansion == start
      else { break }
      start = other.lineLeft
    }
    return leaf.lineLeft - start
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

  /// Combined text is decorated like one glyph of the vertical line: the decorations belong to a text fragment without glyphs at its position.
  ///
  /// https://drafts.csswg.org/css-writing-modes-4/#text-combine-layout
  func decorationLink(_ leaf: LineLeaf, in outer: LineRect) -> FragmentLink? {
    var item = data.items[line.pieces[leaf.piece].item]
    guard engine.tree[item.box].specialLayout == .combinedText, !leaf.isHidden else { return nil }
    item.style = metrics.states[leaf.state].style
    let link = textLink(textRect(leaf, inline: leaf.inlineSize + leaf.expansion), leaf, item, [], [], in: outer, isHidden: false)
    if item.style.text.emphasisMark != nil { mark(at: [leaf.inlineSize.float / 2], item) }
    return link
  }

  private func textLink(
    _ rect: LineRect, _ leaf: LineLeaf, _ item: InlineItem, _ glyphs: [PositionedGlyphRun], _ bytes: [UInt8], in outer: LineRect,
    isHidden: Bool, inlineBefore: LayoutUnit = .zero
  ) -> FragmentLink {
    let font = metrics.states[leaf.state].font
    var text = TextFragment(glyphs: glyphs, ascent: font.height.ascent, text: bytes, isRTL: leaf.level & 1 != 0)
    text.inlineBefore = inlineBefore
    text.scale = Float(line.textScale)
    if !glyphs.isEmpty, leaf.state > 0 { text.baselineShifts = baselineShifts(leaf.state) }
    engine.fragments.texts.append(text)
    var fragment = Fragment(kind: .text, box: item.box, style: item.style, size: physicalSize(rect))
    fragment.payload = Int32(clamping: engine.fragments.texts.count - 1)
    if let firstLineDecoration { engine.fragments.firstLines[fragment.payload] = firstLineDecoration }
    fragment.isHiddenForPaint = isHidden
    fragment.baseline = font.height.ascent
    return FragmentLink(fragment: engine.append(fragment, children: []), offset: physicalOffset(rect, in: outer))
  }

  /// The baseline offsets of the line and the enclosing boxes, without duplicates.
  private func baselineShifts(_ state: Int) -> [(box: BoxID, shift: LayoutUnit)] {
    guard metrics.hasShifts else { return [] }
    let own = metrics.absoluteShift(state)
    var result: [(box: BoxID, shift: LayoutUnit)] = []
    var current = state
    while current > 0 {
      current = metrics.states[current].parent
      result.append((metrics.states[current].box, metrics.absoluteShift(current) - own))
    }
    return result.contains { $0.shift != .zero } ? result : []
  }

  // MARK: Glyphs

  /// The glyphs of a part of a text, with justification and a hyphen.
  private func glyphRuns(_ piece: LinePiece, _ item: InlineItem, hyphen: Bool) -> [PositionedGlyphRun] {
    let run = cutRun(item, piece.start..<piece.end)
    var gaps = JustificationGaps()
    if expansion > 0, !piece.hangs, isJustified(piece) {
      gaps = JustificationGaps(piece.start..<piece.end)
      forEachGap(piece.start..<piece.end) { gaps.insert($0) }
      gaps.isLeading = hasGapBefore(piece.start)
    }
    let hyphenRun = hyphen ? InlineHyphen.shape(engine, item.style) : nil
    var pen = gaps.isLeading && !run.isRightToLeft ? Float(expansion) : 0
    var result: [PositionedGlyphRun] = []
    if run.isRightToLeft, let hyphenRun { append(hyphenRun, JustificationGaps(), &pen, &result) }
    append(run, gaps, &pen, &result)
    if !run.isRightToLeft, let hyphenRun { append(hyphenRun, JustificationGaps(), &pen, &result) }
    return result
  }

  /// Sets the positions of emphasis marks on the last appended text fragment.
  private func addEmphasis(_ piece: LinePiece, _ item: InlineItem) {
    let run = cutRun(item, piece.start..<piece.end)
    var centers: [Float] = []
    var pen = expansion > 0 && isJustified(piece) && !run.isRightToLeft && hasGapBefore(piece.start) ? Float(expansion) : 0
    var index = 0
    while index < run.glyphs.count {
      let cluster = run.glyphs[index].cluster
      let start = pen
      while index < run.glyphs.count, run.glyphs[index].cluster == cluster {
        pen += run.glyphs[index].advance * Float(line.textScale)
        index += 1
      }
      let next = run.isRightToLeft ? clusterBefore(index, run) : index < run.glyphs.count ? Int(run.glyphs[index].cluster) : piece.end
      let letters = graphemes(Int(cluster)..<max(next, Int(cluster)))
      // Marks are centered over the character without its letter spacing.
      let own = max(pen - start - run.letterSpacing * Float(line.textScale), 0)
      for (number, letter) in letters.enumerated() where EmphasisMark.isMarked(letter) {
        let place = run.isRightToLeft ? letters.count - 1 - number : number
        centers.append(start + own * (Float(place) + 0.5) / Float(letters.count))
      }
      pen += gapWidth(Int(cluster), next, piece)
    }
    mark(at: centers, item)
  }

  /// Gives the last text its marks.
  private func mark(at centers: [Float], _ item: InlineItem) {
    guard let last = engine.fragments.texts.indices.last, let mark = item.style.text.emphasisMark?.unicodeScalars.first else { return }
    engine.fragments.texts[last].emphasisCenters = centers
    if !isVertical {
      let primary = engine.inlineFont(item.style).metrics
      let used = engine.fragments.texts[last].glyphs.map { engine.fonts.metrics(of: $0.face, size: $0.size) }
      let em = RubyMetrics.emHeight(primary, used: used, isCentral: false)
      engine.fragments.texts[last].emphasisDistance = (em.ascent.float, em.descent.float)
    }
    engine.fragments.texts[last].hasUprightMarks =
      isVertical
      && (item.style.text.textOrientation == .upright
        || (item.style.text.textOrientation == .mixed && VerticalOrientation.isUpright(mark.value)))
  }

  /// The end of a cluster in a right-to-left run: the start of the cluster to its right, before glyph `index`.
  private func clusterBefore(_ index: Int, _ run: ShapedRun) -> Int {
    var first = index - 1
    while first > 0, run.glyphs[first - 1].cluster == run.glyphs[index - 1].cluster { first -= 1 }
    return first > 0 ? Int(run.glyphs[first - 1].cluster) : run.textRange.upperBound
  }

  /// The first character of each grapheme cluster.
  private func graphemes(_ range: Range<Int>) -> [UInt32] {
    range.filter { $0 == range.lowerBound || (data.boundaries.indices.contains($0) && data.boundaries[$0].contains(.grapheme)) }
      .map { UTF8Scan.decode(data.text, $0).codepoint }
  }

  private func gapWidth(_ start: Int, _ end: Int, _ piece: LinePiece) -> Float {
    guard expansion > 0, !piece.hangs, isJustified(piece) else { return 0 }
    var width: Float = 0
    forEachGap(start..<max(start, min(end, piece.end))) { _ in width += Float(expansion) }
    return width
  }

  private func append(
    _ run: ShapedRun, _ gaps: JustificationGaps, _ pen: inout Float, _ result: inout [PositionedGlyphRun]
  ) {
    let scale = Float(line.textScale), text = data.text
    for segment in run.segments {
      var positioned = PositionedGlyphRun(face: segment.face, size: segment.size * scale, glyphs: [])
      positioned.isSideways = !container.direction.isHorizontal && !run.isUpright
      positioned.glyphs.reserveCapacity(segment.glyphs.count)
      positioned.isIdeographic =
        run.glyphs[segment.glyphs].first.map {
          UTF8Scan.isIdeographic(UTF8Scan.decode(text, Int($0.cluster)).codepoint)
        } ?? false
      for index in segment.glyphs {
        let glyph = run.glyphs[index]
        var position = PositionedGlyphRun.Glyph(id: glyph.glyph, x: pen + glyph.xOffset * scale, y: glyph.yOffset * scale)
        if run.isUpright { position = upright(glyph, segment, pen: pen) }
        if Self.isCrossed(Int(glyph.cluster), text) { positioned.crossedGlyphs.append(Int32(clamping: positioned.glyphs.count)) }
        positioned.glyphs.append(position)
        pen += glyph.advance * scale
        guard gaps.contains(Int(glyph.cluster)) else { continue }
        // Once for each cluster, after it in reading direction.
        let neighbour = run.isRightToLeft ? index - 1 : index + 1
        if !run.glyphs.indices.contains(neighbour) || run.glyphs[neighbour].cluster != glyph.cluster {
          if run.isRightToLeft { shiftRTL(&positioned, by: Float(expansion), pen: &pen) } else { pen += Float(expansion) }
        }
      }
      result.append(positioned)
    }
  }

  /// Whether underlines cross this character in Chromium, instead of skipping its ink.
  private static func isCrossed(_ index: Int, _ text: [UInt8]) -> Bool {
    guard text.indices.contains(index) else { return false }
    let byte = text[index]
    return byte == UInt8(ascii: "/") || byte == UInt8(ascii: "\\") || byte == UInt8(ascii: "_")
  }

  /// In right-to-left runs the gap is to the left of the last glyph.
  private func shiftRTL(_ run: inout PositionedGlyphRun, by width: Float, pen: inout Float) {
    if let last = run.glyphs.indices.last { run.glyphs[last].x += width }
    pen += width
  }

  private var isVertical: Bool { container.direction.mode == .verticalRl || container.direction.mode == .verticalLr }

  /// An upright glyph of vertical text, in the line's axes. The central baseline of its font is aligned with the line's.
  private func upright(_ glyph: ShapedGlyph, _ segment: ShapedSegment, pen: Float) -> PositionedGlyphRun.Glyph {
    let own = engine.fonts.metrics(of: segment.face, size: segment.size), scale = Float(line.textScale)
    let center = (own.ascent - own.descent) / 2
    return PositionedGlyphRun.Glyph(id: glyph.glyph, x: pen + glyph.yOffset * scale, y: -(center + glyph.xOffset) * scale)
  }
}
