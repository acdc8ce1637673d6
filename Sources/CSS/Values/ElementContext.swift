import OffprintCoreTypes

/// The values to which relative values of an element refer. They change while the properties of the element are computed. The instance is
/// reused for each element.
final class ElementContext {
  var parent: ComputedStyle
  var viewportWidth: Float = 0
  var viewportHeight: Float = 0
  var containerWidth = 0.0
  var containerHeight = 0.0
  var usedContainerUnits = false
  /// The size of `em`: the parent's font size until `font-size` is computed, then that of the element.
  var fontSize: Float = 16
  var rootFontSize: Float = 16
  /// The font for `ex`, `ch` and other font-relative units.
  private var font: UnsafePointer<FontStyle>
  private var rootFont: UnsafePointer<FontStyle>
  /// The line height for `lh`.
  var lineHeight: LineHeight = .normal
  var rootLineHeight: LineHeight = .normal
  /// Whether `lineHeight` is still that of the parent.
  var isParentLineHeight = false
  private(set) var isVertical = false
  /// Whether letters are upright in vertical lines.
  private var isUpright = false
  /// Whether the element has no parent.
  var isRoot = false
  var isRTL = false
  /// The element's `math-depth`, computed before its `font-size`.
  var mathDepth: Int16 = 0
  var color = Color.black
  var isDark = false
  /// Device pixels per CSS px.
  var resolution = 1.0
  /// Determines the position of the element among its siblings. Called only if a value depends on it, which sets `usedPosition`.
  var findPlace: () -> ElementPosition? = { nil }
  var usedPosition = false
  /// What owns colors that depend on `currentcolor`.
  var arena: StyleArena?
  let provider: any FontMetricsProvider
  private var cachedMetrics: FontRelativeMetrics?
  private var cachedRootMetrics: FontRelativeMetrics?

  init(parent: ComputedStyle, provider: any FontMetricsProvider) {
    self.parent = parent
    self.provider = provider
    font = parent.record.pointee.font
    rootFont = font
  }

  func place() -> ElementPosition? {
    usedPosition = true
    return findPlace()
  }

  /// Sets the font after it may have changed. `pointer` must remain valid while the element is computed.
  func setFont(_ pointer: UnsafePointer<FontStyle>) {
    font = pointer
    cachedMetrics = nil
  }

  func setRootFont(_ pointer: UnsafePointer<FontStyle>, isFinal: Bool) {
    if pointer == rootFont, isFinal { return }
    rootFont = pointer
    rootFontSize = pointer.pointee.size
    rootLineHeight = pointer.pointee.lineHeight
    cachedRootMetrics = nil
  }

  var metrics: FontRelativeMetrics {
    if let cachedMetrics { return cachedMetrics }
    let metrics = provider.metrics(for: font.pointee)
    cachedMetrics = metrics
    return metrics
  }

  func setAxes(_ text: UnsafePointer<TextStyle>) {
    isVertical = text.pointee.writingMode != .horizontalTb
    let mode = text.pointee.writingMode
    isUpright = text.pointee.textOrientation == .upright && (mode == .verticalRl || mode == .verticalLr)
  }

  /// The advance of a character along the line, for `ch` and `ic`. https://drafts.csswg.org/css-values-4/#ch
  func advance(of character: FontRelativeMetrics.Character) -> Float {
    if isUpright, let advance = provider.uprightAdvance(of: character, for: font.pointee) { return advance }
    return character == .zero ? metrics.zeroAdvance : metrics.icAdvance
  }

  var rootMetrics: FontRelativeMetrics {
    if let cachedRootMetrics { return cachedRootMetrics }
    let metrics = provider.metrics(for: rootFont.pointee)
    cachedRootMetrics = metrics
    return metrics
  }

  /// The size of `lh`. While `line-height` is computed, it is that of the parent in the parent's font.
  var lineHeightPx: Float {
    if isParentLineHeight, lineHeight == .normal { return provider.metrics(for: parent.font).normalLineHeight }
    return Self.px(lineHeight, size: fontSize, normal: metrics.normalLineHeight)
  }
  var rootLineHeightPx: Float { Self.px(rootLineHeight, size: rootFontSize, normal: rootMetrics.normalLineHeight) }

  private static func px(_ height: LineHeight, size: Float, normal: @autoclosure () -> Float) -> Float {
    switch height {
    case .normal: normal()
    case .number(let factor): factor * size
    case .length(let px): px
    }
  }
}
