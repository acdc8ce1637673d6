import OffprintCSS
import OffprintCoreTypes
import OffprintLayout

/// Rules in the gaps of multi-column, grid and flex containers. https://drafts.csswg.org/css-gaps-1/
struct GapRulePainter: FragmentPainter {
  let context: PaintContext

  func hasRules(_ fragment: Fragment) -> Bool {
    let style = fragment.style
    return fragment.kind == .box && (style.align.columnRule.isVisible || style.align.rowRule.isVisible)
      && style.text.visibility == .visible
  }

  func paint(_ id: FragmentID, _ offset: LayoutPoint) {
    let fragment = fragments[id], style = fragment.style
    guard hasRules(fragment) else { return }
    if fragments.columns.indices.contains(Int(fragment.columns)) {
      paintColumnRules(fragments.columns[Int(fragment.columns)].map { snap($0.offset(by: offset)) }, style)
    }
    guard let segments = fragments.gaps[id] else { return }
    let columnsFirst = style.align.ruleOverlap == .rowOverColumn
    for isColumnRule in [columnsFirst, !columnsFirst] {
      for segment in segments where segment.isColumnRule == isColumnRule {
        paint(segment, isColumnRule ? style.align.columnRule : style.align.rowRule, style, offset)
      }
    }
  }

  private func paint(_ segment: GapSegment, _ rule: GapRule, _ style: ComputedStyle, _ offset: LayoutPoint) {
    guard let edge = edge(rule, segment.index, of: segment.count, style) else { return }
    let rect = DisplayRect(snap(segment.rect.offset(by: offset))), run = segment.isVertical ? rect.height : rect.width
    func inset(_ junction: LayoutUnit?, _ cap: LengthPercentage, _ meeting: LengthPercentage) -> Double {
      scale * (junction.map { meeting.resolve($0.double) } ?? cap.resolve(segment.run.double))
    }
    var start = inset(segment.start, rule.cap.start, rule.junction.start), end = inset(segment.end, rule.cap.end, rule.junction.end)
    guard run - start - end > 0 else { return }
    if segment.isReversed { swap(&start, &end) }
    let width = Double(edge.width)
    let line =
      segment.isVertical
      ? DisplayRect(x: rect.x + (rect.width - width) / 2, y: rect.y + start, width: width, height: run - start - end)
      : DisplayRect(x: rect.x + start, y: rect.y + (rect.height - width) / 2, width: run - start - end, height: width)
    borders.paintRule(line.rounded, isVertical: segment.isVertical, edge)
  }

  /// The styles are those of the collapsing border model. https://drafts.csswg.org/css-multicol-1/#propdef-column-rule-style
  private func edge(_ rule: GapRule, _ index: Int, of count: Int, _ style: ComputedStyle) -> BorderEdge? {
    guard let own = rule.style.value(index, of: count), own.isVisible, let size = rule.width.value(index, of: count), size > 0,
      let color = rule.color.value(index, of: count)
    else { return nil }
    let line: BorderLineStyle =
      switch own {
      case .inset: .ridge
      case .outset: .groove
      default: own
      }
    return BorderEdge(
      width: max(1, clampedPixel(length(min(size, 1e6)).rounded(.down))), style: line, color: color.resolve(style.text.color))
  }

  /// Paints the rules between adjacent column boxes. https://drafts.csswg.org/css-multicol-1/#column-gaps-and-rules
  private func paintColumnRules(_ columns: [PixelRect], _ style: ComputedStyle) {
    let isHorizontal = style.text.writingMode == .horizontalTb
    func isBeside(_ a: PixelRect, _ b: PixelRect) -> Bool { isHorizontal ? a.top == b.top : a.left == b.left }
    var start = 0
    while start < columns.count {
      let row = columns[start...].prefix { isBeside($0, columns[start]) }
      paintRules(of: row, isHorizontal: isHorizontal, style)
      start = row.endIndex
    }
  }

  /// Paints the rules within one row of columns.
  private func paintRules(of row: ArraySlice<PixelRect>, isHorizontal: Bool, _ style: ComputedStyle) {
    for next in row.indices.dropFirst() {
      let a = row[next - 1], b = row[next]
      guard let edge = edge(style.align.columnRule, next - 1 - row.startIndex, of: row.count - 1, style) else { continue }
      let near = isHorizontal ? min(a.right, b.right) : min(a.bottom, b.bottom)
      let far = isHorizontal ? max(a.left, b.left) : max(a.top, b.top)
      let middle = clampedPixel((Double(near + far - edge.width) / 2).rounded())
      let rect =
        isHorizontal
        ? PixelRect(x: middle, y: a.top, width: edge.width, height: max(a.height, b.height))
        : PixelRect(x: a.left, y: middle, width: max(a.width, b.width), height: edge.width)
      borders.paintRule(rect, isVertical: isHorizontal, edge)
    }
  }
}

extension DisplayRect {
  /// The edges rounded to the nearest whole pixels.
  fileprivate var rounded: PixelRect {
    PixelRect(
      left: clampedPixel(x.rounded()), top: clampedPixel(y.rounded()), right: clampedPixel(maxX.rounded()),
      bottom: clampedPixel(maxY.rounded()))
  }
}
