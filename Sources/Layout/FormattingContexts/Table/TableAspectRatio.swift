import OffprintCSS
import OffprintCoreTypes

// https://drafts.csswg.org/css-sizing-4/#aspect-ratio. Tables with captions have none.
extension TableFormattingContext {
  /// The border-box inline size that a definite block size gives a table without an inline size of its own.
  static func transferredInline(_ table: TableLayout, _ input: LayoutInput) -> LayoutUnit? {
    guard let ratio = ratio(table), Sizing.LogicalSizes(table.style).inline.isAuto, !Sizing.LogicalSizes(table.style).block.isAuto else {
      return nil
    }
    let block = gridBlockSize(table, input, captions: .zero, inline: nil)
    return block.map { Sizing.inline(fromBlock: $0, ratio: ratio, table.style, edges: table.edges) }
  }

  /// The border-box block size that an inline size gives: a minimum, as heights of tables are.
  static func transferredBlock(_ table: TableLayout, _ inline: LayoutUnit) -> LayoutUnit? {
    ratio(table).map { Sizing.block(fromInline: inline, ratio: $0, table.style, edges: table.edges) }
  }

  private static func ratio(_ table: TableLayout) -> Sizing.Ratio? {
    guard table.style.box.aspectRatio != nil, table.captions.isEmpty else { return nil }
    return Sizing.preferredAspectRatio(table.engine, table.wrapper)
  }
}
