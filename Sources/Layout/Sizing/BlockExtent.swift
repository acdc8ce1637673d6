internal import OffprintCoreTypes

/// What a box's border-box block size comes from. Kept of boxes in columns: where breaks make their contents longer, they have sizes anew.
struct BlockExtent {
  /// The size whatever the contents are; nil: that of the contents, between `min` and `max`.
  var fixed: LayoutUnit?
  /// What the contents ask for.
  var content: LayoutUnit
  var min: LayoutUnit
  var max: LayoutUnit
  /// The box contains its floats.
  var containsFloats = true

  init(content: LayoutUnit, min: LayoutUnit, max: LayoutUnit) {
    self.content = content; self.min = min; self.max = max
  }

  /// The size with contents that are larger by `growth`.
  func size(growth: LayoutUnit = .zero) -> LayoutUnit { fixed ?? Swift.max(min, Swift.min(content + growth, max)) }

  /// It is as large as its contents, and has no room beside them.
  func isTight(growth: LayoutUnit) -> Bool { encloses(growth: growth) && content + growth >= min }

  /// Nothing keeps the box from becoming as large as its contents.
  func encloses(growth: LayoutUnit) -> Bool { fixed == nil && content + growth <= max }
}
