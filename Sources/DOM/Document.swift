public import OffprintCoreTypes

/// The number of a node in its document's arena.
@frozen public struct NodeID: Hashable, Comparable, Sendable, BitwiseCopyable {
  public var raw: UInt32
  @inlinable public init(raw: UInt32) { self.raw = raw }
  @inlinable public init(_ index: Int) { raw = UInt32(truncatingIfNeeded: index) }
  /// No node.
  @inlinable public static var none: NodeID { NodeID(raw: .max) }
  /// The document node.
  @inlinable public static var document: NodeID { NodeID(raw: 0) }
  @inlinable public var index: Int { Int(raw) }
  @inlinable public var isNone: Bool { raw == .max }
  @inlinable public static func < (a: NodeID, b: NodeID) -> Bool { a.raw < b.raw }
}

/// A range of bytes in `Document.text`.
@frozen public struct TextRange: Hashable, Sendable, BitwiseCopyable {
  public var start: UInt32
  public var end: UInt32
  @inlinable public init(start: UInt32, end: UInt32) { self.start = start; self.end = end }
  @inlinable public static var empty: TextRange { TextRange(start: 0, end: 0) }
  @inlinable public var isEmpty: Bool { start >= end }
  @inlinable public var range: Range<Int> { Int(start)..<Int(Swift.max(start, end)) }
}

@frozen public enum NodeKind: UInt8, Sendable {
  case document, doctype, element, text, comment, processingInstruction
  /// A template element's contents: the child of the template that has the contents as its children.
  case documentFragment
  /// The root of a shadow tree. Its parent is the host, whose child it is not.
  case shadowRoot
}

@frozen public enum Namespace: UInt8, Sendable { case none, html, svg, mathML, xlink, xml, xmlns, other }

/// A node. Links are numbers into the arena; a node's place in the arena is not its place in the document.
@frozen public struct Node: Sendable {
  public var kind: NodeKind
  public var namespace: Namespace = .none
  /// An element's local name, in HTML documents lower case; a doctype's or processing instruction's name.
  public var name: Name = .empty
  public var parent: NodeID = .none
  public var firstChild: NodeID = .none
  public var lastChild: NodeID = .none
  public var previousSibling: NodeID = .none
  public var nextSibling: NodeID = .none
  /// Elements: the range of their attributes in `Document.attributes`.
  public var attributes: TextRange = .empty
  /// Text, comments, processing instructions: their data in `Document.text`. Doctypes: the public identifier; their one attribute
  /// is the system identifier, and there is none without identifiers.
  public var data: TextRange = .empty
  /// Where the node began in the source, in bytes; for diagnostics.
  public var sourceOffset: UInt32 = 0

  @inlinable public init(kind: NodeKind) { self.kind = kind }
}

@frozen public struct Attribute: Sendable {
  public var name: Name
  public var namespace: Namespace
  public var value: TextRange
  @inlinable public init(name: Name, namespace: Namespace = .none, value: TextRange) {
    self.name = name; self.namespace = namespace; self.value = value
  }
}

@frozen public enum QuirksMode: UInt8, Sendable { case noQuirks, limitedQuirks, quirks }

/// A parsed page: an arena of nodes, the bytes of all text and attribute values, and the interned names.
///
/// The document node is number 0. Immutable once parsed; everything later (style, boxes) refers to it by `NodeID`.
public struct Document: Sendable {
  public package(set) var nodes: [Node]
  public package(set) var attributes: [Attribute] = []
  /// UTF-8 of all text and attribute values.
  public package(set) var text: [UInt8] = []
  public package(set) var names: NameTable
  public package(set) var quirksMode: QuirksMode = .noQuirks
  /// Parsed by HTML's rules: element and attribute names in selectors match without regard to case.
  public package(set) var isHTML = true
  /// The canonical name of the encoding the source was decoded from.
  public package(set) var encoding = "UTF-8"
  /// The element that the fragment of the document's address names. https://html.spec.whatwg.org/#the-indicated-part-of-the-document
  public package(set) var target = NodeID.none
  /// What elements refer to in other documents.
  public package(set) var grafts: [DocumentGraft] = []
  /// The shadow roots, by the numbers of their hosts.
  public package(set) var shadowRoots: [ShadowRoot] = []

  public init(names: NameTable) {
    self.names = names
    nodes = [Node(kind: .document)]
  }
}
