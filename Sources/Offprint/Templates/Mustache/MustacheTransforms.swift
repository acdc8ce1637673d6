/// The transforms of values: `{{uppercased(name)}}`, `{{count(items)}}`, `{{#reversed(items)}}`.
enum MustacheTransform {
  /// - Returns: Nil if the value does not support the transform.
  static func apply(_ name: String, to value: JSONValue) -> JSONValue? {
    switch value {
    case .string(let text): string(name, text)
    case .array(let items): array(name, items)
    case .object(let members):
      switch name {
      case "count": .number(Double(members.count))
      case "empty": .bool(members.isEmpty)
      default: nil
      }
    case .null, .bool, .number, .integer: nil
    }
  }

  private static func string(_ name: String, _ text: String) -> JSONValue? {
    switch name {
    case "empty": .bool(text.isEmpty)
    case "capitalized": .string(capitalized(text))
    case "lowercased": .string(text.lowercased())
    case "uppercased": .string(text.uppercased())
    case "reversed": .string(String(text.reversed()))
    // The time until a date, in days and the seconds beyond them.
    case "daysLeft": TimeLeft(text).map { .number(Double($0.days)) }
    case "secondsOfDayLeft": TimeLeft(text).map { .number(Double($0.secondsOfDay)) }
    // URLs of images: <img src="{{qr(link)}}">.
    case "qr": .string("qr:\(percentEncoded(text))")
    case "ean13", "code128": .string("barcode:\(name):\(percentEncoded(text))")
    default: nil
    }
  }

  /// Encodes all characters except unreserved ones. https://www.rfc-editor.org/rfc/rfc3986#section-2.3
  private static func percentEncoded(_ text: String) -> String {
    var result: [UInt8] = []
    for byte in text.utf8 {
      if (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte) || "-._~".utf8.contains(byte) {
        result.append(byte)
      } else {
        result += [UInt8(ascii: "%")] + [byte >> 4, byte & 15].map { $0 + ($0 < 10 ? 0x30 : 0x37) }
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func array(_ name: String, _ items: [JSONValue]) -> JSONValue? {
    switch name {
    case "first": items.first ?? .null
    case "last": items.last ?? .null
    case "reversed": .array(items.reversed())
    case "count": .number(Double(items.count))
    case "empty": .bool(items.isEmpty)
    case "sorted": sorted(items)
    default: nil
    }
  }

  /// Sorts lists of texts or of numbers.
  private static func sorted(_ items: [JSONValue]) -> JSONValue? {
    let texts = items.compactMap(\.string)
    if texts.count == items.count { return .array(texts.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { .string($0) }) }
    guard items.allSatisfy({ $0.number != nil }) else { return nil }
    return .array(items.sorted(by: isLess))
  }

  /// Rounding preserves the order of numbers, so exact integers are compared only if they round to the same value.
  private static func isLess(_ left: JSONValue, _ right: JSONValue) -> Bool {
    let (low, high) = (left.number ?? 0, right.number ?? 0)
    guard low == high else { return low < high }
    return switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.number, .integer): true
    default: false
    }
  }

  /// Capitalizes the first letter of each word and lowercases the others.
  private static func capitalized(_ text: String) -> String {
    var result = ""
    var isInWord = false
    for character in text {
      result += isInWord ? character.lowercased() : character.uppercased()
      isInWord = character.isLetter || character.isNumber || character == "'"
    }
    return result
  }
}
