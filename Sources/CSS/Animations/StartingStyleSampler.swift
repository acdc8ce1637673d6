import OffprintCoreTypes

/// Computes the values of transitions at a time. On the first style update, transitions run from the style with `@starting-style` rules to the
/// style without them.
///
/// https://drafts.csswg.org/css-transitions-2/#defining-before-change-style
struct StartingStyleSampler {
  /// The before-change style: the style with the rules of `@starting-style`.
  let beforeChange: ComputedStyle
  /// The after-change style: the style without the rules of `@starting-style`.
  let afterChange: ComputedStyle
  let names: NameTable
  let registered: [Name: RegisteredProperty]
  let time: AnimationTime

  /// Returns the declarations that replace those of `@starting-style` at `time`.
  ///
  /// - Parameter declared: The declarations in `@starting-style` rules, in cascade order: the last one of a property wins.
  func declarations(of declared: [Declaration]) -> [Declaration] {
    var seen: Set<AnimatedProperty> = [], result: [Declaration] = []
    for declaration in declared.reversed() where seen.insert(AnimatedProperty(declaration)).inserted {
      if let sampled = sample(declaration) { result.append(sampled) }
    }
    return result.reversed()
  }

  private func sample(_ declaration: Declaration) -> Declaration? {
    let animated = AnimatedProperty(declaration)
    guard let state = afterChange.effects.transition.state(of: { matches($0, animated) }, at: time) else { return nil }
    let interpolator = PropertyInterpolator(style: afterChange, registered: registered)
    if let value = interpolator.interpolated(animated, beforeChange, afterChange, state.progress) { return value }
    if animated.property == PropertyInterpolator.visibility {
      return interpolator.discrete(animated, beforeChange, afterChange, state.progress)
    }
    // Values that cannot be interpolated do not start a transition without `allow-discrete`.
    // https://drafts.csswg.org/css-transitions-2/#transition-behavior-property
    // Exception: in the first frame, such custom properties have the value of `@starting-style`.
    guard state.allowsDiscrete || (animated.customName != nil && time == .start) else { return nil }
    return interpolator.discrete(animated, beforeChange, afterChange, state.progress) ?? (state.progress < 0.5 ? declaration : nil)
  }

  /// Whether a name in `transition-property` is the name of the property or of one of its shorthands.
  private func matches(_ name: ByteString, _ animated: AnimatedProperty) -> Bool {
    if let custom = animated.customName { return names[custom].elementsEqual(name.text.utf8) }
    guard let entry = PropertyTable.shared.lookup(Array(name.text.utf8)[...]) else { return false }
    var found = false
    PropertyTable.shared.forEachLonghand(of: entry) { if $0 == animated.property { found = true } }
    return found
  }
}
