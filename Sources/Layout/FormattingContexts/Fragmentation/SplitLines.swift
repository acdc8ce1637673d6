internal import CSS
internal import CoreTypes

/// Where inline boxes are split by blocks in them, their lines are counted together. https://drafts.csswg.org/css-break-3/#widows-orphans
struct SplitLines {
  var before: Int
  var own: Int
  var total: Int
  /// Of those before, in the same fragmentainer.
  var here = 0

  /// A break before it leaves too few lines on one side.
  func isBad(at here: Int, _ style: TextStyle) -> Bool {
    before > 0 && (here < style.orphans || (own > 0 && total - before < style.widows))
  }
}

extension Fragmenter {
  /// By links; empty where no inline box is split.
  func splitLines(_ children: [Child], in fragment: Fragment) -> [Int: SplitLines] {
    guard fragment.kind == .box, children.count > 1, !engine.tree[fragment.box].hasInlineChildren else { return [:] }
    var result: [Int: SplitLines] = [:]
    var group: [Child] = []
    func close() {
      defer { group = [] }
      guard group.count > 1 else { return }
      let counts = group.map { lineCount($0) }, total = counts.reduce(0, +)
      var before = 0
      for (child, count) in zip(group, counts) {
        result[child.link] = SplitLines(before: before, own: count, total: total)
        before += count
      }
    }
    var isOpen = false
    for child in children {
      guard let box = inlineRun(child) else {
        if isOpen { group.append(child) }
        continue
      }
      let pieces = engine.tree.children(of: box).map { engine.tree[$0] }
      if !isOpen || pieces.first?.lacksStartEdge != true { close() }
      group.append(child)
      isOpen = pieces.last?.lacksEndEdge == true
    }
    close()
    return result
  }

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
