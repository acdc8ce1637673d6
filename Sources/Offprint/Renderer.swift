public import OffprintCoreTypes
import OffprintCSS
package import OffprintRenderCache
import Synchronization
import OffprintTypography

/// Renders pages, and caches the images.
///
/// Jobs run on the renderer's own threads; cache hits are answered immediately and never wait behind renders. All methods can be called
/// from any thread. The asynchronous ones never block the calling thread, and throw `cancelled` if their task is canceled.
public final class Renderer: Sendable {
  /// The library's version.
  public static let version = "0.1.0"

  let engine: RenderEngine
  private let isShutDown = Mutex(false)

  /// - Throws: `inputNotFound` for a font folder that does not exist, `libraryMissing`. A cache that cannot be used is not an error, but
  ///   reported in each result.
  public init(_ configuration: RendererConfiguration = RendererConfiguration()) throws(OffprintError) {
    // Our own programs open libraries on first use, and exit if one is missing. A host process must not exit.
    if Program.role != .program { try Self.openLibraries() }
    engine = try RenderEngine(configuration)
  }

  deinit { shutdown() }

  /// Opens the C libraries needed for rendering now instead of on first use, for programs that should not start without them.
  ///
  /// - Throws: `libraryMissing`, naming all that are not installed.
  public static func openLibraries() throws(OffprintError) {
    if let missing = SharedLibraries.missing() { throw OffprintError(.libraryMissing, "\(missing).") }
  }

  // MARK: Rendering

  /// Renders a page, or returns its image from the cache.
  ///
  /// - Parameters:
  ///   - request: The page with its options.
  ///   - priority: Nil for that of the current task.
  ///   - progress: Called for each stage.
  /// - Throws: Among others `cancelled`, `timedOut`, `limitExceeded`, and `queueFull` if too many requests are waiting.
  public func render(
    _ request: RenderRequest, priority: RenderPriority? = nil, progress: RenderProgress? = nil
  ) async throws(OffprintError) -> RenderResult {
    try await Call.answer(priority ?? .current) { call in
      engine.render(RenderJob(request, cancellation: call.flag, progress: progress), call, mayBlock: false)
    }.get()
  }

  /// The blocking equivalent of `render`.
  public func renderAndWait(
    _ request: RenderRequest, cancellation: RenderCancellation? = nil, progress: RenderProgress? = nil
  ) throws(OffprintError) -> RenderResult {
    try Call.wait(.interactive, cancellation) { call in
      engine.render(RenderJob(request, cancellation: call.flag, progress: progress), call, mayBlock: true)
    }.get()
  }

  /// Ensures that an image is in the cache, and blocks until it is. An image found there is not read: `image` is then empty.
  package func keepAndWait(_ request: RenderRequest) throws(OffprintError) -> RenderResult {
    try Call.wait(.interactive) { call in
      engine.render(RenderJob(request, cancellation: call.flag, wantsImage: false), call, mayBlock: true)
    }.get()
  }

  /// Calls a completion handler instead: immediately on the calling thread if the image is in the cache, otherwise on a worker. The cache
  /// is looked up on the calling thread, which can block on the disk.
  public func render(
    _ request: RenderRequest, priority: RenderPriority = .interactive,
    completion: @escaping @Sendable (Result<RenderResult, OffprintError>) -> Void
  ) {
    let call = Call(priority, completion: completion)
    engine.render(RenderJob(request, cancellation: call.flag), call, mayBlock: true)
  }

  /// Renders a page into memory instead of a file. Never cached.
  ///
  /// - Throws: See `render`.
  public func pixels(
    _ request: RenderRequest, priority: RenderPriority? = nil, progress: RenderProgress? = nil
  ) async throws(OffprintError) -> PixelResult {
    try await Call.answer(priority ?? .current) { call in
      engine.perform(RenderJob(request, cancellation: call.flag, progress: progress), call) { worker, job, prepared throws(OffprintError) in
        try worker.pixels(job, prepared)
      }
    }.get()
  }

  /// Lays out a page without painting it, and returns the box of each element. Never cached.
  ///
  /// - Throws: See `render`.
  public func layout(
    _ request: RenderRequest, priority: RenderPriority? = nil, progress: RenderProgress? = nil
  ) async throws(OffprintError) -> PageLayout {
    try await Call.answer(priority ?? .current) { call in
      engine.perform(RenderJob(request, cancellation: call.flag, progress: progress), call) { worker, job, prepared throws(OffprintError) in
        try worker.layout(job, prepared)
      }
    }.get()
  }

