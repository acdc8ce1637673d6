import OffprintCoreTypes

extension CacheFilter {
  /// Parses a condition such as `size > 100kB and (identifier ~ "card-*" or hits >= 3) and not age < 7d`.
  ///
  /// Comparison operators are `=` `==` `!=` `<` `<=` `>` `>=` and `~` (a pattern, or a substring); comparisons are combined with `and`,
  /// `or`, `not` or `&&`, `||`, `!`. Sizes take `B kB MB GB KiB MiB GiB`, durations `ms s m h d w`, times are `YYYY-MM-DD[THH:MM[:SS]]` in
  /// UTC.
  package static func parse(_ text: String) throws(CacheError) -> CacheFilter {
    var parser = CacheFilterParser(text)
    let filter = try parser.disjunction(depth: 0)
    try parser.expectEnd()
    return filter
  }
}

struct CacheFilterParser {
  private enum Token: Equatable {
    case word(String)
    case quoted(String)
    case comparator(CacheFilter.Operator)
    case open, close, and, or, not
    case unknown(String)
  }

  private var tokens: ArraySlice<Token>
  private var comparisons = 0
  /// SQLite accepts expressions up to 1000 levels deep, one for each operand of a chain, and patterns up to 50,000 bytes.
  /// https://www.sqlite.org/limits.html
  private static let maximumComparisons = 200
  static let longestValue = 16_384
  private let text: String

  init(_ text: String) {
    self.text = text
    tokens = Self.tokenize(Array(text.utf8))[...]
  }

  mutating func disjunction(depth: Int) throws(CacheError) -> CacheFilter {
    guard depth < 50 else { throw failure("it is nested too deeply") }
    var filters = [try conjunction(depth: depth)]
    while tokens.first == .or {
      tokens.removeFirst()
      filters.append(try conjunction(depth: depth))
    }
    return filters.count == 1 ? filters[0] : .or(filters)
  }

  private mutating func conjunction(depth: Int) throws(CacheError) -> CacheFilter {
    var filters = [try negation(depth: depth)]
    while tokens.first == .and {
      tokens.removeFirst()
      filters.append(try negation(depth: depth))
    }
    return filters.count == 1 ? filters[0] : .and(filters)
  }

  private mutating func negation(depth: Int) throws(CacheError) -> CacheFilter {
    var isNegated = false
    while tokens.first == .not {
      tokens.removeFirst()
      isNegated.toggle()
    }
    let filter: CacheFilter
    if tokens.first == .open {
      tokens.removeFirst()
      filter = try disjunction(depth: depth + 1)
      guard tokens.popFirst() == .close else { throw failure("a closing parenthesis is missing") }
    } else {
      filter = try comparison()
    }
    return isNegated ? .not(filter) : filter
  }

  private mutating func comparison() throws(CacheError) -> CacheFilter {
    guard case .word(let name)? = tokens.popFirst(), let field = CacheField(name: name) else {
      throw failure("a field is missing or unknown. \(CacheField.choice)")
    }
    guard case .comparator(let comparator)? = tokens.popFirst() else {
      throw failure("a comparison is missing after \"\(name)\": one of = != < <= > >= ~")
    }
    let value: String
    switch tokens.popFirst() {
    case .word(let text)?, .quoted(let text)?: value = text
    default: throw failure("a value is missing after \"\(name) \(comparator.rawValue)\"")
    }
    comparisons += 1
    guard comparisons <= Self.maximumComparisons else { throw failure("it has more than \(Self.maximumComparisons) comparisons") }
    guard value.utf8.count <= Self.longestValue else { throw failure("a value has more than \(Self.longestValue) bytes") }
    guard let typed = Self.typed(value, field.kind) else {
      throw failure("\"\(value)\" is not a valid value for \"\(name)\"")
    }
    return .comparison(field, comparator, field == .key ? Self.lowercased(typed) : typed)
  }

  func expectEnd() throws(CacheError) {
    guard tokens.isEmpty else { throw failure("unexpected text after a condition; join conditions with 'and' or 'or'") }
  }

  private func failure(_ reason: String) -> CacheError {
    CacheError(
      .invalidCacheQuery, "The condition \"\(text.prefix(200))\" is invalid: \(reason)\(reason.hasSuffix(".") ? "" : ".")")
  }

  private static func lowercased(_ value: CacheValue) -> CacheValue {
    if case .text(let text) = value { .text(text.lowercased()) } else { value }
  }

  // MARK: Values

