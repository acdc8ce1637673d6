import OffprintCoreTypes
import OffprintTypography

/// A render in progress: the request, its deadline, and the time spent so far.
struct RenderJob: Sendable {
  let request: RenderRequest
  private(set) var deadline: Deadline
  var clock: StageClock
  /// The expanded page and its key; nil until it is prepared.
  private(set) var prepared: PreparedRequest?
  /// Whether the image's bytes are needed even if they are in the cache.
  let wantsImage: Bool

  /// Starts the deadline now.
  init(_ request: RenderRequest, cancellation: CancellationFlag? = nil, progress: RenderProgress? = nil, wantsImage: Bool = true) {
    self.request = request
    self.wantsImage = wantsImage
    deadline = Deadline(after: .seconds(min(max(request.limits.seconds, 0), 1e6)), cancellation: cancellation)
    clock = StageClock(progress: progress)
  }

  /// With a deadline started elsewhere.
  init(_ request: RenderRequest, deadline: Deadline, progress: RenderProgress? = nil) {
    self.request = request
    wantsImage = true
    self.deadline = deadline
    clock = StageClock(progress: progress)
  }

  /// Expands the template and computes the key, once.
  /// - Parameter hosts: Allowed hosts for requests that name none.
  mutating func prepare(_ fonts: FontRegistry, hosts: [String] = []) throws(OffprintError) -> PreparedRequest {
    if let prepared { return prepared }
    var request = request
    if request.allowedHosts.isEmpty { request.allowedHosts = hosts }
    clock.begin(.prepare)
    let prepared = try PreparedRequest(request, fonts: fonts, deadline: deadline)
    self.prepared = prepared
    return prepared
  }

  /// Starts the wait for a worker, which does not count toward the deadline.
  mutating func beginWaiting() { clock.begin(.queue) }

  mutating func endWaiting() { deadline = deadline.extended(by: clock.end()) }

  /// Converts an error of the engine to one of the library.
  func error(_ error: any Error) -> OffprintError { OffprintError(error, seconds: request.limits.seconds) }
}
