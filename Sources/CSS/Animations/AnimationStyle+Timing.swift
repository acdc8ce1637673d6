import OffprintCoreTypes

/// The progress within an iteration of an animation.
struct IterationProgress: Equatable {
  /// From 0 to 1, after the direction was applied.
  var value: Double
  /// Whether steps at exactly this progress have not happened yet. https://drafts.csswg.org/css-easing-2/#before-flag
  var isBefore = false
}

// https://drafts.csswg.org/web-animations-1/#core-animation-effect-calculations
extension AnimationStyle {
  /// - Parameters:
  ///   - position: The position on the animation's scroll timeline; `.time` if it runs on the document's timeline.
  ///   - time: The time on the document's timeline.
  /// - Returns: Nil if the animation has no effect at that time.
  func progress(_ index: Int, _ position: TimelinePositions.Position, at time: AnimationTime) -> IterationProgress? {
    let timing = timing(index)
    switch position {
    case .time: return Self.item(playStates, index, .running) == .paused ? timing.progress(at: 0) : timing.progress(at: time)
    case .held: return timing.progress(at: 0)
    case .inactive: return nil
    case .scrolled(let part):
      if case .auto = Self.item(durations, index, .auto) { return timing.normalizedAuto.progress(at: part) }
      return timing.progress(atPart: part)
    }
  }

  /// Whether the animation is current or in effect. https://drafts.csswg.org/web-animations-1/#current
  func isRelevant(_ index: Int, _ position: TimelinePositions.Position, at time: AnimationTime) -> Bool {
    switch position {
    case .time: Self.item(playStates, index, .running) == .paused || timing(index).isRelevant(at: time)
    case .held, .scrolled: true
    case .inactive: false
    }
  }

  /// Adds the lengths of the animations on the document's timeline.
  func add(to lengths: inout AnimationLengths, rules: [ByteString: KeyframesRule]) {
    for (index, name) in names.prefix(count).enumerated() {
      guard let name, rules[name] != nil, timeline(index) == .time, Self.item(playStates, index, .running) == .running else { continue }
      timing(index).add(to: &lengths)
    }
  }

  private func timing(_ index: Int) -> AnimationTiming {
    var duration = 0.0
    if case .seconds(let seconds) = Self.item(durations, index, .auto) { duration = max(seconds, 0) }
    return AnimationTiming(
      duration: duration, delay: Self.item(delays, index, 0), iterations: max(Self.item(iterations, index, 1), 0),
      direction: Self.item(directions, index, .normal), fill: Self.item(fills, index, .none))
  }
}

/// The timing properties of an animation, in seconds.
struct AnimationTiming {
  var duration: Double
  var delay: Double
  var iterations: Double
  var direction: AnimationStyle.Direction
  var fill: AnimationStyle.Fill

  private var activeDuration: Double { duration == 0 || iterations == 0 ? 0 : duration * iterations }

  func add(to lengths: inout AnimationLengths) {
    if activeDuration.isFinite { return lengths.add(finite: delay + activeDuration) }
    let isAlternating = direction == .alternate || direction == .alternateReverse
    // The delay precedes only the first iteration. The period after it can be repeated seamlessly.
    lengths.add(period: max(0, delay) + duration * (isAlternating ? 2 : 1))
  }

  func progress(at time: AnimationTime) -> IterationProgress? {
    switch time {
    case .seconds(let seconds): progress(at: seconds)
    case .end: progress(at: activeDuration.isFinite ? .infinity : max(delay, 0))
    }
  }

  /// False after the end of an animation that does not fill forwards.
  func isRelevant(at time: AnimationTime) -> Bool {
    switch time {
    case .seconds(let seconds):
      Self.rounded(seconds - delay) < Self.rounded(activeDuration) || progress(at: seconds) != nil
    case .end: !activeDuration.isFinite || progress(at: .end) != nil
    }
  }

  // MARK: Scroll timelines

  /// Converts durations and delays in seconds to fractions of the range, in proportion to each other.
  ///
  /// https://drafts.csswg.org/web-animations-2/#time-normalization
  func progress(atPart part: Double) -> IterationProgress? {
    // An infinite animation has no proportional durations.
    guard iterations.isFinite else { return part < 0 ? scaled(duration: 0, delay: 0).progress(at: part) : finalProgress }
    let end = delay + duration * iterations
    return end > 0
      ? scaled(duration: duration / end, delay: delay / end).progress(at: part) : scaled(duration: 0, delay: 0).progress(at: part)
  }

  /// Without a duration, the iterations share the whole range.
  var normalizedAuto: AnimationTiming { scaled(duration: iterations > 0 && iterations.isFinite ? 1 / iterations : 0, delay: 0) }

  private func scaled(duration: Double, delay: Double) -> AnimationTiming {
    var timing = self
    (timing.duration, timing.delay) = (duration, delay)
    return timing
  }

  /// The progress after the end of an animation that fills forwards; nil for others.
  private var finalProgress: IterationProgress? {
    fill == .forwards || fill == .both ? directed(1, 0, isBefore: false, isAfter: true) : nil
  }

  // MARK: The document's timeline

  /// https://drafts.csswg.org/web-animations-1/#calculating-the-directed-progress
  func progress(at time: Double) -> IterationProgress? {
    let local = Self.rounded(time - delay), activeDuration = Self.rounded(activeDuration)
    let isBefore = local < 0, isAfter = !isBefore && local >= activeDuration
    if isBefore, fill != .backwards, fill != .both { return nil }
    if isAfter, fill != .forwards, fill != .both { return nil }
    let active = isBefore ? 0 : min(local, activeDuration)
    // Chromium also sets the before flag at exactly the end of a delay, so that steps at the start of the first iteration have not happened.
    let isAtStart = local == 0 && delay > 0
    let overall = Self.ticks(duration) > 0 ? Self.ticks(active) / Self.ticks(duration) : isBefore ? 0 : iterations
    guard overall.isFinite else { return directed(0, 0, isBefore: isBefore, isAfter: isAfter) }
    var simple = overall.truncatingRemainder(dividingBy: 1)
    if simple == 0, isAfter, overall > 0 { simple = 1 }
    let iteration = simple == 1 ? max(0, overall - 1).rounded(.down) : overall.rounded(.down)
    return directed(simple, iteration, isBefore: isBefore || isAtStart, isAfter: isAfter)
  }

  /// Rounds to ticks, so that sums of decimal fractions that are equal in the style sheet are equal here. Chromium compares times with a
  /// tolerance of 1 µs.
  private static func rounded(_ value: Double) -> Double { ticks(value) / 1e7 }

  /// A time in integral ticks of 0.1 µs, if these are exact. Quotients of integers are the nearest values to fractions such as 1/3, so that
  /// steps at these fractions have happened.
  private static func ticks(_ value: Double) -> Double { abs(value) < 1e8 ? (value * 1e7).rounded() : value * 1e7 }

  private func directed(_ progress: Double, _ iteration: Double, isBefore: Bool, isAfter: Bool) -> IterationProgress {
    let isOdd = iteration.truncatingRemainder(dividingBy: 2) == 1
    let isReverse =
      switch direction {
      case .normal: false
      case .reverse: true
      case .alternate: isOdd
      case .alternateReverse: !isOdd
      }
    return IterationProgress(value: isReverse ? 1 - progress : progress, isBefore: isReverse ? isAfter : isBefore)
  }
}
