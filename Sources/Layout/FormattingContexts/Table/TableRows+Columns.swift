import OffprintCoreTypes

extension TableRows {
  /// The fragments of columns and column groups, which span all rows. Their backgrounds are painted from these.
  func columnFragments(_ outer: LayoutSize, rowsEnd: LayoutUnit) -> [FragmentLink] {
    let columns = table.grid.columns
    let top = table.edges.blockStart + table.spacing.block
    let block = (rowsEnd - top).clampedToZero
    var links: [FragmentLink] = []
    var index = 0
    while index < min(columns.count, widths.count) {
      let group = columns[index].group
      var end = index
      var children: [(box: BoxID, columns: Range<Int>)] = []
      repeat {
        let start = end
        while end < min(columns.count, widths.count), columns[end].group == group, columns[end].box == columns[start].box { end += 1 }
        if !columns[start].box.isNone { children.append((columns[start].box, start..<end)) }
      } while end < min(columns.count, widths.count) && columns[end].group == group && !group.isNone
      if group.isNone {
        for child in children { links.append(fragment(child.box, rect(child.columns, top, block), outer, children: [])) }
      } else {
        let groupRect = rect(index..<end, top, block)
        let size = table.direction.physical(groupRect.size)
        let inner = children.map { child in
          var column = rect(child.columns, top, block)
          column.offset = LogicalOffset(inline: column.offset.inline - groupRect.offset.inline)
          return fragment(child.box, column, size, children: [])
        }
        links.append(fragment(group, groupRect, outer, children: inner))
      }
      index = end
    }
    return links
  }

  private func rect(_ columns: Range<Int>, _ top: LayoutUnit, _ block: LayoutUnit) -> LogicalRect {
    let start = offsets[columns.lowerBound], last = columns.upperBound - 1
    return LogicalRect(
      offset: LogicalOffset(inline: start, block: top), size: LogicalSize(inline: offsets[last] + widths[last] - start, block: block))
  }

  private func fragment(_ box: BoxID, _ rect: LogicalRect, _ outer: LayoutSize, children: [FragmentLink]) -> FragmentLink {
    let size = table.direction.physical(rect.size)
    let fragment = Fragment(kind: .box, box: box, style: engine.style(box), size: size)
    return FragmentLink(
      fragment: engine.append(fragment, children: children), offset: table.direction.physical(rect.offset, outer: outer, inner: size))
  }
}
