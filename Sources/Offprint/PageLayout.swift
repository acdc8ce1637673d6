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

  /// The page's size in CSS px.
  public var width: Double
  /// CSS px.
  public var height: Double
  /// Of each element that has a box, in document order.
  public var boxes: [Box]
  /// What the engine noticed.
  public var diagnostics: [Diagnostic]
  /// How long each stage took.
  public var timings: [StageTiming]

  public init(width: Double, height: Double, boxes: [Box], diagnostics: [Diagnostic] = [], timings: [StageTiming] = []) {
    self.width = width; self.height = height; self.boxes = boxes; self.diagnostics = diagnostics; self.timings = timings
  }
}
