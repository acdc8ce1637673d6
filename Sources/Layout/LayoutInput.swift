import CSS
public import CoreTypes

/// Everything a box's layout depends on besides the box: the constraints of its formatting context (what NG-style engines call
/// the constraint space). Equal inputs give equal results, which is what the layout cache rests on. Sizes are border-box sizes
/// minus margins already taken, in the *box's own* writing mode.
public struct LayoutInput: Hashable, Sendable {
  /// How an `auto` inline size is resolved.
  public enum AutoInline: UInt8, Hashable, Sendable {
    /// Fill the available size less margins (block-level boxes in a block formatting context).
    case stretch
    /// Shrink to fit: floats, absolutely positioned boxes, inline-blocks, non-stretched items.
    case fitContent
  }

  /// Space for the margin box in the inline axis; nil is indefinite (max-content).
  public var availableInline: LayoutUnit?
  /// Space for the margin box in the block axis; nil is indefinite.
  public var availableBlock: LayoutUnit?
  /// What percentages of inline-axis and block-axis sizes refer to; nil: behave as auto.
  public var percentageInline: LayoutUnit?
  public var percentageBlock: LayoutUnit?
  /// What percentages of margins and paddings refer to (the containing block's inline size).
  public var percentageMargin: LayoutUnit = .zero
  /// The box is to have exactly this border-box size (a stretched or flexed item, a table cell, a positioned box).
  public var fixedInline: LayoutUnit?
  public var fixedBlock: LayoutUnit?
  /// Children may resolve percentages against `fixedBlock`. False for flexed items whose container's size is indefinite.
  public var fixedBlockIsDefinite = true
  public var autoInline = AutoInline.stretch
  /// An `auto` block size fills `availableBlock` (stretched items); margins already taken into account.
  public var stretchBlock = false
  /// Table cells: where the content's first baseline is to be, from the cell's top, or nil; and measuring ignores block-size percentages.
  public var isTableCellMeasure = false
  public var cellBlockOffset: LayoutUnit?
  /// Cells in the collapsing model: the halves of the table's borders that are theirs, physical; nil: the cell's own borders.
  public var collapsedBorder: LayoutEdges?
  /// In the columns of a multi-column container: the inline size of elements that span all of them.
  public var spannerInline: LayoutUnit?
  /// Subgrids: the numbers of their tracks in the engine's table; -1: none are inherited.
  public var subgridColumns: Int32 = -1
  public var subgridRows: Int32 = -1
  /// Quirks mode, and whether only sizes are asked for (no out-of-flow layout needed; fragments may be thrown away).
  public var isMeasure = false

  public init(availableInline: LayoutUnit?, availableBlock: LayoutUnit? = nil) {
    self.availableInline = availableInline
    self.availableBlock = availableBlock
    percentageInline = availableInline
    percentageBlock = availableBlock
    percentageMargin = availableInline ?? .zero
  }
}

/// https://drafts.csswg.org/css-sizing-3/#intrinsic-sizes: border-box sizes in the box's inline axis.
public struct MinMaxSizes: Hashable, Sendable {
  public var min: LayoutUnit
  public var max: LayoutUnit
  public init(min: LayoutUnit = .zero, max: LayoutUnit = .zero) { self.min = min; self.max = max }
  /// https://drafts.csswg.org/css-sizing-3/#fit-content-size
  public func shrinkToFit(_ available: LayoutUnit) -> LayoutUnit { Swift.max(min, Swift.min(available, max)) }
  public mutating func encompass(_ other: MinMaxSizes) { min = Swift.max(min, other.min); max = Swift.max(max, other.max) }
  public static func + (a: MinMaxSizes, b: LayoutUnit) -> MinMaxSizes { MinMaxSizes(min: a.min + b, max: a.max + b) }
}

/// What laying out a box (one that establishes a formatting context, or is laid out as if) gives.
public struct LayoutResult: Sendable {
  public var fragment: FragmentID
  /// Border-box size, physical.
  public var size: LayoutSize
  /// Baselines from the border-box block-start edge, for alignment in the parent's inline axis; nil where the box has none.
  public var firstBaseline: LayoutUnit?
  public var lastBaseline: LayoutUnit?
  /// The block size the content asked for (border box), before `height`, min and max.
  public var intrinsicBlock: LayoutUnit
  /// Absolutely positioned descendants whose containing block is further up, at offsets from this border box.
  public var outOfFlow: [OutOfFlowCandidate] = []
  /// Ruby columns: how far base and annotation reach from the baseline.
  var ruby: RubyExtents?

  public init(fragment: FragmentID, size: LayoutSize, intrinsicBlock: LayoutUnit = .zero) {
    self.fragment = fragment; self.size = size; self.intrinsicBlock = intrinsicBlock
  }
}

/// An absolutely positioned box on its way up to its containing block. https://drafts.csswg.org/css-position-3/#staticpos-rect
public struct OutOfFlowCandidate: Sendable {
  public enum Edge: UInt8, Sendable { case start, center, end }
  public var box: BoxID
  /// The static position rectangle's reference point, physical, from the border-box origin of the fragment that carries it.
  public var staticPosition: LayoutPoint
  /// Which edge of the box's margin box the point is for, physically: x start = left, end = right.
  public var horizontalEdge = Edge.start
  public var verticalEdge = Edge.start
  /// The containing block where it is an inline box: its number; the rectangle is found when the block container is done.
  public var inlineContainer: BoxID = .none
  public init(box: BoxID, staticPosition: LayoutPoint) { self.box = box; self.staticPosition = staticPosition }
}
