internal import OffprintCoreTypes

/// The values that determine the border-box block size of a box.
struct BlockExtent {
  /// The size if it is independent of the contents; if nil, it is that of the contents, clamped by `min` and `max`.
  var fixed: LayoutUnit?
  /// The content-based size.
  var content: LayoutUnit
  var min: LayoutUnit
  var max: LayoutUnit

  init(content: LayoutUnit, min: LayoutUnit, max: LayoutUnit) {
    self.content = content; self.min = min; self.max = max
  }

  var size: LayoutUnit { fixed ?? Swift.max(min, Swift.min(content, max)) }
}
