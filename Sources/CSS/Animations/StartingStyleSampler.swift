import OffprintCoreTypes

/// The effect of transitions on an element's style at a time: when the page is first shown, they start from the declarations of
/// `@starting-style` rules.
///
/// https://drafts.csswg.org/css-transitions-2/#defining-before-change-style
struct StartingStyleSampler {
  /// The style with the rules of `@starting-style`.
  let starting: ComputedStyle
  /// The style without them, in which the transitions end.
  let ending: ComputedStyle
  let names: NameTable
  let registered: [Name: RegisteredProperty]
  let time: AnimationTime

  /// - Parameter declared: what the rules in `@starting-style` declare, those that win last.
  func declarations(of declared: [Declaration]) -> [Declaration] {
    var seen: Set<AnimatedProperty> = [], result: [Declaration] = []
    for declaration in declared.reversed() where seen.insert(AnimatedProperty(declaration)).inserted {
      if let sampled = sample(declaration) { result.append(sampled) }
    }
    return result.reversed()
  }

  private func sample(_ declaration: Declaration) -> Declaration? {
    let animated = AnimatedProperty(declaration)
    guard let state = ending.effects.transition.state(of: { matches($0, animated) }, at: time) else { return nil }
    let mixture = PropertyInterpolator(style: ending, registered: registered)
    if let value = mixture.interpolated(animated, starting, ending, state.progress) { return value }
    if animated.property == PropertyInterpolator.visibility {
      return mixture.discrete(animated, starting, ending, state.progress)
    }
    // Values that do not mix change at once, unless discrete transitions are allowed.
    guard state.allowsDiscrete || animated.name != nil && time == .start else { return nil }
    return mixture.discrete(animated, starting, ending, state.progress) ?? (state.progress < 0.5 ? declaration : nil)
  }

  /// Whether a name in `transition-property` is that of a property, or of a shorthand of it.
  private func matches(_ name: ByteString, _ animated: AnimatedProperty) -> Bool {
    if let custom = animated.name { return names[custom].elementsEqual(name.text.utf8) }
    guard let entry = PropertyTable.shared.lookup(Array(name.text.utf8)[...]) else { return false }
    var found = false
    PropertyTable.shared.forEachLonghand(of: entry) { if $0 == animated.property { found = true } }
    return found
  }
}
