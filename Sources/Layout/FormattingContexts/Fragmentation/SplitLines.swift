internal import OffprintCSS
internal import OffprintCoreTypes

/// Where inline boxes are split by blocks in them, their lines are counted together. Like in browsers, blocks between two lines are one line
/// more, within which breaks are as between other blocks. https://drafts.csswg.org/css-break-3/#widows-orphans
struct SplitLines {
  var before = 0
  var own: Int
  var total = 0
  /// Of those before, in the same fragmentainer.
  var here = 0
  /// Lines, not a block.
  var isRun = false
  /// It is a block behind another one.
  var continuesLine = false

  /// A break before it leaves too few lines on one side, and there is a better place for one.
  func isBad(at here: Int, _ style: TextStyle) -> Bool {
    guard before > 0, !continuesLine else { return false }
    return here < style.orphans || (own > 0 && max(total - style.widows, before - here + style.orphans) < before)
  }
}

extension Fragmenter {
  /// By links; empty where no inline box is split.
  func splitLines(_ children: [Child], in fragment: Fragment) -> [Int: SplitLines] {
    guard fragment.kind == .box, children.count > 1, !engine.tree[fragment.box].hasInlineChildren else { return [:] }
    var result: [Int: SplitLines] = [:]
    var group: [(link: Int, lines: SplitLines)] = []
    func close() {
      let total = group.reduce(0) { $0 + $1.lines.own }
      var before = 0
      for (link, own) in group where group.count > 1 {
        var lines = own
        (lines.before, lines.total) = (before, total)
        before += lines.own
        result[link] = lines
      }
      group = []
    }
    var isOpen = false, isBehindBlock = false
    for child in children where isInFlow(child) {
      guard let box = inlineRun(child) else {
        if isOpen { group.append((child.link, SplitLines(own: isBehindBlock ? 0 : 1, continuesLine: isBehindBlock))) }
        isBehindBlock = isOpen
        continue
      }
      let pieces = engine.tree.children(of: box).map { engine.tree[$0] }
      if !isOpen || pieces.first?.lacksStartEdge != true { close() }
      let count = lineCount(child)
      group.append((child.link, SplitLines(own: count, isRun: true)))
      isBehindBlock = isBehindBlock && count == 0
      isOpen = pieces.last?.lacksEndEdge == true
    }
    close()
    return result
  }

  private func isInFlow(_ child: Child) -> Bool {
    let piece = engine.fragments[child.id]
    return piece.kind != .box || engine.tree[piece.box].isInFlow
  }

  /// Only the ends of inline boxes that blocks split are in it.
  func isEmptyRun(_ child: Child) -> Bool { child.size == .zero && inlineRun(child) != nil && lineCount(child) == 0 }

  /// The anonymous block around lines.
  private func inlineRun(_ child: Child) -> BoxID? {
    let piece = engine.fragments[child.id]
    guard piece.kind == .box, engine.tree[piece.box].isAnonymous, engine.tree[piece.box].hasInlineChildren else { return nil }
    return piece.box
  }

  private func lineCount(_ child: Child) -> Int {
    guard inlineRun(child) != nil else { return 0 }
    return engine.fragments.children(of: child.id).reduce(0) { count, link in
      let piece = engine.fragments[link.fragment]
      return count + (piece.kind == .line && direction.logical(piece.size).block > .zero ? 1 : 0)
    }
  }
}
