public import OffprintCSS
public import OffprintCoreTypes
public import OffprintTypography

/// Laid-out text in its user space. https://www.w3.org/TR/SVG2/text.html
public struct SVGText {
  /// A run of glyphs with the same face and style.
  public struct Run {
    public var style: ComputedStyle
    public var face: FaceInstance
    /// In the coordinate system of the glyphs, before `transform`.
    public var fontSize: Float
    public var glyphs: [PositionedGlyphRun.Glyph]
    /// The transform to the text's user space.
    public var transform: AffineTransform
  }
  /// A text decoration line, in the style of the decorating element.
  public struct DecorationLine {
    public var style: ComputedStyle
    public var rect: DisplayRect
    public var transform: AffineTransform
    /// Whether the line runs along the y axis, so that its thickness is `rect.width`.
    public var isVertical: Bool
  }
  public enum Item {
    case glyphs(Run)
    case decoration(DecorationLine)
    /// The following items are painted as a group with these effects.
    case beginGroup(ComputedStyle)
    case endGroup
  }
  /// In painting order.
  public var items: [Item] = []
  /// The bounding box in user space; nil if there are no glyphs.
  public var bounds: DisplayRect?
}
