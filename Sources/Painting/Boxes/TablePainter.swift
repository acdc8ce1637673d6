import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

// https://drafts.csswg.org/css-tables-3/#drawing-backgrounds-and-borders
struct TablePainter: FragmentPainter {
  let context: PaintContext

  /// Paints the background of a row or row group below its cells.
  func paintTablePart(_ fragment: Fragment, _ offset: LayoutPoint) {
    let style = fragment.style
    guard !fragment.paintsNothing, style.text.visibility == .visible, style.hasBackground else { return }
    var cells: [LayoutRect] = []
    collectCells(fragment, offset, &cells, depth: 0)
    paintPart(style, fragment, offset, cells)
  }

  /// Paints the backgrounds of column groups, then those of columns, behind the cells of a table.
  func paintColumns(_ id: FragmentID, _ offset: LayoutPoint) {
    let table = fragments[id]
    var columns: [(fragment: Fragment, offset: LayoutPoint)] = [], groups = columns
    func visit(_ fragment: Fragment, _ offset: LayoutPoint, _ depth: Int) {
      for link in fragments.links[fragment.children] where fragments.fragments.indices.contains(link.fragment.index) {
        let child = fragments[link.fragment], place = offset + link.offset
        guard child.kind == .box else { continue }
        switch tree[child.box].kind {
        case .tableColumn: columns.append((child, place))
        case .tableColumnGroup:
          groups.append((child, place))
          if depth < 4 { visit(child, place, depth + 1) }
        default: break
        }
      }
    }
    visit(table, offset, 0)
    let painted = (groups + columns).filter { $0.fragment.style.hasBackground && $0.fragment.style.text.visibility == .visible }
    guard !painted.isEmpty else { return }
    var cells: [LayoutRect] = []
    collectCells(table, offset, &cells, depth: 0)
    for part in painted {
      // A cell shows the background of the column in which it starts.
      let rect = LayoutRect(origin: part.offset, size: part.fragment.size)
      let isRTL = table.style.text.direction == .rtl, isHorizontal = table.style.text.writingMode == .horizontalTb
      let inside = cells.filter { cell in
        let (low, high) = isHorizontal ? (rect.minX, rect.maxX) : (rect.minY, rect.maxY)
        let (start, end) = isHorizontal ? (cell.minX, cell.maxX) : (cell.minY, cell.maxY)
        return isRTL ? end > low && end <= high : start >= low && start < high
      }
      paintPart(part.fragment.style, part.fragment, part.offset, inside)
    }
  }

  private func collectCells(_ fragment: Fragment, _ offset: LayoutPoint, _ cells: inout [LayoutRect], depth: Int) {
    guard depth < 8 else { return }
    for link in fragments.links[fragment.children] where fragments.fragments.indices.contains(link.fragment.index) {
      let child = fragments[link.fragment]
      guard child.kind == .box else { continue }
      switch tree[child.box].kind {
      case .tableCell: if !child.paintsNothing { cells.append(LayoutRect(origin: offset + link.offset, size: child.size)) }
      case .tableRow, .tableRowGroup: collectCells(child, offset + link.offset, &cells, depth: depth + 1)
      default: break
      }
    }
  }

  /// Paints the background of a table part: positioned relative to the part, clipped to its cells.
  private func paintPart(_ style: ComputedStyle, _ fragment: Fragment, _ offset: LayoutPoint, _ cells: [LayoutRect]) {
    let color = style.background.color.resolve(style.text.color)
    let hasImages = style.background.layers.contains { $0.image != .none }
    let geometry = hasImages ? BoxGeometry(context, fragment, offset) : nil
    for cell in cells {
      let rect = snap(cell)
      guard !rect.isEmpty else { continue }
      fill(rect, color)
      guard let geometry else { continue }
      for layer in style.background.layers.reversed() where !context.hasFailed {
        backgrounds.paint(layer, style, geometry, fragment, canvas: RoundedRect(rect))
      }
    }
  }

  /// https://drafts.csswg.org/css-tables-3/#collapsed-borders-painting
  func paintCollapsedBorders(_ fragment: Fragment, _ offset: LayoutPoint) {
    guard fragment.kind == .box, tree[fragment.box].kind == .tableGrid, fragment.style.text.visibility == .visible,
      fragments.collapsedBorders.indices.contains(Int(fragment.collapsedBorders))
    else { return }
    let bottom = transform == .identity ? recorder.clipBounds.bottom : .max
    for segment in fragments.collapsedBorders[Int(fragment.collapsedBorders)].segments {
      var rect = snap(segment.rect.offset(by: offset))
      if rect.top > bottom { continue }
      // The width is rounded like that of a border: whole pixels, at least one.
      let width = borderWidth(segment.edge.width)
      if segment.isHorizontal { rect.bottom = rect.top + width } else { rect.right = rect.left + width }
      let edge = BorderEdge(width: width, style: segment.edge.style, color: segment.edge.color)
      borders.paintRule(rect, isVertical: !segment.isHorizontal, edge)
    }
  }
}
