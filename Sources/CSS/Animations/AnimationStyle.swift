import OffprintCoreTypes

/// The longhands of `animation`. `names` determines the number of animations; the other lists repeat to match.
///
/// https://drafts.csswg.org/css-animations-1/
package struct AnimationStyle: Hashable, Sendable {
  enum Direction: UInt8, Hashable, Sendable { case normal, reverse, alternate, alternateReverse }
  enum Fill: UInt8, Hashable, Sendable { case none, forwards, backwards, both }
  enum PlayState: UInt8, Hashable, Sendable { case running, paused }
  /// https://drafts.csswg.org/css-animations-2/#animation-composition
  enum Composition: UInt8, Hashable, Sendable { case replace, add, accumulate }

  /// Nil for `none`.
  var names: [ByteString?] = [nil]
  var durations: [Duration] = [.auto]
  var delays: [Double] = [0]
  var easings: [Easing] = [.ease]
  var iterations: [Double] = [1]
  var directions: [Direction] = [.normal]
  var fills: [Fill] = [.none]
  var playStates: [PlayState] = [.running]
  var compositions: [Composition] = [.replace]
  package var timelines: [AnimationTimeline] = [.time]
  package var rangeStarts: [TimelineRangeEdge] = [TimelineRangeEdge()]
  package var rangeEnds: [TimelineRangeEdge] = [TimelineRangeEdge()]

  enum Duration: Hashable, Sendable {
    /// `auto`: the whole range on a scroll timeline, otherwise 0.
    case auto
    case seconds(Double)
  }

  /// The number of animations.
  package var count: Int { min(names.count, Self.maximum) }
  private static let maximum = 64

  package func timeline(_ index: Int) -> AnimationTimeline { Self.item(timelines, index, .time) }
  package func range(_ index: Int) -> (start: TimelineRangeEdge, end: TimelineRangeEdge) {
    (Self.item(rangeStarts, index, TimelineRangeEdge()), Self.item(rangeEnds, index, TimelineRangeEdge()))
  }
  /// Whether an animation has a scroll timeline.
  package var hasScrollTimelines: Bool { timelines.contains { $0 != .time && $0 != .held } }

  static func item<T>(_ list: [T], _ index: Int, _ fallback: T) -> T { list.isEmpty ? fallback : list[index % list.count] }

  func composition(_ index: Int) -> Composition { Self.item(compositions, index, .replace) }
  func easing(_ index: Int) -> Easing { easings.isEmpty ? .ease : easings[index % easings.count] }
}

extension EffectStyle {
  /// The storage is empty for elements without animations.
  package var animation: AnimationStyle {
    get { animations.first ?? AnimationStyle() }
    set { animations = newValue == AnimationStyle() ? [] : [newValue] }
  }
}

extension Easing: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    func number(_ value: Double) -> String { ComputedTextWriter.number(value) }
    switch self {
    case .ease: return "ease"
    case .cubic(let x1, let y1, let x2, let y2): return "cubic-bezier(\([x1, y1, x2, y2].map(number).joined(separator: ", ")))"
    case .steps(let count, let jump): return "steps(\(count)\(jump == .end ? "" : jump == .start ? ", start" : ", jump-\(jump)"))"
    case .linear(let points):
      if points.isEmpty { return "linear" }
      return "linear(\(points.map { "\(number($0.output)) \(number($0.input * 100))%" }.joined(separator: ", ")))"
    }
  }
}

extension AnimationStyle.Duration: ComputedText {
  func css(_ writer: ComputedTextWriter) -> String {
    if case .seconds(let seconds) = self { ComputedTextWriter.number(seconds) + "s" } else { "auto" }
  }
}
