import CoreTypes

/// What animations make of an element's style at the moment a page is first shown.
///
/// https://drafts.csswg.org/web-animations-1/#calculating-the-effect-value-of-a-keyframe-effect
struct AnimationSampler {
  let rules: [String: KeyframesRule]
  /// The style of the element with further declarations.
  let style: ([Declaration]) -> ComputedStyle
  /// Without animations.
  let base: ComputedStyle

  /// Declarations above those of the author and below important ones.
  func declarations() -> [Declaration] {
    let animation = base.effects.animation
    var result: [Declaration] = []
    for (index, name) in animation.names.enumerated().prefix(64) {
      guard let name, let rule = rules[name], let progress = animation.progress(index) else { continue }
      result += sample(rule, progress, animation.easing(index))
    }
    return result
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

  private func interpolated(_ animated: AnimatedProperty, _ from: ComputedStyle, _ to: ComputedStyle, _ part: Double) -> Declaration? {
    guard animated.name == nil else { return nil }
    let table = PropertyTable.shared, text = base.text
    let property = table[animated.property].logical?.target(text.writingMode, text.direction) ?? animated.property
    let row = table[property]
    guard let a = from.unzoomed.record.pointee.group(row.group), let b = to.unzoomed.record.pointee.group(row.group),
      let value = row.interpolated(a, b, part)
    else { return nil }
    return Declaration(property: property, value: .specified(value), important: false)
  }
}
