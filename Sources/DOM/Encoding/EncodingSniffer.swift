import OffprintCoreTypes

/// Finds the encoding a page declares.
///
/// https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
enum EncodingSniffer {
  /// The encoding of a byte order mark, and the mark's length.
  ///
  /// https://encoding.spec.whatwg.org/#bom-sniff
  static func byteOrderMark(_ bytes: [UInt8]) -> (encoding: TextEncoding, length: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BE, 2) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LE, 2) }
    return nil
  }

  /// The label in a `<meta>` in the first 1024 bytes; nil if missing.
  ///
  /// https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
  static func prescan(_ bytes: [UInt8]) -> [UInt8]? {
    var scanner = Scanner(bytes: bytes.prefix(1024))
    return scanner.scan()
  }

  /// The encoding in an XML declaration.
  static func xmlDeclaration(_ bytes: [UInt8]) -> [UInt8]? {
    let start = Array(bytes.prefix(256))
    guard start.starts(with: "<?xml".utf8), let end = start.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    guard let found = find("encoding", in: Array(start[..<end]), from: 0) else { return nil }
    let rest = start[(found + 8)..<end].drop { $0.isHTMLSpace || $0 == UInt8(ascii: "=") }
    guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    return Array(rest.dropFirst().prefix { $0 != quote })
  }

  /// https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements
  static func label(inContent content: [UInt8]) -> [UInt8]? {
    var index = 0
    while let found = find("charset", in: content, from: index) {
      index = found + 7
      while index < content.count, content[index].isHTMLSpace { index += 1 }
      guard index < content.count, content[index] == UInt8(ascii: "=") else { continue }
      index += 1
      while index < content.count, content[index].isHTMLSpace { index += 1 }
      guard index < content.count else { return nil }
      let quote = content[index]
      if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
        guard let end = content[(index + 1)...].firstIndex(of: quote) else { return nil }
        return Array(content[(index + 1)..<end])
      }
      return Array(content[index...].prefix { !$0.isHTMLSpace && $0 != UInt8(ascii: ";") })
    }
    return nil
  }

  private static func find(_ word: StaticString, in bytes: [UInt8], from start: Int) -> Int? {
    guard bytes.count >= start + word.utf8CodeUnitCount else { return nil }
    return (start...(bytes.count - word.utf8CodeUnitCount)).first { offset in
      (0..<word.utf8CodeUnitCount).allSatisfy { bytes[offset + $0].asciiLowercased == word.utf8Start[$0] }
    }
  }

  private struct Scanner {
    let bytes: ArraySlice<UInt8>
    var position = 0

    init(bytes: ArraySlice<UInt8>) { self.bytes = bytes }

    private func byte(_ offset: Int = 0) -> UInt8 { position + offset < bytes.count ? bytes[position + offset] : 0 }

    private func has(_ word: StaticString) -> Bool {
      (0..<word.utf8CodeUnitCount).allSatisfy { byte($0).asciiLowercased == word.utf8Start[$0] }
    }

    mutating func scan() -> [UInt8]? {
      while position < bytes.count {
        if has("<!--") {
          position += 2
          while position < bytes.count, !has("-->") { position += 1 }
          position += 2
        } else if has("<meta"), byte(5).isHTMLSpace || byte(5) == UInt8(ascii: "/") {
          position += 5
          if let label = meta() { return label }
        } else if byte() == UInt8(ascii: "<"), byte(1).isASCIILetter || byte(1) == UInt8(ascii: "/") && byte(2).isASCIILetter {
          while position < bytes.count, !byte().isHTMLSpace, byte() != UInt8(ascii: ">") { position += 1 }
          while attribute() != nil {}
        } else if has("<!") || has("</") || has("<?") {
          while position < bytes.count, byte() != UInt8(ascii: ">") { position += 1 }
        }
        position += 1
      }
      return nil
    }

    private mutating func meta() -> [UInt8]? {
      var seen: Set<[UInt8]> = []
      var gotPragma = false
      var needsPragma: Bool?
      var label: [UInt8]?
      while let (name, value) = attribute() {
        guard seen.insert(name).inserted else { continue }
        switch String(decoding: name, as: UTF8.self) {
        case "http-equiv": if value.elementsEqual("content-type".utf8) { gotPragma = true }
        case "content":
          if label == nil, let found = EncodingSniffer.label(inContent: value) {
            label = found
            needsPragma = true
          }
        case "charset":
          label = value
          needsPragma = false
        default: break
        }
      }
      guard let needsPragma, !needsPragma || gotPragma, let label, TextEncoding(label: label) != nil else { return nil }
      return label
    }

    /// https://html.spec.whatwg.org/multipage/parsing.html#concept-get-attributes-when-sniffing
    private mutating func attribute() -> (name: [UInt8], value: [UInt8])? {
      while byte().isHTMLSpace || byte() == UInt8(ascii: "/") { position += 1 }
      guard position < bytes.count, byte() != UInt8(ascii: ">") else { return nil }
      var name: [UInt8] = []
      while position < bytes.count {
        let next = byte()
        if next == UInt8(ascii: "="), !name.isEmpty { break }
        if next.isHTMLSpace || next == UInt8(ascii: "/") || next == UInt8(ascii: ">") { break }
        name.append(next.asciiLowercased)
        position += 1
      }
      while byte().isHTMLSpace { position += 1 }
      guard byte() == UInt8(ascii: "=") else { return (name, []) }
      position += 1
      while byte().isHTMLSpace { position += 1 }
      let quote = byte()
      let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      if isQuoted { position += 1 }
      var value: [UInt8] = []
      while position < bytes.count {
        let next = byte()
        if isQuoted ? next == quote : next.isHTMLSpace || next == UInt8(ascii: ">") { break }
        value.append(next.asciiLowercased)
        position += 1
      }
      if isQuoted { position += 1 }
      return (name, value)
    }
  }
}
