internal import OffprintCoreTypes

/// The kind of box that contains a part of a fragmented flow. https://drafts.csswg.org/css-break-3/#fragmentation-container
enum FragmentainerKind: UInt8 { case column, page }

/// The space of a box in its fragmentainer, and the constraints on breaks there.
struct FragmentainerSpace {
  var kind = FragmentainerKind.column
  /// The block size of the fragmentainer without the cloned edges of ancestors. Nil while balancing has not determined it yet, so that
  /// only forced breaks are made. https://drafts.csswg.org/css-multicol-1/#column-balancing
  var blockSize: LayoutUnit?
  /// The offset of the block formatting context that contains the box from the fragmentainer's block-start edge; for a box that
  /// establishes one, its border edge.
  var offset = LayoutUnit.zero
  /// Breaks with less appeal are not made if content can move to the next row of columns instead.
  var leastAppeal = BreakAppeal.lastResort
  /// Whether columns are being balanced.
  var isBalanced = false
  /// Whether an ancestor fits, so that its first content stays in this fragmentainer even if it overflows.
  var requiresContent = false
  /// Whether earlier content in a parallel flow continues in the next fragmentainer.
  var isPastBreak = false

  /// Whether this is the first layout of balanced columns, which measures the content.
  var isMeasuringColumns: Bool { kind == .column && blockSize == nil }

  /// To make progress, every fragmentainer has room for 1 px of content. https://drafts.csswg.org/css-break-3/#breaking-rules
  static func capacity(_ size: LayoutUnit) -> LayoutUnit { max(size, LayoutUnit(1)) }
}

/// The part of `LayoutInput` that concerns fragmentation.
final class FragmentationInput {
  /// Nil if the box resumes at `token` but must not be broken again.
  let space: FragmentainerSpace?
  let token: BreakToken?
  let early: EarlyBreak?
  /// The spanner that ends the row of columns, if known. Content before it stays in their flow.
  let spanner: BoxID
  /// Lines of an inline box that is split by block-level boxes.
  let split: SplitLines?
  /// Whether the fixed block size is a minimum: the box grows if breaks move its contents down.
  let growsWithContents: Bool

  init(
    space: FragmentainerSpace?, token: BreakToken?, early: EarlyBreak? = nil, spanner: BoxID = .none, split: SplitLines? = nil,
    growsWithContents: Bool = false
  ) {
    self.space = space; self.token = token; self.early = early; self.spanner = spanner; self.split = split
    self.growsWithContents = growsWithContents
  }
}

extension LayoutEngine {
  func fragmentation(_ input: LayoutInput) -> FragmentationInput? {
    let number = Int(input.fragmentation)
    return fragmentationInputs.indices.contains(number) ? fragmentationInputs[number] : nil
  }

  /// Lays out a box without fragmentation.
  func layoutUnfragmented(_ box: BoxID, _ input: LayoutInput, inlineSize: LayoutUnit) throws -> LayoutResult {
    var input = input
    input.fragmentation = -1
    input.fixedInline = inlineSize
    input.isMeasure = true
    return try layout(box, input)
  }

  /// Runs a layout with an input that takes part in fragmentation. Nested layouts use a stack of inputs.
  func fragmenting<Value>(
    _ fragmentation: FragmentationInput, _ input: LayoutInput, _ layout: (LayoutInput) throws -> Value
  ) rethrows -> Value {
    var input = input
    input.fragmentation = Int32(truncatingIfNeeded: fragmentationInputs.count)
    fragmentationInputs.append(fragmentation)
    defer { fragmentationInputs.removeLast() }
    return try layout(input)
  }
}
