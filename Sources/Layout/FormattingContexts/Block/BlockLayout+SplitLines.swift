internal import OffprintCSS
internal import OffprintCoreTypes

extension BlockLayout {
  /// The children that are lines before, between and after blocks in one inline box, and these blocks. Empty if no inline box is split.
  func splitLines() throws -> [BoxID: SplitLines] {
    guard engine.tree.children(of: box).contains(where: { engine.tree[$0].splitsInline }) else { return [:] }
    var result: [BoxID: SplitLines] = [:], group: [(child: BoxID, lines: SplitLines)] = []
    func close() {
      let total = group.reduce(0) { $0 + ($1.lines.own ?? 0) }
      var before = 0
      for (child, own) in group where group.count > 1 {
        var lines = own
        (lines.before, lines.total) = (before, total)
        before += lines.own ?? 0
        result[child] = lines
      }
      group = []
    }
    var isOpen = false, isBehindBlock = false
    for child in engine.tree.children(of: box) where engine.tree[child].isInFlow && !engine.tree[child].isOutsideMarker {
      guard engine.tree[child].isAnonymous, engine.tree[child].hasInlineChildren else {
        if isOpen { group.append((child, SplitLines(own: isBehindBlock ? nil : 1))) }
        isBehindBlock = isOpen
        continue
      }
      let first = engine.tree[child].firstChild, last = engine.tree[child].lastChild
      if !isOpen || first.isNone || !engine.tree[first].lacksStartEdge { close() }
      let count = try lineCount(of: child)
      group.append((child, SplitLines(own: count)))
      isBehindBlock = isBehindBlock && count == 0
      isOpen = !last.isNone && engine.tree[last].lacksEndEdge
    }
    close()
    return result
  }

  private func lineCount(of run: BoxID) throws -> Int {
    let context = InlineFormattingContext.Context(
      container: floatContainer, blockOffset: .zero, exclusions: ExclusionSpace(), isMeasure: input.isMeasure)
    let paragraph = try ParagraphCache.lines(engine, run, context, from: InlineState()).paragraph
    return paragraph.lines.reduce(0) { $0 + ($1.baseline == nil ? 0 : 1) }
  }
}
