internal import OffprintCSS
internal import OffprintCoreTypes

/// A page-margin box and its containing block.
struct PageMarginItem {
  enum Axis { case horizontal, vertical }

  /// Outer sizes along the edge.
  struct Length {
    var minContent: LayoutUnit
    var maxContent: LayoutUnit
    /// The size specified by `width` or `height`.
    var definite: LayoutUnit?
    var minimum = LayoutUnit.zero
    var maximum = LayoutUnit.max

    init(minContent: LayoutUnit, maxContent: LayoutUnit) { self.minContent = minContent; self.maxContent = maxContent }
  }

  /// The offset and size of the border box.
  struct Span {
    var offset: LayoutUnit
    var size: LayoutUnit
  }

  let engine: LayoutEngine
  let box: BoxID
  let area: LayoutRect

  private var style: ComputedStyle { engine.style(box) }
  private var margin: LayoutEdges { Sizing.margin(style, percentageBasis: area.size.width) }
  private var edges: LayoutEdges { Sizing.border(style) + Sizing.padding(style, percentageBasis: area.size.width) }

  private func available(_ axis: Axis) -> LayoutUnit { axis == .horizontal ? area.size.width : area.size.height }
  private func margins(_ axis: Axis) -> LayoutUnit { axis == .horizontal ? margin.horizontal : margin.vertical }
  private func startMargin(_ axis: Axis) -> LayoutUnit { axis == .horizontal ? margin.left : margin.top }

  /// The border-box size that a property specifies.
  private func size(_ value: SizeValue, _ axis: Axis) -> LayoutUnit? {
    guard case .value(let length) = value else { return nil }
    let edges = axis == .horizontal ? edges.horizontal : edges.vertical
    return max(edges, Sizing.borderBox(length.resolve(available(axis)).clampedToZero, style, edges: edges))
  }

  private func sizes(_ axis: Axis) -> (own: LayoutUnit?, min: LayoutUnit, max: LayoutUnit) {
    let box = style.box, isHorizontal = axis == .horizontal
    return (
      size(isHorizontal ? box.width : box.height, axis), size(isHorizontal ? box.minWidth : box.minHeight, axis) ?? .zero,
      size(isHorizontal ? box.maxWidth : box.maxHeight, axis) ?? .max
    )
  }

  /// Sizes the box perpendicular to the edge. https://drafts.csswg.org/css-page-3/#fixed-dimension
  ///
  /// - Parameter keepsToEnd: Whether an overconstrained box is aligned with the end, next to the page area.
  func fill(_ axis: Axis, keepsToEnd: Bool) -> Span {
    let sizes = sizes(axis), room = available(axis)
    let size = max(sizes.min, min(sizes.max, sizes.own ?? (room - margins(axis)).clampedToZero))
    let sides = style.box.margin
    let (start, end) = axis == .horizontal ? (sides.left, sides.right) : (sides.top, sides.bottom)
    let free = room - size - margins(axis)
    var offset = startMargin(axis)
    if start.isAuto { offset += end.isAuto ? free / 2 : free } else if !end.isAuto, keepsToEnd { offset += free }
    return Span(offset: offset, size: size)
  }

  /// The border box in its part of the edge.
  func span(_ axis: Axis, offset: LayoutUnit, outer: LayoutUnit) -> Span {
    Span(offset: offset + startMargin(axis), size: (outer - margins(axis)).clampedToZero)
  }

  /// - Parameter across: The border-box size in the other axis.
  func length(_ axis: Axis, across: LayoutUnit) throws -> Length {
    let margins = margins(axis), sizes = sizes(axis)
    var length: Length
    if (axis == .horizontal) == WritingDirection(style).isHorizontal {
      let content = try engine.intrinsicSizes(box, input)
      length = Length(minContent: content.min + margins, maxContent: content.max + margins)
    } else {
      var input = input
      input.fixedInline = across
      let size = try engine.layout(box, input).size
      let extent = (axis == .horizontal ? size.width : size.height) + margins
      length = Length(minContent: extent, maxContent: extent)
    }
    length.definite = sizes.own.map { $0 + margins }
    length.minimum = sizes.min == .zero ? .zero : sizes.min + margins
    length.maximum = sizes.max == .max ? .max : sizes.max + margins
    return length
  }

  private var input: LayoutInput {
    var input = LayoutInput(availableInline: WritingDirection(style).isHorizontal ? area.size.width : area.size.height)
    input.percentageMargin = area.size.width
    return input
  }

  func link(_ horizontal: Span, _ vertical: Span) throws -> FragmentLink {
    let direction = WritingDirection(style)
    let size = direction.logical(LayoutSize(width: horizontal.size, height: vertical.size))
    var input = input
    input.fixedInline = size.inline
    input.fixedBlock = size.block
    let result = try engine.layout(box, input)
    return FragmentLink(
      fragment: result.fragment, offset: LayoutPoint(x: area.origin.x + horizontal.offset, y: area.origin.y + vertical.offset))
  }
}
