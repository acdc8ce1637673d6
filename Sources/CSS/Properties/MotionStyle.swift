public import OffprintCoreTypes

/// Properties of motion paths. https://drafts.fxtf.org/motion-1/
public struct MotionStyle: Hashable, Sendable {
  public var path = Path.none
  public var distance = LengthPercentage.zero
  public var rotation = Rotation()
  /// Nil for `auto`.
  public var anchor: Position?
  public var position = Start.normal
  public init() {}

  public enum Path: Hashable, Sendable {
    case none
    case box(BoxEdge)
    case shape(BasicShape, BoxEdge?, isCentered: Bool)
    case ray(Ray, BoxEdge?)
    /// A reference to an SVG shape.
    case reference(ByteString)
  }

  public struct Ray: Hashable, Sendable {
    public enum Size: UInt8, Hashable, Sendable { case closestSide, closestCorner, farthestSide, farthestCorner, sides }
    /// In degrees, clockwise from the top.
    public var angle: Float
    public var size = Size.closestSide
    public var isContained = false
    public var center: Position?
  }

  public struct Rotation: Hashable, Sendable {
    /// Whether the box rotates with the direction of the path.
    public var isAuto = true
    /// In degrees, added to that direction.
    public var angle: Float = 0
    public init(isAuto: Bool = true, angle: Float = 0) {
      self.isAuto = isAuto
      self.angle = angle
    }
  }

  /// The start of paths without an explicit starting position.
  public enum Start: Hashable, Sendable {
    case normal, auto
    case at(Position)
  }
}

extension EffectStyle {
  /// Stored only if it is not initial.
  public var motion: MotionStyle {
    get { motionPath.first ?? MotionStyle() }
    set { motionPath = newValue == MotionStyle() ? [] : [newValue] }
  }
  @usableFromInline var hasMotion: Bool { motionPath.first.map { $0.path != .none } ?? false }
}

extension MotionStyle: Zoomable {
  func zoomed(_ zoom: Float) -> MotionStyle {
    var motion = self
    motion.distance = distance.zoomed(zoom)
    if let anchor { motion.anchor = anchor.zoomed(zoom) }
    if case .at(let place) = position { motion.position = .at(place.zoomed(zoom)) }
    switch path {
    case .shape(let shape, let box, let isCentered): motion.path = .shape(shape.zoomed(zoom), box, isCentered: isCentered)
    case .ray(var ray, let box):
      ray.center = ray.center?.zoomed(zoom)
      motion.path = .ray(ray, box)
    case .none, .box, .reference: break
    }
    return motion
  }
}
