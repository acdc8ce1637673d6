internal import OffprintCSS
internal import OffprintCoreTypes

/// Caches results by box and input. Flex, grid and table layout measure each child several times; nested ones would take exponential time.
///
/// Each box has few inputs, so its entries form a linked list in a shared array, newest first.
struct LayoutCache {
  private struct Entry {
    var input: LayoutInput
    var result: LayoutResult
    var next: Int32
  }
  private struct IntrinsicEntry {
    var key: IntrinsicKey
    var sizes: MinMaxSizes
    var next: Int32
  }
  private var heads: [Int32]
  private var entries: [Entry] = []
  private var intrinsicHeads: [Int32]
  private var intrinsics: [IntrinsicEntry] = []

  init(boxCount: Int) {
    heads = Array(repeating: -1, count: boxCount)
    intrinsicHeads = heads
  }

  /// Finds a cached result. A layout satisfies a measurement, and so does a complete measurement a layout.
  func result(_ box: BoxID, _ input: LayoutInput) -> LayoutResult? {
    guard heads.indices.contains(box.index) else { return nil }
    var number = Int(heads[box.index])
    guard number >= 0 else { return nil }
    let key = input.withoutPurpose
    while number >= 0 {
      if entries[number].input == key, entries[number].result.isComplete || input.isMeasure { return entries[number].result }
      number = Int(entries[number].next)
    }
    return nil
  }

  mutating func store(_ result: LayoutResult, _ box: BoxID, _ input: LayoutInput) {
    guard heads.indices.contains(box.index) else { return }
    entries.append(Entry(input: input.withoutPurpose, result: result, next: heads[box.index]))
    heads[box.index] = Int32(truncatingIfNeeded: entries.count - 1)
  }

  /// Removes the results of a box, because its style changes.
  mutating func forget(_ box: BoxID) {
    guard heads.indices.contains(box.index) else { return }
    heads[box.index] = -1
    intrinsicHeads[box.index] = -1
  }

  func intrinsic(_ box: BoxID, _ key: IntrinsicKey) -> MinMaxSizes? {
    guard intrinsicHeads.indices.contains(box.index) else { return nil }
    var number = Int(intrinsicHeads[box.index])
    while number >= 0 {
      if intrinsics[number].key == key { return intrinsics[number].sizes }
      number = Int(intrinsics[number].next)
    }
    return nil
  }

  mutating func store(_ sizes: MinMaxSizes, _ box: BoxID, _ key: IntrinsicKey) {
    guard intrinsicHeads.indices.contains(box.index) else { return }
    intrinsics.append(IntrinsicEntry(key: key, sizes: sizes, next: intrinsicHeads[box.index]))
    intrinsicHeads[box.index] = Int32(truncatingIfNeeded: intrinsics.count - 1)
  }
}

extension LayoutInput {
  /// The cache key: the size does not depend on whether the box is measured or laid out.
  fileprivate var withoutPurpose: LayoutInput {
    var key = self
    key.isMeasure = false
    return key
  }
}

/// The parts of an input that intrinsic inline sizes depend on: the block size, through percentages and aspect ratios, and the basis of
/// percentage paddings.
struct IntrinsicKey: Hashable {
  private var percentageBlock: LayoutUnit?
  private var fixedBlock: LayoutUnit?
  /// The available block size, if the box stretches to it.
  private var stretchedBlock: LayoutUnit?
  private var percentageMargin = LayoutUnit.zero
  private var stretchBlock: Bool
  private var fixedBlockIsDefinite: Bool
  private var context: LayoutInput.Context

  init(_ input: LayoutInput, _ box: Box) {
    percentageBlock = input.percentageBlock
    fixedBlock = input.fixedBlock
    fixedBlockIsDefinite = input.fixedBlockIsDefinite
    stretchBlock = input.stretchBlock
    context = input.context
    if input.stretchBlock || box.style.box.height.isStretch || box.style.box.minHeight.isStretch || box.style.box.maxHeight.isStretch
      || box.style.box.width.isStretch || box.style.box.minWidth.isStretch || box.style.box.maxWidth.isStretch
    {
      stretchedBlock = input.availableBlock
      percentageMargin = input.percentageMargin
    }
    if box.kind == .tableWrapper || box.style.box.padding.top.hasPercentage || box.style.box.padding.right.hasPercentage
      || box.style.box.padding.bottom.hasPercentage || box.style.box.padding.left.hasPercentage
    {
      percentageMargin = input.percentageMargin
    }
  }
}

extension SizeValue {
  var isStretch: Bool { if case .stretch = self { true } else { false } }
}
