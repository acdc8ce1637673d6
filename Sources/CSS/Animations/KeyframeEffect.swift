import OffprintCoreTypes

/// The keyframes of one animation, applied to an element.
///
/// https://drafts.csswg.org/web-animations-1/#calculating-the-effect-value-of-a-keyframe-effect
struct KeyframeEffect {
  let rule: KeyframesRule
  /// The easing of frames that specify none.
  let easing: Easing
  /// The composition of frames that specify none.
  let composition: AnimationStyle.Composition
  let registered: [Name: RegisteredProperty]
  /// The style of the element with further declarations, above those of the animations below this one.
  let style: ([Declaration]) -> ComputedStyle
  /// The style that this effect is added to.
  let underlying: () -> ComputedStyle

  func declarations(at progress: IterationProgress) -> [Declaration] {
    var frames = FrameStyles(self)
    return rule.properties.compactMap { sample($0, progress, &frames) }
  }

  private func sample(_ property: AnimatedProperty, _ progress: IterationProgress, _ frames: inout FrameStyles) -> Declaration? {
    func declaration(_ index: Int) -> Declaration? {
      rule.frames[index].declarations.last { AnimatedProperty($0) == property }
    }
    let own = rule.frames.indices.filter { declaration($0) != nil }
    let from = own.last { rule.frames[$0].offset <= progress.value }
    let to = own.first { rule.frames[$0].offset > progress.value }
    let start = from.map { rule.frames[$0].offset } ?? 0, end = to.map { rule.frames[$0].offset } ?? 1
    let curve = from.flatMap { rule.frames[$0].easing } ?? easing
    let part = end > start ? curve.output((progress.value - start) / (end - start), isBefore: progress.isBefore) : 0
    // At a keyframe the value is the declaration itself.
    if part == 0, let from { return frames.composed(property, from) ?? declaration(from) }
    guard end > start else { return nil }
    if part == 1, let to { return frames.composed(property, to) ?? declaration(to) }
    let interpolator = PropertyInterpolator(style: frames.underlying, registered: registered)
    if let value = interpolator.interpolated(property, frames.style(from), frames.style(to), part) { return value }
    if let value = interpolator.discrete(property, frames.style(from), frames.style(to), part) { return value }
    return part < 0.5 ? from.flatMap(declaration) : to.flatMap(declaration)
  }

  /// The styles of keyframes, computed when they are needed.
  private struct FrameStyles {
    private let effect: KeyframeEffect
    private var styles: [Int: ComputedStyle] = [:]
    private(set) lazy var underlying = effect.underlying()

    init(_ effect: KeyframeEffect) { self.effect = effect }

    /// A nil frame is an implicit keyframe: the underlying value.
    mutating func style(_ frame: Int?) -> ComputedStyle {
      guard let frame else { return underlying }
      if let cached = styles[frame] { return cached }
      let declarations = effect.rule.frames[frame].declarations, composition = composition(frame)
      var style = effect.style(declarations)
      if composition != .replace {
        let interpolator = PropertyInterpolator(style: underlying, registered: effect.registered)
        let sums = declarations.compactMap { interpolator.sum(AnimatedProperty($0), underlying, style, composition) }
        if !sums.isEmpty { style = effect.style(declarations + sums) }
      }
      styles[frame] = style
      return style
    }

    /// The value at a frame that is added to the underlying value; nil if it replaces that.
    mutating func composed(_ property: AnimatedProperty, _ frame: Int) -> Declaration? {
      guard composition(frame) != .replace else { return nil }
      let style = style(frame)
      return PropertyInterpolator(style: underlying, registered: effect.registered).interpolated(property, style, style, 0)
    }

    private func composition(_ frame: Int) -> AnimationStyle.Composition { effect.rule.frames[frame].composition ?? effect.composition }
  }
}
