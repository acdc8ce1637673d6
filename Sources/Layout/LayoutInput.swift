import OffprintCSS
import OffprintCoreTypes

/// Everything a box's layout depends on besides the box: the constraints of its formatting context (what NG-style engines call
/// the constraint space). Equal inputs give equal results, which is what the layout cache rests on. Sizes are border-box sizes
/// minus margins already taken, in the *box's own* writing mode.
struct LayoutInput: Hashable {
  /// How an `auto` inline size is resolved.
  enum AutoInline: UInt8, Hashable {
    /// Fill the available size less margins (block-level boxes in a block formatting context).
    case stretch
    /// Shrink to fit: floats, absolutely positioned boxes, inline-blocks, non-stretched items.
    case fitContent
    /// Fill it whatever the box is, form controls too: absolutely positioned boxes between two insets.
    case fill
  }

  /// What the context that a box is laid out in hands over where that is more than sizes.
  enum Context: Hashable {
    case plain
    /// A cell of a table, which first measures it.
    case tableCell(TableCellContext)
    /// A subgrid: its tracks in each axis that is the parent's, as numbers in the engine's table; -1 where the axis is its own.
    case subgrid(columns: Int32, rows: Int32)
    /// How far an operator in a formula, or in what is laid out as one, is to be stretched.
    case stretch(MathStretch)
  }

  /// Space for the margin box in the inline axis; nil is indefinite (max-content).
  var availableInline: LayoutUnit?
  /// Space for the margin box in the block axis; nil is indefinite.
  var availableBlock: LayoutUnit?
  /// What percentages of inline-axis and block-axis sizes refer to; nil: behave as auto.
  var percentageInline: LayoutUnit?
  var percentageBlock: LayoutUnit?
  /// What percentages of margins and paddings refer to (the containing block's inline size).
  var percentageMargin: LayoutUnit = .zero
  /// The box is to have exactly this border-box size (a stretched or flexed item, a table cell, a positioned box).
  var fixedInline: LayoutUnit?
  var fixedBlock: LayoutUnit?
  /// Children may resolve percentages against `fixedBlock`. False for flexed items whose container's size is indefinite.
  var fixedBlockIsDefinite = true
  var autoInline = AutoInline.stretch
  /// An `auto` block size fills `availableBlock` (stretched items); margins already taken into account.
  var stretchBlock = false
  /// Only sizes and baselines are asked for: what is painted may be left out, see `LayoutResult.isComplete`. These do not depend on it.
  var isMeasure = false
  var context = Context.plain
  /// Fragmentainers that the box takes part in: the number of a `FragmentationInput` in the engine's table; -1: none.
  var fragmentation: Int32 = -1

  init(availableInline: LayoutUnit?, availableBlock: LayoutUnit? = nil) {
    self.availableInline = availableInline
    self.availableBlock = availableBlock
    percentageInline = availableInline
    percentageBlock = availableBlock
    percentageMargin = availableInline ?? .zero
  }
}

/// What a table hands over to its cells. https://drafts.csswg.org/css-tables-3/#row-layout
struct TableCellContext: Hashable {
  /// In the collapsing model, the halves of the table's borders that are the cell's, physical; nil: the cell has its own borders.
  var border: LayoutEdges?
  /// Where the contents go; nil while the table measures the cell: percentages of block sizes have no basis then.
  var alignment: CellAlignment?
  /// While the table measures the cell: whether the cell or the table has a specified block size, see `TableCellPercentages`.
  var isRestricted = false

  enum CellAlignment: Hashable {
    /// From where they would begin in a cell without `vertical-align`.
    case offset(LayoutUnit)
    case center, end
  }

  /// For a cell of `size` whose contents take `intrinsic`, both border-box sizes.
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

  /// A table cell whose row has no height yet.
  var isTableCellMeasure: Bool { if case .tableCell(let cell) = context { cell.alignment == nil } else { false } }

  /// The numbers of a subgrid's tracks by axis.
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

/// What laying out a box (one that establishes a formatting context, or is laid out as if) gives.
struct LayoutResult {
  var fragment: FragmentID
  /// Border-box size, physical.
  var size: LayoutSize
  /// Baselines from the border-box block-start edge, for alignment in the parent's inline axis; nil where the box has none.
  var firstBaseline: LayoutUnit?
  var lastBaseline: LayoutUnit?
  /// Block containers: the last baseline where that of scroll containers inside is their end edge, which is that of an inline-block.
  /// https://www.w3.org/TR/CSS22/visudet.html#leading
  var inlineBlockBaseline: LayoutUnit?
  /// The block size the content asked for (border box), before `height`, min and max.
  var intrinsicBlock: LayoutUnit
  /// Absolutely positioned descendants whose containing block is further up, at offsets from this border box.
  var outOfFlow: [OutOfFlowCandidate] = []
  /// Ruby columns: how far base and annotation reach from the baseline.
  var ruby: RubyExtents?
  /// Operators of formulas: how far the ink leans beyond the box at the top.
  var italicCorrection = LayoutUnit.zero
  /// In a fragmentainer, what was found out about breaks; nil where the box cannot be broken.
  var breaking: BreakResult?
  /// False: a measurement that left out glyphs, or boxes out of flow; sizes and baselines are right, the fragment is not to be painted.
  var isComplete = true

  init(fragment: FragmentID, size: LayoutSize, intrinsicBlock: LayoutUnit = .zero) {
    self.fragment = fragment; self.size = size; self.intrinsicBlock = intrinsicBlock
  }
}

/// An absolutely positioned box on its way up to its containing block. https://drafts.csswg.org/css-position-3/#staticpos-rect
struct OutOfFlowCandidate {
  enum Edge: UInt8 { case start, center, end }
  var box: BoxID
  /// The static position rectangle's reference point, physical, from the border-box origin of the fragment that carries it.
  var staticPosition: LayoutPoint
  /// Which edge of the box's margin box the point is for, physically: x start = left, end = right.
  var horizontalEdge = Edge.start
  var verticalEdge = Edge.start
  /// The containing block where it is an inline box: its number; the rectangle is found when the block container is done.
  var inlineContainer: BoxID = .none
  /// The box that contains it, or the block container whose inline box `inlineContainer` does, where that may be broken.
  var fragmentedContainer: BoxID = .none
  init(box: BoxID, staticPosition: LayoutPoint) { self.box = box; self.staticPosition = staticPosition }
}
