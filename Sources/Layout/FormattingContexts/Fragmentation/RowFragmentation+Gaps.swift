internal import OffprintCoreTypes

// https://drafts.csswg.org/css-gaps-1/#fragmentation
extension RowFragmentation {
  /// The pieces of gaps that are in this fragment. Gaps at breaks have no rules.
  func gapSegments(in size: LayoutSize) -> [GapSegment]? {
    guard !rows.gaps.isEmpty else { return nil }
    let blockSize = builder.direction.logical(size).block
    return rows.gaps.compactMap { segment in
      let offset = builder.direction.logical(segment.rect.origin, outer: rows.unbrokenSize, inner: segment.rect.size)
      let extent = builder.direction.logical(segment.rect.size)
      var start = moved(offset.block), end = moved(offset.block + extent.block)
      if !segment.isColumnRule, end - start != extent.block { return nil }
      (start, end) = (max(start, .zero), min(end, blockSize))
      guard end > start || extent.block == .zero && end == start else { return nil }
      var piece = segment
      piece.rect.size = builder.direction.physical(LogicalSize(inline: extent.inline, block: end - start))
      piece.rect.origin = builder.direction.physical(
        LogicalOffset(inline: offset.inline, block: start), outer: size, inner: piece.rect.size)
      return piece
    }
  }

  /// Where something of the layout without breaks is, by the row of the first stack that it is in or behind.
  private func moved(_ block: LayoutUnit) -> LayoutUnit {
    var low = 0, high = rows.stacks.first?.upperBound ?? 0
    while low < high {
      let middle = (low + high) / 2
      if rows.rows[middle].start <= block { low = middle + 1 } else { high = middle }
    }
    return fragmentOffset(low == 0 ? block : block + progress.delta(low - 1))
  }
}
