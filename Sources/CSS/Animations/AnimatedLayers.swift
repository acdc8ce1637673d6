import OffprintCoreTypes

/// Properties that act as if specified in `will-change` while they are animated: the element has a stacking context and is a containing
/// block even if their values alone do not require it. The specification includes all properties; these are Chromium's.
///
/// https://drafts.csswg.org/web-animations-1/#side-effects-section
enum AnimatedLayers {
  private static let names: [StaticString] = ["opacity", "transform", "translate", "rotate", "scale", "filter", "backdrop-filter"]
  private static let willChange = PropertyID.named("will-change")
  private static let values: [PropertyID: WillChangeValue] = {
    var values: [PropertyID: WillChangeValue] = [:]
    for name in names {
      var value = WillChangeValue()
      value.add { "\($0)" == "\(name)" }
      values[PropertyID.named(name)] = value
    }
    return values
  }()

  static func value(of property: PropertyID) -> WillChangeValue? { values[property] }

  /// The effects of a keyframes rule.
  static func value(of rule: KeyframesRule) -> WillChangeValue {
    rule.frames.reduce(WillChangeValue()) { value, frame in
      frame.declarations.reduce(value) { $0.union(values[$1.property] ?? WillChangeValue()) }
    }
  }

  /// The declaration that adds effects to those of `will-change`; nil if it already has them.
  static func declaration(adding value: WillChangeValue, to base: ComputedStyle) -> Declaration? {
    let row = PropertyTable.shared[willChange]
    var effects = base.effects
    effects.willChange = effects.willChange.union(value)
    guard effects.willChange != base.effects.willChange, let value = withUnsafePointer(to: &effects, { row.kind.stored($0) }) else {
      return nil
    }
    return Declaration(property: willChange, value: .specified(value), important: false)
  }
}

extension AnimationSampler {
  /// See `AnimatedLayers`.
  var layers: WillChangeValue {
    let animation = base.effects.animation
    var value = WillChangeValue()
    for (index, name) in animation.names.prefix(animation.count).enumerated() {
      guard let name, let rule = rules[name], animation.isRelevant(index, position(index), at: time) else { continue }
      value = value.union(AnimatedLayers.value(of: rule))
    }
    return value
  }
}

extension StartingStyleSampler {
  /// The layers of transitions between different values. Transitions between equal values need none.
  func layers(of declarations: [Declaration]) -> WillChangeValue {
    let from = beforeChange.effects, to = afterChange.effects
    return declarations.reduce(WillChangeValue()) { value, declaration in
      guard let layer = AnimatedLayers.value(of: declaration.property) else { return value }
      let isEqual =
        from.opacity == to.opacity && from.transform == to.transform && from.translate == to.translate && from.rotate == to.rotate
        && from.scale == to.scale && from.filter == to.filter && from.backdropFilter == to.backdropFilter
      return isEqual ? value : value.union(layer)
    }
  }
}
