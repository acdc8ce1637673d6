import OffprintCoreTypes
import Offprint

/// Prepares messages for people: one line, limited in length, naming the option that raises a limit.
enum Sentence {
  private static let longest = 480
  private static let head = 300
  private static let tail = 120

  /// Replaces line breaks and control characters by spaces, and shortens long text in the middle, because the end often says what to do.
  static func fit(_ text: String) -> String {
    // Before anything is removed by which a password could be recognized.
    let text = Credentials.hidden(in: text)
    let line = String(String.UnicodeScalarView(text.unicodeScalars.map { isControl($0) ? " " : $0 }))
    guard line.utf8.count > longest else { return line }
    return "\(line.prefix(bytes: head)) … \(line.suffix(bytes: tail))"
  }

  /// Makes untrusted text safe to print: control characters, which a terminal would interpret, and directional formatting characters are
  /// written as `\u{1B}`. Nothing is removed.
  static func printable(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { isControl($0) || isDirection($0) }) else { return text }
    return text.unicodeScalars.reduce(into: "") { line, scalar in
      if isControl(scalar) || isDirection(scalar) {
        line += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
  }

  /// https://www.unicode.org/reports/tr9/#Directional_Formatting_Characters
  private static func isDirection(_ scalar: Unicode.Scalar) -> Bool {
    (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
  }

  /// Adds the option that raises a limit to a message about it.
  static func namingOption(_ message: String) -> String {
    guard Program.role == .program, let option = LimitOptions.option(namedIn: message), !message.contains(option) else { return message }
    let advice = "raise the limit"
    if message.contains(advice) { return message.replacing(advice, with: "raise it with \(option)") }
    return message.hasSuffix(".") ? "\(message.dropLast()); raise it with \(option)." : "\(message); raise it with \(option)"
  }
}

extension OffprintError {
  /// The message for people, without the code.
  var text: String { Sentence.fit(code == .limitExceeded ? Sentence.namingOption(message) : message) }
  var sentence: String { "\(code.rawValue): \(text)" }
  /// `{"code","message"}`
  var json: String { "{\"code\":\(JSONText.string(code.rawValue)),\"message\":\(JSONText.string(text))}" }
}

extension Diagnostic {
  var sentence: String {
    var shown = self
    shown.message = code.rawValue == "limitExceeded" ? Sentence.namingOption(message) : message
    return Sentence.fit("\(shown)")
  }

  func inJob(_ id: String) -> Diagnostic {
    var diagnostic = self
    diagnostic.message = "[\(Sentence.fit(id).prefix(bytes: 100))] \(message)"
    return diagnostic
  }
}

extension String {
  /// The longest prefix of whole characters that fits into `limit` bytes of UTF-8; of a single larger character, the longest prefix of its
  /// scalars.
  func prefix(bytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let end = fitting(limit, self)
    return end > startIndex ? String(self[..<end]) : String(self[..<fitting(limit, unicodeScalars)])
  }

  /// The end of the elements that fit into `limit` bytes.
  private func fitting<Parts: Collection>(_ limit: Int, _ parts: Parts) -> String.Index where Parts.Index == String.Index {
    let last = utf8.index(startIndex, offsetBy: limit)
    var end = startIndex
    while end < endIndex {
      let next = parts.index(after: end)
      if next > last { break }
      end = next
    }
    return end
  }

  /// The longest suffix of whole scalars that fits into `limit` bytes of UTF-8.
  func suffix(bytes limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var start = utf8.index(endIndex, offsetBy: -limit)
    while start < endIndex, start.samePosition(in: unicodeScalars) == nil { start = utf8.index(after: start) }
    return String(self[start...])
  }
}
