internal import OffprintCSS
internal import OffprintCoreTypes

// Tags behind the last break opportunity that stay on the line.
extension LineBreaker {
  /// Chromium continues a line behind its last break opportunity if the negative margin of an inline box makes it fit again.
  func comesBack(_ item: InlineItem) -> Bool {
    guard item.kind == .openTag else { return false }
    let size = tagSize(item)
    return size < .zero && position > available && position + size <= available
  }

  /// Whether what is before an open tag may end the line; the opportunity is then one behind the box, where that is empty.
  func canBreakBefore(_ index: Int) -> Bool {
    guard index > 0, data.items[line.pieces[index - 1].item].kind != .openTag else { return false }
    return line.pieces[index - 1].canBreakAfter
  }

  /// Inline boxes without contents and out-of-flow boxes right behind the last opportunity are still on the line, whether they fit or not: it is
  /// the static position of the latter.
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

  /// The close tag of an inline box that has nothing but other such boxes in it.
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
