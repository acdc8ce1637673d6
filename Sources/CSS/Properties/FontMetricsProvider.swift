/// Measures of the first available font that lengths refer to, in px.
///
/// https://drafts.csswg.org/css-values-4/#font-relative-lengths
public struct FontRelativeMetrics: Hashable, Sendable {
  public var xHeight: Float
  public var capHeight: Float
  public var zeroAdvance: Float
  public var icAdvance: Float
  public var normalLineHeight: Float
  /// The characters whose advances are lengths: "0" and "水".
  public enum Character: UInt32, Sendable { case zero = 0x30, water = 0x6c34 }

  public init(xHeight: Float, capHeight: Float, zeroAdvance: Float, icAdvance: Float, normalLineHeight: Float) {
    self.xHeight = xHeight
    self.capHeight = capHeight
    self.zeroAdvance = zeroAdvance
    self.icAdvance = icAdvance
    self.normalLineHeight = normalLineHeight
  }
}

/// What computing styles needs of fonts; Typography answers it.
public protocol FontMetricsProvider {
  func metrics(for font: FontStyle) -> FontRelativeMetrics
  /// How far an upright character of vertical text takes the next one; nil where no font has it.
  func uprightAdvance(of character: FontRelativeMetrics.Character, for font: FontStyle) -> Float?
  /// How a mathematical font scales scripts of the first and of further levels; nil for other fonts.
  func mathScriptScales(for font: FontStyle) -> (script: Float, scriptScript: Float)?
}

extension FontMetricsProvider {
  public func uprightAdvance(of character: FontRelativeMetrics.Character, for font: FontStyle) -> Float? { nil }
  public func mathScriptScales(for font: FontStyle) -> (script: Float, scriptScript: Float)? { nil }
}
