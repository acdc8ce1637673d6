public import OffprintCSS
public import OffprintCoreTypes
public import OffprintTypography

/// Text as it stands in its user space. https://www.w3.org/TR/SVG2/text.html
public struct SVGText {
  /// Glyphs of one face in one style.
  public struct Run {
    public var style: ComputedStyle
    public var face: FaceInstance
    public var size: Float
    public var glyphs: [PositionedGlyphRun.Glyph]
    /// To the text's user space.
    public var transform: AffineTransform
  }
  /// A line that decorates, in the style of the element that asks for it.
  public struct Line {
    public var style: ComputedStyle
    public var rect: DisplayRect
    public var transform: AffineTransform
    /// It goes down.
    public var isUpright: Bool
  }
  public enum Item {
    case glyphs(Run)
    case line(Line)
    /// What follows is painted as one with these effects.
    case beginGroup(ComputedStyle)
    case endGroup
  }
  /// In the order of painting.
  public var items: [Item] = []
  public var bounds: DisplayRect?
}
