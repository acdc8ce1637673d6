internal import COffprintPango
import OffprintCoreTypes

/// Space that shaping reuses from run to run.
struct ShapeScratch {
  /// The characters of the text shaped with some context on both sides, and where each begins.
  var codepoints: [UInt32] = []
  var offsets: [UInt32] = []
  /// The range of `codepoints` that is shaped; the rest is context.
  var item = 0..<0
  var items: [ShapeItem] = []
}

/// Characters that are shaped together: one face, one script, one size.
struct ShapeItem {
  var face: FaceInstance?
  var script: hb_script_t
  /// Drawn smaller, with capitals.
  var isSmallCap: Bool
  /// Of lowercase letters that are drawn as capitals.
  var isRaised = false
  var range: Range<Int>
  /// The start of the cluster that the characters continue, where it is too long to be shaped at once.
  var cluster: Int?
}
