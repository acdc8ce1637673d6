/// Resource limits of a render. Every limit is finite, and each is an option.
public struct Limits: Hashable, Sendable {
  /// Bytes of HTML.
  public var inputBytes = 4 << 20
  /// Elements, text nodes and comments of the page.
  public var nodes = 200_000
  /// Nesting depth of elements; deeper ones become siblings at that depth.
  public var depth = 512
  /// Of all style sheets together.
  public var styleRules = 50_000
  /// Device pixels of one side of the image.
  public var imageSide = 65_535
  /// Device pixels of the whole image.
  public var imagePixels = 64_000_000
  /// Frames of an animated image.
  public var frames = 1200
  /// Device pixels of all frames of an animated image together.
  public var animationPixels = 2_000_000_000
  /// Bytes of one resource.
  public var resourceBytes = 16 << 20
  /// Bytes of all resources of a page together; resources beyond it are not loaded.
  public var loadedBytes = 128 << 20
  /// Number of resources a page may load; further ones are not loaded.
  public var resources = 64
  /// Pixels of one decoded image.
  public var decodedPixels = 40_000_000
  /// Bytes of all decoded images of a page together; images beyond it are stored at reduced resolution.
  public var decodedBytes = 256 << 20
  /// Bytes of the layers for groups, clips and masks that are in use at the same time.
  public var layerBytes = 256 << 20
  /// Recursion depth of layout, far more than elements nested to `depth` need.
  public var layoutDepth = 8192
  /// Boxes of a page. Inline boxes around blocks are split, so there can be many more boxes than elements.
  public var boxes = 1_000_000
  /// Fragments of boxes, including those of measurements.
  public var fragments = 3_000_000
  /// Estimated steps of filling or stroking one path, which cannot be interrupted. The default is about two seconds.
  public var pathSteps = 1_000_000_000
  /// Tags, sections and list items expanded by a template.
  public var templateSteps = 1_000_000
  /// Seconds a render may take, from template expansion to the last byte; waiting for a free worker does not count.
  public var seconds = 10.0

  public init() {}
}

/// A limit was exceeded and the render cannot continue.
public struct LimitExceeded: Error, Hashable, Sendable {
  /// The limit's name, as in `Limits`.
  public var limit: String
  /// Its value.
  public var allowed: Int
  public init(limit: String, allowed: Int) { self.limit = limit; self.allowed = allowed }

  /// Whether the limit belongs to the engine, so that no option raises it.
  public var isFixed: Bool { ["displayListBytes", "reportBytes"].contains(limit) }
}
