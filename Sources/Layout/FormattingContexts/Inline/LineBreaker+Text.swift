internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

// Breaking of text items.
extension LineBreaker {
  /// Returns true if the line is complete.
  mutating func handleText(_ item: InlineItem) -> Bool {
    var start = max(cursor.offset, item.start)
    if state == .trailing { return handleTrailingText(item, start) }
    let wraps = item.traits.contains(.wraps)
    if !line.hasContent, item.traits.contains(.collapsesSpaces) {
      while start < item.end, data.text[start] == 0x20 { start += 1 }
    }
    guard start < item.end, item.run >= 0 else {
      line.pieces.append(LinePiece(item: cursor.item, start: start, end: item.end))
      next()
      return false
    }
    hangRuby(over: item)
    let piece = textPiece(cursor.item, item, start, item.end)
    let fits = position + piece.inlineSize <= available || hangsAtEnd(item, piece)
    if fits || !wraps {
      line.pieces.append(piece)
      line.hasContent = true
      position += piece.inlineSize
      next()
      return fits || position - trailingSpaceWidth(item, piece) <= available ? false : overflow()
    }
    return breakText(item, start)
  }

  /// Whether a text fits without trailing spaces and is the last content of its line.
  private func hangsAtEnd(_ item: InlineItem, _ piece: LinePiece) -> Bool {
    hangsSpaces(item) && endsLine && position + piece.inlineSize - trailingSpaceWidth(item, piece) <= available
  }

  /// Adds spaces after the last opportunity, which hang at the end of the line.
  private mutating func handleTrailingText(_ item: InlineItem, _ start: Int) -> Bool {
    guard start < item.end, item.run >= 0 else {
      next()
      return false
    }
    if item.traits.contains(.breakSpaces) || !item.traits.contains(.wraps) { return true }
    var end = start
    while end < item.end, isSpace(end) { end += 1 }
    line.pieces.append(textPiece(cursor.item, item, start, end))
    position += line.pieces.last?.inlineSize ?? .zero
    if end < item.end {
      cursor.offset = end
      return true
    }
    next()
    return false
  }

  /// Breaks a text that does not fit.
  private mutating func breakText(_ item: InlineItem, _ start: Int) -> Bool {
    let run = data.runs[item.run]
    let room = (available - position).clampedToZero
    var limit = run.offset(atAdvance: run.advance(before: start) + room.float)
    limit = min(max(limit, start), item.end)
    if limit < item.end, data.text.withUnsafeBufferPointer({ FontContext.isClosingBracket($0, at: limit) }) {
      limit = min(limit + 3, item.end)
    }
    if hangsSpaces(item) {
      while limit < item.end, isSpace(limit) { limit += 1 }
    }
    if limit == item.end, endsLine, let trimmed = trimmedAtEnd(textPiece(cursor.item, item, start, item.end), run),
      position + trimmed.inlineSize < available
    {
      return take(trimmed, item)
    }
    // The last opportunity that fits.
    var candidate = limit
    var spared: LinePiece?
    while let cut = lastOpportunity(in: item, from: start, to: candidate) {
      let piece = textPiece(cursor.item, item, start, cut)
      if item.traits.contains(.sparesSoftHyphens), endsWithSoftHyphen(cut, start) {
        if spared == nil, fits(item, piece) { spared = piece }
        candidate = cut - 1
        continue
      }
      if fits(item, piece) { return take(piece, item) }
      if let trimmed = trimmedAtEnd(piece, run), fitsTrimmed(trimmed, item) { return take(trimmed, item) }
      candidate = cut - 1
    }
    if rewind(before: line.pieces.count) {
      takeEmptyInlines()
      return true
    }
    if let spared { return take(spared, item) }
    if !breaksAnywhere, item.traits.contains(.breaksAnywhere) || canBreakAnywhereEarlier() {
      needsAnywhere = true
      return true
    }
    // The first opportunity after what fits: the line overflows.
    let cut = firstOpportunity(in: item, from: start + 1) ?? item.end
    return take(textPiece(cursor.item, item, start, cut), item)
  }

  /// Whether only close tags follow the text on its line.
  private var endsLine: Bool {
    for item in data.items.dropFirst(cursor.item + 1) where item.kind != .closeTag { return item.kind == .forcedBreak }
    return true
  }

  /// The piece without the space after its last closing bracket, which is trimmed at the end of a line.
  private func trimmedAtEnd(_ piece: LinePiece, _ run: ShapedRun) -> LinePiece? {
    guard let less = data.text.withUnsafeBufferPointer({ engine.fonts.trimAtLineEnd(run, before: piece.end, of: $0) }) else { return nil }
    var result = piece
    result.inlineSize -= LayoutUnit(less)
    return result
  }

