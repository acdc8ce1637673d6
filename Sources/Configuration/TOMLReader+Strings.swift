// https://toml.io/en/v1.0.0#string
extension TOMLReader {
  /// A string of any of the four kinds.
  mutating func string() throws(ConfigurationError) -> String {
    let quote = next ?? 0
    let isLong = has("\"\"\"") || has("'''")
    position += isLong ? 3 : 1
    // A line end directly after the opening quotes is not part of the text.
    if isLong {
      if has("\r\n") { position += 1 }
      if next == 0x0A { lineEnd() }
    }
    return String(decoding: try text(quote, isLong: isLong), as: UTF8.self)
  }

  private mutating func text(_ quote: UInt8, isLong: Bool) throws(ConfigurationError) -> [UInt8] {
    var text: [UInt8] = []
    while let byte = next {
      switch byte {
      case quote:
        guard isLong else {
          position += 1
          return text
        }
        if let quotes = closing(quote) {
          text += [UInt8](repeating: quote, count: quotes)
          return text
        }
        text.append(byte)
        position += 1
      case UInt8(ascii: "\\") where quote == UInt8(ascii: "\""):
        position += 1
        text += try escape(isLong: isLong)
      case 0x0A where isLong:
        text.append(byte)
        lineEnd()
      case 0x0D where isLong && has("\r\n"), 0x09, 0x20..., 0x7F:
        guard byte != 0x7F else { throw problem("a string has a control character") }
        text.append(byte)
        position += 1
      default: throw problem(byte == 0x0A || byte == 0x0D ? "a string is not closed on its line" : "a string has a control character")
      }
    }
    throw problem("a string is not closed")
  }

  /// Three quotes end a multi-line string; one or two quotes before them belong to it.
  ///
  /// - Returns: How many of them belong to it; nil if the string continues.
  private mutating func closing(_ quote: UInt8) -> Int? {
    let count = bytes[position...].prefix(5).prefix { $0 == quote }.count
    guard count >= 3 else { return nil }
    position += count
    return count - 3
  }

  private mutating func lineEnd() {
    position += 1
    line += 1
  }

  private mutating func escape(isLong: Bool) throws(ConfigurationError) -> [UInt8] {
    guard let byte = next else { throw problem("a string is not closed") }
    position += 1
    switch byte {
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): return [byte]
    case UInt8(ascii: "u"): return try scalar(digits: 4)
    case UInt8(ascii: "U"): return try scalar(digits: 8)
    case 0x20, 0x09, 0x0A, 0x0D:
      position -= 1
      if isLong, try skipBroken() { return [] }
      throw problem("'\\' at the end of a line is allowed only in strings with three quotes")
    default: throw problem("'\\\(Character(Unicode.Scalar(byte)))' is not an escape; write '\\\\' for a backslash")
    }
  }

  /// Skips the rest of the line after a backslash, and whitespace up to the next character.
  private mutating func skipBroken() throws(ConfigurationError) -> Bool {
    while let byte = next, byte == 0x20 || byte == 0x09 { position += 1 }
    guard next == 0x0A || has("\r\n") else { return false }
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || has("\r\n") {
      if byte == 0x0A { lineEnd() } else { position += 1 }
    }
    return true
  }

  private mutating func scalar(digits: Int) throws(ConfigurationError) -> [UInt8] {
    let hex = bytes[position...].prefix(digits)
    let isHex = hex.count == digits && hex.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
    guard isHex, let value = UInt32(String(decoding: hex, as: UTF8.self), radix: 16), let scalar = Unicode.Scalar(value) else {
      throw problem("'\\u' and '\\U' require the 4 or 8 hexadecimal digits of a character")
    }
    position += digits
    return Array(String(Character(scalar)).utf8)
  }
}
