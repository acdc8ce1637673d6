import Testing

@testable import OffprintDOM

/// How Chromium parses attributes: `start` and `value` of `ol` and `li`, `value` of a `meter` from -1e9 to 1e9 (0 for an error), `width` of a
/// `table` (nil for none; "large" beyond 2²⁵ px), `colspan`. Taken with scripts that set each attribute and read the property or the computed style.
private let table: [(text: String, integer: Int?, number: Double, dimension: String?, span: Int)] = [
  ("0", 0, 0, nil, 1),
  ("2147483647", 2147483647, 1000000000, "large", 1000),
  ("2147483648", nil, 1000000000, "large", 1000),
  ("70%", 70, 70, "70%", 70),
  ("8px", 8, 8, "8px", 8),
  ("+80", 80, 80, nil, 80),
  ("0x50", 0, 0, nil, 1),
  ("infinity", nil, 0, nil, 1),
  ("Infinity", nil, 0, nil, 1),
  ("NaN", nil, 0, nil, 1),
  ("nan", nil, 0, nil, 1),
  ("1e2", 1, 100, "1px", 1),
  ("1E+2", 1, 100, "1px", 1),
  ("1e", 1, 1, "1px", 1),
  ("1e+", 1, 1, "1px", 1),
  ("-5", -5, -5, nil, 1),
  (" 5", 5, 5, "5px", 5),
  ("5 ", 5, 5, "5px", 5),
  ("\u{9}5", 5, 5, "5px", 5),
  ("\u{A0}5", nil, 0, nil, 1),
  ("\u{B}5", nil, 0, nil, 1),
  ("\u{C}5", 5, 5, "5px", 5),
  ("\u{D}\u{A}5", 5, 5, "5px", 5),
  (".5", nil, 0.5, nil, 1),
  ("5.", 5, 5, "5px", 5),
  ("-.5", nil, -0.5, nil, 1),
  ("+.5", nil, 0.5, nil, 1),
  ("5.5", 5, 5.5, "5.5px", 5),
  ("5.5.5", 5, 5.5, "5.5px", 5),
  ("5,5", 5, 5, "5px", 5),
  ("", nil, 0, nil, 1),
  ("-", nil, 0, nil, 1),
  ("+", nil, 0, nil, 1),
  ("--5", nil, 0, nil, 1),
  ("-0", 0, 0, nil, 1),
  ("00012", 12, 12, "12px", 12),
  ("1e400", 1, 0, "1px", 1),
  ("-1e400", -1, 0, nil, 1),
  ("1e-400", 1, 0, "1px", 1),
  ("3.5e38", 3, 1000000000, "3.5px", 3),
  ("99999999999", nil, 1000000000, "large", 1000),
  ("-2147483649", nil, -1000000000, nil, 1),
  ("18446744073709551616", nil, 1000000000, "large", 1000),
  ("1_000", 1, 1, "1px", 1),
  ("\u{FF15}", nil, 0, nil, 1),
  ("5abc", 5, 5, "5px", 5),
  ("abc5", nil, 0, nil, 1),
  ("5 5", 5, 5, "5px", 5),
  ("5%", 5, 5, "5%", 5),
  ("5.9%", 5, 5.9, "5.9%", 5),
  ("5%x", 5, 5, "5%", 5),
  ("0%", 0, 0, nil, 1),
  ("0.0", 0, 0, nil, 1),
  ("*", nil, 0, nil, 1),
  ("2*", 2, 2, nil, 2),
  ("5e2px", 5, 500, "5px", 5),
  ("1.", 1, 1, "1px", 1),
  ("12.", 12, 12, "12px", 12),
  ("1.e2", 1, 100, "1px", 1),
  ("5;", 5, 5, "5px", 5),
  ("1/2", 1, 1, "1px", 1),
]

