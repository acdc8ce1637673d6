public import OffprintCoreTypes

/// The geometry of a page, as returned by `Renderer.layout` without rendering pixels.
public struct PageLayout: Hashable, Sendable, Codable {
  /// The border box of an element, or the union of the fragments of an inline element. In CSS px.
  public struct Box: Hashable, Sendable, Codable {
    /// Child-element indexes from the root, whose own index is 0.
    public var path: [Int]
    /// The element's name, for example `div`.
    public var name: String
    /// From the page's left edge.
    public var x: Double
    /// From the page's top edge.
    public var y: Double
    /// CSS px.
    public var width: Double
    /// CSS px.
    public var height: Double

    public init(path: [Int], name: String, x: Double, y: Double, width: Double, height: Double) {
      self.path = path; self.name = name; self.x = x; self.y = y; self.width = width; self.height = height
    }
  }

  /// A piece of text in one style on one line. In CSS px.
  public struct TextLine: Hashable, Sendable, Codable {
    /// The path of its element: child-element indexes from the root.
    public var path: [Int]
    /// The text as rendered: after collapsing spaces and applying `text-transform`.
    public var text: String
    /// From the page's left edge.
    public var x: Double
    /// From the page's top edge.
    public var y: Double
    /// The advance, for horizontal text.
    public var width: Double
    /// Ascent plus descent of the font, for horizontal text.
    public var height: Double
    /// The position of the alphabetic baseline: from the page's top edge, or from its left edge for vertical text.
    public var baseline: Double

    public init(path: [Int], text: String, x: Double, y: Double, width: Double, height: Double, baseline: Double) {
      self.path = path; self.text = text; self.x = x; self.y = y; self.width = width; self.height = height; self.baseline = baseline
    }
  }

  /// The page's size in CSS px.
  public var width: Double
  /// CSS px.
  public var height: Double
  /// One box for each element that has one, in document order.
  public var boxes: [Box]
  /// In painting order of their boxes, line by line.
  public var lines: [TextLine]
  /// The diagnostics of the render.
  public var diagnostics: [Diagnostic]
  /// The duration of each stage.
  public var timings: [StageTiming]

  public init(
    width: Double, height: Double, boxes: [Box], lines: [TextLine] = [], diagnostics: [Diagnostic] = [], timings: [StageTiming] = []
  ) {
    self.width = width; self.height = height; self.boxes = boxes; self.lines = lines; self.diagnostics = diagnostics; self.timings = timings
  }
}
