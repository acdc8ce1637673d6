import OffprintCoreTypes
import OffprintDOM

/// Properties of an element for selector matching, by node index. Links skip text and comments.
struct ElementInfo: BitwiseCopyable {
  static let none: UInt32 = .max
  var name: Name = .empty
  var id: Name = .empty
  var firstClass: UInt32 = 0
  var classCount: UInt32 = 0
  var parent: UInt32 = ElementInfo.none
  var previous: UInt32 = ElementInfo.none
  var next: UInt32 = ElementInfo.none
  var firstChild: UInt32 = ElementInfo.none
  /// Position among the element children of the parent, from the start and from the end, starting at 1.
  var index: UInt32 = 1
  var indexFromEnd: UInt32 = 1
  var namespace: Namespace = .none
  var isElement = false
  /// Whether it is an HTML element in an HTML document, so that names match ASCII case-insensitively.
  var isHTML = false
  var hasID = false
}

/// The elements of a document, prepared for selector matching. Valid during `with`, while the buffers of the document are borrowed.
final class ElementTree {
  let document: Document
  let elements: UnsafeMutableBufferPointer<ElementInfo>
  let text: UnsafeBufferPointer<UInt8>
  let attributes: UnsafeBufferPointer<Attribute>
  /// The classes of all elements, contiguous for each element.
  let classes: UnsafeMutableBufferPointer<Name>
  /// Ranges of `attributes` by node.
  private let attributeRanges: UnsafeMutableBufferPointer<TextRange>
  /// The root element; `ElementInfo.none` if absent.
  let root: UInt32
  let quirks: Bool
  private(set) lazy var radioGroups = RadioGroups(document)
  /// The options displayed by drop-down controls without a selected option, by `select` element.
  var displayedOptions: [UInt32: UInt32] = [:]
  /// The `select` elements with `appearance: base-select`, once their styles are computed.
  var baseSelects: Set<UInt32> = []
  /// Whether all controls in a form or field set are valid.
  var validGroups: [UInt32: Bool] = [:]
  /// The first submit buttons of forms.
  var defaultButtons: [UInt32: UInt32] = [:]
  /// The directions of elements with `dir=auto`, from their first strong characters.
  var automaticDirections: [UInt32: Direction?] = [:]
  /// The language of the last `<meta http-equiv=content-language>`. https://html.spec.whatwg.org/#pragma-set-default-language
  private(set) lazy var pragmaLanguage = findPragmaLanguage()
  let meter: WorkMeter
  /// Lowercase names of elements in HTML documents whose names contain uppercase letters, such as some of SVG and MathML.
  let foldedNames: [Name: Name]

  /// Calls `body` with the tree of `document`, whose names are in `names`.
  static func with<R>(
    _ document: Document, names: NameInterner, meter: WorkMeter, _ body: (ElementTree) throws -> R
  ) rethrows -> R {
    try document.text.withUnsafeBufferPointer { text in
      try document.attributes.withUnsafeBufferPointer { attributes in
        try body(ElementTree(document, names: names, meter: meter, text: text, attributes: attributes))
      }
    }
  }

  private init(
    _ document: Document, names: NameInterner, meter: WorkMeter, text: UnsafeBufferPointer<UInt8>,
    attributes: UnsafeBufferPointer<Attribute>
  ) {
    self.document = document
    self.meter = meter
    self.text = text
    self.attributes = attributes
    quirks = document.quirksMode == .quirks
    var builder = ElementTreeBuilder(document, names, text: text, attributes: attributes)
    document.nodes.withUnsafeBufferPointer { builder.link($0) }
    elements = builder.elements
    foldedNames = builder.foldedNames
    attributeRanges = builder.attributeRanges
    classes = .allocate(capacity: builder.classes.count)
    _ = classes.initialize(from: builder.classes)
    root = elements.first?.firstChild ?? ElementInfo.none
  }

