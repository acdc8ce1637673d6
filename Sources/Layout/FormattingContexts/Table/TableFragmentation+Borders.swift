internal import OffprintCSS
internal import OffprintCoreTypes

// Collapsed borders. https://drafts.csswg.org/css-tables-3/#fragmentation
extension TableFragmentation {
  /// The border segments in a fragment of the grid. Segments between rows belong to both rows, so that both fragments have them if the
  /// table breaks there.
  ///
  /// - Parameter parts: The parts of rows, relative to the start of the fragment.
  func sharedBorders(_ parts: [RowPart], in size: LayoutSize) -> CollapsedBorders {
    let pieces = BorderPieces(direction: direction, unfragmented: direction.physical(table.unfragmentedGridSize), size: size)
    var result = CollapsedBorders(), lineEnd: LayoutUnit?, lineRow = -1
    for part in parts where table.rowStarts.indices.contains(part.row) {
      let start = table.rowStarts[part.row], end = start + rows.heights[part.row]
      for segment in table.borders[part.row] {
        let isLine = segment.isHorizontal == direction.isHorizontal
        // The segment was added as the lower border of the previous row.
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

/// Converts border segments of the unfragmented grid to those of a fragment.
private struct BorderPieces {
  let direction: WritingDirection
  let unfragmented: LayoutSize
  let size: LayoutSize

  /// A segment between rows.
  func line(_ segment: CollapsedBorders.Segment, at block: LayoutUnit) -> CollapsedBorders.Segment {
    let extent = direction.logical(segment.rect.size).block
    return moved(segment, to: block - extent / 2, extent)
  }

  /// A segment next to a row, which may extend above and below it.
  func side(
    _ segment: CollapsedBorders.Segment, _ part: TableFragmentation.RowPart, original: ClosedRange<LayoutUnit>
  ) -> CollapsedBorders.Segment {
    let offset = direction.logical(segment.rect.origin, outer: unfragmented, inner: segment.rect.size).block
    let extent = direction.logical(segment.rect.size).block
    let start = part.start + (offset - original.lowerBound)
    let end = part.start + part.size + (offset + extent - original.upperBound).clampedToZero
    return moved(segment, to: start, (end - start).clampedToZero)
  }

  private func moved(_ segment: CollapsedBorders.Segment, to block: LayoutUnit, _ extent: LayoutUnit) -> CollapsedBorders.Segment {
    let inline = direction.logical(segment.rect.origin, outer: unfragmented, inner: segment.rect.size).inline
    var piece = segment
    piece.rect.size = direction.physical(LogicalSize(inline: direction.logical(segment.rect.size).inline, block: extent))
    piece.rect.origin = direction.physical(LogicalOffset(inline: inline, block: block), outer: size, inner: piece.rect.size)
    return piece
  }
}
