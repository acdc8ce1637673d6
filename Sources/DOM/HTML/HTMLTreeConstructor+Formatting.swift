import CoreTypes

// https://html.spec.whatwg.org/multipage/parsing.html#the-list-of-active-formatting-elements
extension HTMLTreeConstructor {
  /// Appends an element to the list: of elements that are the same, at most three after the last marker ("Noah's Ark clause").
  mutating func pushFormatting(_ element: NodeID) {
    var same = 0
    var count = 0
    var oldest = 0
    for index in formatting.indices.reversed() {
      if formatting[index].isNone { break }
      count += 1
      if isSameElement(formatting[index], element) {
        same += 1
        oldest = index
      }
    }
    if same >= 3 {
      formatting.remove(at: oldest)
    } else if count >= Self.formattingLimit {
      formatting.remove(at: formatting.count - count)
    }
    formatting.append(element)
  }

  private func isSameElement(_ a: NodeID, _ b: NodeID) -> Bool {
    guard nodes[a.index].name == nodes[b.index].name else { return false }
    let first = tokenizer.attributes[nodes[a.index].attributes.range]
    let second = tokenizer.attributes[nodes[b.index].attributes.range]
    guard first.count == second.count, first.startIndex != second.startIndex else { return first.count == second.count }
    return first.allSatisfy { attribute in
      second.contains { $0.name == attribute.name && tokenizer.text[$0.value.range] == tokenizer.text[attribute.value.range] }
    }
  }

  mutating func clearFormattingToMarker() {
    while let entry = formatting.popLast(), !entry.isNone {}
  }

  /// The last element in the list with this name that is after the last marker.
  func formattingElement(named name: Name) -> NodeID? {
    for entry in formatting.reversed() {
      if entry.isNone { return nil }
      if nodes[entry.index].name == name { return entry }
    }
    return nil
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements
  @inline(__always)
  mutating func reconstructFormatting() {
    guard let last = formatting.last, !last.isNone else { return }
    reconstructFormattingAfterMarker()
  }

  private mutating func reconstructFormattingAfterMarker() {
    var index = formatting.count
    while index > 0, !formatting[index - 1].isNone, stackIndex(of: formatting[index - 1]) == nil { index -= 1 }
    while index < formatting.count {
      let old = nodes[formatting[index].index]
      formatting[index] = insertElement(old.name, attributes: old.attributes)
      index += 1
    }
  }

  /// Runs the adoption agency algorithm. False where the token is to be treated as any other end tag.
  ///
  /// https://html.spec.whatwg.org/multipage/parsing.html#adoption-agency-algorithm
  mutating func runAdoptionAgency(for subject: Name) -> Bool {
    if let current = open.last, current.name == subject, current.namespace == .html, !formatting.contains(current.node) {
      pop()
      return true
    }
    for _ in 0..<8 {
      guard let element = formattingElement(named: subject) else { return false }
      guard let index = stackIndex(of: element) else {
        formatting.removeAll { $0 == element }
        return true
      }
      guard hasInScope(node: element) else { return true }
      guard let furthest = open[(index + 1)...].firstIndex(where: { $0.traits.contains(.special) }) else {
        pop(downTo: index)
        formatting.removeAll { $0 == element }
        return true
      }
      adopt(element, at: index, furthestBlock: furthest)
    }
    return true
  }

  /// One turn of the outer loop, from the common ancestor on.
  private mutating func adopt(_ element: NodeID, at elementIndex: Int, furthestBlock: Int) {
    let commonAncestor = open[max(elementIndex - 1, 0)]
    let block = open[furthestBlock]
    var bookmark = formatting.firstIndex(of: element) ?? 0
    var last = block.node
    var index = furthestBlock
    var blockIndex = furthestBlock
    var counter = 0
    while true {
      counter += 1
      index -= 1
      guard index > elementIndex else { break }
      var listIndex = formatting.lastIndex(of: open[index].node)
      if counter > 3, let found = listIndex {
        formatting.remove(at: found)
        if found < bookmark { bookmark -= 1 }
        listIndex = nil
      }
      guard let listIndex else {
        removeFromStack(at: index)
        blockIndex -= 1
        continue
      }
      let old = nodes[open[index].node.index]
      let copy = makeElement(old.name, attributes: old.attributes)
      formatting[listIndex] = copy
      open[index].node = copy
      if last == block.node { bookmark = listIndex + 1 }
      detach(last)
      append(last, to: copy)
      last = copy
    }
    detach(last)
    insert(last, at: appropriatePlace(commonAncestor))

    let old = nodes[element.index]
    let copy = makeElement(old.name, attributes: old.attributes)
    moveChildren(of: contents(of: block.node), to: copy)
    append(copy, to: contents(of: block.node))
    if let found = formatting.firstIndex(of: element) {
      formatting.remove(at: found)
      if found < bookmark { bookmark -= 1 }
    }
    formatting.insert(copy, at: min(bookmark, formatting.count))
    removeFromStack(at: elementIndex)
    blockIndex -= 1
    let entry = OpenElement(node: copy, name: old.name, tagName: old.name, namespace: .html, traits: htmlTraits(old.name))
    insertInStack(entry, at: blockIndex + 1)
  }
}
