import OffprintCSS
import OffprintCoreTypes
import OffprintTypography

// Where the lines that decorate a text are, how thick, and of what colour.
extension TextDecorationPainter {
  /// Like in Chromium `currentcolor` is the colour that the text is stroked or filled with.
  func color(_ effects: EffectStyle, _ style: ComputedStyle) -> Color {
    let text = style.text
    guard effects.textDecorationColor == .currentColor else { return effects.textDecorationColor.resolve(text.color) }
    let stroke = text.strokeColor.resolve(text.color)
    return text.strokeWidth > 0 && !stroke.isTransparent ? stroke : text.fillColor?.resolve(text.color) ?? text.color
  }

  enum Place { case baseline, under, over }

  /// Where underlines are; overlines are on the other side. https://drafts.csswg.org/css-text-decor-4/#text-underline-position-property
  func place(_ style: ComputedStyle, _ line: TextPainter.TextLine) -> Place {
    let position = style.text.underlinePosition, mode = style.text.writingMode
    guard line.isVertical, mode == .verticalRl || mode == .verticalLr, style.text.textOrientation != .sideways else {
      return position.contains(.under) ? .under : .baseline
    }
    // Vertical Japanese and Korean has its lines at the right. https://drafts.csswg.org/css-text-decor-4/#default-stylesheet
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

  /// https://drafts.csswg.org/css-text-decor-4/#underline-offset
  func underlineOffset(
    _ style: ComputedStyle, _ place: Place, _ thickness: Double, _ metrics: FontMetrics?, _ line: TextPainter.TextLine
  ) -> Double {
    let position = style.text.underlinePosition
    let explicit = style.text.underlineOffset.map { ($0.resolve(Double(style.font.size * line.text.scale)) * scale).rounded() }
    if place != .baseline {
      // Like in Chromium a px beyond the em box, and the offset beyond that.
      let reach = emReach(style, place, metrics, line) + scale + (explicit ?? 0)
      return place == .over ? -reach : reach
    }
    if position.contains(.fromFont), let metrics, metrics.underlinePosition > 0 {
      return length(metrics.underlinePosition) - thickness / 2 + (explicit ?? 0)
    }
    if let explicit { return explicit }
    return max(1, (thickness / 2).rounded(.up))
  }

  /// How far the em box reaches below the baseline, or above it; around the middle of upright lines.
  func emReach(_ style: ComputedStyle, _ place: Place, _ metrics: FontMetrics?, _ line: TextPainter.TextLine) -> Double {
    guard let metrics else { return line.height - line.ascent }
    guard line.isVertical else { return length(metrics.size - metrics.normalizedAscent) }
    let middle = length(metrics.ascent - metrics.descent) / 2, half = length(metrics.size) / 2
    return place == .over ? half + middle : half - middle
  }
}
