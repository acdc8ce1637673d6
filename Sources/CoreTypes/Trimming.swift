extension StringProtocol {
  /// The text without spaces and control characters at both ends.
  package var trimmingSpaces: String { String(decoding: Array(utf8).trimmingSpaces, as: UTF8.self) }

  /// The text without ASCII whitespace at both ends. https://infra.spec.whatwg.org/#strip-leading-and-trailing-ascii-whitespace
  package var trimmingHTMLSpaces: String { String(decoding: Array(utf8).trimmingHTMLSpaces, as: UTF8.self) }

  /// The text without any ASCII whitespace.
  package var removingHTMLSpaces: String { String(decoding: utf8.filter { !$0.isHTMLSpace }, as: UTF8.self) }
}

extension BidirectionalCollection {
  /// Drops the elements at both ends that satisfy `isTrimmed`.
  @inlinable package func trimming(while isTrimmed: (Element) -> Bool) -> SubSequence {
    guard let first = firstIndex(where: { !isTrimmed($0) }), let last = lastIndex(where: { !isTrimmed($0) }) else {
      return self[endIndex..<endIndex]
    }
    return self[first...last]
  }
}

extension BidirectionalCollection<UInt8> {
  /// The bytes without spaces and control characters at both ends, as the URL parser strips them:
  /// https://url.spec.whatwg.org/#concept-basic-url-parser
  package var trimmingSpaces: SubSequence { trimming { $0 <= 0x20 } }

  /// The bytes without ASCII whitespace at both ends. https://infra.spec.whatwg.org/#strip-leading-and-trailing-ascii-whitespace
  package var trimmingHTMLSpaces: SubSequence { trimming { $0.isHTMLSpace } }
}

extension UInt8 {
  /// Tab, line feed, form feed, carriage return, space. https://infra.spec.whatwg.org/#ascii-whitespace
  @inlinable @inline(__always) package var isHTMLSpace: Bool {
    self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0C || self == 0x0D
  }
}