  /// Whether a piece that ends with a trimmed bracket fits. In Chromium one that fits exactly does so only if it does not begin its text.
  private func fitsTrimmed(_ piece: LinePiece, _ item: InlineItem) -> Bool {
    let end = position + piece.inlineSize
    return end < available || end == available && piece.start > item.start
  }

  /// Ends the line with a piece. If the piece ends the item, continues with spaces that hang there.
  private mutating func take(_ piece: LinePiece, _ item: InlineItem) -> Bool {
    line.pieces.append(piece)
    line.hasContent = true
    position += piece.inlineSize
    if piece.end < item.end {
      cursor.offset = piece.end
      return true
    }
    next()
    if piece.canBreakAfter { state = .trailing }
    return false
  }

  /// Whether a piece fits. Spaces alone always fit: after overflowing text they provide the first opportunity.
  private func fits(_ item: InlineItem, _ piece: LinePiece) -> Bool {
    if hangsSpaces(item), endWithoutSpaces(piece) == piece.start { return true }
    return position + piece.inlineSize <= available || position + piece.inlineSize - trailingSpaceWidth(item, piece) <= available
  }

  func hangsSpaces(_ item: InlineItem) -> Bool { !item.traits.contains(.breakSpaces) && item.traits.contains(.wraps) }

  /// The width of spaces at the end of a piece that do not count toward the line's width.
  func trailingSpaceWidth(_ item: InlineItem, _ piece: LinePiece) -> LayoutUnit {
    guard item.kind == .text, hangsSpaces(item) || item.traits.contains(.collapsesSpaces) else { return .zero }
    let end = endWithoutSpaces(piece)
    guard end < piece.end else { return .zero }
    return piece.inlineSize - textWidth(item, piece.start, end)
  }

  func endWithoutSpaces(_ piece: LinePiece) -> Int {
    var end = piece.end
    while end > piece.start, data.text[end - 1] == 0x20 { end -= 1 }
    return end
  }

  // MARK: Pieces

  /// The used width of a part of a text. The part is reshaped if breaking there changes glyphs.
  func textWidth(_ item: InlineItem, _ start: Int, _ end: Int) -> LayoutUnit {
    used(advance(item, start, end))
  }

  /// Negative spacing does not result in a negative width: Chromium uses `SnappedWidth().ClampNegativeToZero()`.
  private func used(_ advance: Float) -> LayoutUnit { LayoutUnit(ceiling: Double(max(0, advance))) }

  private func advance(_ item: InlineItem, _ start: Int, _ end: Int) -> Float {
    guard start < end, data.runs.indices.contains(item.run) else { return 0 }
    let run = data.runs[item.run]
    if run.isSafeToBreak(before: start), run.isSafeToBreak(before: end) { return run.width(from: start, to: end) }
    return data.text.withUnsafeBufferPointer { engine.fonts.width(run, start..<end, of: $0) }
  }

  func textPiece(_ index: Int, _ item: InlineItem, _ start: Int, _ end: Int) -> LinePiece {
    var piece = LinePiece(item: index, start: start, end: end, inlineSize: textWidth(item, start, end))
    if end == item.end {
      piece.canBreakAfter = item.traits.contains(.wraps) && isOpportunity(item, end)
    } else {
      piece.canBreakAfter = true
    }
    if end < item.end, endsWithSoftHyphen(end, start) || data.boundaries[end].contains(.hyphen) {
      piece.hasHyphen = true
      piece.inlineSize = used(advance(item, start, end) + InlineHyphen.shape(engine, item.style).width)
    }
    return piece
  }

  private func endsWithSoftHyphen(_ end: Int, _ start: Int) -> Bool {
    end - start >= 2 && data.text[end - 2] == 0xc2 && data.text[end - 1] == 0xad
  }

  // MARK: Opportunities

  private func isOpportunity(_ item: InlineItem, _ index: Int) -> Bool {
    guard data.boundaries.indices.contains(index) else { return false }
    let boundary = data.boundaries[index]
    if boundary.contains(.lineBreak) || index == item.end && isBoundaryAfterControls(index) { return true }
    return breaksAnywhere && boundary.contains(.grapheme) && item.traits.contains(.breaksAnywhere)
  }

