import OffprintDOM

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
    case .number, .range: return HTMLMicrosyntax.validFloatingPoint(text)
    case .date: return HTMLMicrosyntax.date(text)
    case .month: return HTMLMicrosyntax.month(text)
    case .week: return HTMLMicrosyntax.week(text)
    case .time: return HTMLMicrosyntax.time(text)
    case .datetimeLocal: return HTMLMicrosyntax.localDateAndTime(text)
    }
  }
}
