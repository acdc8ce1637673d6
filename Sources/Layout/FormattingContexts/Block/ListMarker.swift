internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintTypography

struct BaselineChild {
  /// Index into the items of the block layout.
  var item: Int
  var blockOffset: LayoutUnit
}

// Outside markers of list items, positioned like Chromium's. https://drafts.csswg.org/css-lists-3/#list-style-position-outside
extension BlockLayout {
  /// Reserves space for the marker of a list item without lines. An item without contents, or with only empty inline boxes, gets a line. An item
  /// with blocks that have no lines is at least as tall as its marker. Chromium treats blocks in an inline box as the contents of a line: the
  /// marker is placed at their start and occupies no space.
  mutating func reserveMarkerLine() throws -> Bool {
    let children = engine.tree.children(of: box)
    if engine.tree[box].hasInlineChildren || !children.contains(where: { engine.tree[$0].isInFlow && !engine.tree[$0].isOutsideMarker }) {
      return try reserveEmptyLine()
    }
    if children.contains(where: { engine.tree[$0].splitsInline }) { return true }
    let marker = try markerLayout()
    let block = direction.logical(marker.size).block
    guard block > .zero, resolveOffset() else { return block <= .zero }
    intrinsicBlock = max(intrinsicBlock, edges.blockStart + block + edges.blockEnd)
    return true
  }

  private mutating func reserveEmptyLine() throws -> Bool {
    let lineStyle = FirstLine.style(engine, box) ?? style
    let font = engine.inlineFont(lineStyle)
    let strut = font.strut(LineMetrics.isCentral(lineStyle) ? font.height.centered : font.height)
    guard resolveOffset() else { return false }
    let size = direction.physical(LogicalSize(inline: contentInline, block: strut.height.clampedToZero))
    let line = engine.append(Fragment(kind: .line, box: box, style: style, size: size), children: [])
    items.append(
      FlowItem(link: FragmentLink(fragment: line, offset: .zero), lineLeft: edgeLineLeft, blockOffset: edges.blockStart, size: size))
    intrinsicBlock = max(intrinsicBlock, edges.blockStart + strut.height.clampedToZero + edges.blockEnd)
    firstBaseline = edges.blockStart + strut.ascent
    lastBaseline = firstBaseline
    inlineBlockBaseline = firstBaseline
    try moveBelowMarkerTop()
    return true
  }

  /// Moves the child with the first line and the content after it below the top of the marker (`UnpositionedListMarker::AddToBox` in Chromium).
  /// In quirks mode, if the first child is a list, the marker has a separate line before it.
  mutating func moveBelowMarkerTop() throws {
    guard !outsideMarker.isNone, let line = firstBaseline else { return }
    let marker = try markerLayout()
    guard let own = marker.firstBaseline else { return }
    if QuirksMode.beginsWithList(engine, box) {
      moveContent(from: 0, by: direction.logical(marker.size).block)
      firstBaseline = edges.blockStart + own
    } else {
      moveContent(from: baselineChild?.item ?? 0, by: own - (line - (baselineChild?.blockOffset ?? edges.blockStart)))
    }
  }

  private mutating func moveContent(from first: Int, by shift: LayoutUnit) {
    guard shift > .zero else { return }
    for index in items.indices.dropFirst(first) where !items[index].isFixedInPlace { items[index].blockOffset += shift }
    intrinsicBlock += shift
    firstBaseline = firstBaseline.map { $0 + shift }
    lastBaseline = lastBaseline.map { $0 + shift }
    inlineBlockBaseline = inlineBlockBaseline.map { $0 + shift }
  }

  private func markerLayout() throws -> LayoutResult {
    var input = LayoutInput(
      engine, child: outsideMarker, parent: direction, availableInline: nil, availableBlock: nil, percentageInline: nil,
      percentageBlock: nil)
    input.autoInline = .fitContent
    return try engine.layout(outsideMarker, input)
  }

