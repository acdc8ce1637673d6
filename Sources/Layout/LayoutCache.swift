/// Results by box and input: flex, grid and tables ask each child several times, nested ones exponentially often without this.
///
/// A box has few inputs, so that each has a chain of its own in one array, newest first.
struct LayoutCache {
  private struct Entry {
    var input: LayoutInput
    var result: LayoutResult
    var isComplete: Bool
    var next: Int32
  }
  private struct IntrinsicEntry {
    var key: IntrinsicKey
    var sizes: MinMaxSizes
    var next: Int32
  }
  private struct IntrinsicKey: Hashable {
    var percentageBlock: Int32?
    var fixedBlock: Int32?
    var subgridColumns: Int32
    var subgridRows: Int32

    init(_ input: LayoutInput) {
      percentageBlock = input.percentageBlock?.raw
      fixedBlock = input.fixedBlock?.raw
      subgridColumns = input.subgridColumns
      subgridRows = input.subgridRows
    }
  }
  private var heads: [Int32]
  private var entries: [Entry] = []
  private var intrinsicHeads: [Int32]
  private var intrinsics: [IntrinsicEntry] = []

  init(boxCount: Int) {
    heads = Array(repeating: -1, count: boxCount)
    intrinsicHeads = heads
  }

  /// - Parameter needsAll: A measurement that left something out will not do.
  func result(_ box: BoxID, _ input: LayoutInput, needsAll: Bool) -> (result: LayoutResult, isComplete: Bool)? {
    guard heads.indices.contains(box.index) else { return nil }
    var number = Int(heads[box.index])
    while number >= 0 {
      if entries[number].input == input, entries[number].isComplete || !needsAll {
        return (entries[number].result, entries[number].isComplete)
      }
      number = Int(entries[number].next)
    }
    return nil
  }

  mutating func store(_ result: LayoutResult, _ box: BoxID, _ input: LayoutInput, isComplete: Bool) {
    guard heads.indices.contains(box.index) else { return }
    entries.append(Entry(input: input, result: result, isComplete: isComplete, next: heads[box.index]))
    heads[box.index] = Int32(truncatingIfNeeded: entries.count - 1)
  }

  func intrinsic(_ box: BoxID, _ input: LayoutInput) -> MinMaxSizes? {
    guard intrinsicHeads.indices.contains(box.index) else { return nil }
    var number = Int(intrinsicHeads[box.index])
    guard number >= 0 else { return nil }
    let key = IntrinsicKey(input)
    while number >= 0 {
      if intrinsics[number].key == key { return intrinsics[number].sizes }
      number = Int(intrinsics[number].next)
    }
    return nil
  }

  mutating func store(_ sizes: MinMaxSizes, _ box: BoxID, _ input: LayoutInput) {
    guard intrinsicHeads.indices.contains(box.index) else { return }
    intrinsics.append(IntrinsicEntry(key: IntrinsicKey(input), sizes: sizes, next: intrinsicHeads[box.index]))
    intrinsicHeads[box.index] = Int32(truncatingIfNeeded: intrinsics.count - 1)
  }
}
