internal import OffprintCSS
internal import OffprintCoreTypes

// Tags after the last break opportunity that stay on the line.
extension LineBreaker {
  /// Whether the line continues after its last break opportunity: Chromium does so if the negative margin of an inline box makes it fit
  /// again.
  func comesBack(_ item: InlineItem) -> Bool {
    guard item.kind == .openTag else { return false }
    let size = tagSize(item)
    return size < .zero && position > available && position + size <= available
  }

  /// Whether the line may end before an open tag. If the box is empty, the opportunity moves to after it.
  func canBreakBefore(_ index: Int) -> Bool {
    guard index > 0, data.items[line.pieces[index - 1].item].kind != .openTag else { return false }
    return line.pieces[index - 1].canBreakAfter
  }

  /// Adds inline boxes without contents and out-of-flow boxes that directly follow the last break opportunity to the line, whether they fit or
  /// not. The line determines the static position of the latter.
  mutating func takeEmptyInlines() {
    while cursor.item < data.items.count {
      let first = data.items[cursor.item]
      if first.kind == .outOfFlow {
        line.pieces.append(LinePiece(item: cursor.item, start: first.start, end: first.end))
        next()
        continue
      }
      guard first.kind == .openTag, let end = endOfEmptyInline(cursor.item) else { return }
      for number in cursor.item...end {
        let item = data.items[number], size = tagSize(item)
        position += size
        line.pieces.append(LinePiece(item: number, start: item.start, end: item.end, inlineSize: size))
      }
      cursor.item = end
      next()
    }
  }

  /// The index of the close tag, if an inline box only contains empty inline boxes.
  func endOfEmptyInline(_ first: Int) -> Int? {
    var depth = 0
    for number in first..<data.items.count {
      switch data.items[number].kind {
      case .openTag: depth += 1
      case .closeTag where !engine.tree[data.items[number].box].lacksEndEdge: depth -= 1
      default: return nil
      }
      if depth <= 0 { return number }
    }
    return nil
  }
}
