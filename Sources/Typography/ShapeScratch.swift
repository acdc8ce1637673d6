internal import COffprintPango
import OffprintCoreTypes

/// Buffers that shaping reuses.
struct ShapeScratch {
  /// The characters of the text with some context on both sides, and the byte offset of each.
  var codepoints: [UInt32] = []
  var offsets: [UInt32] = []
  /// The range of `codepoints` that is shaped; the rest is context.
  var item = 0..<0
  var items: [ShapeItem] = []
}

/// Characters that are shaped together: with the same face, script and size.
struct ShapeItem {
  var face: FaceInstance?
  var script: hb_script_t
  /// Whether it is drawn as smaller capitals.
  var isSmallCap: Bool
  /// Whether it consists of lowercase letters that are drawn as capitals.
  var isRaised = false
  var range: Range<Int>
  /// The start of the cluster that the characters continue, if it is too long to be shaped at once.
  var cluster: Int?
}
