import OffprintCoreTypes

/// The position of an element in its document.
struct ElementPosition {
  /// The index among its siblings, starting at 1.
  var index: Int
  /// The number of siblings, including itself.
  var count: Int
  /// Its index in the document, which distinguishes the values of `random()`.
  var element: UInt32
}

extension ValueParser {
  /// https://drafts.csswg.org/css-values-5/#tree-counting
  mutating func siblingNumber(_ function: MathFunction) -> CalcValue? {
    guard isAtEnd() else { return nil }
    isRelative = true
    guard let place = element?.place() else { return .number(1) }
    return .number(Double(function == .siblingIndex ? place.index : place.count))
  }

  /// `random( <random-key>?, min, max, step? )`. The result depends only on the document, so that images are deterministic.
  ///
  /// https://drafts.csswg.org/css-values-5/#random
  mutating func randomBody(_ percentIsLength: Bool) -> CalcValue? {
    guard let base = randomBase(), let low = calcSum(percentIsLength), comma(), let high = calcSum(percentIsLength), low.type == high.type
    else { return nil }
    var step: CalcValue?
    if comma() {
      guard let given = calcSum(percentIsLength), given.type == low.type else { return nil }
      step = given
    }
    let span = MathExpression.sum([.max([low.node, high.node]), .product(low.node, -1)])
    guard let step, step.constant.map({ $0 > 0 }) ?? true else {
      if high.constant.map({ !$0.isFinite }) ?? false || low.constant.map({ !$0.isFinite }) ?? false { return low }
      return .folded(low.type, [low, high], .sum([low.node, .product(span, base)]))
    }
    // An infinite range has the value of its start. https://drafts.csswg.org/css-values-5/#random-infinities
    if high.constant.map({ !$0.isFinite }) ?? false || low.constant.map({ !$0.isFinite }) ?? false { return low }
    let steps = MathExpression.sum([.round(.down, span, step.node), step.node])
    return .folded(low.type, [low, high, step], .sum([low.node, .round(.down, .product(steps, base), step.node)]))
  }

  /// The random base value, from 0 to 1: `fixed <number>`, or by name and element.
  private mutating func randomBase() -> Double? {
    if keyword("fixed") {
      guard let value = number(0...1), comma() else { return nil }
      return Swift.min(value, 1 - 1e-9)
    }
    var seed: UInt64 = 0xcbf2_9ce4_8422_2325, hasKey = false, isAuto = false, isOfElement = false
    func mix(_ byte: UInt8) { seed = (seed ^ UInt64(byte)) &* 0x100_0000_01b3 }
    // Other identifiers are numbers: `infinity`, `pi`.
    while let word = peekIdentifier(), Self.isPartOfRandomKey(word) {
      if word.equalsIgnoringCase("element-scoped") {
        guard !isOfElement else { return nil }
        isOfElement = true
      } else {
        guard !hasKey else { return nil }
        hasKey = true
        isAuto = word.equalsIgnoringCase("auto")
        if !isAuto { word.forEach(mix) }
      }
      advance()
    }
    if hasKey || isOfElement { guard comma() else { return nil } }
    isRelative = true
    // Without a name, each function has a different value for each element.
    if isAuto || !hasKey { withUnsafeBytes(of: UInt32(truncatingIfNeeded: position).littleEndian) { $0.forEach(mix) } }
    if isAuto || isOfElement || !hasKey, let place = element?.place() {
      withUnsafeBytes(of: place.element.littleEndian) { $0.forEach(mix) }
    }
    return Self.unit(seed)
  }

  private static func isPartOfRandomKey(_ word: ArraySlice<UInt8>) -> Bool {
    word.starts(with: [0x2D, 0x2D]) || word.equalsIgnoringCase("auto") || word.equalsIgnoringCase("element-scoped")
  }

  /// The final step of SplitMix64, as a number from 0 to 1.
  private static func unit(_ seed: UInt64) -> Double {
    var z = seed &+ 0x9e37_79b9_7f4a_7c15
    z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
    z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
    return Double((z ^ (z >> 31)) >> 11) / Double(1 << 53)
  }
}
