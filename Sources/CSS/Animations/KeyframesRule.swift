import OffprintCoreTypes

/// A `@keyframes` rule. The frames are sorted by offset.
///
/// https://drafts.csswg.org/css-animations-1/#keyframes
struct KeyframesRule: Sendable {
  struct Frame: Sendable {
    var offset: Double
    /// The easing to the next frame; nil to use that of the animation.
    var easing: Easing?
    /// Nil if that of the animation applies.
    var composition: AnimationStyle.Composition?
    var declarations: [Declaration]
  }
  var frames: [Frame] = []

  /// The properties that the frames set, in the order of their first declaration.
  var properties: [AnimatedProperty] {
    var seen: Set<AnimatedProperty> = [], result: [AnimatedProperty] = []
    for frame in frames {
      for declaration in frame.declarations where seen.insert(AnimatedProperty(declaration)).inserted {
        result.append(AnimatedProperty(declaration))
      }
    }
    return result
  }
}

struct AnimatedProperty: Hashable, Sendable {
  var property: PropertyID
  /// The name of a custom property; nil for other properties.
  var customName: Name?

  init(_ declaration: Declaration) {
    property = declaration.property
    switch declaration.value {
    case .custom(let name, _), .customWide(let name, _): self.customName = name
    default: customName = nil
    }
  }
}

extension StyleSheetParser {
  mutating func consumeKeyframes(_ prelude: Range<Int>, _ open: Int) {
    guard prelude.count == 1, list.kind(prelude.lowerBound) == .ident || list.kind(prelude.lowerBound) == .string else {
      return report(.invalidAtRule, "The rule is not valid", prelude)
    }
    let name = String(decoding: list.value(prelude.lowerBound), as: UTF8.self)
    var rule = KeyframesRule()
    var index = open + 1
    let end = list.blockEnd(open)
    while index < end, context.meter.spend() {
      var block = index
      while block < end, list.kind(block) != .openCurly { block = list.skip(block) }
      guard block < end else { break }
      let offsets = list.split(list.trimmed(index..<block), at: .comma).compactMap { keyframeOffset(list.trimmed($0)) }
      let declarations = keyframeDeclarations(block)
      let easing: Easing? = declarations.lazy.compactMap { Self.first(Self.timingFunction, $0) }.first
      let composition: AnimationStyle.Composition? = declarations.lazy.compactMap { Self.first(Self.composition, $0) }.first
      let animated = declarations.filter { !Self.isOfAnimation($0) }
      for offset in offsets {
        rule.frames.append(KeyframesRule.Frame(offset: offset, easing: easing, composition: composition, declarations: animated))
      }
      index = list.skip(block)
    }
    let order = rule.frames.indices.sorted { (rule.frames[$0].offset, $0) < (rule.frames[$1].offset, $1) }
    rule.frames = order.map { rule.frames[$0] }
    builder.keyframes[name] = rule
  }

  private func keyframeOffset(_ range: Range<Int>) -> Double? {
    guard range.count == 1 else { return nil }
    if list.isIdent(range.lowerBound, "from") { return 0 }
    if list.isIdent(range.lowerBound, "to") { return 1 }
    let token = list[range.lowerBound]
    guard token.kind == .percentage, (0...100).contains(token.number) else { return nil }
    return token.number / 100
  }

  private static let ofAnimation: Set<PropertyID> = Set(
    [
      "animation-name", "animation-duration", "animation-delay", "animation-iteration-count", "animation-direction", "animation-fill-mode",
      "animation-play-state", "animation-timeline", "animation-range-start", "animation-range-end", "animation-timing-function",
      "animation-composition",
    ].map { PropertyID.named($0) })
  private static let timingFunction = PropertyID.named("animation-timing-function")
  private static let composition = PropertyID.named("animation-composition")

  private static func isOfAnimation(_ declaration: Declaration) -> Bool { ofAnimation.contains(declaration.property) }

  /// The first value of a list property, which is the one that applies in a keyframe.
  private static func first<Value: Sendable>(_ property: PropertyID, _ declaration: Declaration) -> Value? {
    guard declaration.property == property, case .specified(let value) = declaration.value else { return nil }
    return (value as? FieldsValue<EffectStyle, [Value]>)?.value.first
  }
}
