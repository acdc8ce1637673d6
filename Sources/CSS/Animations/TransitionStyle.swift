import OffprintCoreTypes

/// The longhands of `transition`. `properties` determines the number of transitions; the other lists repeat to match.
///
/// https://drafts.csswg.org/css-transitions-2/
struct TransitionStyle: Hashable, Sendable {
  /// Property names, including `all`; empty for `none`.
  var properties: [ByteString] = ["all"]
  /// In seconds.
  var durations: [Double] = [0]
  var delays: [Double] = [0]
  var easings: [Easing] = [.ease]
  /// Whether `transition-behavior` is `allow-discrete`.
  var allowsDiscrete = [false]

  /// Whether any transition takes time.
  var isActive: Bool {
    !properties.isEmpty && (0..<max(durations.count, delays.count)).contains { item(durations, $0, 0) + item(delays, $0, 0) > 0 }
  }

  /// The end time of the last transition, in seconds.
  var end: Double {
    guard !properties.isEmpty else { return 0 }
    return (0..<max(durations.count, delays.count)).reduce(0) { max($0, item(durations, $1, 0) + item(delays, $1, 0)) }
  }

  private func item<T>(_ list: [T], _ index: Int, _ fallback: T) -> T { list.isEmpty ? fallback : list[index % list.count] }

  /// The state of a property's transition at `time`; nil if it has no effect then. Transitions start with the first frame. The last name that
  /// matches applies.
  ///
  /// https://drafts.csswg.org/css-transitions-1/#starting
  func state(of property: (ByteString) -> Bool, at time: AnimationTime) -> (progress: Double, allowsDiscrete: Bool)? {
    guard case .seconds(let seconds) = time, let index = properties.lastIndex(where: { $0 == "all" || property($0) }) else { return nil }
    let duration = max(item(durations, index, 0), 0), delay = item(delays, index, 0)
    // https://drafts.csswg.org/css-transitions-1/#transition-combined-duration
    guard duration + delay > 0 else { return nil }
    let timing = AnimationTiming(duration: duration, delay: delay, iterations: 1, direction: .normal, fill: .backwards)
    guard let progress = timing.progress(at: seconds) else { return nil }
    return (
      item(easings, index, .ease).output(progress.value, isBefore: progress.isBefore), item(allowsDiscrete, index, false)
    )
  }
}

extension EffectStyle {
  /// The storage is empty for elements without transitions.
  var transition: TransitionStyle {
    get { transitions.first ?? TransitionStyle() }
    set { transitions = newValue == TransitionStyle() ? [] : [newValue] }
  }
}

extension TableBuilder {
  mutating func registerTransitions() {
    fields(
      "transition-property", "none | [ all | <custom-ident> ]#", parse: { $0.transitionProperties() },
      set: { (style: inout EffectStyle, value: [ByteString]) in style.transition.properties = value }, get: { $0.transition.properties })
    list("transition-duration", "<time [0,∞]>#", \.transition.durations) { $0.seconds(isSigned: false) }
    list("transition-timing-function", "<easing-function>#", \.transition.easings) { $0.easing() }
    list("transition-delay", "<time>#", \.transition.delays) { $0.seconds(isSigned: true) }
    list("transition-behavior", "[ normal | allow-discrete ]#", \.transition.allowsDiscrete) {
      $0.keyword(of: ValueParser.transitionBehaviors)
    }
  }
}

extension ValueParser {
  fileprivate static let transitionBehaviors: [(StaticString, Bool)] = [("normal", false), ("allow-discrete", true)]

  mutating func transitionProperties() -> [ByteString]? {
    keyword("none") ? [] : commaList { $0.customIdentifier(excluding: ["none"]) }
  }

  /// https://drafts.csswg.org/css-transitions-2/#transition-shorthand-property
  mutating func transitionShorthand(_ values: inout ShorthandValues) -> Bool {
    var all = TransitionStyle()
    (all.properties, all.durations, all.delays, all.easings, all.allowsDiscrete) = ([], [], [], [], [])
    var count = 0, hasNone = false
    let items = commaList { parser -> Bool? in
      guard let one = parser.singleTransition() else { return nil }
      count += 1
      if one.properties.isEmpty { hasNone = true }
      all.properties += one.properties
      all.durations += one.durations
      all.delays += one.delays
      all.easings += one.easings
      all.allowsDiscrete += one.allowsDiscrete
      return true
    }
    // `none` cannot be combined with other values.
    guard items != nil, !hasNone || count == 1 else { return false }
    values.set(0, all.properties, \.transition.properties, self)
    values.set(1, all.durations, \.transition.durations, self)
    values.set(2, all.easings, \.transition.easings, self)
    values.set(3, all.delays, \.transition.delays, self)
    values.set(4, all.allowsDiscrete, \.transition.allowsDiscrete, self)
    return true
  }

  private mutating func singleTransition() -> TransitionStyle? {
    var one = TransitionStyle(), seen: Set<Int> = []
    while let token = peek(), token.kind != .comma {
      guard transitionPart(&one, &seen) else { return nil }
    }
    return seen.isEmpty ? nil : one
  }

  private mutating func transitionPart(_ one: inout TransitionStyle, _ seen: inout Set<Int>) -> Bool {
    if let time = seconds(isSigned: true) {
      if seen.insert(0).inserted {
        one.durations = [time]
        return time >= 0
      }
      one.delays = [time]
      return seen.insert(1).inserted
    }
    if !seen.contains(2), let easing = easing() {
      one.easings = [easing]
      return seen.insert(2).inserted
    }
    if !seen.contains(3), let behavior = keyword(of: Self.transitionBehaviors) {
      one.allowsDiscrete = [behavior]
      return seen.insert(3).inserted
    }
    guard seen.insert(4).inserted else { return false }
    if keyword("none") {
      one.properties = []
      return true
    }
    guard let name = customIdentifier() else { return false }
    one.properties = [name]
    return true
  }
}
