/// https://www.rfc-editor.org/rfc/rfc8259#section-2
struct JSONParser {
  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0
  /// Why `document` returned nil.
  private(set) var fault = JSONError.malformed

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func document() -> JSONValue? {
    guard let value = value() else { return nil }
    skipSpace()
    return position == bytes.count ? value : nil
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func literal(_ text: StaticString, _ value: JSONValue) -> JSONValue? {
    let expected = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    guard bytes[position...].starts(with: expected) else { return nil }
    position += expected.count
    return value
  }

  private mutating func value() -> JSONValue? {
    skipSpace()
    depth += 1
    defer { depth -= 1 }
    guard depth <= JSONError.maximumDepth else { return fail(.tooDeep) }
    guard let byte = next else { return nil }
    switch byte {
    case UInt8(ascii: "{"): return object()
    case UInt8(ascii: "["): return array()
    case UInt8(ascii: "\""): return string().map { .string($0) }
    case UInt8(ascii: "t"): return literal("true", .bool(true))
    case UInt8(ascii: "f"): return literal("false", .bool(false))
    case UInt8(ascii: "n"): return literal("null", .null)
    default: return number()
    }
  }

  private mutating func object() -> JSONValue? {
    position += 1
    var members: [String: JSONValue] = [:]
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\""), let key = string(), take(UInt8(ascii: ":")), let value = value() else { return nil }
      // https://www.rfc-editor.org/rfc/rfc8259#section-4: parsers differ in which of them they use.
      if members.updateValue(value, forKey: key) != nil { return fail(.duplicateMember(key)) }
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "}")) ? .object(members) : nil
  }

  private mutating func array() -> JSONValue? {
    position += 1
    var values: [JSONValue] = []
    if take(UInt8(ascii: "]")) { return .array(values) }
    repeat {
      guard let value = value() else { return nil }
      values.append(value)
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]")) ? .array(values) : nil
  }

  /// https://www.rfc-editor.org/rfc/rfc8259#section-6
  private mutating func number() -> JSONValue? {
    let start = position
    skip(UInt8(ascii: "-"))
    let isZero = next == UInt8(ascii: "0")
    guard let digits = digits(), !isZero || digits == 1 else { return nil }
    if skip(UInt8(ascii: ".")), self.digits() == nil { return nil }
    if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
      if !skip(UInt8(ascii: "+")) { skip(UInt8(ascii: "-")) }
      if self.digits() == nil { return nil }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    return JSONValue(decimal: text) ?? fail(.numberOutOfRange(text))
  }

  private mutating func fail(_ fault: JSONError) -> JSONValue? {
    self.fault = fault
    return nil
  }

  @discardableResult
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// The number of digits; nil if absent.
  private mutating func digits() -> Int? {
    let start = position
    while let byte = next, (0x30...0x39).contains(byte) { position += 1 }
    return position > start ? position - start : nil
  }

  private mutating func string() -> String? {
    position += 1
    var text: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        // https://www.rfc-editor.org/rfc/rfc8259#section-8.1: with replacement characters, different texts could become equal.
        guard let string = String(validating: text, as: UTF8.self) else {
          fault = .notUTF8
          return nil
        }
        return string
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        text.append(contentsOf: String(Character(scalar)).utf8)
      default:
        guard byte >= 0x20 else { return nil }
        text.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "u"): return unicodeEscape()
    default: return nil
    }
  }

  private mutating func unicodeEscape() -> Unicode.Scalar? {
    guard let first = hexUnit() else { return nil }
    guard (0xD800...0xDBFF).contains(first) else { return Unicode.Scalar(first) ?? "\u{FFFD}" }
    guard bytes[position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else { return "\u{FFFD}" }
    let mark = position
    position += 2
    guard let second = hexUnit() else { return nil }
    guard (0xDC00...0xDFFF).contains(second) else {
      position = mark
      return "\u{FFFD}"
    }
    return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
  }

  private mutating func hexUnit() -> UInt32? {
    guard position + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[position..<position + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    position += 4
    return value
  }
}
