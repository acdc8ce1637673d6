public import OffprintCoreTypes

/// Where everything on a page is, as `Renderer.layout` answers: no pixels are made.
public struct PageLayout: Hashable, Sendable, Codable {
  /// The border box of an element; of an inline element the union of its fragments. CSS px.
  public struct Box: Hashable, Sendable, Codable {
    /// Child-element indexes from the root, whose own is 0.
    public var path: [Int]
    /// The element's name: `div`.
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

  /// A piece of text on one line, in one style. CSS px.
  public struct TextLine: Hashable, Sendable, Codable {
    /// Of the element that it is in: child-element indexes from the root.
    public var path: [Int]
    /// The text as drawn: spaces are collapsed, `text-transform` is applied.
    public var text: String
    /// From the page's left edge.
    public var x: Double
    /// From the page's top edge.
    public var y: Double
    /// The advance, in horizontal text.
    public var width: Double
    /// Ascent and descent of the font, in horizontal text.
    public var height: Double
    /// Of the alphabetic baseline, from the page's top edge; from the left edge in vertical text.
    public var baseline: Double

    public init(path: [Int], text: String, x: Double, y: Double, width: Double, height: Double, baseline: Double) {
      self.path = path; self.text = text; self.x = x; self.y = y; self.width = width; self.height = height; self.baseline = baseline
    }
  }

  /// The page's size in CSS px.
  public var width: Double
  /// CSS px.
  public var height: Double
  /// Of each element that has a box, in document order.
  public var boxes: [Box]
  /// In painting order of the boxes that they are in, line by line.
  public var lines: [TextLine]
  /// What the engine noticed.
  public var diagnostics: [Diagnostic]
  /// How long each stage took.
  public var timings: [StageTiming]

  public init(
    width: Double, height: Double, boxes: [Box], lines: [TextLine] = [], diagnostics: [Diagnostic] = [], timings: [StageTiming] = []
  ) {
    self.width = width; self.height = height; self.boxes = boxes; self.lines = lines; self.diagnostics = diagnostics; self.timings = timings
  }
}
