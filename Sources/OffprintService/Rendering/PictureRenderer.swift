import OffprintIsolation
import Offprint
import OffprintRenderCache

/// What draws for the service: worker processes, or a `Renderer` in this one.
protocol PictureRenderer: Sendable {
  func picture(_ request: RenderRequest, priority: RenderPriority) async throws(OffprintError) -> RenderResult
  /// At once; nil where that cannot be.
  func pictureInMemory(_ request: RenderRequest) -> RenderResult?
  func pictureKey(_ request: RenderRequest) throws(OffprintError) -> CacheKey
  /// Runs work that is no page, in turn with the pages.
  func work<Value: Sendable>(_ work: @escaping @Sendable () throws(OffprintError) -> Value) async throws(OffprintError) -> Value
  /// How many requests wait for a worker.
  var waitingCount: Int { get }
  /// The cache that its pictures are in.
  var pictureCache: RenderCache? { get }
  /// Nil where it has no processes of its own.
  var workerStatistics: WorkerStatistics? { get }
  /// Why no page can be rendered now; nil where that is not so.
  var unavailability: OffprintError? { get }
  /// Finishes what was taken and takes no more; the thread waits.
  ///
  /// - Parameter isExiting: the process ends, and with it what is open.
  func end(isExiting: Bool)
}

extension Renderer: PictureRenderer {
  func picture(_ request: RenderRequest, priority: RenderPriority) async throws(OffprintError) -> RenderResult {
    try await render(request, priority: priority)
  }

  func work<Value: Sendable>(_ work: @escaping @Sendable () throws(OffprintError) -> Value) async throws(OffprintError) -> Value {
    try await perform(work)
  }

  var workerStatistics: WorkerStatistics? { nil }
  var unavailability: OffprintError? { nil }
  func end(isExiting: Bool) { shutdown(isExiting: isExiting) }
}

extension IsolatedRenderer: PictureRenderer {
  func picture(_ request: RenderRequest, priority: RenderPriority) async throws(OffprintError) -> RenderResult {
    try await render(request, priority: priority)
  }

  func pictureInMemory(_ request: RenderRequest) -> RenderResult? { renderer.pictureInMemory(request) }
  func pictureKey(_ request: RenderRequest) throws(OffprintError) -> CacheKey { try renderer.pictureKey(request) }
  var waitingCount: Int { renderer.waitingCount }
  var pictureCache: RenderCache? { renderer.pictureCache }
  func work<Value: Sendable>(_ work: @escaping @Sendable () throws(OffprintError) -> Value) async throws(OffprintError) -> Value {
    try await renderer.perform(work)
  }

  var workerStatistics: WorkerStatistics? { statistics }
  func end(isExiting: Bool) { shutdown(isExiting: isExiting) }
}
