/// Text that is compared and hashed by its bytes: identifiers, URLs and other names from untrusted input. `String` compares by canonical
/// equivalence, so the composed and decomposed spellings of "é" would be equal; CSS, HTML and URLs distinguish them.
/// https://drafts.csswg.org/css-syntax-3/#token-diagrams "no normalization"; https://url.spec.whatwg.org/#url-equivalence
@frozen public struct ByteString: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
  public let text: String

  @inlinable public init(_ text: String) { self.text = text }
  @inlinable public init(_ text: Substring) { self.text = String(text) }
  @inlinable public init(stringLiteral text: String) { self.text = text }

  public var description: String { text }

  public static func + (a: ByteString, b: String) -> ByteString { ByteString(a.text + b) }

  public static func == (a: ByteString, b: ByteString) -> Bool { a.text.hasSameBytes(as: b.text) }

  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension ByteString: Comparable {
  public static func < (a: ByteString, b: ByteString) -> Bool { a.text.utf8.lexicographicallyPrecedes(b.text.utf8) }
}

extension StringProtocol {
  /// Whether both are the same bytes, which canonically equivalent strings need not be.
  public func hasSameBytes(as other: some StringProtocol) -> Bool { utf8.elementsEqual(other.utf8) }
}

extension Dictionary where Key == ByteString {
  /// The value for a name given as a string.
  @inlinable public subscript(text: String) -> Value? {
    get { self[ByteString(text)] }
    set { self[ByteString(text)] = newValue }
    _modify { yield &self[ByteString(text)] }
  }

  @inlinable public subscript(text: String, default value: @autoclosure () -> Value) -> Value {
    get { self[ByteString(text), default: value()] }
    _modify { yield &self[ByteString(text), default: value()] }
  }
}

extension Set where Element == ByteString {
  @inlinable public func contains(_ text: String) -> Bool { contains(ByteString(text)) }
  @inlinable @discardableResult public mutating func insert(_ text: String) -> (inserted: Bool, memberAfterInsert: ByteString) {
    insert(ByteString(text))
  }
}
