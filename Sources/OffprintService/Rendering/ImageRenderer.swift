import OffprintIsolation
import Offprint
import OffprintRenderCache

/// The renderer of the service: worker processes, or a `Renderer` in this process.
protocol ImageRenderer: Sendable {
  func image(_ request: RenderRequest, priority: RenderPriority) async throws(OffprintError) -> RenderResult
  /// Returns an image from memory without waiting; nil if it is not there.
  func imageInMemory(_ request: RenderRequest) -> RenderResult?
  func imageKey(_ request: RenderRequest) throws(OffprintError) -> CacheKey
  /// Runs work other than rendering a page, queued together with the pages.
  func work<Value: Sendable>(_ work: @escaping @Sendable () throws(OffprintError) -> Value) async throws(OffprintError) -> Value
  /// The number of requests that wait for a worker.
  var waitingCount: Int { get }
  /// The cache of its images.
  var imageCache: RenderCache? { get }
  /// Nil if it has no worker processes.
  var workerStatistics: WorkerStatistics? { get }
  /// Why no page can be rendered at the moment; nil if pages can be rendered.
  var unavailability: OffprintError? { get }
  /// Finishes accepted requests and accepts no more. Blocks the thread.
  ///
  /// - Parameter isExiting: Whether the process is exiting, so that open resources need not be released.
  func end(isExiting: Bool)
}

extension Renderer: ImageRenderer {
  func image(_ request: RenderRequest, priority: RenderPriority) async throws(OffprintError) -> RenderResult {
    try await render(request, priority: priority)
  }

  func work<Value: Sendable>(_ work: @escaping @Sendable () throws(OffprintError) -> Value) async throws(OffprintError) -> Value {
    try await perform(work)
  }

  var workerStatistics: WorkerStatistics? { nil }
  var unavailability: OffprintError? { nil }
  func end(isExiting: Bool) { shutdown(isExiting: isExiting) }
}

extension IsolatedRenderer: ImageRenderer {
  func image(_ request: RenderRequest, priority: RenderPriority) async throws(OffprintError) -> RenderResult {
    try await render(request, priority: priority)
  }

  func imageInMemory(_ request: RenderRequest) -> RenderResult? { renderer.imageInMemory(request) }
  func imageKey(_ request: RenderRequest) throws(OffprintError) -> CacheKey { try renderer.imageKey(request) }
  var waitingCount: Int { renderer.waitingCount }
  var imageCache: RenderCache? { renderer.imageCache }
  func work<Value: Sendable>(_ work: @escaping @Sendable () throws(OffprintError) -> Value) async throws(OffprintError) -> Value {
    try await renderer.perform(work)
  }

  var workerStatistics: WorkerStatistics? { statistics }
  func end(isExiting: Bool) { shutdown(isExiting: isExiting) }
}
