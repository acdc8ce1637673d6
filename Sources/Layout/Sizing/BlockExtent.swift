internal import OffprintCoreTypes

/// The values that determine the border-box block size of a box.
struct BlockExtent {
  /// The size whatever the contents are; nil: that of the contents, between `min` and `max`.
  var fixed: LayoutUnit?
  /// What the contents ask for.
  var content: LayoutUnit
  var min: LayoutUnit
  var max: LayoutUnit

  init(content: LayoutUnit, min: LayoutUnit, max: LayoutUnit) {
    self.content = content; self.min = min; self.max = max
  }

  var size: LayoutUnit { fixed ?? Swift.max(min, Swift.min(content, max)) }
}
