import OffprintCoreTypes
import OffprintTypography

/// A render on its way: what is asked for, by when, and what it took so far.
struct RenderJob: Sendable {
  let request: RenderRequest
  private(set) var deadline: Deadline
  var clock: StageClock
  /// The page after templates and its key; nil until it is prepared.
  private(set) var prepared: PreparedRequest?
  /// Whether the picture's bytes are wanted also where the cache has them.
  let wantsImage: Bool

  /// The clock of the deadline runs from here.
  init(_ request: RenderRequest, cancellation: CancellationFlag? = nil, progress: RenderProgress? = nil, wantsImage: Bool = true) {
    self.request = request
    self.wantsImage = wantsImage
    deadline = Deadline(after: .seconds(min(max(request.limits.seconds, 0), 1e6)), cancellation: cancellation)
    clock = StageClock(progress: progress)
  }

  /// The clock of the deadline runs elsewhere.
  init(_ request: RenderRequest, deadline: Deadline, progress: RenderProgress? = nil) {
    self.request = request
    wantsImage = true
    self.deadline = deadline
    clock = StageClock(progress: progress)
  }

  /// Expands the template and makes the key, once.
  /// - Parameter hosts: that a request may ask which names none.
  mutating func prepare(_ fonts: FontRegistry, hosts: [String] = []) throws(OffprintError) -> PreparedRequest {
    if let prepared { return prepared }
    var request = request
    if request.allowedHosts.isEmpty { request.allowedHosts = hosts }
    clock.begin(.prepare)
    let prepared = try PreparedRequest(request, fonts: fonts, deadline: deadline)
    self.prepared = prepared
    return prepared
  }

  /// From here on the job waits for a worker: that is not the render's time.
  mutating func beginWaiting() { clock.begin(.queue) }

  mutating func endWaiting() { deadline = deadline.extended(by: clock.end()) }

  /// What the engine's own errors mean to a caller.
  func error(_ error: any Error) -> OffprintError { OffprintError(error, seconds: request.limits.seconds) }
}
