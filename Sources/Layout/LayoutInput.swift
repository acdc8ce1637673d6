import OffprintCSS
import OffprintCoreTypes

/// Everything that a box's layout depends on besides the box: the constraint space of LayoutNG. Equal inputs give equal results, which the
/// layout cache relies on. Sizes are in the *box's own* writing mode.
struct LayoutInput: Hashable {
  /// The used value of an `auto` inline size.
  enum AutoInline: UInt8, Hashable {
    /// Fill the available size minus margins: block-level boxes in a block formatting context.
    case stretch
    /// Shrink to fit: floats, absolutely positioned boxes, inline-blocks, non-stretched items.
    case fitContent
    /// Fill the available size whatever the box, including form controls: out-of-flow boxes with two insets.
    case fill
  }

  /// Additional input from the parent's formatting context.
  enum Context: Hashable {
    case plain
    /// A table cell.
    case tableCell(TableCellContext)
    /// A subgrid: for each axis the index of its tracks in the engine's table, or -1 if the axis is not subgridded.
    case subgrid(columns: Int32, rows: Int32)
    /// The stretch size of an operator in MathML.
    case stretch(MathStretch)
  }

  /// The available inline size for the margin box; nil if indefinite (max-content).
  var availableInline: LayoutUnit?
  /// The available block size for the margin box; nil if indefinite.
  var availableBlock: LayoutUnit?
  /// The basis of percentage sizes in the inline and block axes; if nil, they behave as `auto`.
  var percentageInline: LayoutUnit?
  var percentageBlock: LayoutUnit?
  /// The basis of percentage margins and paddings: the inline size of the containing block.
  var percentageMargin: LayoutUnit = .zero
  /// The exact border-box size: of a stretched or flexed item, a table cell, or an out-of-flow box.
  var fixedInline: LayoutUnit?
  var fixedBlock: LayoutUnit?
  /// Whether `fixedBlock` is a percentage basis for children. False for flexed items in a container of indefinite size.
  var fixedBlockIsDefinite = true
  var autoInline = AutoInline.stretch
  /// Whether an `auto` block size stretches to `availableBlock`, from which margins are already subtracted.
  var stretchBlock = false
  /// Whether only sizes and baselines are needed, which do not depend on this. Painted contents may be omitted, see
  /// `LayoutResult.isComplete`.
  var isMeasure = false
  var context = Context.plain
  /// The offset from the block-start border edge from which contents need not be laid out, see `LayoutCutoff`; nil if all are.
  var cutoff: LayoutUnit?
  /// The fragmentainers of the box: the index of a `FragmentationInput` in the engine's table, or -1.
  var fragmentation: Int32 = -1

  init(availableInline: LayoutUnit?, availableBlock: LayoutUnit? = nil) {
    self.availableInline = availableInline
    self.availableBlock = availableBlock
    percentageInline = availableInline
    percentageBlock = availableBlock
    percentageMargin = availableInline ?? .zero
  }
}

/// The input of table cells from their table. https://drafts.csswg.org/css-tables-3/#row-layout
struct TableCellContext: Hashable {
  /// In the collapsing border model, the cell's halves of borders (physical); nil if the cell has its own borders.
  var border: LayoutEdges?
  /// The alignment of the contents; nil while the table measures the cell, when percentage block sizes have no basis.
  var alignment: CellAlignment?
  /// While the cell is measured: whether the cell or its table has a specified block size, see `TableCellPercentages`.
  var hasRestrictedBlockSize = false

  enum CellAlignment: Hashable {
    /// The offset from the position without `vertical-align`.
    case offset(LayoutUnit)
    case center, end
  }

  /// The offset of the contents in a cell of `size` with contents of size `intrinsic`, both border-box sizes.
  func contentOffset(size: LayoutUnit, intrinsic: LayoutUnit) -> LayoutUnit {
    switch alignment {
    case nil: .zero
    case .offset(let offset): offset
    case .center: (size - intrinsic).clampedToZero / 2
    case .end: (size - intrinsic).clampedToZero
    }
  }
}

