import OffprintCoreTypes

/// The longhands of `animation` as given: the names say how many animations there are, the other lists repeat.
///
/// https://drafts.csswg.org/css-animations-1/
package struct AnimationStyle: Hashable, Sendable {
  enum Direction: UInt8, Hashable, Sendable { case normal, reverse, alternate, alternateReverse }
  enum Fill: UInt8, Hashable, Sendable { case none, forwards, backwards, both }

  /// nil is `none`.
  var names: [ByteString?] = [nil]
  var durations: [Duration] = [.auto]
  var delays: [Double] = [0]
  var easings: [Easing] = [.ease]
  var iterations: [Double] = [1]
  var directions: [Direction] = [.normal]
  var fills: [Fill] = [.none]
  package var timelines: [AnimationTimeline] = [.time]
  package var rangeStarts: [TimelineRangeEdge] = [TimelineRangeEdge()]
  package var rangeEnds: [TimelineRangeEdge] = [TimelineRangeEdge()]

  enum Duration: Hashable, Sendable {
    /// On a scroll timeline the whole range, else 0.
    case auto
    case seconds(Double)
  }

  /// How many animations there are.
  package var count: Int { min(names.count, Self.most) }
  private static let most = 64

  package func timeline(_ index: Int) -> AnimationTimeline { Self.item(timelines, index, .time) }
  package func range(_ index: Int) -> (start: TimelineRangeEdge, end: TimelineRangeEdge) {
    (Self.item(rangeStarts, index, TimelineRangeEdge()), Self.item(rangeEnds, index, TimelineRangeEdge()))
  }
  /// Whether an animation is moved by scrolling.
  package var hasScrollTimelines: Bool { timelines.contains { $0 != .time } }

  private static func item<T>(_ list: [T], _ index: Int, _ fallback: T) -> T { list.isEmpty ? fallback : list[index % list.count] }

  /// How far an iteration has come when the page is first shown; nil where the animation has no effect then.
  ///
  /// - Parameter position: on a scroll timeline, see `TimelinePositions`; `.time` on the clock.
  func progress(_ index: Int, _ position: TimelinePositions.Position) -> Double? {
    switch position {
    case .time: progress(index, time: 0, duration: seconds(index) ?? 0, delay: Self.item(delays, index, 0))
    case .inactive: nil
    case .scrolled(let part): progress(index, part: part)
    }
  }

  private func seconds(_ index: Int) -> Double? {
    if case .seconds(let seconds) = Self.item(durations, index, .auto) { max(seconds, 0) } else { nil }
  }

  /// Durations and delays in seconds become parts of the range, in the proportions that they have to one another.
  ///
  /// https://drafts.csswg.org/web-animations-2/#time-normalization
  private func progress(_ index: Int, part: Double) -> Double? {
    let iterations = max(Self.item(iterations, index, 1), 0)
    // What never ends has no part in proportion to it.
    guard iterations.isFinite else { return part < 0 ? progress(index, time: part, duration: 0, delay: 0) : end(index) }
    guard let duration = seconds(index) else {
      return progress(index, time: part, duration: iterations > 0 ? 1 / iterations : 0, delay: 0)
    }
    let delay = Self.item(delays, index, 0)
    let end = delay + duration * iterations
    guard end > 0 else { return progress(index, time: part, duration: 0, delay: 0) }
    return progress(index, time: part, duration: duration / end, delay: delay / end)
  }

  /// The end of an iteration, where the animation has an effect after its end.
  private func end(_ index: Int) -> Double? {
    let fill = Self.item(fills, index, .none)
    return fill == .forwards || fill == .both ? directed(1, 0, Self.item(directions, index, .normal)) : nil
  }

  /// https://drafts.csswg.org/web-animations-1/#calculating-the-transformed-progress
  private func progress(_ index: Int, time: Double, duration: Double, delay: Double) -> Double? {
    let iterations = max(Self.item(iterations, index, 1), 0)
    let fill = Self.item(fills, index, .none)
    let activeDuration = duration == 0 || iterations == 0 ? 0 : duration * iterations
    let local = time - delay
    let active: Double
    let isAfter = local >= activeDuration
    if local < 0 {
      guard fill == .backwards || fill == .both else { return nil }
      active = 0
    } else if isAfter {
      guard fill == .forwards || fill == .both else { return nil }
      active = activeDuration
    } else {
      active = local
    }
    let direction = Self.item(directions, index, .normal)
    let overall = duration > 0 ? active / duration : local < 0 ? 0 : iterations
    guard overall.isFinite else { return directed(0, 0, direction) }
    var simple = overall.truncatingRemainder(dividingBy: 1)
    if simple == 0, isAfter, overall > 0 { simple = 1 }
    let iteration = simple == 1 ? max(0, overall - 1).rounded(.down) : overall.rounded(.down)
    return directed(simple, iteration, direction)
  }

  private func directed(_ progress: Double, _ iteration: Double, _ direction: Direction) -> Double {
    let isOdd = iteration.truncatingRemainder(dividingBy: 2) == 1
    let isReverse =
      switch direction {
      case .normal: false
      case .reverse: true
      case .alternate: isOdd
      case .alternateReverse: !isOdd
      }
    return isReverse ? 1 - progress : progress
  }

  func easing(_ index: Int) -> Easing { easings.isEmpty ? .ease : easings[index % easings.count] }
}

extension EffectStyle {
  /// Elements without animations have nothing here.
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
