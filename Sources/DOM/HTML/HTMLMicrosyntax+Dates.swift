internal import OffprintCoreTypes

// Dates and times; nil unless the whole text is valid. Chromium rejects dates after the last date of ECMAScript.
extension HTMLMicrosyntax {
  /// 13 September 275760, in days since 1970. https://tc39.es/ecma262/#sec-time-values-and-time-range
  private static let lastDay = 100_000_000

  /// An integer with a number of digits in a range.
  private static func integer(_ text: ArraySlice<UInt8>, _ count: ClosedRange<Int>) -> Int? {
    guard count.contains(text.count), text.allSatisfy(isDigit) else { return nil }
    return Int(String(decoding: text, as: UTF8.self))
  }

  /// A year of at least four digits and a month of two digits.
  private static func yearAndMonth(_ text: [UInt8]) -> (year: Int, month: Int)? {
    let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2, let year = integer(parts[0], 4...6), year > 0, let month = integer(parts[1], 2...2), (1...12).contains(month)
    else { return nil }
    return (year, month)
  }

  /// Months since January 1970. https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#months
  public static func month(_ text: [UInt8]) -> Double? {
    guard let (year, month) = yearAndMonth(text), (year, month) <= (275_760, 9) else { return nil }
    return Double((year - 1970) * 12 + month - 1)
  }

  /// Days since 1970. https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#dates
  public static func date(_ text: [UInt8]) -> Double? {
    guard let split = text.lastIndex(of: UInt8(ascii: "-")), let (year, month) = yearAndMonth(Array(text[..<split])),
      let day = integer(text[(split + 1)...], 2...2), day >= 1, day <= days(in: month, of: year)
    else { return nil }
    let number = CivilDate(year: year, month: month, day: day).daysSince1970
    return number <= lastDay ? Double(number) : nil
  }

  /// Weeks since the week of January 1, 1970. https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#weeks
  public static func week(_ text: [UInt8]) -> Double? {
    let parts = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].first == UInt8(ascii: "W"), let year = integer(parts[0], 4...6), year > 0,
      let week = integer(parts[1].dropFirst(), 2...2)
    else { return nil }
    // The Monday of the week with January 4; January 1, 1970 was a Thursday.
    func start(_ year: Int) -> Int { (CivilDate(year: year, month: 1, day: 1).daysSince1970 + 3 + 3).quotient(by: 7) }
    let number = start(year) + week - 1
    guard week >= 1, number < start(year + 1), number * 7 - 3 <= lastDay else { return nil }
    return Double(number)
  }

  /// Seconds since midnight. https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#times
  public static func time(_ text: [UInt8]) -> Double? {
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

  /// Seconds since 1970. https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#local-dates-and-times
  public static func localDateAndTime(_ text: [UInt8]) -> Double? {
    guard let split = text.firstIndex(where: { $0 == UInt8(ascii: "T") || $0 == 0x20 }), let date = date(Array(text[..<split])),
      let time = time(Array(text[(split + 1)...]))
    else { return nil }
    return date < Double(lastDay) || time == 0 ? date * 86_400 + time : nil
  }

  private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private static func days(in month: Int, of year: Int) -> Int {
    month == 2 ? (isLeap(year) ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension Int {
  /// Division that rounds down.
  fileprivate func quotient(by divisor: Int) -> Int { self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor) }
}