  /// The blocking equivalent of `layout`.
  public func layoutAndWait(_ request: RenderRequest, cancellation: RenderCancellation? = nil) throws(OffprintError) -> PageLayout {
    try Call.wait(.interactive, cancellation) { call in
      engine.perform(RenderJob(request, cancellation: call.flag), call) { worker, job, prepared throws(OffprintError) in
        try worker.layout(job, prepared)
      }
    }.get()
  }

  /// Shows how the engine interprets a page. Blocks the thread; never cached.
  ///
  /// - Throws: See `render`.
  public func inspect(_ request: RenderRequest, _ aspect: Inspection.Aspect) throws(OffprintError) -> Inspection {
    try Call.wait(.interactive) { call in
      engine.perform(RenderJob(request, cancellation: call.flag), call) { worker, job, prepared throws(OffprintError) in
        try worker.inspect(job, prepared, aspect)
      }
    }.get()
  }

  /// Whether a page is in the cache and, if not, how its key differs from that of the nearest image. Blocks on the disk; does not count as
  /// a use.
  ///
  /// - Throws: `cacheUnusable`, also if there is no cache; errors of the request or its template.
  public func explain(_ request: RenderRequest) throws(OffprintError) -> CacheExplanation { try engine.explain(request) }

  /// Like `render` for an image in memory. Nil if it is not in memory, if checking this is slower than passing the request to another
  /// thread, or if the request is invalid.
  package func imageInMemory(_ request: RenderRequest) -> RenderResult? { engine.imageInMemory(request) }

  // MARK: Queue

  /// Runs `work` on a worker, queued with the renders but not limited by the queue's capacity.
  public func perform(_ work: @escaping @Sendable () -> Void) { engine.perform(work) }

  /// Runs `work` on a worker, queued with the renders and limited by the queue's capacity.
  ///
  /// - Throws: `queueFull`, `shutDown`, `cancelled`, and errors of `work`.
  package func perform<Value: Sendable>(
    _ work: @escaping @Sendable () throws(OffprintError) -> Value
  ) async throws(OffprintError) -> Value {
    try await Call<Value>.answer(.interactive) { call in
      call.submit(to: engine.workers) { _ in
        do throws(OffprintError) { call.finish(.success(try work())) } catch { call.finish(.failure(error)) }
      }
    }.get()
  }

  /// The number of requests that wait for a worker.
  public var waitingCount: Int { engine.workers.waitingCount }

  /// Starts no more renders until `resume`. Cached images are still returned.
  public func suspend() { engine.workers.suspend() }

  /// Resumes rendering after `suspend`.
  public func resume() { engine.workers.resume() }

  /// Accepts no more requests, finishes accepted ones, and writes everything pending to the cache, blocking the thread. Later requests fail
  /// with `shutDown`.
  ///
  /// - Parameter isExiting: Whether the process is about to exit, so that optional cleanup can be left to the next process.
  /// - Returns: `cacheUnusable` if pending images could not be written to the cache, because another process holds it.
  @discardableResult
  public func shutdown(isExiting: Bool = false) -> OffprintError? {
    guard
      isShutDown.withLock({ isShutDown in
        defer { isShutDown = true }
        return !isShutDown
      })
    else { return nil }
    return engine.close(isExiting: isExiting)
  }

  /// The cache of its images, for administration in the same process; nil if absent or it cannot be used. Can block on the disk.
  package var imageCache: RenderCache? { engine.imageCache }

  /// Ensures that a rendered image is in the shared tier, and waits for it. Does nothing without a shared tier.
  ///
  /// - Throws: `cacheUnusable` if the shared tier does not have it.
  package func share(_ result: RenderResult) throws(OffprintError) {
    guard engine.sharesImages, let key = CacheKey(hex: result.key), let cache = imageCache else { return }
    do throws(CacheError) { try cache.share(key) } catch { throw OffprintError(.cacheUnusable, error.message) }
  }

  /// The image of a key, from this machine or the shared tier; nil if absent.
  package func image(key: String) -> [UInt8]? {
    CacheKey(hex: key).flatMap { imageCache?.lookupEverywhere($0, deadline: .never)?.data }
  }

  /// The cache key of a request, which requires expanding its template.
  ///
  /// - Throws: See `render`, for errors of the request itself.
  package func imageKey(_ request: RenderRequest) throws(OffprintError) -> CacheKey { try engine.imageKey(request) }

  /// A CSS color; nil if the text is not one.
  public static func color(_ text: String) -> Color? { StyleEngine.color(text) }
}
