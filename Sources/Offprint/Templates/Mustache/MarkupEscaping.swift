/// Escapes a value for its context, so that it remains one value there.
enum MarkupEscaping {
  /// - Returns: Nil if the value is not allowed in this context.
  static func escape(_ text: String, at place: EscapingContext) -> [UInt8]? {
    switch place.state {
    case .text, .rawText: return html(text.utf8)
    case .tagOpen, .tagName, .tag, .attributeName: return text.utf8.allSatisfy(isNameByte) ? Array(text.utf8) : nil
    case .beforeValue, .value(0):
      // Without quotes, an empty value would make the next attribute the value.
      if text.isEmpty { return place.state == .beforeValue ? Array("\"\"".utf8) : [] }
      guard let value = place.isStyle ? css(text, place.css) : Array(text.utf8) else { return nil }
      return unquoted(value)
    case .value:
      guard place.isStyle else { return html(text.utf8) }
      return css(text, place.css).map { html($0) }
    case .style: return css(text, place.css)
    case .script: return script(text)
    case .markup, .comment: return html(text.utf8, further: "-")
    }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: byte >= 0x80
    }
  }

  /// - Parameter further: Additional characters to escape.
  static func html(_ bytes: some Sequence<UInt8>, further: StaticString = "") -> [UInt8] {
    var result: [UInt8] = []
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "&"): result += "&amp;".utf8
      case UInt8(ascii: "<"): result += "&lt;".utf8
      case UInt8(ascii: ">"): result += "&gt;".utf8
      case UInt8(ascii: "\""): result += "&quot;".utf8
      case UInt8(ascii: "'"): result += "&#39;".utf8
      case _ where further.hasByte(byte): result += "&#\(byte);".utf8
      default: result.append(byte)
      }
    }
    return result
  }

  private static func unquoted(_ bytes: [UInt8]) -> [UInt8] { html(bytes, further: " \t\n\r\u{C}=`") }

  /// Escapes the contents of a string in JSON or a script.
  private static func script(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if byte < 0x20 || "<>&\"'\\`".utf8.contains(byte) { result += "\\u00\(hex(byte))".utf8 } else { result.append(byte) }
    }
    return result
  }

  private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

  // MARK: CSS

  /// https://www.w3.org/TR/css-syntax-3/#escaping
  private static func css(_ text: String, _ place: StyleContext) -> [UInt8]? {
    switch place.state {
    case .string, .comment, .url:
      var result: [UInt8] = []
      for byte in text.utf8 {
        if byte < 0x20 || "\"'\\<>&*()".utf8.contains(byte) || byte == 0x20 && place.state == .url || byte == 0x7F {
          result += "\\\(hex(byte)) ".utf8
        } else {
          result.append(byte)
        }
      }
      return result
    case .value: return isPlainValue(text) ? Array(text.utf8) : nil
    }
  }

  /// Whether the text is part of a declaration's value that cannot end anything around it and loads nothing: words, numbers, colors, quoted
  /// strings, and functions of these.
  private static func isPlainValue(_ text: String) -> Bool {
    var open = 0
    var quote: UInt8 = 0
    var last: UInt8 = 0
    for byte in text.utf8 {
      guard byte >= 0x20, !"<>{};\\&@!:".utf8.contains(byte) else { return false }
      if byte == UInt8(ascii: "*") && last == UInt8(ascii: "/") { return false }
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      } else if byte == UInt8(ascii: "(") {
        open += 1
      } else if byte == UInt8(ascii: ")") {
        open -= 1
        if open < 0 { return false }
      }
      last = byte
    }
    let lower = text.lowercased()
    return open == 0 && quote == 0 && !["url(", "src(", "image(", "image-set(", "attr("].contains { lower.contains($0) }
  }
}

extension StaticString {
  fileprivate func hasByte(_ byte: UInt8) -> Bool {
    utf8CodeUnitCount > 0 && UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).contains(byte)
  }
}
