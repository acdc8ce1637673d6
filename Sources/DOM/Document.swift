public import OffprintCoreTypes

/// The index of a node in its document's arena.
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
  /// The root of a shadow tree. Its parent is the host, but it is not among the host's children.
  case shadowRoot
}

@frozen public enum Namespace: UInt8, Sendable { case none, html, svg, mathML, xlink, xml, xmlns, other }

/// A node. Links are indexes into the arena; the order in the arena is not document order.
@frozen public struct Node: Sendable {
  public var kind: NodeKind
  public var namespace: Namespace = .none
  /// An element's local name, in lowercase in HTML documents; the name of a doctype or processing instruction.
  public var name: Name = .empty
  public var parent: NodeID = .none
  public var firstChild: NodeID = .none
  public var lastChild: NodeID = .none
  public var previousSibling: NodeID = .none
  public var nextSibling: NodeID = .none
  /// For elements, the range of their attributes in `Document.attributes`.
  public var attributes: TextRange = .empty
  /// For text, comments and processing instructions, their data in `Document.text`. For doctypes, the public identifier; the system
  /// identifier is their only attribute, which is absent if there are no identifiers.
  public var data: TextRange = .empty
  /// The byte offset of the node's start in the source, for diagnostics.
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
/// The document node has index 0. The document is immutable after parsing; later stages refer to its nodes by `NodeID`.
public struct Document: Sendable {
  public package(set) var nodes: [Node]
  public package(set) var attributes: [Attribute] = []
  /// UTF-8 of all text and attribute values.
  public package(set) var text: [UInt8] = []
  public package(set) var names: NameTable
  public package(set) var quirksMode: QuirksMode = .noQuirks
  /// Whether it was parsed as HTML: names of elements and attributes in selectors are then case-insensitive.
  public package(set) var isHTML = true
  /// The canonical name of the encoding the source was decoded from.
  public package(set) var encoding = "UTF-8"
  /// The element indicated by the fragment of the document's URL. https://html.spec.whatwg.org/#the-indicated-part-of-the-document
  public package(set) var target = NodeID.none
  /// Elements of other documents that elements of this one refer to.
  public package(set) var grafts: [DocumentGraft] = []
  /// The shadow roots, sorted by their hosts.
  public package(set) var shadowRoots: [ShadowRoot] = []

  public init(names: NameTable) {
    self.names = names
    nodes = [Node(kind: .document)]
  }
}
