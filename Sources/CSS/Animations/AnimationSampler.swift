import OffprintCoreTypes

/// What animations make of an element's style at the moment a page is first shown.
///
/// https://drafts.csswg.org/web-animations-1/#calculating-the-effect-value-of-a-keyframe-effect
struct AnimationSampler {
  let rules: [ByteString: KeyframesRule]
  let registered: [Name: RegisteredProperty]
  /// The style of the element with further declarations.
  let style: ([Declaration]) -> ComputedStyle
  /// Without animations.
  let base: ComputedStyle
  /// Of animations on scroll timelines; nil: not known yet, they are inactive.
  let positions: TimelinePositions?

  /// Declarations above those of the author and below important ones.
  func declarations() -> [Declaration] {
    let animation = base.effects.animation
    var result: [Declaration] = []
    for (index, name) in animation.names.prefix(animation.count).enumerated() {
      guard let name, let rule = rules[name], let progress = animation.progress(index, position(index)) else { continue }
      result += sample(rule, progress, animation.easing(index))
    }
    return result
  }

  private func position(_ index: Int) -> TimelinePositions.Position {
    if base.effects.animation.timeline(index) == .time { return .time }
    guard let positions, positions.positions.indices.contains(index) else { return .inactive }
    return positions.positions[index]
  }

  private func sample(_ rule: KeyframesRule, _ progress: Double, _ easing: Easing) -> [Declaration] {
    var styles: [Int: ComputedStyle] = [:]
    func style(_ frame: Int?) -> ComputedStyle {
      guard let frame else { return base }
      if let known = styles[frame] { return known }
      let made = self.style(rule.frames[frame].declarations)
      styles[frame] = made
      return made
    }
    return rule.properties.compactMap { property in
      func declaration(_ index: Int) -> Declaration? {
        rule.frames[index].declarations.last { AnimatedProperty($0) == property }
      }
      let own = rule.frames.indices.filter { declaration($0) != nil }
      let from = own.last { rule.frames[$0].offset <= progress }
      let to = own.first { rule.frames[$0].offset > progress }
      let start = from.map { rule.frames[$0].offset } ?? 0, end = to.map { rule.frames[$0].offset } ?? 1
      // At a keyframe the value is the declaration itself.
      if let from, to == nil && end == start || progress == start { return declaration(from) }
      guard end > start else { return nil }
      let curve = from.flatMap { rule.frames[$0].easing } ?? easing
      let part = curve.output((progress - start) / (end - start))
      if let value = interpolated(property, style(from), style(to), part) { return value }
      return part < 0.5 ? from.flatMap(declaration) : to.flatMap(declaration)
    }
  }

  /// Custom properties have values between two only where their type is registered.
  ///
  /// https://drafts.css-houdini.org/css-properties-values-api/#animation-behavior-of-custom-properties
  private func interpolated(_ name: Name, _ from: ComputedStyle, _ to: ComputedStyle, _ part: Double) -> Declaration? {
    guard let registration = registered[name], part.isFinite else { return nil }
    func value(_ style: ComputedStyle) -> [UInt8]? { style.record.pointee.custom?.pointee.values[name] ?? registration.initialValue }
    guard let a = value(from), let b = value(to), let text = registration.interpolated(a, b, part) else { return nil }
    let buffer = Tokenizer.tokenize(text)
    let raw = RawValue(buffer: buffer, tokens: 0..<max(buffer.tokens.count - 1, 0), quirks: false, baseURL: "", hasSubstitutions: false)
    return Declaration(property: .custom, value: .custom(name, raw), important: false)
  }

  private func interpolated(_ animated: AnimatedProperty, _ from: ComputedStyle, _ to: ComputedStyle, _ part: Double) -> Declaration? {
    if let name = animated.name { return interpolated(name, from, to, part) }
    let table = PropertyTable.shared, text = base.text
    let property = table[animated.property].logical?.target(text.writingMode, text.direction) ?? animated.property
    let row = table[property]
    guard let a = from.unzoomed.record.pointee.group(row.group), let b = to.unzoomed.record.pointee.group(row.group),
      let value = row.kind.interpolated(a, b, part)
    else { return nil }
    return Declaration(property: property, value: .specified(value), important: false)
  }
}
