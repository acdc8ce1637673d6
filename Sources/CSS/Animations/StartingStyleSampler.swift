import OffprintCoreTypes

/// What transitions make of an element's style at the moment a page is first shown: they begin at what `@starting-style` rules declare.
///
/// https://drafts.csswg.org/css-transitions-2/#defining-before-change-style
struct StartingStyleSampler {
  /// The style with the rules of `@starting-style`.
  let starting: ComputedStyle
  /// The style without them, in which the transitions end.
  let ending: ComputedStyle
  let names: NameTable

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
    guard let state = ending.effects.transition.state(of: { matches($0, animated) }) else { return nil }
    guard animated.name == nil else { return state.progress < 1 ? declaration : nil }
    let table = PropertyTable.shared, text = ending.text
    let property = table[animated.property].logical?.target(text.writingMode, text.direction) ?? animated.property
    let row = table[property]
    guard let a = starting.unzoomed.record.pointee.group(row.group), let b = ending.unzoomed.record.pointee.group(row.group) else {
      return nil
    }
    if let value = row.kind.interpolated(a, b, state.progress) {
      return Declaration(property: property, value: .specified(value), important: false)
    }
    // Values that do not mix change at once, unless discrete transitions are allowed.
    return state.allowsDiscrete && state.progress < 0.5 ? declaration : nil
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
