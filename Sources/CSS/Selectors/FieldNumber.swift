import OffprintDOM

/// Numeric values of form fields: in days, weeks, months or seconds, or unchanged.
/// https://html.spec.whatwg.org/multipage/common-microsyntaxes.html
public struct FieldNumber {
  enum Kind: String { case number, range, date, month, week, time, datetimeLocal = "datetime-local" }

  let kind: Kind

  /// The step if `step` is not specified.
  var defaultStep: Double { kind == .time || kind == .datetimeLocal ? 60 : 1 }

  public init?(type: String) {
    guard let kind = Kind(rawValue: type) else { return nil }
    self.kind = kind
  }

  /// Nil if the value is invalid for this kind; the field is then treated as empty.
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
