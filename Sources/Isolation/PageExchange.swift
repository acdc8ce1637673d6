internal import OffprintCoreTypes
internal import Offprint
internal import OffprintResources

/// The exchange with a worker about one page. Whatever the worker sends, it ends in time with an image or an error.
final class PageExchange {
  /// Why there is no image.
  enum Failure: Error {
    /// The page failed; the worker can still be used.
    case answered(OffprintError)
    /// The worker cannot be used any more.
    case worker(Reason)
  }

  /// The failure of a worker.
  enum Reason: Hashable {
    case ended, overdue, cancelled, overMemory
    case malformed(String)
  }

  private let worker: WorkerProcess
  private let page: RemotePage
  private let isolation: IsolationConfiguration
  private let seconds: Double
  /// The time after which the worker is given up.
  private var latest: Deadline
  private var hasSentCancel = false
  private var isSending = false
  /// Whether the whole page was sent to the worker.
  private var wasSent = false
  /// Whether the worker has begun to render the page. If it ends before that, the page is not the cause.
  private(set) var hasBegun = false

  init(_ worker: WorkerProcess, _ page: RemotePage, _ isolation: IsolationConfiguration) {
    self.worker = worker; self.page = page; self.isolation = isolation
    seconds = page.deadline.remaining.map(\.seconds) ?? page.request.limits.seconds
    latest = Deadline(after: .seconds(min(max(0, seconds + isolation.graceSeconds), 1e6)))
  }

  func run() throws(Failure) -> RenderResult {
    worker.process.limitCPU(seconds: 4 * (seconds + isolation.graceSeconds))
    try send(PageMessage(page.request, seconds: seconds, tellsStages: page.progress != nil).frame)
    wasSent = true
    while true {
      if let result = try take(try receive()) { return result }
    }
  }

  // MARK: Messages

  private func take(_ frame: Frame) throws(Failure) -> RenderResult? {
    switch frame.kind {
    case .image: return try reading { () throws(WireError) in try RenderResult(frame, limits: page.request.limits) }
    case .failure: throw .answered(try reading { () throws(WireError) in try OffprintError(frame) })
    case .begun: hasBegun = true
    case .stage: page.progress?(try stage(frame))
    case .load: try send(ResourceMessage.answer(try load(frame)))
    default: throw .worker(.malformed("unexpected message"))
    }
    return nil
  }

  private func reading<T>(_ body: () throws(WireError) -> T) throws(Failure) -> T {
    do throws(WireError) { return try body() } catch { throw .worker(.malformed(error.reason)) }
  }

  private func stage(_ frame: Frame) throws(Failure) -> RenderStage {
    guard let stage = RenderStage(rawValue: String(decoding: frame.values, as: UTF8.self)) else {
      throw .worker(.malformed("unknown stage"))
    }
    return stage
  }

  /// Loads a resource by the request's rules, which the worker cannot change.
  private func load(_ frame: Frame) throws(Failure) -> Result<LoadedResource, ResourceError> {
    guard let url = ResourceURL(String(decoding: frame.values, as: UTF8.self)), url.scheme != "data" else {
      throw .worker(.malformed("it requested an invalid URL"))
    }
    do throws(ResourceError) { return .success(try page.resources.load(url)) } catch { return .failure(error) }
  }

  private func send(_ frame: Frame) throws(Failure) {
    isSending = true
    defer { isSending = false }
    try worker.channel.send(frame, watch: { () throws(Failure) in try watch() }, failed: Self.failure)
  }

  private func receive() throws(Failure) -> Frame {
    try worker.channel.receive(bounds: bounds, watch: { () throws(Failure) in try watch() }, failed: Self.failure)
  }

  private static func failure(_ error: ChannelError) -> Failure {
    switch error {
    case .closed, .system: .worker(.ended)
    case .malformed(let reason): .worker(.malformed(reason))
    }
  }

  /// A URL cannot be longer than the page and its style sheets; an image file is only slightly larger than its pixels.
  private func bounds(_ kind: FrameKind) -> FrameBounds? {
    let limits = page.request.limits
    switch kind {
    case .image: return FrameBounds(values: 32 << 20, bulk: min(max(0, limits.imagePixels), 1 << 28) * 5 + 1 << 20)
    case .failure: return FrameBounds(values: 1 << 20, bulk: 0)
    case .stage: return page.progress == nil ? nil : FrameBounds(values: 32, bulk: 0)
    case .load: return FrameBounds(values: 32 << 20, bulk: 0)
    case .begun: return hasBegun ? nil : FrameBounds(values: 0, bulk: 0)
    default: return nil
    }
  }

  // MARK: Watching the worker

  private func watch() throws(Failure) {
    if let use = worker.process.memoryUse, use.resident > isolation.memoryBytes { throw .worker(.overMemory) }
    if latest.hasPassed { throw .worker(hasSentCancel ? .cancelled : .overdue) }
    guard page.deadline.isCancelled, wasSent, !isSending, !hasSentCancel else { return }
    hasSentCancel = true
    latest = latest.orEarlier(after: .seconds(max(0, isolation.graceSeconds)))
    // Nothing else is being sent, so the frame fits into the socket's buffer.
    try worker.channel.send(Frame(kind: .cancel), watch: { () throws(Failure) in throw .worker(.cancelled) }, failed: Self.failure)
  }
}
