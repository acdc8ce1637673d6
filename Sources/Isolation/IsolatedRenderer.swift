public import Offprint

/// Renders pages like `Renderer`, with the same images, errors and diagnostics, but in worker processes that can neither write files nor
/// access a network. A page that breaks its worker only fails its own render.
///
/// Templates, keys, the cache and the queue stay in this process, so that a cache hit waits for no worker. So does loading resources,
/// according to the rules of each request. `docs/isolation.md` describes how workers are isolated.
public final class IsolatedRenderer: Sendable {
  /// The renderer that uses the workers. It supports everything except `pixels`, `layout` and `inspect`.
  public let renderer: Renderer
  let workers: WorkerProcesses

  /// - Parameters:
  ///   - configuration: Its `workers` is the number of processes.
  /// - Throws: `inputNotFound` for a font folder that does not exist. Processes are started when first needed.
  public init(
    _ configuration: RendererConfiguration = RendererConfiguration(), isolation: IsolationConfiguration = IsolationConfiguration()
  ) throws(OffprintError) {
    workers = try WorkerProcesses(configuration, isolation)
    var configuration = configuration
    configuration.pageDrawing = workers
    renderer = try Renderer(configuration)
  }

  /// Renders a page, or returns its image from the cache.
  ///
  /// - Throws: The errors of `Renderer.render`; `workerCrashed`, `workerTimedOut`, `workerMemory` if the page exceeded what its worker can
  ///   handle; `workerUnavailable` if no worker can be started.
  public func render(
    _ request: RenderRequest, priority: RenderPriority? = nil, progress: RenderProgress? = nil
  ) async throws(OffprintError) -> RenderResult {
    try await renderer.render(request, priority: priority, progress: progress)
  }

  /// The blocking equivalent of `render`.
  public func renderAndWait(_ request: RenderRequest, progress: RenderProgress? = nil) throws(OffprintError) -> RenderResult {
    try renderer.renderAndWait(request, progress: progress)
  }

  /// Starts the processes before the first page, without waiting for them.
  public func start() { workers.start() }

  /// Starts the processes and waits until the first one is ready.
  ///
  /// - Throws: `workerUnavailable` if none can be started, for example because a layer of the sandbox is missing.
  public func startAndWait() throws(OffprintError) { try workers.startAndWait() }

  /// The isolation of the most recently started worker; nil before the first is ready.
  public var report: IsolationReport? { workers.state.with { $0.report } }

  /// Why no page can be rendered at the moment: no process is running, and several starts failed. Nil otherwise.
  public var unavailability: OffprintError? { workers.unavailability }

  /// Statistics of the processes.
  public var statistics: WorkerStatistics { workers.statistics }

  /// The process IDs of workers that are idle or rendering.
  public var processIDs: [Int32] { workers.state.with { $0.ids.sorted() } }

  /// Like `Renderer.shutdown`; also ends the processes.
  @discardableResult
  public func shutdown(isExiting: Bool = false) -> OffprintError? { renderer.shutdown(isExiting: isExiting) }
}

extension RendererConfiguration {
  /// The configuration of a `Renderer` that renders in worker processes.
  ///
  /// - Throws: `inputNotFound` for a font folder that does not exist.
  public func isolated(_ isolation: IsolationConfiguration = IsolationConfiguration()) throws(OffprintError) -> RendererConfiguration {
    var configuration = self
    configuration.pageDrawing = try WorkerProcesses(self, isolation)
    return configuration
  }
}
