public import OffprintCoreTypes

/// Applies the encoding that a server specifies for a page.
public enum TransportEncoding {
  /// Converts the page from the encoding in `contentType` to UTF-8 with a byte order mark, which takes precedence over declarations in the
  /// page. Returns the page unchanged if no known encoding is specified.
  ///
  /// https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
  public static func applied(_ bytes: [UInt8], contentType: String, limits: Limits) throws(LimitExceeded) -> [UInt8] {
    guard let label = label(contentType), TextEncoding(label: label.utf8) != nil, EncodingSniffer.byteOrderMark(bytes) == nil else {
      return bytes
    }
    var diagnostics = DiagnosticLog()
    return [0xEF, 0xBB, 0xBF] + (try DecodedInput(bytes, encodingLabel: label, limits: limits, &diagnostics)).bytes
  }

  /// The `charset` of `text/html; charset=utf-8`.
  ///
  /// https://mimesniff.spec.whatwg.org/#parsing-a-mime-type
  static func label(_ contentType: String) -> String? {
    for parameter in contentType.split(byte: ";", omittingEmptySubsequences: false).dropFirst() {
      let sides = parameter.split(byte: "=", maxSplits: 1).map(\.trimmingSpaces)
      guard sides.count == 2, sides[0].lowercased() == "charset" else { continue }
      let value = sides[1].hasPrefix("\"") ? sides[1].dropFirst().prefix { $0 != "\"" } : sides[1][...]
      return String(value)
    }
    return nil
  }
}