  /// Aligns the marker's baseline with that of the first line, and its inline-end edge with the content edge, with a gap for symbols and
  /// images.
  mutating func placeOutsideMarker() throws {
    guard !outsideMarker.isNone else { return }
    let marker = try markerLayout()
    let size = direction.logical(marker.size)
    // The marker's line is monolithic, like all lines.
    if let builder, builder.space?.isMeasuringColumns == true { builder.note(unbreakable: size.block) }
    var blockOffset = edges.blockStart
    if let line = firstBaseline, let own = marker.firstBaseline { blockOffset = line - own }
    var start = edges.inlineStart + ListMarker.marginStart(engine, outsideMarker, inlineSize: size.inline)
    if let offset {
      // Floats at the inline-start side move the marker with the line.
      let left = space.lineLeft + edgeLineLeft
      let free = exclusions.edges(
        from: offset + blockOffset, blockSize: size.block, lineLeft: left, lineRight: left + contentInline)
      start += direction.isRTL ? left + contentInline - free.lineRight : free.lineLeft - left
    }
    let lineLeft = direction.isRTL ? inlineSize - start - size.inline : start
    items.insert(
      FlowItem(
        link: FragmentLink(fragment: marker.fragment, offset: .zero), lineLeft: lineLeft, blockOffset: blockOffset, size: marker.size,
        outOfFlow: marker.outOfFlow), at: 0)
    if firstBaseline == nil { firstBaseline = marker.firstBaseline.map { $0 + blockOffset } }
    if lastBaseline == nil { lastBaseline = firstBaseline }
    if inlineBlockBaseline == nil { inlineBlockBaseline = firstBaseline }
  }
}

enum ListMarker {
  /// The distance between a symbol or image and the content, in px.
  private static let gap = 7

  static func marginStart(_ engine: LayoutEngine, _ marker: BoxID, inlineSize: LayoutUnit) -> LayoutUnit {
    let content = engine.tree[marker].firstChild
    guard !content.isNone, engine.tree[content].kind == .replaced, case .normal = engine.style(marker).content.content,
      engine.tree.replaced.indices.contains(Int(engine.tree[content].replaced))
    else { return -inlineSize }
    switch engine.tree.replaced[Int(engine.tree[content].replaced)].kind {
    case .symbol(let symbol): return -(symbolOffset(engine, engine.style(marker), symbol) + LayoutUnit(gap + 1))
    default: return -inlineSize - LayoutUnit(gap)
    }
  }

  private static func symbolOffset(_ engine: LayoutEngine, _ style: ComputedStyle, _ symbol: MarkerSymbol) -> LayoutUnit {
    switch symbol {
    case .disc, .circle, .square: LayoutUnit(ascent(engine, style) * 2 / 3)
    case .disclosureOpen, .disclosureClosed: disclosureSize(style)
    }
  }

  private static func ascent(_ engine: LayoutEngine, _ style: ComputedStyle) -> Int {
    Int(max(0, min(engine.fonts.metrics(FontDescription(style.font)).ascent, 10_000)))
  }

  private static func disclosureSize(_ style: ComputedStyle) -> LayoutUnit { LayoutUnit(Double(style.font.size) * 0.66) }

  /// The size of an image without natural dimensions: in Chromium that of a bullet, half the ascent.
  static func imageSize(_ engine: LayoutEngine, _ style: ComputedStyle, ratio: Float?) -> (inline: LayoutUnit?, block: LayoutUnit?) {
    let side = Double(ascent(engine, style)) / 2, ratio = ratio.flatMap { $0 > 0 && $0.isFinite ? Double($0) : nil } ?? 1
    return ratio < 1
      ? (LayoutUnit(rounding: side * ratio), LayoutUnit(rounding: side)) : (LayoutUnit(rounding: side), LayoutUnit(rounding: side / ratio))
  }

  /// The size of the inline box of a symbol, from the ascent to the baseline.
  static func symbolSize(_ engine: LayoutEngine, _ style: ComputedStyle, _ symbol: MarkerSymbol) -> LogicalSize {
    let ascent = ascent(engine, style)
    switch symbol {
    case .disc, .circle, .square: return LogicalSize(inline: LayoutUnit((ascent * 2 / 3 + 1) / 2 + 2), block: LayoutUnit(ascent))
    case .disclosureOpen, .disclosureClosed: return LogicalSize(inline: disclosureSize(style), block: LayoutUnit(ascent))
    }
  }
}