@Suite("Numbers in HTML attributes") struct HTMLMicrosyntaxTests {
  @Test("Numbers are parsed as in Chromium", arguments: table.indices)
  func results(_ row: Int) {
    let (text, integer, number, dimension, span) = table[row]
    #expect(HTMLMicrosyntax.integer(text.utf8) == integer, "\(text)")
    #expect(min(max(HTMLMicrosyntax.floatingPoint(text.utf8) ?? 0, -1e9), 1e9) == number, "\(text)")
    #expect(HTMLMicrosyntax.clampedInteger(text.utf8, 1...1000) ?? 1 == span, "\(text)")
    let found = HTMLMicrosyntax.dimension(text.utf8).flatMap { $0.isZero ? nil : $0 }
    let shown = found.map { String(decoding: $0.number, as: UTF8.self) + ($0.isPercentage ? "%" : "px") }
    #expect(dimension == "large" ? (shown?.utf8.count ?? 0) > 9 : shown == dimension, "\(text)")
  }
}

/// How Chromium parses `bgcolor`: the computed background of a cell.
private let colors: [(text: String, color: String?)] = [
  ("transparent", nil),
  ("Transparent", nil),
  ("#abc", "#aabbcc"),
  ("#ABC", "#aabbcc"),
  (" #abc ", "#aabbcc"),
  ("#abcd", "#abcd00"),
  ("abc", "#0a0b0c"),
  ("#12345", "#123450"),
  ("#123456", "#123456"),
  ("#1234567", "#124570"),
  ("chucknorris", "#c00000"),
  ("sick", "#00c000"),
  ("crap", "#c0a000"),
  ("grass", "#00a000"),
  ("#", "#000000"),
  ("", nil),
  ("   ", "#000000"),
  ("0", "#000000"),
  ("xyz", "#000000"),
  ("#xyz", "#000000"),
  ("rgb(1,2,3)", "#001030"),
  ("rgb(255, 0, 0)", "#005500"),
  ("currentcolor", "#c0e000"),
  ("inherit", "#00e000"),
  ("\u{1F600}", "#000000"),
  ("\u{E9}", "#000000"),
  ("ab\u{1F600}", "#ab0000"),
  (String(repeating: "f", count: 130), "#ffffff"),
  (String(repeating: "1", count: 200), "#111111"),
  ("00000000f00000000f00000000f", "#0f0f0f"),
  ("000000000f000000000f000000000f", "#0f0f0f"),
  ("123456789012345678901234567", "#231201"),
  ("#0f0 ", "#00ff00"),
  ("0x123456", "#002356"),
  ("ff\u{A0}", "#0f0f00"),
  ("# abc", "#0abc00"),
  ("#fff;", "#fff000"),
  ("6db6ec49efd278cd0bc92d1e5e072d68", "#6ecde0"),
]

