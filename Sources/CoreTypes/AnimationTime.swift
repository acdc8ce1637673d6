/// The time on a document's timeline at which it is rendered. The timeline begins when the page is first shown.
public enum AnimationTime: Hashable, Sendable {
  /// 0 to `latest`.
  case seconds(Double)
  /// After all finite animations. Infinite ones are at the start of their first iteration.
  case end

  /// The first frame.
  public static let start = AnimationTime.seconds(0)
  /// The greatest number of seconds: one day.
  public static let latest = 86_400.0

  /// `0`, `500ms`, `1.5s` or `end`.
  public init?(_ text: String) {
    if text == "end" {
      self = .end
      return
    }
    let units: [(String, Double)] = [("ms", 0.001), ("s", 1)]
    let unit = units.first { text.hasSuffix($0.0) }
    guard let number = Double(decimal: text.dropLast(unit?.0.utf8.count ?? 0)), number >= 0, unit != nil || number == 0 else { return nil }
    self.init(seconds: number * (unit?.1 ?? 1))
  }

  /// Nil below 0 and above `latest`.
  public init?(seconds: Double) {
    guard seconds >= 0, seconds <= Self.latest else { return nil }
    // Negative zero is the same time, and has the same key.
    self = .seconds(seconds + 0)
  }
}

extension AnimationTime: CustomStringConvertible {
  /// In the syntax of `init(_:)`.
  public var description: String {
    switch self {
    case .seconds(let seconds): seconds == 0 ? "0" : "\(seconds)s"
    case .end: "end"
    }
  }
}
