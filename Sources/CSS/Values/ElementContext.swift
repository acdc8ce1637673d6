import OffprintCoreTypes

/// What relative values of one element refer to. Changes as its properties are computed one after the other; reused for each element.
final class ElementContext {
  var parent: ComputedStyle
  var viewportWidth: Float = 0
  var viewportHeight: Float = 0
  var containerWidth = 0.0
  var containerHeight = 0.0
  var usedContainerUnits = false
  /// What `em` is: the parent's font size while `font-size` is computed, then the element's.
  var fontSize: Float = 16
  var rootFontSize: Float = 16
  /// The font whose measures `ex`, `ch` and so on are.
  private var font: UnsafePointer<FontStyle>
  private var rootFont: UnsafePointer<FontStyle>
  /// What `lh` is.
  var lineHeight: LineHeight = .normal
  var rootLineHeight: LineHeight = .normal
  /// `lineHeight` is still the parent's.
  var isParentLineHeight = false
  private(set) var isVertical = false
  /// Letters stand upright in vertical lines.
  private var isUpright = false
  /// There is no parent.
  var isRoot = false
  var isRTL = false
  /// The element's own `math-depth`, before its `font-size` is computed.
  var mathDepth: Int16 = 0
  var color = Color.black
  var isDark = false
  /// Device px for a CSS px.
  var resolution = 1.0
  /// Asked for where a value depends on it; `usedPlace` then is true.
  var findPlace: () -> ElementPlace? = { nil }
  var usedPlace = false
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

  func place() -> ElementPlace? {
    usedPlace = true
    return findPlace()
  }

  /// The font is or may now be another; `pointer` stays valid while the element is computed.
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

  /// How far along the line a character takes the next one: `ch`, `ic`. https://drafts.csswg.org/css-values-4/#ch
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

  /// While `line-height` is computed `lh` is the parent's, in the parent's font.
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
