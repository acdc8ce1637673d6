public import Offprint

/// Draws pages as `Renderer` does, with the same pictures, errors and diagnostics, but in worker processes that can neither write a file nor
/// reach a network. What a page does to its worker costs that page its picture and nothing else.
///
/// Templates, keys, the cache and the queue stay in this process, so that a hit waits for no worker; and so does loading what pages refer to, by
/// the rules of each request. `docs/isolation.md` says what isolates a worker.
public final class IsolatedRenderer: Sendable {
  /// Renders through the workers. Takes part in everything that a renderer does but `pixels`, `layout` and `inspect`.
  public let renderer: Renderer
  let workers: WorkerProcesses

  /// - Parameters:
  ///   - configuration: its `workers` are processes here.
  /// - Throws: `inputNotFound` for a font folder that is not there. Processes are started when first needed.
  public init(
    _ configuration: RendererConfiguration = RendererConfiguration(), isolation: IsolationConfiguration = IsolationConfiguration()
  ) throws(OffprintError) {
    workers = try WorkerProcesses(configuration, isolation)
    var configuration = configuration
    configuration.pageDrawing = workers
    renderer = try Renderer(configuration)
  }

  /// Draws a page, or takes its picture from the cache.
  ///
  /// - Throws: as `Renderer.render`; and `workerCrashed`, `workerTimedOut`, `workerMemory` where the page was too much for its worker,
  ///   `workerUnavailable` where none can be started.
  public func render(
    _ request: RenderRequest, priority: RenderPriority? = nil, progress: RenderProgress? = nil
  ) async throws(OffprintError) -> RenderResult {
    try await renderer.render(request, priority: priority, progress: progress)
  }

  /// The same for callers that can wait.
  public func renderAndWait(_ request: RenderRequest, progress: RenderProgress? = nil) throws(OffprintError) -> RenderResult {
    try renderer.renderAndWait(request, progress: progress)
  }

  /// Has the processes started before the first page comes; does not wait for them.
  public func start() { workers.start() }

  /// Has the processes started and waits until the first can draw.
  ///
  /// - Throws: `workerUnavailable` where none can be started, for example because a layer of the sandbox is missing.
  public func startAndWait() throws(OffprintError) { try workers.startAndWait() }

  /// What isolates the worker that was started last; nil before the first is ready.
  public var report: IsolationReport? { workers.state.with { $0.report } }

  /// Why no page can be rendered now: no process runs, and several starts failed. Nil where that is not so.
  public var unavailability: OffprintError? { workers.unavailability }

  /// What became of the processes so far.
  public var statistics: WorkerStatistics { workers.statistics }

  /// The processes that are ready or draw, by their numbers.
  public var processIDs: [Int32] { workers.state.with { $0.ids.sorted() } }

  /// As `Renderer.shutdown`; ends the processes.
  @discardableResult
  public func shutdown(isExiting: Bool = false) -> OffprintError? { renderer.shutdown(isExiting: isExiting) }
}

extension RendererConfiguration {
  /// For a `Renderer` that draws in worker processes.
  ///
  /// - Throws: `inputNotFound` for a font folder that is not there.
  public func isolated(_ isolation: IsolationConfiguration = IsolationConfiguration()) throws(OffprintError) -> RendererConfiguration {
    var configuration = self
    configuration.pageDrawing = try WorkerProcesses(self, isolation)
    return configuration
  }
}