  deinit {
    elements.deallocate()
    attributeRanges.deallocate()
    classes.deallocate()
  }

  // MARK: Access

  @inline(__always) subscript(element: UInt32) -> ElementInfo { elements[Int(element)] }

  @inline(__always) func attributeRange(_ element: UInt32) -> Range<Int> { attributeRanges[Int(element)].range }

  /// The name for comparison with lowercase type selectors. Chromium matches SVG names case-insensitively in HTML documents, whose parser
  /// adjusts the case of those names.
  @inline(__always) func foldedName(_ info: ElementInfo) -> Name {
    foldedNames.isEmpty || info.isHTML ? info.name : foldedNames[info.name] ?? info.name
  }

  /// The value of an attribute without a namespace.
  func attribute(_ name: Name, _ element: UInt32) -> Slice<UnsafeBufferPointer<UInt8>>? {
    for attribute in attributes[attributeRange(element)] where attribute.name == name && attribute.namespace == .none {
      return bytes(attribute.value)
    }
    return nil
  }

  func hasAttribute(_ name: Name, _ element: UInt32) -> Bool {
    attributes[attributeRange(element)].contains { $0.name == name && $0.namespace == .none }
  }

  func bytes(_ range: TextRange) -> Slice<UnsafeBufferPointer<UInt8>> {
    range.range.upperBound <= text.count ? text[range.range] : text[0..<0]
  }

  /// Whether the element is inside an SVG fragment and thus laid out by SVG instead of CSS.
  func isShape(_ element: UInt32) -> Bool {
    let parent = self[element].parent
    return self[element].namespace == .svg && parent != ElementInfo.none && self[parent].namespace == .svg
      && self[parent].name != .foreignObject
  }

  func isHTML(_ element: UInt32, _ name: Name) -> Bool { self[element].name == name && self[element].namespace == .html }

  /// The parent, or the host if the element is at the top of a shadow tree.
  func parentOrHost(_ element: UInt32) -> UInt32 {
    let parent = self[element].parent
    guard parent == ElementInfo.none, !document.shadowRoots.isEmpty else { return parent }
    let root = document.nodes[Int(element)].parent
    return root.isNone || document.nodes[root.index].kind != .shadowRoot ? ElementInfo.none : document.nodes[root.index].parent.raw
  }

  /// The element after `element` in tree order among the descendants of `root`.
  func nextInPreOrder(_ element: UInt32, within root: UInt32) -> UInt32 {
    let info = self[element]
    if info.firstChild != ElementInfo.none { return info.firstChild }
    var current = element
    while current != root, current != ElementInfo.none {
      if self[current].next != ElementInfo.none { return self[current].next }
      current = self[current].parent
    }
    return ElementInfo.none
  }

  /// Chromium uses the value unchanged. The HTML standard uses the first word and ignores values with a comma.
  /// https://html.spec.whatwg.org/#attr-meta-http-equiv-content-language
  private func findPragmaLanguage() -> Slice<UnsafeBufferPointer<UInt8>>? {
    var language: Slice<UnsafeBufferPointer<UInt8>>?
    for node in document.nodes.indices where document.nodes[node].kind == .element && document.nodes[node].name == .meta {
      let element = UInt32(truncatingIfNeeded: node)
      guard isHTML(element, .meta), let pragma = attribute(.httpEquiv, element),
        pragma.lazy.map(asciiLowercased).elementsEqual("content-language".utf8), let content = attribute(.content, element)
      else { continue }
      language = content.isEmpty ? nil : content
    }
    return language
  }
}

/// Builds an `ElementTree` from the nodes of a document.
private struct ElementTreeBuilder {
  let names: NameInterner
  let quirks: Bool
  let isHTML: Bool
  let text: UnsafeBufferPointer<UInt8>
  let attributes: UnsafeBufferPointer<Attribute>
  let elements: UnsafeMutableBufferPointer<ElementInfo>
  let attributeRanges: UnsafeMutableBufferPointer<TextRange>
  var classes: [Name] = []
  private(set) var foldedNames: [Name: Name] = [:]

