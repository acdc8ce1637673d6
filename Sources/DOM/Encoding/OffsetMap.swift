import OffprintCoreTypes

/// Maps offsets in a modified text to offsets in the original text.
struct OffsetMap {
  /// The positions where the length changed: the offset after the change, and the value to add from there on.
  private var shifts: [(offset: UInt32, delta: Int32)] = []
  private var delta: Int32 = 0

  /// Records that the text up to `offset` is `removed` bytes shorter than the original (longer if negative).
  mutating func record(removed: Int, at offset: Int) {
    guard removed != 0 else { return }
    delta &+= Int32(truncatingIfNeeded: removed)
    shifts.append((UInt32(truncatingIfNeeded: offset), delta))
  }

  func original(_ offset: UInt32) -> UInt32 {
    var low = 0
    var high = shifts.count
    while low < high {
      let middle = (low + high) / 2
      if shifts[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? UInt32(clamping: Int64(offset) + Int64(shifts[low - 1].delta)) : offset
  }

  /// Applies the map to the source offsets of all nodes.
  func restoreOffsets(_ document: inout Document) {
    guard !shifts.isEmpty else { return }
    for index in document.nodes.indices { document.nodes[index].sourceOffset = original(document.nodes[index].sourceOffset) }
  }
}
