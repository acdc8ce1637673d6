internal import OffprintCSS
internal import OffprintCoreTypes

// The cells of rows at their final sizes.
extension TableRows {
  /// The baselines of a row's cells at their final sizes, because percentages may move their first lines.
  func finalBaselines(_ row: Int) throws -> [LayoutUnit?] {
    try cells(ofRow: row).map { index in
      let cell = table.grid.cells[index]
      guard measures[index].isBaselineAligned, !table.isOrthogonal(cell.box) else { return nil }
      let input = finalInput(index)
      guard input.fixedBlockIsDefinite, !measures[index].isText else { return measures[index].baseline }
      return baseline(cell, try engine.layout(cell.box, input), basis: finalBasis)
    }
  }

  /// The block size of a cell. It is zero if the cell's first row has collapsed.
  func blockSize(of cell: TableGrid.Cell) -> LayoutUnit {
    isCollapsed[cell.row] ? .zero : sum(cell.row..<min(heights.count, cell.row + cell.rowSpan))
  }

  /// The input of a cell at its final size, with its contents at the start.
  func finalInput(_ index: Int) -> LayoutInput {
    let cell = table.grid.cells[index]
    let block = blockSize(of: cell)
    var input = table.cellInput(cell, inline: width(cell), basis: finalBasis)
    if table.isOrthogonal(cell.box) {
      input.fixedInline = block
      input.availableInline = block
    } else {
      input.fixedBlock = block
      input.availableBlock = block
    }
    // In Chromium the heights of rows and row groups are not percentage bases, nor is stretching of the table. A specified height of the
    // table is one if it enlarges the cell.
    input.fixedBlockIsDefinite =
      Self.length(Sizing.LogicalSizes(engine.style(cell.box)).block) != nil || (isSpecified && block > measures[index].block)
    input.context = .tableCell(TableCellContext(border: input.tableCell?.border, alignment: .offset(.zero)))
    return input
  }

  /// Lays out the cell at its final size, with its contents moved by `vertical-align`.
  ///
  /// - Parameter shift: The offset to the row's baseline.
  func layoutCell(_ index: Int, shift: LayoutUnit?) throws -> LayoutResult {
    let cell = table.grid.cells[index]
    if measures[index].isText {
      let measured = try engine.layout(cell.box, table.cellInput(cell, inline: width(cell), basis: measureBasis))
      let block = blockSize(of: cell), context = TableCellContext(border: nil, alignment: alignment(cell, shift: shift))
      return engine.finishTextCell(
        measured, block: block, shift: context.contentOffset(size: block, intrinsic: measured.intrinsicBlock))
    }
    return try engine.layout(cell.box, alignedInput(index, shift: shift))
  }

  /// The input of the cell at its final size, with the alignment of its contents.
  ///
  /// - Parameter shift: The offset to the row's baseline.
  func alignedInput(_ index: Int, shift: LayoutUnit?) -> LayoutInput {
    var input = finalInput(index)
    input.context = .tableCell(
      TableCellContext(border: input.tableCell?.border, alignment: alignment(table.grid.cells[index], shift: shift)))
    return input
  }

  private func alignment(_ cell: TableGrid.Cell, shift: LayoutUnit?) -> TableCellContext.CellAlignment {
    switch CellAlignment(engine.style(cell.box)) {
    case .start: .offset(.zero)
    case .center: .center
    case .end: .end
    case .baseline: .offset(shift ?? .zero)
    }
  }
}

/// The alignment of a cell's contents: `align-content`, or `vertical-align` if it is `normal`.
///
/// https://drafts.csswg.org/css-align-3/#distribution-block
enum CellAlignment {
  case start, center, end, baseline

  init(_ style: ComputedStyle) {
    switch style.align.alignContent.keyword {
    case .auto, .normal:
      switch style.box.verticalAlign {
      case .top: self = .start
      case .middle: self = .center
      case .bottom: self = .end
      default: self = .baseline
      }
    case .baseline: self = .baseline
    case .center, .spaceAround, .spaceEvenly: self = .center
    case .end, .flexEnd: self = .end
    default: self = .start
    }
  }
}
