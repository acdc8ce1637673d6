/// Metrics of the first available font for relative lengths, in CSS px.
///
/// https://drafts.csswg.org/css-values-4/#font-relative-lengths
public struct FontRelativeMetrics: Hashable, Sendable {
  public var xHeight: Float
  public var capHeight: Float
  public var zeroAdvance: Float
  public var icAdvance: Float
  public var normalLineHeight: Float
  /// The characters whose advances define `ch` and `ic`: "0" and "水".
  public enum Character: UInt32, Sendable { case zero = 0x30, water = 0x6c34 }

  public init(xHeight: Float, capHeight: Float, zeroAdvance: Float, icAdvance: Float, normalLineHeight: Float) {
    self.xHeight = xHeight
    self.capHeight = capHeight
    self.zeroAdvance = zeroAdvance
    self.icAdvance = icAdvance
    self.normalLineHeight = normalLineHeight
  }
}

/// Provides font metrics for computing styles. Implemented by the typography module.
public protocol FontMetricsProvider {
  func metrics(for font: FontStyle) -> FontRelativeMetrics
  /// The vertical advance of an upright character; nil if no font has it.
  func uprightAdvance(of character: FontRelativeMetrics.Character, for font: FontStyle) -> Float?
  /// The scale factors of a math font for first-level and deeper scripts; nil for other fonts.
  func mathScriptScales(for font: FontStyle) -> (script: Float, scriptScript: Float)?
}

extension FontMetricsProvider {
  public func uprightAdvance(of character: FontRelativeMetrics.Character, for font: FontStyle) -> Float? { nil }
  public func mathScriptScales(for font: FontStyle) -> (script: Float, scriptScript: Float)? { nil }
}
