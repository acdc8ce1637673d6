import OffprintCoreTypes

// https://html.spec.whatwg.org/multipage/parsing.html#the-list-of-active-formatting-elements
extension HTMLTreeConstructor {
  /// Appends an element to the list. Of identical elements, at most three are kept after the last marker ("Noah's Ark clause").
  mutating func pushFormatting(_ element: NodeID) {
    var same = 0
    var count = 0
    var oldest = 0
    let fingerprint = fingerprint(of: element)
    for index in formatting.indices.reversed() {
      if formatting[index].isMarker { break }
      count += 1
      if formatting[index].fingerprint == fingerprint, isSameElement(formatting[index].node, element) {
        same += 1
        oldest = index
      }
    }
    if same >= 3 {
      formatting.remove(at: oldest)
    } else if count >= Self.formattingLimit {
      // Remove the earliest element after the last marker.
      formatting.remove(at: formatting.count - count)
    }
    formatting.append(FormattingEntry(node: element, fingerprint: fingerprint))
  }

  private func isSameElement(_ a: NodeID, _ b: NodeID) -> Bool {
    let first = nodes[a.index].attributes
    let second = nodes[b.index].attributes
    guard nodes[a.index].name == nodes[b.index].name, first.end &- first.start == second.end &- second.start else { return false }
    if first == second { return true }
    return first.range.allSatisfy { index in
      let attribute = tokenizer.attributes[index]
      return second.range.contains { other in
        tokenizer.attributes[other].name == attribute.name && isSameText(tokenizer.attributes[other].value, attribute.value)
      }
    }
  }

  private func fingerprint(of element: NodeID) -> UInt64 {
    var sum = UInt64(nodes[element.index].name.raw)
    for index in nodes[element.index].attributes.range {
      let attribute = tokenizer.attributes[index]
      var hash = UInt64(attribute.name.raw) &* 0x9E37_79B9_7F4A_7C15
      for byte in tokenizer.text[attribute.value.range] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
      sum = sum &+ (hash ^ hash >> 29)
    }
    return sum
  }

  private func isSameText(_ a: TextRange, _ b: TextRange) -> Bool {
    a.end &- a.start == b.end &- b.start && tokenizer.text[a.range].elementsEqual(tokenizer.text[b.range])
  }

  mutating func clearFormattingToMarker() {
    while let entry = formatting.popLast(), !entry.isMarker {}
  }

  /// The last element with this name in the list after the last marker.
  func formattingElement(named name: Name) -> NodeID? {
    for entry in formatting.reversed() {
      if entry.isMarker { return nil }
      if nodes[entry.node.index].name == name { return entry.node }
    }
    return nil
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements
  @inline(__always)
  mutating func reconstructFormatting() {
    guard let last = formatting.last, !last.isMarker else { return }
    reconstructFormattingAfterMarker()
  }

  private mutating func reconstructFormattingAfterMarker() {
    var index = formatting.count
    while index > 0, !formatting[index - 1].isMarker, stackIndex(of: formatting[index - 1].node) == nil { index -= 1 }
    while index < formatting.count {
      let old = nodes[formatting[index].node.index]
      formatting[index].node = insertElement(old.name, attributes: old.attributes)
      index += 1
    }
  }

  /// Runs the adoption agency algorithm.
  ///
  /// https://html.spec.whatwg.org/multipage/parsing.html#adoption-agency-algorithm
  /// - Returns: False if the token must be processed like "any other end tag".
  mutating func runAdoptionAgency(for subject: Name) -> Bool {
    if let current = open.last, current.name == subject, current.namespace == .html,
      !formatting.contains(where: { $0.node == current.node })
    {
      pop()
      return true
    }
    for _ in 0..<8 {
      guard let element = formattingElement(named: subject) else { return false }
      guard let index = stackIndex(of: element) else {
        formatting.removeAll { $0.node == element }
        return true
      }
      guard hasInScope(node: element) else { return true }
      guard let furthest = open[(index + 1)...].firstIndex(where: { $0.traits.contains(.special) }) else {
        pop(downTo: index)
        formatting.removeAll { $0.node == element }
        return true
      }
      adopt(element, at: index, furthestBlock: furthest)
    }
    return true
  }

  /// One iteration of the outer loop, starting at the common ancestor.
  private mutating func adopt(_ element: NodeID, at elementIndex: Int, furthestBlock: Int) {
    let commonAncestor = open[max(elementIndex - 1, 0)]
    let block = open[furthestBlock]
    var bookmark = formatting.firstIndex(where: { $0.node == element }) ?? 0
    var last = block.node
    var index = furthestBlock
    var blockIndex = furthestBlock
    var counter = 0
    while true {
      counter += 1
      index -= 1
      guard index > elementIndex else { break }
      var listIndex = formatting.lastIndex { $0.node == open[index].node }
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
      formatting[listIndex].node = copy
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
    var entry = FormattingEntry.marker
    if let found = formatting.firstIndex(where: { $0.node == element }) {
      entry = formatting.remove(at: found)
      if found < bookmark { bookmark -= 1 }
    }
    entry.node = copy
    formatting.insert(entry, at: min(bookmark, formatting.count))
    removeFromStack(at: elementIndex)
    blockIndex -= 1
    let opened = OpenElement(node: copy, name: old.name, tagName: old.name, namespace: .html, traits: htmlTraits(old.name))
    insertInStack(opened, at: blockIndex + 1)
  }
}
