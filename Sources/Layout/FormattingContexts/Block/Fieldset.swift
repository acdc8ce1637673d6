internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintDOM

// https://html.spec.whatwg.org/#the-fieldset-and-legend-elements
extension BlockLayout {
  /// The first in-flow `legend` child.
  var renderedLegend: BoxID {
    guard engine.tree.isElement(box, .fieldset), !engine.tree[box].hasInlineChildren else { return .none }
    return engine.tree.children(of: box).first { engine.tree[$0].isInFlow && engine.tree.isElement($0, .legend) } ?? .none
  }

  /// Places the rendered legend across the block-start border. The contents start below both. In Chromium the legend is in the first
  /// fragment of the fieldset, and monolithic.
  mutating func placeLegend() throws {
    guard builder?.isResuming != true else { return }
    let legend = renderedLegend
    guard !legend.isNone else { return }
    var input = childInput(legend)
    input.autoInline = .fitContent
    let layout = try engine.layout(legend, input)
    let size = direction.logical(layout.size)
    let margin = resolveAutoMargins(margins(of: legend), legend, available: contentInline, size: size.inline)
    let free = (contentInline - size.inline - margin.inlineSum).clampedToZero
    var start = edges.inlineStart + margin.inlineStart
    // Chromium aligns the legend by its own `text-align`.
    switch engine.style(legend).text.textAlign {
    case .center: start += free / 2
    case .left: start += direction.isRTL ? free : .zero
    case .right: start += direction.isRTL ? .zero : free
    default: break
    }
    let borderStart = direction.logical(border).blockStart
    // Chromium ignores the block-start margin of the legend.
    let blockOffset = ((borderStart - size.block) / 2).clampedToZero
    let end = blockOffset + size.block + margin.blockEnd
    if end > borderStart { legendEnd = end + direction.logical(padding).blockStart }
    // The percentage basis of the contents is reduced by the legend.
    if legendEnd > edges.blockStart { percentageBlock = percentageBlock.map { ($0 - (legendEnd - edges.blockStart)).clampedToZero } }
    append(
      layout, legend, lineLeft: direction.isRTL ? inlineSize - start - size.inline : start, blockOffset: blockOffset, hasBaseline: false)
    if let index = items.indices.last { items[index].isFixedInPlace = true }
    if let builder, builder.space?.isMeasuringColumns == true { builder.note(unbreakable: legendEnd) }
  }
}
