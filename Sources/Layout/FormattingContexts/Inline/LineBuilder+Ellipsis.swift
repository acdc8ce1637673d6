internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

// https://drafts.csswg.org/css-overflow-4/#text-overflow
extension LineBuilder {
  /// The text of `text-overflow` if a box clips its overflow, otherwise nil.
  static func overflowText(_ engine: LayoutEngine, _ box: BoxID) -> [UInt8]? {
    var owner = box
    if engine.tree[box].isAnonymous, !engine.tree[box].parent.isNone { owner = engine.tree[box].parent }
    let style = engine.style(owner)
    let isHorizontal = style.text.writingMode == .horizontalTb
    guard (isHorizontal ? style.box.overflowX : style.box.overflowY) != .visible else { return nil }
    switch style.effects.textOverflow {
    case .clip: return nil
    case .ellipsis: return [0xe2, 0x80, 0xa6]
    }
  }

  /// Hides the contents that do not fit next to `text`, and appends it. Leaves must be positioned.
  mutating func truncate(with text: [UInt8]) {
    let font = engine.inlineFont(style)
    var bytes = text
    if text == [0xe2, 0x80, 0xa6], engine.fonts.primaryFace(font.handle)?.face.covers(0x2026) != true { bytes = [0x2e, 0x2e, 0x2e] }
    let run = engine.fonts.shape(bytes, font: font.handle)
    let width = LayoutUnit(ceiling: Double(run.width) * line.textScale)
    let left = line.lineLeft - container.lineLeft, right = line.lineRight - container.lineLeft
    let room = isRTL ? left + width : right - width
    var edge = isRTL ? right : left
    var isFull = false, isFirst = true
    for index in visualOrder() where isShown(leaves[index].kind) {
      let leaf = leaves[index]
      let from = leaf.lineLeft, to = leaf.lineLeft + leaf.inlineSize + leaf.expansion
      if !isFull, isRTL ? from >= room : to <= room {
        edge = isRTL ? from : to
        isFirst = false
        ellipsisState = ellipsisParent(leaf)
        continue
      }
      // The first character or atomic inline is clipped by the box rather than replaced by the ellipsis.
      if isFirst, !isFull, leaf.kind == .atomic {
        (isFirst, isFull) = (false, true)
        edge = isRTL ? from : to
        ellipsisState = ellipsisParent(leaf)
        continue
      }
      leaves[index].isHidden = true
      guard !isFull else { continue }
      isFull = true
      if let cut = cut(index, room: isRTL ? to - room : room - from, isFirst: isFirst) {
        (edge, ellipsisState) = (cut, ellipsisParent(leaf))
      }
      isFirst = false
    }
    ellipsisRun = run
    leaves.append(LineLeaf(kind: .ellipsis, piece: -1, state: 0, level: isRTL ? 1 : 0, inlineSize: width))
    leaves[leaves.count - 1].lineLeft = isRTL ? edge - width : edge
  }

  /// The inline box that contains an ellipsis after a leaf. For the text of a ruby base it is the box around the ruby.
  private func ellipsisParent(_ leaf: LineLeaf) -> Int {
    var state = leaf.state, result = state
    while state > 0 {
      if metrics.states[state].style.box.display == .ruby { result = metrics.states[state].parent }
      state = metrics.states[state].parent
    }
    return result
  }

  private func isShown(_ kind: LineLeaf.Kind) -> Bool { kind == .text || kind == .tab || kind == .atomic }

  /// The leaves in visual order, from the start of the line.
  private func visualOrder() -> [Int] {
    let order = events.compactMap { if case .leaf(let leaf) = $0 { leaf } else { nil } }
    return isRTL ? order.reversed() : order
  }

