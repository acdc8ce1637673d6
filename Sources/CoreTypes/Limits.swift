/// What a render may use. Every limit is finite; each is an option.
public struct Limits: Hashable, Sendable {
  /// Bytes of HTML.
  public var inputBytes = 4 << 20
  /// Elements, texts and comments of the page.
  public var nodes = 200_000
  /// How deep elements may nest; deeper ones become siblings at that depth.
  public var depth = 512
  /// Of all style sheets together.
  public var styleRules = 50_000
  /// Device px of a side of the picture.
  public var pictureSide = 65_535
  /// Device px of the whole picture.
  public var picturePixels = 64_000_000
  /// Bytes of one resource.
  public var resourceBytes = 16 << 20
  /// Bytes of all resources of a page together; what is beyond is left out.
  public var loadedBytes = 128 << 20
  /// How many resources a page may load; further ones are left out.
  public var resources = 64
  /// Pixels of one decoded picture.
  public var decodedPixels = 40_000_000
  /// Bytes of all decoded pictures of a page together; what is beyond is kept at a part of its resolution.
  public var decodedBytes = 256 << 20
  /// Bytes of the layers that groups, clips and masks are drawn in, of those that are needed at a time.
  public var layerBytes = 256 << 20
  /// How deep layout may ask for the layout of boxes in boxes: far more than elements nested to `depth` need.
  public var layoutDepth = 8192
  /// Boxes of a page: inline boxes around blocks are split, and may become many more than there are elements.
  public var boxes = 1_000_000
  /// Pieces of boxes as laid out, those of measurements included.
  public var fragments = 3_000_000
  /// Steps that filling or stroking one path may take, by an estimate: it cannot be interrupted. Two seconds, more or less.
  public var pathSteps = 1_000_000_000
  /// Tags, sections and list items that a template may expand to.
  public var templateSteps = 1_000_000
  /// Seconds a render may take, from its template to its last byte; waiting for a free worker does not count.
  public var seconds = 10.0

  public init() {}
}

/// A limit of `Limits` that was exceeded where going on makes no sense.
public struct LimitExceeded: Error, Hashable, Sendable {
  /// The limit's name, as in `Limits`.
  public var limit: String
  /// Its value.
  public var allowed: Int
  public init(limit: String, allowed: Int) { self.limit = limit; self.allowed = allowed }

  /// Of what the engine itself bears, which no option raises.
  public var isFixed: Bool { ["displayListBytes", "reportBytes"].contains(limit) }
}
