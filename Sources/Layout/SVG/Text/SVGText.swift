public import OffprintCSS
public import OffprintCoreTypes
public import OffprintTypography

/// Laid-out text in its user space. https://www.w3.org/TR/SVG2/text.html
public struct SVGText {
  /// Glyphs with one face and style.
  public struct Run {
    public var style: ComputedStyle
    public var face: FaceInstance
    public var size: Float
    public var glyphs: [PositionedGlyphRun.Glyph]
    /// The transform to the text's user space.
    public var transform: AffineTransform
  }
  /// A text decoration line, in the style of the decorating element.
  public struct Line {
    public var style: ComputedStyle
    public var rect: DisplayRect
    public var transform: AffineTransform
    /// Whether the line is vertical.
    public var isUpright: Bool
  }
  public enum Item {
    case glyphs(Run)
    case line(Line)
    /// The following items are painted as a group with these effects.
    case beginGroup(ComputedStyle)
    case endGroup
  }
  /// In painting order.
  public var items: [Item] = []
  public var bounds: DisplayRect?
}
