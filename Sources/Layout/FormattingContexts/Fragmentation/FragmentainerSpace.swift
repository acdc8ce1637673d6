internal import OffprintCoreTypes

/// A box that holds a part of a flow. https://drafts.csswg.org/css-break-3/#fragmentation-container
enum FragmentainerKind: UInt8 { case column, page }

/// Where a box is laid out in its fragmentainer, and what may break there.
struct FragmentainerSpace {
  var kind = FragmentainerKind.column
  /// The block size that is left for the box, without the edges that boxes around it repeat; nil: it is yet to be found by balancing, so that
  /// only forced breaks are made. https://drafts.csswg.org/css-multicol-1/#column-balancing
  var blockSize: LayoutUnit?
  /// Where the block formatting context that the box takes part in begins, from the fragmentainer's block-start edge; of a box that
  /// establishes one, its border edge.
  var offset = LayoutUnit.zero
  /// Breaks of less appeal are not made where something can be pushed to the next row of columns instead.
  var leastAppeal = BreakAppeal.lastResort
  /// Columns are being balanced.
  var isBalanced = false
  /// A box around this one fits: what it begins with stays, whether it has room or not.
  var requiresContent = false
  /// Something before the box, beside the flow, goes on in the next fragmentainer.
  var isPastBreak = false

  /// The first layout of columns that are to be balanced, which finds out how much there is.
  var isMeasuringColumns: Bool { kind == .column && blockSize == nil }

  /// To make progress, a fragmentainer has room for 1px of content however small it is. https://drafts.csswg.org/css-break-3/#breaking-rules
  static func capacity(_ size: LayoutUnit) -> LayoutUnit { max(size, LayoutUnit(1)) }
}

/// What fragmentation adds to `LayoutInput`.
final class FragmentationInput {
  /// nil: the box goes on from `token`, but may not be broken again.
  let space: FragmentainerSpace?
  let token: BreakToken?
  let early: EarlyBreak?
  /// The element that ends the row of columns by spanning them, where it is known. What is before it stays in their flow.
  let spanner: BoxID
  /// Lines of an inline box that blocks split.
  let split: SplitLines?
  /// The block size that the input gives is a minimum: contents that breaks move down make the box larger.
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

  /// A box as it would be outside of fragmentainers.
  func layoutUnbroken(_ box: BoxID, _ input: LayoutInput, inlineSize: LayoutUnit) throws -> LayoutResult {
    var input = input
    input.fragmentation = -1
    input.fixedInline = inlineSize
    input.isMeasure = true
    return try layout(box, input)
  }

  /// Runs a layout with an input that takes part in fragmentation. Layouts are nested, and so are the numbers of their inputs.
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
