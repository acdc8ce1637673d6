internal import COffprintPango

/// `font-size-adjust`: the metric that must have the same ratio to the font size in every face.
///
/// https://drafts.csswg.org/css-fonts-5/#font-size-adjust-prop
public struct FontSizeAdjust: Hashable, Sendable {
  public enum Metric: UInt8, Hashable, Sendable {
    case exHeight, capHeight, chWidth, icWidth, icHeight
  }
  public var metric: Metric
  /// Nil for `from-font`: the ratio in the first available font.
  public var value: Float?

  public init(metric: Metric, value: Float?) {
    self.metric = metric
    self.value = value
  }
}

/// The descriptors of a `@font-face` rule that modify a face, as fractions of the font size.
///
/// https://drafts.csswg.org/css-fonts-5/#font-metrics-override-desc
public struct FontFaceOverrides: Hashable, Sendable {
  public var ascent: Float?
  public var descent: Float?
  public var lineGap: Float?
  public var sizeAdjust: Float

  public init(
    ascent: Float? = nil, descent: Float? = nil, lineGap: Float? = nil, sizeAdjust: Float = 1
  ) {
    self.ascent = ascent
    self.descent = descent
    self.lineGap = lineGap
    self.sizeAdjust = sizeAdjust
  }

  func apply(to metrics: inout FaceMetrics, unitsPerEm: Double) {
    if let ascent { metrics.ascender = Double(ascent) * unitsPerEm }
    if let descent { metrics.descender = -Double(descent) * unitsPerEm }
    if let lineGap { metrics.lineGap = Double(lineGap) * unitsPerEm }
  }
}

extension FontContext {
  /// The size at which `face` is used in `font`. In Chromium, faces that no family selects are used at the size of the primary one.
  func size(of face: FaceInstance, in font: ResolvedFont) -> Double {
    let isNamed = font.description.sizeAdjust == nil || font.entries.contains { $0.instance === face }
    return usedSize(of: isNamed ? face : font.primary ?? face, font.description.sizeAdjust, size: font.size, primary: font.primary)
  }

  func usedSize(
    of face: FaceInstance, _ adjust: FontSizeAdjust?, size: Double, primary: FaceInstance?
  ) -> Double {
    guard let adjust else { return bounded(size * Double(face.overrides.sizeAdjust)) }
    guard
      let wanted = adjust.value.map(Double.init) ?? primary.flatMap({ aspect(adjust.metric, $0) }),
      let actual = aspect(adjust.metric, face)
    else { return size }
    return bounded(size * wanted / actual)
  }

  /// Chromium truncates sizes to hundredths in single precision: 18.72 becomes 18.71 (`FontDescription::EffectiveFontSize`).
  private func bounded(_ size: Double) -> Double {
    size > 0 ? min(Double((Float(size) * 100).rounded(.down) / 100), 10_000) : 0
  }

  /// A metric of a face as a fraction of its size; nil if it is not available.
  private func aspect(_ metric: FontSizeAdjust.Metric, _ instance: FaceInstance) -> Double? {
    let face = instance.face
    let unitsPerEm = Double(face.info.unitsPerEm)
    let units: Double =
      switch metric {
      case .exHeight: face.info.metrics.xHeight > 0 ? face.info.metrics.xHeight : face.top(of: 0x78)
      case .capHeight:
        face.info.metrics.capHeight > 0 ? face.info.metrics.capHeight : face.top(of: 0x48)
      case .chWidth: advance(of: 0x30, instance)
      case .icWidth, .icHeight: advance(of: 0x6c34, instance)
      }
    return units > 0 && unitsPerEm > 0 ? units / unitsPerEm : nil
  }

  private func advance(of codepoint: UInt32, _ instance: FaceInstance) -> Double {
    let glyph = instance.face.glyph(for: codepoint)
    guard glyph != 0, let font = hbFont(for: instance) else { return 0 }
    return Double(hb_font_get_glyph_h_advance(font, glyph))
  }
}
