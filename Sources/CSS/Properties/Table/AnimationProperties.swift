import OffprintCoreTypes

// https://drafts.csswg.org/css-animations-1/
extension TableBuilder {
  mutating func registerAnimations() {
    list("animation-name", "[ none | <keyframes-name> ]#", \.animation.names) { $0.animationName() }
    list("animation-duration", "[ auto | <time [0,∞]> ]#", \.animation.durations) { $0.animationDuration() }
    list("animation-timing-function", "<easing-function>#", \.animation.easings) { $0.easing() }
    list("animation-delay", "<time>#", \.animation.delays) { $0.seconds(isSigned: true) }
    list("animation-iteration-count", "[ infinite | <number [0,∞]> ]#", \.animation.iterations) { $0.iterationCount() }
    list("animation-direction", "<single-animation-direction>#", \.animation.directions) { $0.keyword(of: ValueParser.animationDirections) }
    list("animation-fill-mode", "[ none | forwards | backwards | both ]#", \.animation.fills) { $0.keyword(of: ValueParser.animationFills) }
    list("animation-play-state", "[ running | paused ]#", \.animation.playStates) { $0.keyword(of: ValueParser.playStates) }
    list("animation-composition", "[ replace | add | accumulate ]#", \.animation.compositions) { $0.keyword(of: ValueParser.compositions) }
    registerTimelines()
  }

  /// Registers a property with a comma-separated list.
  mutating func list<Value: Sendable>(
    _ name: StaticString, _ grammar: String, _ path: any WritableKeyPath<EffectStyle, [Value]> & Sendable,
    _ parse: @escaping @Sendable (inout ValueParser) -> Value?
  ) {
    fields(
      name, grammar, parse: { parser in parser.commaList { parse(&$0) } },
      set: { (style: inout EffectStyle, value: [Value]) in style[keyPath: path] = value }, get: { $0[keyPath: path] })
  }
}

extension ValueParser {
  static let animationDirections: [(StaticString, AnimationStyle.Direction)] = [
    ("normal", .normal), ("reverse", .reverse), ("alternate", .alternate), ("alternate-reverse", .alternateReverse),
  ]
  static let animationFills: [(StaticString, AnimationStyle.Fill)] = [
    ("none", .none), ("forwards", .forwards), ("backwards", .backwards), ("both", .both),
  ]

  static let playStates: [(StaticString, AnimationStyle.PlayState)] = [("running", .running), ("paused", .paused)]
  static let compositions: [(StaticString, AnimationStyle.Composition)] = [
    ("replace", .replace), ("add", .add), ("accumulate", .accumulate),
  ]

  mutating func animationName() -> ByteString?? {
    if keyword("none") { return .some(nil) }
    if let name = string() { return .some(ByteString(name)) }
    return customIdentifier().map { .some($0) }
  }

  mutating func seconds(isSigned: Bool) -> Double? {
    attempt { parser in parser.dimension(.time).flatMap { isSigned || $0 >= 0 ? $0 : nil } }
  }

  mutating func iterationCount() -> Double? { keyword("infinite") ? .infinity : number(Self.nonNegative) }

  mutating func animationDuration() -> AnimationStyle.Duration? {
    keyword("auto") ? .auto : seconds(isSigned: false).map { .seconds($0) }
  }

  /// Keywords are assigned to names last. https://drafts.csswg.org/css-animations-1/#animation
  mutating func animationShorthand(_ values: inout ShorthandValues) -> Bool {
    var all = AnimationStyle()
    (all.names, all.durations, all.delays, all.easings, all.iterations, all.directions, all.fills) = ([], [], [], [], [], [], [])
    all.playStates = []
    let items = commaList { parser -> Bool? in
      var one = AnimationStyle(), seen: Set<Int> = [], count = 0
      while let token = parser.peek(), token.kind != .comma {
        guard parser.animationPart(&one, &seen) else { return nil }
        count += 1
      }
      all.append(one)
      return count > 0 ? true : nil
    }
    guard items != nil else { return false }
    values.set(0, all.names, \.animation.names, self)
    values.set(1, all.durations, \.animation.durations, self)
    values.set(2, all.easings, \.animation.easings, self)
    values.set(3, all.delays, \.animation.delays, self)
    values.set(4, all.iterations, \.animation.iterations, self)
    values.set(5, all.directions, \.animation.directions, self)
    values.set(6, all.fills, \.animation.fills, self)
    values.set(7, all.playStates, \.animation.playStates, self)
    return true
  }

  private mutating func animationPart(_ one: inout AnimationStyle, _ seen: inout Set<Int>) -> Bool {
    if let time = seconds(isSigned: true) {
      if seen.insert(0).inserted {
        one.durations = [.seconds(time)]
        return time >= 0
      }
      one.delays = [time]
      return seen.insert(1).inserted
    }
    // https://drafts.csswg.org/css-animations-2/#animation-duration
    if !seen.contains(0), keyword("auto") { return seen.insert(0).inserted }
    if !seen.contains(2), let easing = easing() {
      one.easings = [easing]
      return seen.insert(2).inserted
    }
    if !seen.contains(3), let count = attempt({ $0.iterationCount() }) {
      one.iterations = [count]
      return seen.insert(3).inserted
    }
    if !seen.contains(4), let direction = keyword(of: Self.animationDirections) {
      one.directions = [direction]
      return seen.insert(4).inserted
    }
    if !seen.contains(5), let fill = keyword(of: Self.animationFills) {
      one.fills = [fill]
      return seen.insert(5).inserted
    }
    if !seen.contains(6), let state = keyword(of: Self.playStates) {
      one.playStates = [state]
      return seen.insert(6).inserted
    }
    if !seen.contains(7), let name = animationName() {
      one.names = [name]
      return seen.insert(7).inserted
    }
    return false
  }
}

extension AnimationStyle {
  fileprivate mutating func append(_ other: AnimationStyle) {
    names += other.names
    durations += other.durations
    delays += other.delays
    easings += other.easings
    iterations += other.iterations
    directions += other.directions
    fills += other.fills
    playStates += other.playStates
  }
}
