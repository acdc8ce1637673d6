internal import OffprintCSS
internal import OffprintCoreTypes

/// The content of a multi-column container in one column without end, and what columns it goes into.
///
/// Kept, because a container that is itself broken fills its columns anew in each fragmentainer.
struct MultiColumnFlow {
  let direction: WritingDirection
  let count: Int
  let columnSize: LayoutUnit
  let stride: LayoutUnit
  let contentInline: LayoutUnit
  /// The container's content block size where it has one or a maximum.
  let maximum: LayoutUnit?
  /// `column-fill: auto`: columns are filled one after the other.
  var fills: Bool
  /// nil: nothing is in it.
  let content: LayoutResult?
  /// The container's block size does not depend on the columns.
  var isDefinite = false
  /// Of the container's border-box block size.
  var limits = (min: LayoutUnit.zero, max: LayoutUnit.max)
  /// The largest block size in it that cannot be broken.
  var tallest = LayoutUnit.zero
  /// How far the contents of spanning elements reach, from the container's start.
  var reach = LayoutUnit.zero

  var balanced: MultiColumnFlow {
    var flow = self
    flow.fills = false
    return flow
  }
}
