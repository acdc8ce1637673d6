import OffprintCoreTypes

/// The effect of animations on an element's style at a time.
///
/// https://drafts.csswg.org/web-animations-1/#applying-the-composited-result
struct AnimationSampler {
  let rules: [ByteString: KeyframesRule]
  let registered: [Name: RegisteredProperty]
  /// The style of the element with further declarations.
  let style: ([Declaration]) -> ComputedStyle
  /// The style without animations.
  let base: ComputedStyle
  /// The positions of animations on scroll timelines; nil before the first layout, when they are inactive.
  let positions: TimelinePositions?
  let time: AnimationTime

  /// The declarations of the animations, which override normal author declarations but not important ones.
  func declarations() -> [Declaration] {
    let animation = base.effects.animation
    var result: [Declaration] = []
    for (index, name) in animation.names.prefix(animation.count).enumerated() {
      guard let name, let rule = rules[name], let progress = animation.progress(index, position(index), at: time) else { continue }
      let below = result
      let effect = KeyframeEffect(
        rule: rule, easing: animation.easing(index), composition: animation.composition(index), registered: registered,
        style: { style(below + $0) }, underlying: below.isEmpty ? { base } : { style(below) })
      let declarations = effect.declarations(at: progress), changed = Set(declarations.map { AnimatedProperty($0) })
      result.removeAll { changed.contains(AnimatedProperty($0)) }
      result += declarations
    }
    return result
  }

  func position(_ index: Int) -> TimelinePositions.Position {
    switch base.effects.animation.timeline(index) {
    case .time: return .time
    case .held: return .held
    case .named, .scroll, .view:
      guard let positions, positions.positions.indices.contains(index) else { return .inactive }
      return positions.positions[index]
    }
  }
}
