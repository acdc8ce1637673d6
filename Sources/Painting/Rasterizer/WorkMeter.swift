import OffprintCoreTypes

/// Counts the pixels processed and checks the deadline about every quarter million pixels, a few milliseconds apart.
final class WorkMeter {
  private static let interval = 1 << 18

  let deadline: Deadline
  /// The maximum cost of one path (`Limits.pathSteps`).
  private let pathSteps: Int
  private(set) var pixels = 0
  private var nextCheck = interval

  init(deadline: Deadline, pathSteps: Int = Limits().pathSteps) { self.deadline = deadline; self.pathSteps = pathSteps }

  /// Called before a path is filled or stroked, which cannot be interrupted. Whether the limit is exceeded does not depend on the remaining time.
  ///
  /// - Throws: `LimitExceeded`, `DeadlineExceeded`.
  func permit(_ cost: PathCost) throws {
    if cost.steps > Double(pathSteps) { throw LimitExceeded(limit: "pathSteps", allowed: pathSteps) }
    try permit(seconds: cost.steps * Self.secondsPerStep)
  }

  /// Called before work that cannot be interrupted.
  ///
  /// - Throws: `DeadlineExceeded` if the work would end after the deadline.
  func permit(seconds: Double) throws {
    if seconds > Self.shortest { try deadline.check(leaving: seconds) }
  }

  /// Shorter work does not justify reading the clock.
  private static let shortest = 0.02
  private static let secondsPerStep = 3e-9

  /// Called for the total content of a document, which cairo writes at the end in one call, and for the outlines of a text.
  ///
  /// - Parameter points: The number of points in all paths. Those of a clip count each time it is written.
  /// - Throws: `LimitExceeded`.
  func permit(documentPoints points: Int) throws {
    if points > pathSteps / Self.stepsPerDocumentPoint { throw LimitExceeded(limit: "pathSteps", allowed: pathSteps) }
  }

  /// Approximate: a point takes 1 µs and a step 2 ns, and a page may take about five times the cost of one path.
  private static let stepsPerDocumentPoint = 200

  /// - Parameter count: The number of pixels about to be read or written.
  /// - Throws: `DeadlineExceeded`.
  @inline(__always)
  func spend(_ count: Int) throws {
    pixels &+= count
    if pixels >= nextCheck { try checkDeadline() }
  }

  /// Checks the deadline immediately, before work that cannot be interrupted.
  func checkDeadline() throws {
    nextCheck = pixels &+ Self.interval
    try deadline.check()
  }

}
