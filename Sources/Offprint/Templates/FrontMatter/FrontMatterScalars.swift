import OffprintCoreTypes

/// Parses values on one line: scalars, and lists and mappings in brackets.
struct FrontMatterScalars {
  typealias Node = FrontMatter.Node
  typealias Invalid = FrontMatter.Invalid

  private let bytes: [UInt8]
  private let line: Int
  private var position = 0

  init(_ text: Substring, line: Int) {
    bytes = Array(text.utf8)
    self.line = line
  }

  /// Splits `key: value`; nil if the text has another form.
  static func key(_ text: Substring) -> (key: String, value: Substring)? {
    if text.hasPrefix("\"") || text.hasPrefix("'") {
      var scalars = FrontMatterScalars(text, line: 0)
      guard let key = try? scalars.quoted(), scalars.take(UInt8(ascii: ":")) else { return nil }
      let rest = scalars.bytes[scalars.position...]
      guard rest.isEmpty || rest.first == 0x20 else { return nil }
      return (key, text.utf8Suffix(rest.count).drop { $0 == " " })
    }
    guard let colon = text.firstRange(of: ": ")?.lowerBound ?? (text.hasSuffix(":") ? text.index(before: text.endIndex) : nil) else {
      return nil
    }
    let key = text[..<colon]
    guard !key.isEmpty, !key.hasPrefix("? "), !key.contains(where: { "[]{},#&*!|>%@`\"'".contains($0) }) else { return nil }
    return (String(key).trimmingSpaces, text[text.index(after: colon)...].drop { $0 == " " })
  }

  /// Parses the whole line as one value.
  mutating func whole() throws(Invalid) -> Node {
    let node = try value(depth: 0, isInBrackets: false)
    skipSpaces()
    guard position == bytes.count || bytes[position] == UInt8(ascii: "#") else {
      throw invalid("'\(String(decoding: bytes[position...], as: UTF8.self).prefix(40))' follows the end of a value")
    }
    return node
  }

  private func invalid(_ problem: String) -> Invalid { Invalid(line: line, problem: problem) }
  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }
  private mutating func skipSpaces() { while next == 0x20 || next == 0x09 { position += 1 } }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int, isInBrackets: Bool) throws(Invalid) -> Node {
    skipSpaces()
    guard depth < FrontMatter.maximumDepth else { throw invalid("it is nested deeper than \(FrontMatter.maximumDepth)") }
    switch next {
    case UInt8(ascii: "["): return Node(value: .list(try list(depth)), line: line)
    case UInt8(ascii: "{"): return Node(value: .mapping(try mapping(depth)), line: line)
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return Node(value: .scalar(try quoted(), isQuoted: true), line: line)
    default: return Node(value: .scalar(try plain(isInBrackets), isQuoted: false), line: line)
    }
  }

  private mutating func list(_ depth: Int) throws(Invalid) -> [Node] {
    position += 1
    var items: [Node] = []
    while true {
      skipSpaces()
      if take(UInt8(ascii: "]")) { return items }
      if next == UInt8(ascii: ",") { throw invalid("an item of a list in brackets is empty") }
      items.append(try value(depth: depth + 1, isInBrackets: true))
      try endItem(UInt8(ascii: "]"))
    }
  }

  private mutating func mapping(_ depth: Int) throws(Invalid) -> [FrontMatter.Member] {
    position += 1
    var members: [FrontMatter.Member] = []
    while true {
      skipSpaces()
      if take(UInt8(ascii: "}")) { return members }
      let isQuoted = next == UInt8(ascii: "\"") || next == UInt8(ascii: "'")
      let key = isQuoted ? try quoted() : plainKey()
      guard !key.isEmpty, take(UInt8(ascii: ":")), isQuoted || next.map({ " \t,}".utf8.contains($0) }) ?? true else {
        throw invalid("items in braces must be 'name: value', with a space after ':'")
      }
      guard !members.contains(where: { $0.key == key }) else { throw invalid("'\(key)' is specified twice") }
      members.append(.init(key: key, line: line, value: try value(depth: depth + 1, isInBrackets: true)))
      try endItem(UInt8(ascii: "}"))
    }
  }

  private mutating func endItem(_ closing: UInt8) throws(Invalid) {
    skipSpaces()
    if next == closing || take(UInt8(ascii: ",")) { return }
    throw invalid("a bracket is not closed on its line")
  }

  private mutating func plainKey() -> String {
    let start = position
    while let byte = next, ![UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "}")].contains(byte) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self).trimmingSpaces
  }

  /// https://yaml.org/spec/1.2.2/#733-plain-style
  private mutating func plain(_ isInBrackets: Bool) throws(Invalid) -> String {
    let follows = position + 1 < bytes.count ? bytes[position + 1] : 0x20
    if let byte = next, "&*!|>%@`]},".utf8.contains(byte) || "-?:".utf8.contains(byte) && follows == 0x20 {
      throw invalid("a value that begins with '\(Character(Unicode.Scalar(byte)))' must be in quotes")
    }
    let start = position
    while let byte = next {
      if isInBrackets && "[]{},".utf8.contains(byte) { break }
      if byte == UInt8(ascii: "#") && position > start && bytes[position - 1] == 0x20 { break }
      if byte == UInt8(ascii: ":"), position + 1 == bytes.count || bytes[position + 1] == 0x20 {
        throw invalid("a value with ': ' in it must be in quotes")
      }
      position += 1
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self).trimmingSpaces
    try checkNumber(text)
    return text
  }

  private func checkNumber(_ text: String) throws(Invalid) {
    if CoreSchemaNumber.special.contains(text) || CoreSchemaNumber(text) != nil && Node.number(text) == nil {
      throw invalid("the number '\(text.prefix(40))' is out of range; text must be in quotes")
    }
  }

  private mutating func quoted() throws(Invalid) -> String {
    guard let quote = next else { return "" }
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      if byte == quote {
        // A doubled apostrophe is an escaped one.
        guard quote == UInt8(ascii: "'"), take(quote) else { return String(decoding: text, as: UTF8.self) }
        text.append(quote)
      } else if byte == UInt8(ascii: "\\") && quote == UInt8(ascii: "\"") {
        text += try escape()
      } else {
        text.append(byte)
      }
    }
    throw invalid("a quote is not closed on its line")
  }

  /// https://yaml.org/spec/1.2.2/#57-escaped-characters
  private mutating func escape() throws(Invalid) -> [UInt8] {
    guard let byte = next else { throw invalid("a quote is not closed on its line") }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), 0x20: return [byte]
    case UInt8(ascii: "x"): return try scalar(2)
    case UInt8(ascii: "u"): return try scalar(4)
    case UInt8(ascii: "U"): return try scalar(8)
    default: throw invalid("'\\\(Character(Unicode.Scalar(byte)))' is not an escape")
    }
  }

  private mutating func scalar(_ digits: Int) throws(Invalid) -> [UInt8] {
    guard position + digits <= bytes.count,
      let value = UInt32(String(decoding: bytes[position..<position + digits], as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(value)
    else { throw invalid("an escape is not \(digits) hexadecimal digits of a character") }
    position += digits
    return Array(String(Character(scalar)).utf8)
  }
}

extension Substring {
  fileprivate func utf8Suffix(_ count: Int) -> Substring {
    self[(utf8.index(endIndex, offsetBy: -count, limitedBy: startIndex) ?? startIndex)...]
  }
}
