import OffprintCoreTypes

/// A position at the end of `parent`'s children, or before one of them.
struct InsertionPlace {
  var parent: NodeID
  var before: NodeID = .none
}

extension HTMLTreeConstructor {
  // MARK: Nodes and links

  mutating func makeNode(_ kind: NodeKind) -> NodeID {
    let id = NodeID(nodes.count)
    var node = Node(kind: kind)
    node.sourceOffset = UInt32(truncatingIfNeeded: token.start)
    nodes.append(node)
    return id
  }

  mutating func makeElement(_ name: Name, _ namespace: Namespace = .html, attributes: TextRange = .empty) -> NodeID {
    let id = makeNode(.element)
    nodes[id.index].name = name
    nodes[id.index].namespace = namespace
    nodes[id.index].attributes = attributes
    if namespace == .html, name == .template { append(makeNode(.documentFragment), to: id) }
    return id
  }

  mutating func append(_ child: NodeID, to parent: NodeID) { insert(child, at: InsertionPlace(parent: parent)) }

  mutating func insert(_ child: NodeID, at place: InsertionPlace) {
    let previous = place.before.isNone ? nodes[place.parent.index].lastChild : nodes[place.before.index].previousSibling
    nodes[child.index].parent = place.parent
    nodes[child.index].previousSibling = previous
    nodes[child.index].nextSibling = place.before
    if previous.isNone { nodes[place.parent.index].firstChild = child } else { nodes[previous.index].nextSibling = child }
    if place.before.isNone {
      nodes[place.parent.index].lastChild = child
    } else {
      nodes[place.before.index].previousSibling = child
    }
  }

  /// Removes a node from its parent.
  mutating func detach(_ child: NodeID) {
    let node = nodes[child.index]
    guard !node.parent.isNone else { return }
    if node.previousSibling.isNone {
      nodes[node.parent.index].firstChild = node.nextSibling
    } else {
      nodes[node.previousSibling.index].nextSibling = node.nextSibling
    }
    if node.nextSibling.isNone {
      nodes[node.parent.index].lastChild = node.previousSibling
    } else {
      nodes[node.nextSibling.index].previousSibling = node.previousSibling
    }
    nodes[child.index].parent = .none
    nodes[child.index].previousSibling = .none
    nodes[child.index].nextSibling = .none
  }

  mutating func moveChildren(of parent: NodeID, to target: NodeID) {
    var child = nodes[parent.index].firstChild
    guard !child.isNone else { return }
    let last = nodes[target.index].lastChild
    nodes[child.index].previousSibling = last
    if last.isNone { nodes[target.index].firstChild = child } else { nodes[last.index].nextSibling = child }
    nodes[target.index].lastChild = nodes[parent.index].lastChild
    while !child.isNone {
      nodes[child.index].parent = target
      child = nodes[child.index].nextSibling
    }
    nodes[parent.index].firstChild = .none
    nodes[parent.index].lastChild = .none
  }

  // MARK: Insertion locations

