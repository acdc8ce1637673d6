internal import OffprintCSS
internal import OffprintCoreTypes

/// If block-level boxes split an inline box, its lines on both sides are counted together. A run of blocks between them counts as one line, whose breaks
/// are those between blocks: the specification does not define this case, and Chromium wraps such blocks in a line.
/// https://drafts.csswg.org/css-break-3/#widows-orphans
struct SplitLines {
  var before = 0
  /// Nil for a block after another one, which belongs to the same line.
  var own: Int?
  var total = 0
  /// The number of lines of `before` in the same fragmentainer.
  var here = 0

  /// Whether a break before it leaves too few lines on one side, and a better break is possible.
  func isBad(at here: Int, _ style: TextStyle) -> Bool {
    guard before > 0, let own else { return false }
    return here < style.orphans || (own > 0 && max(total - style.widows, before - here + style.orphans) < before)
  }
}
