/// Reads the markup of an SVG: start tags with their attributes, end tags, text; entities replaced. What it cannot follow to the letter is
/// an error, so that nothing is hidden from who inspects a document by it. https://www.w3.org/TR/xml/
struct SVGMarkup {
  enum Token {
    case start(name: String, attributes: [(name: String, value: String)], isEmpty: Bool)
    case end
    case text(String)
    case instruction(String)
  }

  private let bytes: [UInt8]
  private var offset = 0
  private var entities: [String: String] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { offset = 3 }
  }

  /// The next token; nil at the end.
  mutating func next() throws(ImageError) -> Token? {
    guard offset < bytes.count else { return nil }
    guard bytes[offset] == UInt8(ascii: "<") else {
      let start = offset
      while offset < bytes.count, bytes[offset] != UInt8(ascii: "<") { offset += 1 }
      return .text(try decoded(start..<offset))
    }
    if has("<!--") { return .text(try skip(from: offset + 4, past: "-->") ? "" : "") }
    if has("<![CDATA[") {
      let start = offset + 9
      _ = try skip(from: start, past: "]]>")
      return .text(String(decoding: bytes[start..<offset - 3], as: UTF8.self))
    }
    if has("<?") {
      let start = offset + 2
      _ = try skip(from: start, past: "?>")
      return .instruction(String(decoding: bytes[start..<offset - 2].prefix(4096), as: UTF8.self))
    }
    if has("<!") { return try doctype() }
    if has("</") {
      _ = try skip(from: offset + 2, past: ">")
      return .end
    }
    offset += 1
    return try startTag()
  }

  private func has(_ text: StaticString) -> Bool { ByteReader(bytes: bytes).hasASCII(text, at: offset) }

  private mutating func skip(from start: Int, past text: StaticString) throws(ImageError) -> Bool {
    offset = start
    while offset < bytes.count, !has(text) { offset += 1 }
    guard offset < bytes.count else { throw Self.damaged }
    offset += text.utf8CodeUnitCount
    return true
  }

  private mutating func skipSpace() { while offset < bytes.count, bytes[offset] <= 0x20 { offset += 1 } }

  private mutating func name() throws(ImageError) -> String {
    let start = offset
    while offset < bytes.count, bytes[offset] > 0x20, !"=/>\"'<&".utf8.contains(bytes[offset]) { offset += 1 }
    guard offset > start, offset - start <= 1000 else { throw Self.damaged }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func quoted() throws(ImageError) -> Range<Int> {
    guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "'") else { throw Self.damaged }
    let quote = bytes[offset], start = offset + 1
    offset = start
    while offset < bytes.count, bytes[offset] != quote { offset += 1 }
    guard offset < bytes.count else { throw Self.damaged }
    offset += 1
    return start..<offset - 1
  }

  private mutating func startTag() throws(ImageError) -> Token {
    let name = try name()
    var attributes: [(name: String, value: String)] = []
    while true {
      skipSpace()
      guard offset < bytes.count else { throw Self.damaged }
      if bytes[offset] == UInt8(ascii: ">") {
        offset += 1
        return .start(name: name, attributes: attributes, isEmpty: false)
      }
      if has("/>") {
        offset += 2
        return .start(name: name, attributes: attributes, isEmpty: true)
      }
      let attribute = try self.name()
      skipSpace()
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: "="), attributes.count < 1000 else { throw Self.damaged }
      offset += 1
      skipSpace()
      attributes.append((attribute, try decoded(quoted())))
    }
  }

  // MARK: Entities

  /// A document type with entities that are plain text. Others could hide or multiply what is in the document.
  private mutating func doctype() throws(ImageError) -> Token {
    var brackets = 0
    offset += 2
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "["): brackets += 1
      case UInt8(ascii: "]"): brackets -= 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        _ = try quoted()
        continue
      case UInt8(ascii: ">") where brackets <= 0:
        offset += 1
        return .text("")
      case UInt8(ascii: "<"):
        if has("<!--") {
          _ = try skip(from: offset + 4, past: "-->")
          continue
        }
        if has("<!ENTITY") {
          offset += 8
          try entity()
          continue
        }
      default: break
      }
      offset += 1
    }
    throw Self.damaged
  }

  private mutating func entity() throws(ImageError) {
    skipSpace()
    let name = try name()
    skipSpace()
    let value = try quoted()
    guard entities.count < 100, name != "%", value.count <= 4096, !bytes[value].contains(where: { "&<%".utf8.contains($0) }) else {
      throw ImageError(.limitExceeded, "The SVG has entities that are no plain text.")
    }
    entities[name] = entities[name] ?? String(decoding: bytes[value], as: UTF8.self)
  }

  private func decoded(_ range: Range<Int>) throws(ImageError) -> String {
    guard bytes[range].contains(UInt8(ascii: "&")) else { return String(decoding: bytes[range], as: UTF8.self) }
    var result = "", rest = bytes[range]
    while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
      result += String(decoding: rest[..<start], as: UTF8.self)
      guard let end = rest[start...].prefix(1000).firstIndex(of: UInt8(ascii: ";")) else { throw Self.damaged }
      result += try replacement(String(decoding: rest[start + 1..<end], as: UTF8.self))
      rest = rest[(end + 1)...]
    }
    return result + String(decoding: rest, as: UTF8.self)
  }

  private func replacement(_ name: String) throws(ImageError) -> String {
    if let known = entities[name] { return known }
    guard name.hasPrefix("#") else { throw Self.damaged }
    let digits = name.dropFirst(), isHex = digits.hasPrefix("x")
    guard let code = UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10), let scalar = Unicode.Scalar(code) else {
      throw Self.damaged
    }
    return String(Character(scalar))
  }

  private static var damaged: ImageError { ImageDecoder.damaged(.svg) }
}
