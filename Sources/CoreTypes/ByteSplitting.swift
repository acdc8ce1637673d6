/// An ASCII character as a literal: `","`. Untrusted text is searched and split by bytes, because `Character` treats CR LF as one element
/// and attaches a combining mark to the delimiter before it. https://infra.spec.whatwg.org/#code-units
package struct ASCIIByte: ExpressibleByUnicodeScalarLiteral, Sendable {
  let value: UInt8
  package init(unicodeScalarLiteral scalar: Unicode.Scalar) { value = UInt8(truncatingIfNeeded: scalar.value) }
}

extension StringProtocol where UTF8View: BidirectionalCollection {
  package func firstIndex(ofByte byte: ASCIIByte) -> Index? { utf8.firstIndex(of: byte.value) }

  package func lastIndex(ofByte byte: ASCIIByte) -> Index? { utf8.lastIndex(of: byte.value) }

  package func contains(byte: ASCIIByte) -> Bool { utf8.contains(byte.value) }
}

extension StringProtocol where SubSequence == Substring {
  /// The parts between the occurrences of one byte.
  package func split(
    byte: ASCIIByte, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
  ) -> [Substring] {
    split(maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences, whereByte: { $0 == byte.value })
  }

  /// The parts between bytes for which `isSeparator` holds, which must be ASCII.
  package func split(
    maxSplits: Int = .max, omittingEmptySubsequences: Bool = true, whereByte isSeparator: (UInt8) -> Bool
  ) -> [Substring] {
    utf8.split(maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences, whereSeparator: isSeparator)
      .map { self[$0.startIndex..<$0.endIndex] }
  }

  /// The parts between ASCII whitespace. https://infra.spec.whatwg.org/#split-on-ascii-whitespace
  package func splitOnASCIIWhitespace() -> [Substring] { split(whereByte: \.isHTMLSpace) }
}
