/// What a render may use. Every limit is finite; each is an option.
public struct Limits: Hashable, Sendable {
  /// Bytes of HTML.
  public var inputBytes = 4 << 20
  public var nodes = 200_000
  /// How deep elements may nest; deeper ones become siblings at that depth.
  public var depth = 512
  public var styleRules = 50_000
  /// Device px of a side of the picture.
  public var pictureSide = 65_535
  public var picturePixels = 64_000_000
  /// Bytes of one resource.
  public var resourceBytes = 16 << 20
  public var resources = 64
  /// Pixels of one decoded picture.
  public var decodedPixels = 40_000_000
  /// Seconds a render may take.
  public var seconds = 10.0

  public init() {}
}

/// A limit of `Limits` that was exceeded where going on makes no sense.
public struct LimitExceeded: Error, Hashable, Sendable {
  /// The limit's name, as in `Limits`.
  public var limit: String
  public var allowed: Int
  public init(limit: String, allowed: Int) { self.limit = limit; self.allowed = allowed }
}

/// Thrown by `Deadline.check()`.
public struct DeadlineExceeded: Error, Hashable, Sendable {
  public init() {}
}

/// The moment a render must be done by. Cheap to ask: loops ask every few hundred steps.
public struct Deadline: Sendable {
  private let end: ContinuousClock.Instant?

  /// No deadline.
  public static var never: Deadline { Deadline(end: nil) }

  public init(after duration: Duration) { end = ContinuousClock.now.advanced(by: duration) }
  private init(end: ContinuousClock.Instant?) { self.end = end }

  public var hasPassed: Bool { end.map { ContinuousClock.now >= $0 } ?? false }

  /// The time left: zero or less once the moment has passed, nil without a deadline.
  public var remaining: Duration? { end.map { ContinuousClock.now.duration(to: $0) } }

  /// This moment, or `duration` from now where that is earlier.
  public func orEarlier(after duration: Duration) -> Deadline {
    let other = ContinuousClock.now.advanced(by: duration)
    return Deadline(end: end.map { min($0, other) } ?? other)
  }

  /// - Throws: `DeadlineExceeded` once the moment has passed.
  public func check() throws { if hasPassed { throw DeadlineExceeded() } }
}
