import OffprintCoreTypes
import Glibc

/// The time until a date, in whole seconds; at least 0.
///
/// The text is a date and a time with a time zone (`2026-12-24T18:00Z`, `2026-12-24T18:00:30+01:00`), until which the time from now counts;
/// or an interval of two, separated by a slash. https://www.rfc-editor.org/rfc/rfc3339#section-5.6
struct TimeLeft {
  private let total: Int

  /// - Parameter now: Seconds since 1970; nil for the current time.
  init?(_ text: String, now: Int? = nil) {
    let dates = text.split(byte: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(dates.count), text.utf8.count <= 64, let last = dates.last, let end = Self.seconds(last) else { return nil }
    guard let start = dates.count == 2 ? Self.seconds(dates[0]) : now ?? Glibc.time(nil) else { return nil }
    total = max(0, end - start)
  }

  var days: Int { total / 86_400 }
  var secondsOfDay: Int { total % 86_400 }

  /// Seconds since 1970.
  private static func seconds(_ text: Substring) -> Int? {
    let bytes = Array(text.utf8)
    func number(_ start: Int, _ count: Int) -> Int? {
      guard start + count <= bytes.count else { return nil }
      return bytes[start..<start + count].reduce(0) { value, byte in
        value.flatMap { (48...57).contains(byte) ? $0 * 10 + Int(byte) - 48 : nil }
      }
    }
    func has(_ characters: String, at index: Int) -> Bool { index < bytes.count && characters.utf8.contains(bytes[index]) }
    guard let year = number(0, 4), has("-", at: 4), let month = number(5, 2), has("-", at: 7), let day = number(8, 2), has("Tt ", at: 10),
      let hour = number(11, 2), has(":", at: 13), let minute = number(14, 2), (1...12).contains(month), (1...31).contains(day), hour < 24,
      minute < 60
    else { return nil }
    var end = 16, second = 0
    if has(":", at: end) {
      guard let given = number(17, 2), given < 60 else { return nil }
      (second, end) = (given, 19)
    }
    guard let offset = offset(bytes[end...], number) else { return nil }
    return CivilDate(year: year, month: month, day: day).daysSince1970 * 86_400 + hour * 3600 + minute * 60 + second - offset
  }

  /// The offset of a time zone in seconds.
  private static func offset(_ zone: ArraySlice<UInt8>, _ number: (Int, Int) -> Int?) -> Int? {
    if zone.elementsEqual("Z".utf8) || zone.elementsEqual("z".utf8) { return 0 }
    guard zone.count == 6, let sign = zone.first, "+-".utf8.contains(sign), zone[zone.startIndex + 3] == UInt8(ascii: ":"),
      let hours = number(zone.startIndex + 1, 2), let minutes = number(zone.startIndex + 4, 2), hours < 24, minutes < 60
    else { return nil }
    return (hours * 3600 + minutes * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }
}
