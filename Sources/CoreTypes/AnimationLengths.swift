/// How long the animations of a page last, in seconds.
public struct AnimationLengths: Hashable, Sendable {
  /// When the last finite animation ends; 0 without one.
  public private(set) var finite = 0.0
  /// When the longest infinite animation has completed a period: an iteration, or two if they alternate; 0 without one.
  public private(set) var period = 0.0

  public init() {}

  public mutating func add(finite length: Double) { if length.isFinite { finite = max(finite, length) } }
  public mutating func add(period length: Double) { if length.isFinite { period = max(period, length) } }

  public mutating func add(_ other: AnimationLengths) {
    add(finite: other.finite)
    add(period: other.period)
  }

  /// The longer of both.
  public var longest: Double { max(finite, period) }
  /// Whether the page remains as it is after the longest one.
  public var endsLast: Bool { finite > 0 && finite >= period }
}
