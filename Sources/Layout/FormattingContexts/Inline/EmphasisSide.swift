package import OffprintCSS
package import OffprintTypography

extension EmphasisMark {
  /// Whether emphasis marks are on the line-over side. In vertical text only `left` and `right` apply.
  ///
  /// https://drafts.csswg.org/css-text-decor-4/#text-emphasis-position-property
  package static func isOver(_ style: ComputedStyle) -> Bool {
    switch style.text.writingMode {
    case .horizontalTb: !style.text.emphasisUnder
    case .verticalRl, .verticalLr, .sidewaysRl: !style.text.emphasisLeft
    case .sidewaysLr: style.text.emphasisLeft
    }
  }
}
