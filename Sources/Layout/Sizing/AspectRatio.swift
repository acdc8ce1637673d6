internal import OffprintCSS
internal import OffprintCoreTypes

// https://drafts.csswg.org/css-sizing-4/#aspect-ratio

extension Sizing {
  /// A preferred aspect ratio, inline over block, and the box it applies to.
  struct Ratio: Sendable {
    var value: Double
    /// Whether it applies to the box of `box-sizing`, or always to the content box (`auto`, natural aspect ratios).
    var usesBoxSizing: Bool
  }

  /// The preferred aspect ratio of a box, including the natural aspect ratio of replaced elements.
  static func preferredAspectRatio(_ engine: LayoutEngine, _ box: BoxID) -> Ratio? {
    let style = engine.style(box)
    switch engine.tree[box].kind {
    case .tableCell, .tableRow, .tableRowGroup, .tableColumn, .tableColumnGroup: return nil
    default: break
    }
    let isReplaced = engine.tree[box].kind == .replaced
    var ratio: Double?
    var usesBoxSizing = false
    if let preferred = style.box.aspectRatio, let value = preferred.ratio, value > 0, value.isFinite {
      ratio = Double(value)
      usesBoxSizing = !preferred.auto
    }
    if isReplaced, style.box.aspectRatio?.auto ?? true, let natural = naturalRatio(engine, box) {
      ratio = natural
      usesBoxSizing = false
    }
    guard let ratio, ratio > 0 else { return nil }
    return Ratio(value: style.text.writingMode == .horizontalTb ? ratio : 1 / ratio, usesBoxSizing: usesBoxSizing)
  }

  static func naturalRatio(_ engine: LayoutEngine, _ box: BoxID) -> Double? {
    let number = Int(engine.tree[box].replaced)
    guard engine.tree.replaced.indices.contains(number), containedBlock(engine.style(box)) == nil else { return nil }
    let content = engine.tree.replaced[number]
    if case .control = content.kind { return nil }
    if let ratio = content.naturalRatio, ratio > 0, ratio.isFinite { return Double(ratio) }
    // The icon of a broken image does not define an aspect ratio for its frame.
    if case .brokenImage = content.kind { return nil }
    if let width = content.naturalWidth, let height = content.naturalHeight, width > 0, height > 0 { return Double(width) / Double(height) }
    return nil
  }

  /// The border-box inline size for a border-box block size.
  static func inline(fromBlock block: LayoutUnit, ratio: Ratio, _ style: ComputedStyle, edges: LogicalEdges) -> LayoutUnit {
    if ratio.usesBoxSizing, style.box.boxSizing == .borderBox { return max(block * ratio.value, edges.inlineSum) }
    return (block - edges.blockSum).clampedToZero * ratio.value + edges.inlineSum
  }

  /// The border-box block size for a border-box inline size.
  static func block(fromInline inline: LayoutUnit, ratio: Ratio, _ style: ComputedStyle, edges: LogicalEdges) -> LayoutUnit {
    if ratio.usesBoxSizing, style.box.boxSizing == .borderBox { return max(inline * (1 / ratio.value), edges.blockSum) }
    return (inline - edges.inlineSum).clampedToZero * (1 / ratio.value) + edges.blockSum
  }

  /// The inline size transferred from a definite block size through the aspect ratio; nil without either.
  static func transferredInline(_ engine: LayoutEngine, _ box: BoxID, _ input: LayoutInput, edges: LogicalEdges) -> LayoutUnit? {
    guard let ratio = preferredAspectRatio(engine, box), engine.tree[box].kind != .tableWrapper,
      let block = definiteBlockSize(engine, box, input, edges: edges)
    else { return nil }
    return inline(fromBlock: block, ratio: ratio, engine.style(box), edges: edges)
  }
}