  /// A template's contents if `node` is a template, otherwise `node`.
  func contents(of node: NodeID) -> NodeID {
    guard nodes[node.index].name == .template, nodes[node.index].namespace == .html else { return node }
    let first = nodes[node.index].firstChild
    guard !first.isNone else { return node }
    return nodes[first.index].kind == .documentFragment || nodes[first.index].kind == .shadowRoot ? first : node
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#appropriate-place-for-inserting-a-node
  func appropriatePlace(_ override: OpenElement? = nil) -> InsertionPlace {
    guard let target = override ?? open.last else { return InsertionPlace(parent: .document) }
    guard fosterParenting, target.namespace == .html, target.traits.contains(.fosterParents) else {
      return InsertionPlace(parent: contents(of: target.node))
    }
    let template = stackIndex(of: .template)
    let table = stackIndex(of: .table)
    if let template, table.map({ template > $0 }) ?? true { return InsertionPlace(parent: contents(of: open[template].node)) }
    guard let table else { return InsertionPlace(parent: open[0].node) }
    let parent = nodes[open[table].node.index].parent
    if !parent.isNone { return InsertionPlace(parent: parent, before: open[table].node) }
    return InsertionPlace(parent: contents(of: open[max(table - 1, 0)].node))
  }

  // MARK: Elements

  /// https://html.spec.whatwg.org/multipage/parsing.html#insert-an-html-element
  @discardableResult
  mutating func insertElement(_ name: Name, attributes: TextRange = .empty) -> NodeID {
    limitDepth()
    let place = appropriatePlace()
    let element = makeElement(name, attributes: attributes)
    insert(element, at: place)
    push(OpenElement(node: element, name: name, tagName: name, namespace: .html, traits: htmlTraits(name)))
    return element
  }

  @discardableResult
  mutating func insertElementForToken() -> NodeID { insertElement(token.name, attributes: token.attributes) }

  mutating func insertVoidElementForToken() {
    insertElementForToken()
    pop()
  }

  mutating func insertComment(into parent: NodeID? = nil) {
    let place = parent.map { InsertionPlace(parent: $0) } ?? appropriatePlace()
    let comment = makeNode(.comment)
    nodes[comment.index].data = token.data
    insert(comment, at: place)
  }

  /// https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead (generic raw text and RCDATA parsing)
  mutating func insertRawTextElement(_ model: HTMLContentModel) {
    insertElementForToken()
    tokenizer.contentModel = model
    originalMode = mode
    mode = .text
  }

  // MARK: Text

  /// https://html.spec.whatwg.org/multipage/parsing.html#insert-a-character
  mutating func insertText(_ range: TextRange) {
    guard !range.isEmpty else { return }
    let place = appropriatePlace()
    guard place.parent != .document else { return }
    let previous = place.before.isNone ? nodes[place.parent.index].lastChild : nodes[place.before.index].previousSibling
    if !previous.isNone, nodes[previous.index].kind == .text {
      appendText(range, to: previous)
      return
    }
    let text = makeNode(.text)
    nodes[text.index].data = range
    insert(text, at: place)
  }

  /// Appends `range` to a text node: by extending its range if the bytes are adjacent, otherwise by copying. Text that is copied again gets
  /// room to grow, so that a node is copied a logarithmic number of times.
  private mutating func appendText(_ range: TextRange, to node: NodeID) {
    let data = nodes[node.index].data
    let bytes = range.range
    if let reserve = textReserves[node], Int(data.end) + bytes.count <= Int(reserve) {
      for (offset, index) in bytes.enumerated() { tokenizer.text[Int(data.end) + offset] = tokenizer.text[index] }
      nodes[node.index].data.end = data.end + UInt32(truncatingIfNeeded: bytes.count)
    } else if data.end == range.start, textReserves[node] == nil {
      nodes[node.index].data.end = range.end
    } else if Int(data.end) == tokenizer.text.count {
      tokenizer.text.appendCopy(of: bytes)
      nodes[node.index].data.end = UInt32(truncatingIfNeeded: tokenizer.text.count)
    } else {
      let isCopy = Int(data.start) >= sourceCount
      let start = tokenizer.text.count
      tokenizer.text.appendCopy(of: data.range)
      tokenizer.text.appendCopy(of: bytes)
      nodes[node.index].data = TextRange(from: start, to: tokenizer.text.count)
      guard isCopy else { return }
      tokenizer.text.append(contentsOf: repeatElement(0, count: data.range.count + bytes.count))
      textReserves[node] = UInt32(truncatingIfNeeded: tokenizer.text.count)
    }
  }
}

extension [UInt8] {
  /// Appends the bytes in `range`, which may extend to the end of the array.
  mutating func appendCopy(of range: Range<Int>) {
    reserveCapacityForAppending(range.count)
    for index in range { append(self[index]) }
  }

  private mutating func reserveCapacityForAppending(_ extra: Int) {
    if count + extra > capacity { reserveCapacity(Swift.max(count + extra, capacity * 2)) }
  }
}
