import OffprintCoreTypes

/// The longhands of `animation` as given: the names say how many animations there are, the other lists repeat.
///
/// https://drafts.csswg.org/css-animations-1/
struct AnimationStyle: Hashable, Sendable {
  enum Direction: UInt8, Hashable, Sendable { case normal, reverse, alternate, alternateReverse }
  enum Fill: UInt8, Hashable, Sendable { case none, forwards, backwards, both }

  /// nil is `none`.
  var names: [ByteString?] = [nil]
  /// In seconds.
  var durations: [Double] = [0]
  var delays: [Double] = [0]
  var easings: [Easing] = [.ease]
  var iterations: [Double] = [1]
  var directions: [Direction] = [.normal]
  var fills: [Fill] = [.none]
  /// The clock; scroll timelines do not move in a still picture.
  var followsTime = [true]

  /// How far an iteration has come when the page is first shown; nil where the animation has no effect then.
  ///
  /// https://drafts.csswg.org/web-animations-1/#calculating-the-transformed-progress
  func progress(_ index: Int) -> Double? {
    func item<T>(_ list: [T], _ fallback: T) -> T { list.isEmpty ? fallback : list[index % list.count] }
    guard item(followsTime, true) else { return nil }
    let duration = max(item(durations, 0), 0), delay = item(delays, 0), iterations = max(item(iterations, 1), 0)
    let fill = item(fills, .none)
    let activeDuration = duration == 0 || iterations == 0 ? 0 : duration * iterations
    let active: Double
    if delay > 0 {
      guard fill == .backwards || fill == .both else { return nil }
      active = 0
    } else if -delay >= activeDuration {
      guard fill == .forwards || fill == .both else { return nil }
      active = activeDuration
    } else {
      active = -delay
    }
    let isAfter = delay <= 0 && -delay >= activeDuration
    let overall = duration > 0 ? active / duration : delay > 0 ? 0 : iterations
    guard overall.isFinite else { return directed(0, 0, item(directions, .normal)) }
    var simple = overall.truncatingRemainder(dividingBy: 1)
    if simple == 0, isAfter, overall > 0 { simple = 1 }
    let iteration = simple == 1 ? max(0, overall - 1).rounded(.down) : overall.rounded(.down)
    return directed(simple, iteration, item(directions, .normal))
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
  var animation: AnimationStyle {
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
