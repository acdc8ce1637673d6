internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

// Paragraphs that block-level boxes in inline boxes interrupt. In Chromium they are one for bidi, with the block as an object in it.
// https://drafts.csswg.org/css-writing-modes-4/#bidi-algo
extension InlineItemsBuilder {
  /// The levels of the text by the whole paragraph's; nil where the text is one of its own.
  func interruptedLevels(_ base: BaseDirection) -> [BidiRun]? {
    guard engine.tree[container].isInterrupted, !engine.tree[container].parent.isNone else { return nil }
    if engine.inlineCache.interruptedLevels[container] == nil { resolveParagraphs(of: engine.tree[container].parent, base) }
    let levels = engine.inlineCache.interruptedLevels[container]
    return levels?.last?.range.upperBound == items.text.count ? levels : nil
  }

  private func resolveParagraphs(of parent: BoxID, _ base: BaseDirection) {
    var text: [UInt8] = []
    var parts: [(box: BoxID, range: Range<Int>)] = []
    func finish() {
      let runs = parts.isEmpty ? [] : Bidi.runs(text, base: base)
      var first = 0
      for part in parts {
        while first < runs.count, runs[first].range.upperBound <= part.range.lowerBound { first += 1 }
        var own: [BidiRun] = []
        for run in runs[min(first, runs.count)...] {
          guard run.range.lowerBound < part.range.upperBound else { break }
          let range = run.range.clamped(to: part.range)
          let start = range.lowerBound - part.range.lowerBound
          own.append(BidiRun(range: start..<start + range.count, level: run.level))
        }
        engine.inlineCache.interruptedLevels[part.box] = own
      }
      (text, parts) = ([], [])
    }
    for child in engine.tree.children(of: parent) {
      let box = engine.tree[child]
      if box.isInterrupted {
        var builder = InlineItemsBuilder(engine, child, firstLine: nil)
        let start = text.count
        text += builder.collectText()
        parts.append((child, start..<text.count))
      } else if box.splitsInline {
        text += [0xef, 0xbf, 0xbc]
      } else if box.isInFlow {
        finish()
      }
    }
    finish()
  }
}