  /// Whether there is an opportunity after the bidi controls of boxes that start at `index`. The controls belong to the preceding
  /// character, but the line breaks before the boxes.
  ///
  /// https://www.unicode.org/reports/tr14/#LB9
  func isBoundaryAfterControls(_ index: Int) -> Bool {
    var end = index
    while let next = BidiControl.endOfOpening(data.text, at: end) { end = next }
    return end > index && isBoundary(end)
  }

  /// The last opportunity in `start + 1 ... end`.
  func lastOpportunity(in item: InlineItem, from start: Int, to end: Int) -> Int? {
    var index = min(end, item.end)
    while index > start {
      if isOpportunity(item, index) { return index }
      index -= 1
    }
    return nil
  }

  private func firstOpportunity(in item: InlineItem, from start: Int) -> Int? {
    var index = start
    while index <= item.end {
      if isOpportunity(item, index) { return index }
      index += 1
    }
    return nil
  }

  // MARK: Line ends

  /// Removes collapsible spaces at the end of the line and lets preserved spaces hang.
  ///
  /// https://drafts.csswg.org/css-text-3/#white-space-phase-2
  mutating func trimTrailingSpaces() {
    line.width = position - line.indent
    var index = line.pieces.count - 1
    while index >= 0 {
      let piece = line.pieces[index]
      let item = data.items[piece.item]
      switch item.kind {
      case .openTag, .closeTag, .floating, .outOfFlow, .forcedBreak: break
      case .atomic:
        // A ruby column without a base does not prevent the space before it from collapsing.
        guard piece.start == piece.end, engine.tree[item.box].isRubyColumn, !item.isRubyOverlay else { return }
      case .tab:
        guard hangsSpaces(item) else { return }
        hang(index)
      case .text:
        let end = endWithoutSpaces(piece)
        if end < piece.end, item.traits.contains(.collapsesSpaces) {
          collapse(index, item, end)
        } else if end < piece.end, hangsSpaces(item) {
          splitHanging(index, item, end)
        } else if end < piece.end {
          return
        }
        if end > piece.start, !isKeptOpportunity(piece) { return }
      }
      index -= 1
    }
  }

  /// Whether the piece is the break opportunity of a space that collapsed into one that does not wrap, see
  /// `InlineItemsBuilder.appendCollapsibleSpace`. The space before it is at the end of the line.
  private func isKeptOpportunity(_ piece: LinePiece) -> Bool {
    guard piece.start > 0, data.text.indices.contains(piece.end - 1), data.text[piece.start - 1] == 0x20 else { return false }
    return data.text[piece.start..<piece.end].elementsEqual([0xe2, 0x80, 0x8b])
  }

  private mutating func collapse(_ index: Int, _ item: InlineItem, _ end: Int) {
    let piece = line.pieces[index]
    let width = textWidth(item, piece.start, end)
    line.width = line.width - piece.inlineSize + width
    line.pieces[index].end = end
    line.pieces[index].inlineSize = width
  }

  private mutating func splitHanging(_ index: Int, _ item: InlineItem, _ end: Int) {
    let piece = line.pieces[index]
    if end > piece.start {
      let width = textWidth(item, piece.start, end)
      line.pieces[index].end = end
      line.pieces[index].inlineSize = width
      line.pieces[index].canBreakAfter = false
      var spaces = piece
      spaces.start = end
      spaces.inlineSize = piece.inlineSize - width
      line.pieces.insert(spaces, at: index + 1)
      hang(index + 1)
    } else {
      hang(index)
    }
  }

  /// Spaces hang at a soft wrap; otherwise only as far as they overflow.
  private mutating func hang(_ index: Int) {
    let size = line.pieces[index].inlineSize
    let isSoftWrap = !line.hasForcedBreak && !line.isLast
    let hanging = isSoftWrap ? size : max(.zero, min(size, line.width + line.indent - line.availableWidth))
    guard hanging > .zero else { return }
    line.pieces[index].hangs = true
    line.hangingWidth += hanging
    line.width -= hanging
  }
}

/// The hyphen inserted where a word is broken.
enum InlineHyphen {
  static func text(_ engine: LayoutEngine, _ style: ComputedStyle) -> [UInt8] {
    if let own = style.text.hyphenateCharacter { return Array(own.utf8) }
    let hasHyphen = engine.fonts.primaryFace(engine.inlineFont(style).handle)?.face.covers(0x2010) ?? false
    return hasHyphen ? [0xe2, 0x80, 0x90] : [0x2d]
  }

  /// Chromium does not apply `letter-spacing` to the inserted hyphen.
  static func shape(_ engine: LayoutEngine, _ style: ComputedStyle) -> ShapedRun {
    engine.fonts.shape(text(engine, style), font: engine.inlineFont(style).handle)
  }
}