/// How Chromium parses `value` by the type of the `input`: `valueAsNumber`, which is in milliseconds except for months and numbers.
private let fieldValues: [(type: String, text: String, value: Double?)] = [
  ("date", "2020-02-29", 1582934400000),
  ("date", "2019-02-29", nil),
  ("date", "2020-2-9", nil),
  ("date", "02020-01-01", 1577836800000),
  ("date", "275760-09-13", 8640000000000000),
  ("date", "275760-09-14", nil),
  ("date", "0001-01-01", -62135596800000),
  ("date", "0000-01-01", nil),
  ("date", "2020-13-01", nil),
  ("date", "2020-00-10", nil),
  ("date", "2020-01-32", nil),
  ("date", " 2020-01-01", nil),
  ("date", "2020-01-01 ", nil),
  ("date", "2020-01-01T00:00", nil),
  ("date", "+2020-01-01", nil),
  ("date", "1970-01-01", 0),
  ("date", "1969-12-31", -86400000),
  ("date", "99999-01-01", 3093496444800000),
  ("date", "2020-01", nil),
  ("month", "2020-02", 601),
  ("month", "2020-2", nil),
  ("month", "2020-13", nil),
  ("month", "0001-01", -23628),
  ("month", "0000-01", nil),
  ("month", "275760-09", 3285488),
  ("month", "275760-10", nil),
  ("month", "1970-01", 0),
  ("month", "2020-02-01", nil),
  ("month", "20200-01", 218760),
  ("month", "-2020-01", nil),
  ("week", "2020-W53", 1609113600000),
  ("week", "2021-W53", nil),
  ("week", "2020-w01", nil),
  ("week", "2020-W00", nil),
  ("week", "2020-W1", nil),
  ("week", "1970-W01", -259200000),
  ("week", "2015-W53", 1451260800000),
  ("week", "2020W01", nil),
  ("week", "275760-W37", 8639999568000000),
  ("week", "275760-W38", nil),
  ("week", "0001-W01", -62135596800000),
  ("week", "2020-W54", nil),
  ("time", "00:00", 0),
  ("time", "24:00", nil),
  ("time", "23:59:59", 86399000),
  ("time", "23:59:60", nil),
  ("time", "12:30:15.5", 45015500),
  ("time", "12:30:15.123", 45015123),
  ("time", "12:30:15.1234", nil),
  ("time", "1:00", nil),
  ("time", "12:60", nil),
  ("time", "12:30:", nil),
  ("time", "12:30:1", nil),
  ("time", "12:30:15.", nil),
  ("time", "12:30:15,5", nil),
  ("time", " 12:30", nil),
  ("datetime-local", "2020-01-01T00:00", 1577836800000),
  ("datetime-local", "2020-01-01 00:00", 1577836800000),
  ("datetime-local", "2020-01-01t00:00", nil),
  ("datetime-local", "2020-01-01T00:00Z", nil),
  ("datetime-local", "2020-01-01T24:00", nil),
  ("datetime-local", "2020-01-01T00:00:30.25", 1577836830250),
  ("datetime-local", "2020-01-01", nil),
  ("datetime-local", "275760-09-13T00:00", 8640000000000000),
  ("datetime-local", "275760-09-13T00:01", nil),
  ("datetime-local", "0001-01-01T00:00", -62135596800000),
  ("datetime-local", "2020-02-30T10:00", nil),
  ("datetime-local", "2020-01-01  00:00", nil),
  ("number", "1", 1),
  ("number", "1.", nil),
  ("number", "01", 1),
  ("number", ".5", 0.5),
  ("number", "-.5", -0.5),
  ("number", "+1", nil),
  ("number", "1e2", 100),
  ("number", "1E2", 100),
  ("number", "1e+2", 100),
  ("number", "1e", nil),
  ("number", "1e400", nil),
  ("number", "-0", 0),
  ("number", "0x1", nil),
  ("number", " 1", nil),
  ("number", "1 ", nil),
  ("number", "1,5", nil),
  ("number", "Infinity", nil),
  ("number", "NaN", nil),
  ("number", "--1", nil),
  ("number", "1e-400", 0),
  ("number", "-1.5e-2", -0.015),
  ("number", "1_0", nil),
]

@Suite("Colors and dates in HTML attributes") struct HTMLMicrosyntaxValueTests {
  @Test("Legacy colors are parsed as in Chromium", arguments: colors.indices)
  func legacyColor(_ row: Int) {
    let color = HTMLMicrosyntax.legacyColor(colors[row].text.utf8).map { String(decoding: $0, as: UTF8.self).lowercased() }
    #expect(color == colors[row].color, "\(colors[row].text)")
  }

  @Test("Values of form fields are parsed as in Chromium", arguments: fieldValues.indices)
  func fieldValue(_ row: Int) {
    let (type, text, expected) = fieldValues[row], bytes = Array(text.utf8)
    let value: Double? =
      switch type {
      case "date": HTMLMicrosyntax.date(bytes).map { $0 * 86_400_000 }
      case "month": HTMLMicrosyntax.month(bytes)
      case "week": HTMLMicrosyntax.week(bytes).map { ($0 * 7 - 3) * 86_400_000 }
      case "time": HTMLMicrosyntax.time(bytes).map { $0 * 1000 }
      case "datetime-local": HTMLMicrosyntax.localDateAndTime(bytes).map { $0 * 1000 }
      default: HTMLMicrosyntax.validFloatingPoint(bytes)
      }
    // Milliseconds and their fractions, of which a number has no more than six digits.
    #expect((value == nil) == (expected == nil) && abs((value ?? 0) - (expected ?? 0)) < 1e-3, "\(type) \(text)")
  }
}
