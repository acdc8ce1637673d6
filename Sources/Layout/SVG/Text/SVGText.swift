public import CSS
public import CoreTypes
public import Typography

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
  public enum Item {
    case glyphs(Run)
    /// A line that decorates, in the style of the element that asks for it.
    case line(style: ComputedStyle, DisplayRect, AffineTransform)
  }
  /// In the order of painting.
  public var items: [Item] = []
  public var bounds: DisplayRect?
}
