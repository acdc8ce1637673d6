import OffprintCSS
import OffprintCoreTypes
import OffprintTypography

// Position, thickness and color of text decorations.
extension TextDecorationPainter {
  /// The color of a decoration. In Chromium `currentcolor` is the stroke color of stroked text and otherwise the fill color.
  func color(_ effects: EffectStyle, _ style: ComputedStyle) -> Color {
    let text = style.text
    guard effects.textDecorationColor == .currentColor else { return effects.textDecorationColor.resolve(text.color) }
    let stroke = text.strokeColor.resolve(text.color)
    return text.strokeWidth > 0 && !stroke.isTransparent ? stroke : text.fillColor?.resolve(text.color) ?? text.color
  }

  enum Place { case baseline, under, over }

  /// The side of underlines; overlines are on the opposite side.
  /// https://drafts.csswg.org/css-text-decor-4/#text-underline-position-property
  func place(_ style: ComputedStyle, _ line: TextPainter.TextLine) -> Place {
    let position = style.text.underlinePosition, mode = style.text.writingMode
    guard line.isVertical, mode == .verticalRl || mode == .verticalLr, style.text.textOrientation != .sideways else {
      return position.contains(.under) ? .under : .baseline
    }
    // Vertical Japanese and Korean text is underlined on the right. https://drafts.csswg.org/css-text-decor-4/#default-stylesheet
    let language = style.font.language.prefix(2).lowercased()
    if language == "ja" || language == "ko" { return position.contains(.left) ? .under : .over }
    return position.contains(.right) ? .over : .under
  }

  /// https://drafts.csswg.org/css-text-decor-4/#text-decoration-width-property
  func thickness(_ value: EffectStyle.DecorationThickness, _ size: Float, _ metrics: FontMetrics?) -> Double {
    let automatic = max(1, length(size) / 10)
    switch value {
    case .auto: return automatic
    case .fromFont: return metrics.map { $0.underlineThickness > 0 ? max(1, length($0.underlineThickness)) : automatic } ?? automatic
    case .value(let v): return max(1, (v.resolve(Double(size)) * scale).rounded())
    }
  }

  /// The distance to an underline, from the baseline or, in vertical text, from the line-over edge.
  ///
  /// https://drafts.csswg.org/css-text-decor-4/#underline-offset
  func underlineOffset(
    _ decorating: ComputedStyle, _ style: ComputedStyle, _ place: Place, _ thickness: Double, _ metrics: FontMetrics?,
    _ line: TextPainter.TextLine
  ) -> Double {
    let position = style.text.underlinePosition, isHorizontal = decorating.text.writingMode == .horizontalTb
    let explicit = decorating.text.underlineOffset.map { $0.resolve(Double(style.font.size * line.text.scale)) * scale }
    let over = isHorizontal ? 0 : line.ascent
    if place != .baseline {
      let outset = emReach(style, place, metrics, line)
      // Chromium floors the sum and adds a gap of 1 px beyond the em box.
      if place == .over { return (over - outset - (explicit ?? 0)).rounded(.down) - scale - thickness.rounded(.down) }
      return (over + outset + (explicit ?? 0)).rounded(.down) + scale
    }
    if position.contains(.fromFont), let metrics, metrics.underlinePosition > 0 {
      return over + length(metrics.underlinePosition) + (explicit?.rounded() ?? 0)
    }
    if let explicit { return over + explicit.rounded() }
    return over + max(1, (thickness / 2).rounded(.up))
  }

  /// The extent of the em box below the baseline, or above it for `over`. In upright vertical text the em box is centered on the line.
  private func emReach(_ style: ComputedStyle, _ place: Place, _ metrics: FontMetrics?, _ line: TextPainter.TextLine) -> Double {
    guard let metrics else { return line.height - line.ascent }
    let mode = style.text.writingMode
    guard mode == .verticalRl || mode == .verticalLr, style.text.textOrientation != .sideways else {
      return length(metrics.size - metrics.normalizedAscent)
    }
    let middle = length(metrics.ascent - metrics.descent) / 2, half = length(metrics.size) / 2
    return place == .over ? half + middle : half - middle
  }
}
