public import OffprintCSS

extension ComputedStyle {
  /// The distance in CSS px by which the shadows, the outline and the stroked glyphs of a box may extend beyond it.
  public var inkOutset: Double {
    var outset = Double(2)
    for shadow in background.boxShadow + text.textShadow {
      outset = max(outset, Double(abs(shadow.y)) + 2 * Double(abs(shadow.blur)) + Double(abs(shadow.spread)) + 4)
    }
    if border.outlineWidth > 0 { outset = max(outset, Double(border.outlineWidth) + Double(abs(border.outlineOffset)) + 8) }
    return outset + 2 * Double(text.strokeWidth)
  }
}
