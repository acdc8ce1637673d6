package import OffprintCSS
package import OffprintTypography

extension EmphasisMark {
  /// Marks are on the line-over side; `left` and `right` count in vertical text.
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
