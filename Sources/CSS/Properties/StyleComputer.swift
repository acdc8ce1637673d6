public import CoreTypes

/// Measures of the first available font that lengths refer to, in px.
///
/// https://drafts.csswg.org/css-values-4/#font-relative-lengths
public struct FontRelativeMetrics: Hashable, Sendable {
  public var xHeight: Float
  public var capHeight: Float
  public var zeroAdvance: Float
  public var icAdvance: Float
  public var normalLineHeight: Float
  public init(xHeight: Float, capHeight: Float, zeroAdvance: Float, icAdvance: Float, normalLineHeight: Float) {
    self.xHeight = xHeight; self.capHeight = capHeight; self.zeroAdvance = zeroAdvance; self.icAdvance = icAdvance
    self.normalLineHeight = normalLineHeight
  }
}

/// What computing styles needs of fonts; Typography answers it.
public protocol FontMetricsProvider {
  func metrics(for font: FontStyle) -> FontRelativeMetrics
}

/// A custom property registered with `@property`.
///
/// https://drafts.css-houdini.org/css-properties-values-api/
public struct RegisteredProperty: Sendable {
  /// As written, `*` for any.
  public var syntax: String
  public var inherits: Bool
  /// As UTF-8; nil where there is none.
  public var initialValue: [UInt8]?
  public init(syntax: String, inherits: Bool, initialValue: [UInt8]?) {
    self.syntax = syntax; self.inherits = inherits; self.initialValue = initialValue
  }
}

/// Turns the declarations of an element into its computed style. One for each document; used by one thread.
///
/// https://drafts.csswg.org/css-cascade-5/#value-stages
public final class StyleComputer {
  public let arena: StyleArena
  public let viewport: (width: Float, height: Float)
  let fontMetrics: any FontMetricsProvider
  let names: NameInterner
  let quirks: Bool
  let isDark: Bool
  public var registeredProperties: [Name: RegisteredProperty]
  /// Whether the last style depends on the element's attributes, so that elements with the same declarations cannot share it.
  public private(set) var usedAttributes = false

  public init(
    arena: StyleArena, viewport: (width: Float, height: Float), fontMetrics: any FontMetricsProvider, names: NameInterner,
    quirks: Bool, isDark: Bool, registeredProperties: [Name: RegisteredProperty] = [:]
  ) {
    self.arena = arena; self.viewport = viewport; self.fontMetrics = fontMetrics; self.names = names
    self.quirks = quirks; self.isDark = isDark; self.registeredProperties = registeredProperties
  }

  /// - Parameters:
  ///   - declarations: in ascending priority.
  ///   - parent: the style of the parent element, or of the originating element of a pseudo-element; nil for the root.
  ///   - root: the style of the root element; nil for itself.
  ///   - language: the content language from `lang`; nil where the element has no such attribute and inherits.
  ///   - attribute: the value of an attribute of the element, for `attr()`.
  public func compute(
    _ declarations: [CascadedDeclaration], parent: ComputedStyle?, root: ComputedStyle?, isRootElement: Bool, pseudo: PseudoElement? = nil,
    language: String? = nil, attribute: (ArraySlice<UInt8>) -> ArraySlice<UInt8>? = { _ in nil }
  ) -> ComputedStyle {
    arena.initialStyle
  }
}
