internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

// Paragraphs interrupted by block-level boxes in inline boxes. For bidi Chromium treats them as one paragraph with an object in place of
// the block.
// https://drafts.csswg.org/css-writing-modes-4/#bidi-algo
extension InlineItemsBuilder {
  /// The levels of the text according to the entire paragraph; nil if the text is not part of an interrupted paragraph.
  func interruptedLevels(_ base: BaseDirection) -> [BidiRun]? {
    guard engine.tree[container].isInterrupted, !engine.tree[container].parent.isNone else { return nil }
    if engine.inlineCache.interruptedLevels[container] == nil { resolveParagraphs(of: engine.tree[container].parent, base) }
    let levels = engine.inlineCache.interruptedLevels[container]
    return levels?.last?.range.upperBound == items.text.count ? levels : nil
  }

  /// The level for the tags of an inline box that starts before a block and ends directly after it: that of the surrounding text.
  func levelOfEmptyEnd(_ index: Int, _ levels: [BidiRun]) -> UInt8? {
    let item = items.items[index]
    guard engine.tree[container].isInterrupted, item.kind == .openTag || item.kind == .closeTag, engine.tree[item.box].lacksStartEdge else {
      return nil
    }
    let other = item.kind == .openTag ? index + 1 : index - 1
    guard items.items.indices.contains(other), items.items[other].box == item.box else { return nil }
    let end = max(item.end, items.items[other].end)
    return levels.first { $0.range.upperBound >= end }?.level
  }

  /// The text of a box in the paragraph.
  private struct Part {
    var box: BoxID
    var range: Range<Int>
    /// The ranges that are not part of the paragraph.
    var omitted: [Range<Int>]

    /// The levels of this part, from those of the paragraph. The part ends a line, so white space at its end has the paragraph's level.
    ///
    /// https://www.unicode.org/reports/tr9/#L1
    func levels(_ runs: ArraySlice<BidiRun>, trailing: Int, base: UInt8) -> [BidiRun] {
      var own: [BidiRun] = []
      for run in runs {
        guard run.range.lowerBound < range.upperBound else { break }
        let clamped = run.range.clamped(to: range)
        let start = clamped.lowerBound - range.lowerBound
        own.append(BidiRun(range: start..<start + clamped.count, level: run.level))
      }
      if trailing > 0, trailing < range.count { resetEnd(of: &own, from: range.count - trailing, to: base) }
      for gap in omitted { insert(gap, into: &own) }
      return own
    }

    private func resetEnd(of runs: inout [BidiRun], from start: Int, to level: UInt8) {
      while let last = runs.last, last.range.lowerBound >= start { runs.removeLast() }
      guard let last = runs.indices.last, runs[last].level != level else { return }
      runs[last].range = runs[last].range.lowerBound..<start
      runs.append(BidiRun(range: start..<range.count, level: level))
    }

    private func insert(_ gap: Range<Int>, into runs: inout [BidiRun]) {
      guard let index = runs.firstIndex(where: { $0.range.upperBound >= gap.lowerBound }) else { return }
      runs[index].range = runs[index].range.lowerBound..<runs[index].range.upperBound + gap.count
      for later in runs.indices.dropFirst(index + 1) {
        runs[later].range = runs[later].range.lowerBound + gap.count..<runs[later].range.upperBound + gap.count
      }
    }
  }

  private func resolveParagraphs(of parent: BoxID, _ base: BaseDirection) {
    let level: UInt8 = base == .rightToLeft ? 1 : 0
    var text: [UInt8] = []
    var parts: [Part] = []
    func finish() {
      let runs = parts.isEmpty ? [] : Bidi.runs(text, base: base)
      var first = 0
      for part in parts {
        while first < runs.count, runs[first].range.upperBound <= part.range.lowerBound { first += 1 }
        let trailing = base == .auto ? 0 : text[part.range].reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count
        engine.inlineCache.interruptedLevels[part.box] = part.levels(runs[min(first, runs.count)...], trailing: trailing, base: level)
      }
      (text, parts) = ([], [])
    }
    for child in engine.tree.children(of: parent) {
      let box = engine.tree[child]
      if box.isInterrupted {
        var builder = InlineItemsBuilder(engine, child, firstLine: nil)
        let (own, omitted) = builder.collectText()
        let start = text.count
        var from = 0
        for gap in omitted {
          text += own[from..<gap.lowerBound]
          from = gap.upperBound
        }
        text += own[from...]
        parts.append(Part(box: child, range: start..<text.count, omitted: omitted))
      } else if box.splitsInline {
        text += [0xef, 0xbf, 0xbc]
      } else if box.isInFlow {
        finish()
      }
    }
    finish()
  }
}