  private static func typed(_ text: String, _ kind: CacheField.Kind) -> CacheValue? {
    switch kind {
    case .text: return .text(text)
    case .number: return Double(decimal: text).map { .real($0) }
    case .bytes: return scaled(text, sizes)
    case .duration: return scaled(text, durations)
    case .time: return time(text).map { .integer($0) }
    }
  }

  private static let sizes: [String: Double] = [
    "": 1, "b": 1, "k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824,
  ]
  private static let durations: [String: Double] = [
    "": 1, "ms": 1, "s": 1e3, "m": 60e3, "min": 60e3, "h": 3600e3, "d": 86400e3, "w": 604_800e3,
  ]

  private static func scaled(_ text: String, _ units: [String: Double]) -> CacheValue? {
    let number = text.prefix { $0.isNumber || $0 == "." || $0 == "-" }
    guard let value = Double(decimal: number), let unit = units[text.dropFirst(number.count).lowercased()] else { return nil }
    return .real(value * unit)
  }

  /// Milliseconds since 1970 of a date with an optional time of day.
  private static func time(_ text: String) -> Int64? {
    let halves = text.split(whereByte: { $0 == UInt8(ascii: "T") || $0 == 0x20 })
    guard let day = halves.first, halves.count <= 2 else { return nil }
    let date = day.split(byte: "-", omittingEmptySubsequences: false).map { Int($0) }
    guard date.count == 3, let year = date[0], let month = date[1], let dayOfMonth = date[2], (1970...9999).contains(year),
      (1...12).contains(month), (1...31).contains(dayOfMonth)
    else { return nil }
    var seconds = Int64(CivilDate(year: year, month: month, day: dayOfMonth).daysSince1970) * 86400
    if halves.count == 2 {
      let clock = (halves[1].last == "Z" ? halves[1].dropLast() : halves[1]).split(byte: ":", omittingEmptySubsequences: false)
      let parts = clock.compactMap { Int64($0) }
      guard parts.count == clock.count, (2...3).contains(parts.count), parts.allSatisfy({ (0...60).contains($0) }) else { return nil }
      seconds += parts[0] * 3600 + parts[1] * 60 + (parts.count == 3 ? parts[2] : 0)
    }
    return seconds * 1000
  }

  // MARK: Tokens

  private static func tokenize(_ bytes: [UInt8]) -> [Token] {
    var tokens: [Token] = []
    var place = 0
    while place < bytes.count {
      let byte = bytes[place]
      let next = place + 1 < bytes.count ? bytes[place + 1] : 0
      switch byte {
      case 0x20, 0x09, 0x0a, 0x0d: place += 1
      case UInt8(ascii: "("), UInt8(ascii: ")"):
        tokens.append(byte == UInt8(ascii: "(") ? .open : .close)
        place += 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        let end = bytes[(place + 1)...].firstIndex(of: byte) ?? bytes.count
        tokens.append(.quoted(String(decoding: bytes[(place + 1)..<end], as: UTF8.self)))
        place = end + 1
      default:
        if let (token, length) = symbol(byte, next) {
          tokens.append(token)
          place += length
        } else {
          let end = bytes[place...].firstIndex { isDelimiter($0) } ?? bytes.count
          let stop = max(end, place + 1)
          tokens.append(word(String(decoding: bytes[place..<stop], as: UTF8.self)))
          place = stop
        }
      }
    }
    return tokens
  }

  private static func symbol(_ byte: UInt8, _ next: UInt8) -> (Token, Int)? {
    let isEqual = next == UInt8(ascii: "=")
    switch byte {
    case UInt8(ascii: "="): return (.comparator(.equal), isEqual ? 2 : 1)
    case UInt8(ascii: "!"): return isEqual ? (.comparator(.notEqual), 2) : (.not, 1)
    case UInt8(ascii: "<"):
      if next == UInt8(ascii: ">") { return (.comparator(.notEqual), 2) }
      return isEqual ? (.comparator(.lessOrEqual), 2) : (.comparator(.less), 1)
    case UInt8(ascii: ">"): return isEqual ? (.comparator(.greaterOrEqual), 2) : (.comparator(.greater), 1)
    case UInt8(ascii: "~"): return (.comparator(.matches), 1)
    case UInt8(ascii: "&"): return next == byte ? (.and, 2) : (.unknown("&"), 1)
    case UInt8(ascii: "|"): return next == byte ? (.or, 2) : (.unknown("|"), 1)
    default: return nil
    }
  }

  private static func isDelimiter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "="),
      UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "~"), UInt8(ascii: "&"), UInt8(ascii: "|"):
      true
    default: false
    }
  }

  private static func word(_ text: String) -> Token {
    switch text.lowercased() {
    case "and": .and
    case "or": .or
    case "not": .not
    default: .word(text)
    }
  }
}
