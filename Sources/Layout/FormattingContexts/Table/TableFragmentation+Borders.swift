internal import OffprintCSS
internal import OffprintCoreTypes

// The borders that cells share. https://drafts.csswg.org/css-tables-3/#fragmentation
extension TableFragmentation {
  /// The pieces of border in a fragment of the grid: lines between rows are with the rows that they bound, also where the table is broken
  /// between these.
  ///
  /// - Parameter parts: Of rows, from the start of the fragment.
  func sharedBorders(_ parts: [RowPart], in size: LayoutSize) -> CollapsedBorders {
    let pieces = BorderPieces(direction: direction, unbroken: direction.physical(table.unbrokenGridSize), size: size)
    var result = CollapsedBorders(), lineEnd: LayoutUnit?, lineRow = -1
    for part in parts where table.rowStarts.indices.contains(part.row) {
      let start = table.rowStarts[part.row], end = start + rows.heights[part.row]
      for segment in table.borders[part.row] {
        let isLine = segment.isHorizontal == direction.isHorizontal
        // It is there already, as the line below the row before.
        if isLine, lineRow == part.row - 1, lineEnd == part.start { continue }
        result.segments.append(
          isLine ? pieces.line(segment, at: part.start) : pieces.side(segment, part, original: start...max(start, end)))
      }
      guard part.isLast else { continue }
      for segment in table.borders[part.row + 1] where segment.isHorizontal == direction.isHorizontal {
        result.segments.append(pieces.line(segment, at: part.start + part.size))
      }
      (lineEnd, lineRow) = (part.start + part.size, part.row)
    }
    return result
  }
}

/// Moves pieces of border from the grid without breaks to a fragment of it.
private struct BorderPieces {
  let direction: WritingDirection
  let unbroken: LayoutSize
  let size: LayoutSize

  /// A line between rows.
  func line(_ segment: CollapsedBorders.Segment, at block: LayoutUnit) -> CollapsedBorders.Segment {
    let extent = direction.logical(segment.rect.size).block
    return moved(segment, to: block - extent / 2, extent)
  }

  /// A line beside a row, which may reach above and below it.
  func side(
    _ segment: CollapsedBorders.Segment, _ part: TableFragmentation.RowPart, original: ClosedRange<LayoutUnit>
  ) -> CollapsedBorders.Segment {
    let offset = direction.logical(segment.rect.origin, outer: unbroken, inner: segment.rect.size).block
    let extent = direction.logical(segment.rect.size).block
    let start = part.start + (offset - original.lowerBound)
    let end = part.start + part.size + (offset + extent - original.upperBound).clampedToZero
    return moved(segment, to: start, (end - start).clampedToZero)
  }

  private func moved(_ segment: CollapsedBorders.Segment, to block: LayoutUnit, _ extent: LayoutUnit) -> CollapsedBorders.Segment {
    let inline = direction.logical(segment.rect.origin, outer: unbroken, inner: segment.rect.size).inline
    var piece = segment
    piece.rect.size = direction.physical(LogicalSize(inline: direction.logical(segment.rect.size).inline, block: extent))
    piece.rect.origin = direction.physical(LogicalOffset(inline: inline, block: block), outer: size, inner: piece.rect.size)
    return piece
  }
}
