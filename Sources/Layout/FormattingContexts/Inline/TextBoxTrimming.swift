internal import OffprintCSS
internal import OffprintCoreTypes
internal import OffprintDOM

/// Determines which lines are trimmed by `text-box-trim`. https://drafts.csswg.org/css-inline-3/#text-box-trim
enum TextBoxTrimming {
  /// The sides at which the lines of `box` are trimmed, by itself or by block containers with the same first or last formatted line. In
  /// Chromium trimming does not propagate past borders and padding, nor past boxes without a size.
  static func sides(_ engine: LayoutEngine, _ box: BoxID) -> TextBoxTrim {
    guard engine.inlineCache.hasTextBoxTrim(engine.tree) else { return [] }
    let tree = engine.tree
    var result = tree[box].style.box.textBoxTrim
    var open: TextBoxTrim = [.start, .end]
    var current = box
    for _ in 0..<1024 {
      let item = tree[current]
      guard !item.parent.isNone, item.isInFlow, !item.isOutsideMarker, !item.isInlineLevel, holdsBlocks(tree, item.parent) else { break }
      let edges = WritingDirection(item.style).logical(Sizing.border(item.style) + Sizing.padding(item.style, percentageBasis: .zero))
      if edges.blockStart != .zero || !isFirst(tree, current, in: item.parent) { open.remove(.start) }
      if edges.blockEnd != .zero || !isLast(tree, current) { open.remove(.end) }
      guard !open.isEmpty else { break }
      result.formUnion(tree[item.parent].style.box.textBoxTrim.intersection(open))
      current = item.parent
    }
    return result
  }

  /// The distance between the line's edge and the text edge on a side of the block axis.
  static func amount(
    _ engine: LayoutEngine, _ side: TextBoxTrim, _ line: FontHeight, _ style: ComputedStyle, scale: Double = 1
  ) -> LayoutUnit {
    let edges = engine.inlineFont(style).scaled(by: scale).edges(style.text.textBoxEdge, isCentral: LineMetrics.isCentral(style))
    let isOver = (side == .start) != (style.text.writingMode == .verticalLr)
    return isOver ? line.ascent - edges.ascent : line.descent - edges.descent
  }

  private static func holdsBlocks(_ tree: BoxTree, _ box: BoxID) -> Bool {
    let item = tree[box]
    return (item.kind == .blockContainer || item.kind == .tableCell) && item.specialLayout == nil && !tree.isElement(box, .fieldset)
  }

  private static func isFirst(_ tree: BoxTree, _ box: BoxID, in parent: BoxID) -> Bool {
    tree.children(of: parent).first { tree[$0].isInFlow && !tree[$0].isOutsideMarker } == box
  }

  private static func isLast(_ tree: BoxTree, _ box: BoxID) -> Bool {
    var next = tree[box].nextSibling
    while !next.isNone {
      if tree[next].isInFlow, !tree[next].isOutsideMarker, !isHollow(tree, next) { return false }
      next = tree[next].nextSibling
    }
    return true
  }

  /// Whether a part of an inline box after a block contains only collapsible spaces, and therefore no line.
  private static func isHollow(_ tree: BoxTree, _ box: BoxID) -> Bool {
    let item = tree[box]
    switch item.kind {
    case .text: return tree.text[item.text.range].allSatisfy { $0 == 0x20 || (0x09...0x0d).contains($0) } && item.style.collapsesSpaces
    case .inline:
      let edges = Sizing.border(item.style) + Sizing.padding(item.style, percentageBasis: .zero)
      return edges == .zero && tree.children(of: box).allSatisfy { isHollow(tree, $0) }
    case .blockContainer: return item.isAnonymous && item.hasInlineChildren && tree.children(of: box).allSatisfy { isHollow(tree, $0) }
    default: return false
    }
  }
}

extension ComputedStyle {
  fileprivate var collapsesSpaces: Bool {
    switch text.whiteSpaceCollapse {
    case .collapse: true
    default: false
    }
  }
}

extension InlineLayout {
  private func trim(_ side: TextBoxTrim, _ line: FontHeight, _ style: ComputedStyle, scale: Double) -> LayoutUnit {
    trimmedSides.contains(side) ? TextBoxTrimming.amount(engine, side, line, style, scale: scale) : .zero
  }

  /// The amount by which the first line with content is trimmed; nil if it is not. Chromium then reserves no space for annotations or an
  /// initial letter, and moves the floats of the line with it, but not their exclusions.
  func startTrim(_ builder: LineBuilder) -> LayoutUnit? {
    guard result.lineCount == 0, builder.line.hasContent, trimmedSides.contains(.start) else { return nil }
    return trim(.start, builder.height, builder.style, scale: builder.line.textScale)
  }

  /// Trims the last line. Chromium does not trim the last line allowed by `line-clamp`, unless more lines follow.
  mutating func trimEnd() {
    let isFull = context.lineClamp.map { result.lineCount == $0.lines } ?? false
    guard !isFull || result.continuesAfterClamp else { return }
    result.blockSize -= endTrim
    if result.isComplete, !result.lines.isEmpty { result.lines[result.lines.count - 1].end -= endTrim }
    // A trimmed line reserves no space for annotations below it either.
    if trimmedSides.contains(.end), clampedSize == nil { result.blockSize -= annotationOverflow }
  }

  /// The trimming of the last line so far.
  var endTrim: LayoutUnit { lastLine.map { trim(.end, $0.height, style, scale: $0.scale) } ?? .zero }
}