extension LayoutInput {
  var tableCell: TableCellContext? { if case .tableCell(let cell) = context { cell } else { nil } }

  /// Whether this measures a table cell before its row has a height.
  var isTableCellMeasure: Bool { if case .tableCell(let cell) = context { cell.alignment == nil } else { false } }

  /// The indices of a subgrid's tracks by axis.
  var subgridTracks: GridAxes<Int32> {
    if case .subgrid(let columns, let rows) = context { GridAxes(columns: columns, rows: rows) } else { GridAxes(columns: -1, rows: -1) }
  }
}

/// https://drafts.csswg.org/css-sizing-3/#intrinsic-sizes: border-box sizes in the box's inline axis.
struct MinMaxSizes: Hashable {
  var min: LayoutUnit
  var max: LayoutUnit
  init(min: LayoutUnit = .zero, max: LayoutUnit = .zero) { self.min = min; self.max = max }
  /// https://drafts.csswg.org/css-sizing-3/#fit-content-size
  func shrinkToFit(_ available: LayoutUnit) -> LayoutUnit { Swift.max(min, Swift.min(available, max)) }
  mutating func encompass(_ other: MinMaxSizes) { min = Swift.max(min, other.min); max = Swift.max(max, other.max) }
  static func + (a: MinMaxSizes, b: LayoutUnit) -> MinMaxSizes { MinMaxSizes(min: a.min + b, max: a.max + b) }
}

/// The result of laying out a box as an independent formatting context.
struct LayoutResult {
  var fragment: FragmentID
  /// The physical border-box size.
  var size: LayoutSize
  /// Baselines for alignment in the parent's inline axis, relative to the block-start border edge; nil without any.
  var firstBaseline: LayoutUnit?
  var lastBaseline: LayoutUnit?
  /// Block containers: the baseline of an inline-block, which is the last one, with the end edge as the baseline of scroll containers
  /// inside.
  /// https://www.w3.org/TR/CSS22/visudet.html#leading
  var inlineBlockBaseline: LayoutUnit?
  /// The block size of the content (border box), before `height`, `min-height` and `max-height` apply.
  var intrinsicBlock: LayoutUnit
  /// Out-of-flow descendants with a containing block further up, relative to this border box.
  var outOfFlow: [OutOfFlowCandidate] = []
  /// Ruby columns: the extents of base and annotation relative to the baseline.
  var ruby: RubyExtents?
  /// MathML operators: the italic correction, by which the ink overflows the box at the top.
  var italicCorrection = LayoutUnit.zero
  /// In a fragmentainer, the break information; nil if the box is monolithic.
  var breaking: BreakResult?
  /// False for a measurement that omits glyphs or out-of-flow boxes. Sizes and baselines are valid, but the fragment must not be painted.
  var isComplete = true

  init(fragment: FragmentID, size: LayoutSize, intrinsicBlock: LayoutUnit = .zero) {
    self.fragment = fragment; self.size = size; self.intrinsicBlock = intrinsicBlock
  }
}

/// An out-of-flow box passed up to its containing block. https://drafts.csswg.org/css-position-3/#staticpos-rect
struct OutOfFlowCandidate {
  enum Edge: UInt8 { case start, center, end }
  var box: BoxID
  /// The physical reference point of the static position rectangle, relative to the border box of the fragment that carries it.
  var staticPosition: LayoutPoint
  /// The edge of the margin box at that point. Physical: start is left or top.
  var horizontalEdge = Edge.start
  var verticalEdge = Edge.start
  /// The inline box that is the containing block, if any. Its rectangle is determined when the block container is complete.
  var inlineContainer: BoxID = .none
  /// The containing block, or the block container of the inline box `inlineContainer`, if it may be fragmented.
  var fragmentedContainer: BoxID = .none
  init(box: BoxID, staticPosition: LayoutPoint) { self.box = box; self.staticPosition = staticPosition }
}
