/// Values of form fields as numbers: in days, weeks, months, seconds, or as they are.
/// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html
public struct FieldNumber {
  enum Kind: String { case number, range, date, month, week, time, datetimeLocal = "datetime-local" }

  let kind: Kind

  /// `step` where it is not given.
  var defaultStep: Double { kind == .time || kind == .datetimeLocal ? 60 : 1 }

  public init?(type: String) {
    guard let kind = Kind(rawValue: type) else { return nil }
    self.kind = kind
  }

  /// Nil for what is no value of this kind: it is as if the field was empty.
  public func value(_ bytes: some Collection<UInt8>) -> Double? {
    guard bytes.count < 64 else { return nil }
    let text = Array(bytes)
    switch kind {
    case .number, .range: return Self.number(text)
    case .date: return Self.date(text)
    case .month: return Self.month(text)
    case .week: return Self.week(text)
    case .time: return Self.time(text)
    case .datetimeLocal:
      guard let split = text.firstIndex(where: { $0 == UInt8(ascii: "T") || $0 == 0x20 }), let date = Self.date(Array(text[..<split])),
        let time = Self.time(Array(text[(split + 1)...]))
      else { return nil }
      return date * 86_400 + time
    }
  }

  /// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#valid-floating-point-number
  static func number(_ text: [UInt8]) -> Double? {
    let isPlain = text.allSatisfy { isDigit($0) || $0 == 0x2D || $0 == 0x2B || $0 == 0x2E || $0 | 0x20 == 0x65 }
    guard isPlain, let first = text.first, let last = text.last, first != 0x2B, isDigit(last) else { return nil }
    return Double(String(decoding: text, as: UTF8.self)).flatMap { $0.isFinite ? $0 : nil }
  }

  /// Digits, so many or more.
  private static func integer(_ text: ArraySlice<UInt8>, _ count: ClosedRange<Int>) -> Int? {
    guard count.contains(text.count), text.allSatisfy(isDigit) else { return nil }
    return Int(String(decoding: text, as: UTF8.self))
  }

  /// Years and months, with at least four digits and two.
  private static func yearAndMonth(_ text: [UInt8]) -> (year: Int, month: Int)? {
    let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2, let year = integer(parts[0], 4...6), year > 0, let month = integer(parts[1], 2...2), (1...12).contains(month)
    else { return nil }
    return (year, month)
  }

  private static func month(_ text: [UInt8]) -> Double? { yearAndMonth(text).map { Double(($0.year - 1970) * 12 + $0.month - 1) } }

  private static func date(_ text: [UInt8]) -> Double? {
    guard let split = text.lastIndex(of: UInt8(ascii: "-")), let (year, month) = yearAndMonth(Array(text[..<split])),
      let day = integer(text[(split + 1)...], 2...2), day >= 1, day <= days(in: month, of: year)
    else { return nil }
    return Double(days(toYear: year) + (1..<month).reduce(0) { $0 + days(in: $1, of: year) } + day - 1)
  }

  /// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#weeks
  private static func week(_ text: [UInt8]) -> Double? {
    let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].first == UInt8(ascii: "W"), let year = integer(parts[0], 4...6), year > 0,
      let week = integer(parts[1].dropFirst(), 2...2)
    else { return nil }
    // The Monday of the week with the fourth of January; the first of January 1970 was a Thursday.
    func start(_ year: Int) -> Int { (days(toYear: year) + 3 + 3).quotient(by: 7) }
    guard week >= 1, start(year) + week <= start(year + 1) else { return nil }
    return Double(start(year) + week - 1)
  }

  private static func time(_ text: [UInt8]) -> Double? {
    let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
    guard parts.count == 2 || parts.count == 3, let hour = integer(parts[0], 2...2), hour < 24, let minute = integer(parts[1], 2...2),
      minute < 60
    else { return nil }
    let start = Double(hour * 3600 + minute * 60)
    guard parts.count == 3 else { return start }
    let seconds = parts[2].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard let whole = seconds.first.flatMap({ integer($0, 2...2) }), whole < 60, seconds.count <= 2 else { return nil }
    guard seconds.count == 2 else { return start + Double(whole) }
    return integer(seconds[1], 1...3) == nil ? nil : start + (Double(String(decoding: parts[2], as: UTF8.self)) ?? 0)
  }

  private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private static func days(in month: Int, of year: Int) -> Int {
    month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  /// From the first of January 1970 to that of `year`.
  private static func days(toYear year: Int) -> Int {
    func leaps(_ year: Int) -> Int { year / 4 - year / 100 + year / 400 }
    return (year - 1970) * 365 + leaps(year - 1) - leaps(1969)
  }
}

extension Int {
  /// Rounded down.
  fileprivate func quotient(by divisor: Int) -> Int { self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor) }
}