  init(_ document: Document, _ names: NameInterner, text: UnsafeBufferPointer<UInt8>, attributes: UnsafeBufferPointer<Attribute>) {
    self.names = names
    self.text = text
    self.attributes = attributes
    quirks = document.quirksMode == .quirks
    isHTML = document.isHTML
    elements = .allocate(capacity: document.nodes.count)
    elements.initialize(repeating: ElementInfo())
    attributeRanges = .allocate(capacity: document.nodes.count)
    attributeRanges.initialize(repeating: .empty)
  }

  /// Links all elements. Parents can follow their children in the node array.
  mutating func link(_ nodes: UnsafeBufferPointer<Node>) {
    for index in nodes.indices where nodes[index].kind != .text && nodes[index].kind != .comment {
      if nodes[index].kind == .element { describe(index, nodes[index]) }
      linkChildren(of: index, nodes)
    }
  }

  private func linkChildren(of parent: Int, _ nodes: UnsafeBufferPointer<Node>) {
    var child = nodes[parent].firstChild
    var previous = ElementInfo.none
    var position: UInt32 = 0
    while !child.isNone {
      let node = nodes[child.index]
      if node.kind == .element {
        position += 1
        elements[child.index].index = position
        elements[child.index].previous = previous
        elements[child.index].parent = nodes[parent].kind == .element ? UInt32(truncatingIfNeeded: parent) : ElementInfo.none
        if previous == ElementInfo.none { elements[parent].firstChild = child.raw } else { elements[Int(previous)].next = child.raw }
        previous = child.raw
      }
      child = node.nextSibling
    }
    while previous != ElementInfo.none {
      elements[Int(previous)].indexFromEnd = position + 1 - elements[Int(previous)].index
      previous = elements[Int(previous)].previous
    }
  }

  private mutating func describe(_ index: Int, _ node: Node) {
    elements[index].isElement = true
    attributeRanges[index] = node.attributes
    elements[index].name = node.name
    elements[index].namespace = node.namespace
    elements[index].isHTML = isHTML && node.namespace == .html
    if isHTML, node.namespace != .html { fold(node.name) }
    for attribute in attributes[node.attributes.range] where attribute.namespace == .none {
      if attribute.name == .id, !attribute.value.isEmpty {
        elements[index].id = intern(attribute.value.range)
        elements[index].hasID = true
      } else if attribute.name == .class {
        splitClasses(index, attribute.value.range)
      }
    }
  }

  private mutating func fold(_ name: Name) {
    guard names.table[name].contains(where: { $0 &- 0x41 < 26 }), foldedNames[name] == nil else { return }
    foldedNames[name] = names.internLowercased(names.table[name])
  }

  private func intern(_ range: Range<Int>) -> Name {
    guard range.upperBound <= text.count else { return .empty }
    if quirks { return names.internLowercased(Array(text[range])[...]) }
    return names.table.intern(UnsafeBufferPointer(rebasing: text[range]))
  }

  private mutating func splitClasses(_ index: Int, _ range: Range<Int>) {
    guard range.upperBound <= text.count else { return }
    elements[index].firstClass = UInt32(truncatingIfNeeded: classes.count)
    var position = range.lowerBound
    while position < range.upperBound {
      while position < range.upperBound, isHTMLSpace(text[position]) { position += 1 }
      let start = position
      while position < range.upperBound, !isHTMLSpace(text[position]) { position += 1 }
      if position > start { classes.append(intern(start..<position)) }
    }
    elements[index].classCount = UInt32(truncatingIfNeeded: classes.count) - elements[index].firstClass
  }
}

@inline(__always) func isHTMLSpace(_ byte: UInt8) -> Bool { byte.isHTMLSpace }
