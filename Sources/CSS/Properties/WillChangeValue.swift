/// The effects of the properties in `will-change` on boxes.
///
/// https://drafts.csswg.org/css-will-change/#will-change
struct WillChangeValue: Hashable, Sendable {
  var stacking = false, containing = false, position = false, filter = false, zIndex = false, backdropRoot = false

  /// - Parameter isNamed: Whether a property is specified.
  mutating func add(_ isNamed: (StaticString) -> Bool) {
    if Self.stackingProperties.contains(where: isNamed) { stacking = true }
    if isNamed("z-index") { zIndex = true }
    if Self.backdropProperties.contains(where: isNamed) { backdropRoot = true }
    if isNamed("position") { position = true }
    if Self.filterProperties.contains(where: isNamed) { filter = true }
    if Self.containingProperties.contains(where: isNamed) { containing = true }
  }

  func union(_ other: WillChangeValue) -> WillChangeValue {
    WillChangeValue(
      stacking: stacking || other.stacking, containing: containing || other.containing, position: position || other.position,
      filter: filter || other.filter, zIndex: zIndex || other.zIndex, backdropRoot: backdropRoot || other.backdropRoot)
  }

  private static let stackingProperties: [StaticString] = [
    "opacity", "transform", "translate", "rotate", "scale", "perspective", "filter", "backdrop-filter", "clip-path", "mask", "mask-image",
    "mix-blend-mode", "isolation", "position", "transform-style", "-webkit-mask", "-webkit-transform", "view-transition-name",
    "-webkit-filter", "-webkit-mask-image", "mask-border", "offset-path", "-webkit-perspective",
  ]
  private static let containingProperties: [StaticString] = [
    "transform", "translate", "rotate", "scale", "perspective", "filter", "backdrop-filter", "transform-style", "contain",
    "-webkit-transform",
    "offset-path", "-webkit-perspective", "-webkit-filter",
  ]

  /// https://drafts.fxtf.org/filter-effects-2/#BackdropRoot
  private static let backdropProperties: [StaticString] = [
    "opacity", "filter", "backdrop-filter", "mix-blend-mode", "clip-path", "mask", "mask-image", "mask-border", "-webkit-filter",
    "-webkit-mask", "-webkit-mask-image",
  ]
  private static let filterProperties: [StaticString] = ["filter", "backdrop-filter", "-webkit-filter"]
}

extension EffectStyle {
  var willChange: WillChangeValue {
    get {
      WillChangeValue(
        stacking: willChangeStackingContext, containing: willChangeContainingBlock, position: willChangePosition, filter: willChangeFilter,
        zIndex: willChangeZIndex, backdropRoot: willChangeBackdropRoot)
    }
    set {
      (willChangeStackingContext, willChangeContainingBlock) = (newValue.stacking, newValue.containing)
      (willChangePosition, willChangeFilter) = (newValue.position, newValue.filter)
      (willChangeZIndex, willChangeBackdropRoot) = (newValue.zIndex, newValue.backdropRoot)
    }
  }
}
