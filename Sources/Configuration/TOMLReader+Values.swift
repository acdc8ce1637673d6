import OffprintCoreTypes

// https://toml.io/en/v1.0.0#keyvalue-pair and the sections after it.
extension TOMLReader {
  mutating func value() throws(ConfigurationError) -> TOMLValue {
    switch next {
    case UInt8(ascii: "\"")?, UInt8(ascii: "'")?: return .string(try string())
    case UInt8(ascii: "[")?: return try nested { (reader) throws(ConfigurationError) in try reader.array() }
    case UInt8(ascii: "{")?: return try nested { (reader) throws(ConfigurationError) in try reader.inlineTable() }
    default: return try scalar()
    }
  }

  private mutating func nested(
    _ read: (inout TOMLReader) throws(ConfigurationError) -> TOMLValue
  ) throws(ConfigurationError) -> TOMLValue {
    guard depth < Self.deepest else { throw problem("values are nested too deeply") }
    depth += 1
    defer { depth -= 1 }
    position += 1
    return try read(&self)
  }

  private mutating func array() throws(ConfigurationError) -> TOMLValue {
    var values: [TOMLValue] = []
    while true {
      try skipBlank(lines: true)
      if take(UInt8(ascii: "]")) { return .array(values) }
      values.append(try value())
      try skipBlank(lines: true)
      if take(UInt8(ascii: "]")) { return .array(values) }
      guard take(UInt8(ascii: ",")) else { throw problem("',' is missing between the values of an array") }
    }
  }

  private mutating func inlineTable() throws(ConfigurationError) -> TOMLValue {
    var members: [TOMLValue.Member] = []
    var keys: Set<ByteString> = []
    try skipBlank()
    if take(UInt8(ascii: "}")) { return .table([]) }
    while true {
      try skipBlank()
      let key = try keyPath().joined(separator: ".")
      try skipBlank()
      guard take(UInt8(ascii: "=")) else { throw problem("'=' is missing after '\(key)'") }
      try skipBlank()
      guard keys.insert(ByteString(key)).inserted else { throw problem("'\(key)' is specified twice") }
      members.append(TOMLValue.Member(key, try value()))
      try skipBlank()
      if take(UInt8(ascii: "}")) { return .table(members) }
      guard take(UInt8(ascii: ",")) else { throw problem("',' is missing between the members of a table") }
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  private mutating func scalar() throws(ConfigurationError) -> TOMLValue {
    let start = position
    while let byte = next, byte > 0x20, !Array(",]}#".utf8).contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    switch text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    case "": throw problem("a value is missing")
    default: break
    }
    if let (digits, radix) = Self.integer(text) {
      guard let number = Int(digits, radix: radix) else {
        throw problem("'\(Credentials.hidden(in: text).prefix(60))' does not fit into 64 bits; put it in quotes to keep its digits")
      }
      return .integer(number)
    }
    if let number = Self.float(text) {
      guard number.isFinite || text.hasSuffix("inf") || text.hasSuffix("nan") else {
        throw problem("'\(Credentials.hidden(in: text).prefix(60))' is out of range (±1.8e308)")
      }
      return .float(number)
    }
    let isDate = text.utf8.count >= 5 && text.prefix(2).allSatisfy(\.isNumber) && (text.contains(":") || text.contains("-"))
    throw problem(
      isDate ? "dates and times must be in quotes" : "'\(Credentials.hidden(in: text).prefix(60))' is not a value; put text in quotes")
  }

  /// https://toml.io/en/v1.0.0#integer
  private static func integer(_ text: String) -> (digits: String, radix: Int)? {
    for (prefix, radix) in [("0x", 16), ("0o", 8), ("0b", 2)] where text.hasPrefix(prefix) {
      return digits(text.dropFirst(2), radix: radix).map { ($0, radix) }
    }
    let hasSign = text.hasPrefix("+") || text.hasPrefix("-")
    guard let digits = digits(text.dropFirst(hasSign ? 1 : 0), radix: 10), digits.count == 1 || !digits.hasPrefix("0") else { return nil }
    return ((text.hasPrefix("-") ? "-" : "") + digits, 10)
  }

  /// Removes underscores, which are only allowed between digits.
  private static func digits(_ text: Substring, radix: Int) -> String? {
    let parts = text.split(byte: "_", omittingEmptySubsequences: false)
    func isDigit(_ byte: UInt8) -> Bool { Int(String(Unicode.Scalar(byte)), radix: radix) != nil }
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isDigit) }) else { return nil }
    return parts.joined()
  }

  /// https://toml.io/en/v1.0.0#float
  private static func float(_ text: String) -> Double? {
    let unsigned = text.hasPrefix("+") || text.hasPrefix("-") ? text.dropFirst() : text[...]
    if unsigned == "inf" || unsigned == "nan" { return Double(text) }
    let halves = unsigned.split(byte: "e", omittingEmptySubsequences: false).flatMap {
      $0.split(byte: "E", omittingEmptySubsequences: false)
    }
    guard halves.count <= 2, let mantissa = halves.first else { return nil }
    let parts = mantissa.split(byte: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 1 && halves.count == 2 else { return nil }
    guard let whole = digits(parts[0], radix: 10), whole.count == 1 || !whole.hasPrefix("0") else { return nil }
    if parts.count == 2 && digits(parts[1], radix: 10) == nil { return nil }
    if halves.count == 2 {
      let exponent = halves[1].hasPrefix("+") || halves[1].hasPrefix("-") ? halves[1].dropFirst() : halves[1]
      guard digits(exponent, radix: 10) != nil else { return nil }
    }
    return Double(text.filter { $0 != "_" })
  }
}
