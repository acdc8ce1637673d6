internal import OffprintCSS
internal import OffprintCoreTypes

/// If blocks split an inline box, its lines on both sides count together. A run of blocks between them counts as one line, in which breaks
/// are as between other blocks: the specification does not define it, and Chromium wraps such blocks in a line.
/// https://drafts.csswg.org/css-break-3/#widows-orphans
struct SplitLines {
  var before = 0
  /// nil: a block behind another one, which belongs to the same line.
  var own: Int?
  var total = 0
  /// Of those before, in the same fragmentainer.
  var here = 0

  /// A break before it leaves too few lines on one side, and there is a better place for one.
  func isBad(at here: Int, _ style: TextStyle) -> Bool {
    guard before > 0, let own else { return false }
    return here < style.orphans || (own > 0 && max(total - style.widows, before - here + style.orphans) < before)
  }
}
