internal import OffprintCoreTypes

// https://drafts.csswg.org/css-gaps-1/#fragmentation
extension RowFragmentation {
  /// The gap segments in this fragment; nil if the container has none. A row gap that a break splits is suppressed.
  func gapSegments(in size: LayoutSize) -> [GapSegment]? {
    guard !rows.gaps.isEmpty else { return nil }
    let blockSize = builder.direction.logical(size).block
    return rows.gaps.compactMap { segment in
      let offset = builder.direction.logical(segment.rect.origin, outer: rows.unfragmentedSize, inner: segment.rect.size)
      let extent = builder.direction.logical(segment.rect.size)
      var start = fragmentOffset(ofUnfragmented: offset.block), end = fragmentOffset(ofUnfragmented: offset.block + extent.block)
      if !segment.isColumnRule, end - start != extent.block { return nil }
      (start, end) = (max(start, .zero), min(end, blockSize))
      // Segments without a block size are kept; others that are empty here are in another fragment.
      guard end > start || (extent.block == .zero && end == start) else { return nil }
      var clipped = segment
      clipped.rect.size = builder.direction.physical(LogicalSize(inline: extent.inline, block: end - start))
      clipped.rect.origin = builder.direction.physical(
        LogicalOffset(inline: offset.inline, block: start), outer: size, inner: clipped.rect.size)
      return clipped
    }
  }

  /// Maps a block offset in the unfragmented layout to this fragment. The offset moves with the last row of the first stack that starts at or
  /// before it.
  private func fragmentOffset(ofUnfragmented block: LayoutUnit) -> LayoutUnit {
    var low = 0, high = rows.stacks.first?.upperBound ?? 0
    while low < high {
      let mid = (low + high) / 2
      if rows.rows[mid].start <= block { low = mid + 1 } else { high = mid }
    }
    return fragmentOffset(low == 0 ? block : block + progress.delta(low - 1))
  }
}
