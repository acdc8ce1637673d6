import OffprintCoreTypes

/// Counts the pixels that drawing goes over, and asks for the time every some hundred thousand of them: a few milliseconds apart.
final class WorkMeter {
  private static let interval = 1 << 18

  let deadline: Deadline
  /// What one path may take (`Limits.pathSteps`).
  private let pathSteps: Int
  private(set) var pixels = 0
  private var nextLook = interval

  init(deadline: Deadline, pathSteps: Int = Limits().pathSteps) { self.deadline = deadline; self.pathSteps = pathSteps }

  /// Called before a path is filled or stroked, which cannot be interrupted. What is over the limit does not depend on the time that is left.
  ///
  /// - Throws: `LimitExceeded`, `DeadlineExceeded`.
  func permit(_ cost: PathCost) throws {
    if cost.steps > Double(pathSteps) { throw LimitExceeded(limit: "pathSteps", allowed: pathSteps) }
    try permit(seconds: cost.steps * Self.secondsPerStep)
  }

  /// Called before what cannot be stopped halfway.
  ///
  /// - Throws: `DeadlineExceeded` where it would be done too late.
  func permit(seconds: Double) throws {
    if seconds > Self.shortest { try deadline.check(leaving: seconds) }
  }

  /// What takes no longer is not worth a look at the clock.
  private static let shortest = 0.02
  private static let secondsPerStep = 3e-9

  /// Called for all that a document is to contain, which cairo writes later and in one piece, and for the outlines of a text.
  ///
  /// - Parameter points: of paths, those of clips each time that they are written.
  /// - Throws: `LimitExceeded`.
  func permit(documentPoints points: Int) throws {
    if points > pathSteps / Self.stepsPerDocumentPoint { throw LimitExceeded(limit: "pathSteps", allowed: pathSteps) }
  }

  /// Nearly: a point takes a microsecond, a step two nanoseconds, and a page may take some five times what a path may.
  private static let stepsPerDocumentPoint = 200

  /// - Parameter count: pixels that are about to be read or written.
  /// - Throws: `DeadlineExceeded`.
  @inline(__always)
  func spend(_ count: Int) throws {
    pixels &+= count
    if pixels >= nextLook { try look() }
  }

  /// Looks at the clock now: before what cannot be stopped halfway.
  func look() throws {
    nextLook = pixels &+ Self.interval
    try deadline.check()
  }

}