  /// Truncates a text to `room`. Returns the new edge, or nil if nothing remains.
  private mutating func cut(_ index: Int, room: LayoutUnit, isFirst: Bool) -> LayoutUnit? {
    let leaf = leaves[index]
    guard leaf.kind == .text, leaf.piece >= 0, room > .zero || isFirst else { return nil }
    let piece = line.pieces[leaf.piece]
    let item = data.items[piece.item]
    guard item.run >= 0 else { return nil }
    guard (item.level & 1 != 0) == isRTL else { return cutStart(index, piece, item, room: room) }
    let run = data.runs[item.run]
    var end = min(run.offset(atAdvance: run.advance(before: piece.start) + room.clampedToZero.float / Float(line.textScale)), piece.end)
    while end > piece.start, end < data.boundaries.count, !data.boundaries[end].contains(.grapheme) { end -= 1 }
    if isFirst, end <= piece.start {
      end = piece.start + 1
      while end < piece.end, end < data.boundaries.count, !data.boundaries[end].contains(.grapheme) { end += 1 }
    }
    guard end > piece.start else { return nil }
    cuts[index] = piece.start..<end
    let width = LayoutUnit(ceiling: Double(cutRun(item, piece.start..<end).width) * line.textScale)
    return isRTL ? leaf.lineLeft + leaf.inlineSize + leaf.expansion - width : leaf.lineLeft + width
  }

  /// Truncates text of the opposite direction. It starts at the side of the ellipsis, so its end remains.
  private mutating func cutStart(_ index: Int, _ piece: LinePiece, _ item: InlineItem, room: LayoutUnit) -> LayoutUnit? {
    let run = data.runs[item.run], leaf = leaves[index]
    let edge = run.advance(before: piece.end) - room.clampedToZero.float / Float(line.textScale)
    var start = max(piece.start, run.offset(atAdvance: edge))
    if run.advance(before: start) < edge { start += 1 }
    while start < piece.end, start < data.boundaries.count, !data.boundaries[start].contains(.grapheme) { start += 1 }
    guard start > piece.start, start < piece.end else { return nil }
    cuts[index] = start..<piece.end
    let width = LayoutUnit(ceiling: Double(cutRun(item, start..<piece.end).width) * line.textScale)
    return isRTL ? leaf.lineLeft + leaf.inlineSize + leaf.expansion - width : leaf.lineLeft + width
  }

  func ellipsisLink(_ outer: LineRect) -> [FragmentLink]? {
    guard let run = ellipsisRun, let leaf = leaves.last, leaf.kind == .ellipsis else { return nil }
    let font = metrics.states[0].font, scale = Float(line.textScale)
    var pen: Float = 0
    var glyphs: [PositionedGlyphRun] = []
    for segment in run.segments where !isMeasure {
      var positioned = PositionedGlyphRun(face: segment.face, size: segment.size * scale, glyphs: [])
      positioned.isSideways = !container.direction.isHorizontal
      for index in segment.glyphs {
        positioned.glyphs.append(PositionedGlyphRun.Glyph(id: run.glyphs[index].glyph, x: pen, y: run.glyphs[index].yOffset * scale))
        pen += run.glyphs[index].advance * scale
      }
      glyphs.append(positioned)
    }
    let rect = LineRect(
      lineLeft: leaf.lineLeft, over: height.ascent - metrics.states[0].text.ascent, inline: leaf.inlineSize,
      block: metrics.states[0].text.height)
    var text = TextFragment(glyphs: glyphs, ascent: font.height.ascent, text: Array("…".utf8), isRTL: isRTL)
    text.isEllipsis = true
    if ellipsisState > 0 { text.ellipsisParent = metrics.states[ellipsisState].box }
    engine.fragments.texts.append(text)
    var fragment = Fragment(kind: .text, box: containerBox, style: style, size: physicalSize(rect))
    fragment.payload = Int32(clamping: engine.fragments.texts.count - 1)
    return [FragmentLink(fragment: engine.append(fragment, children: []), offset: physicalOffset(rect, in: outer))]
  }
}
