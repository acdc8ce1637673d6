public import OffprintCoreTypes
import OffprintCSS
package import OffprintRenderCache
import Synchronization
import OffprintTypography

/// Draws pages, and never the same one twice.
///
/// Jobs run on threads of the renderer's own; pictures that are in the cache are answered at once and wait behind nothing. All methods may
/// be called from any thread. The asynchronous ones never block the thread they are called on, and end with `cancelled` when their task is.
public final class Renderer: Sendable {
  /// The library's.
  public static let version = "0.1.0"

  let engine: RenderEngine
  private let isShutDown = Mutex(false)

  /// - Throws: `inputNotFound` for a font folder that is not there, `libraryMissing`. A cache that cannot be used is no error: each result says so.
  public init(_ configuration: RendererConfiguration = RendererConfiguration()) throws(OffprintError) {
    // Programs of ours open libraries when they are needed, and end where one is missing. A host process must not end.
    if Program.role != .program { try Self.openLibraries() }
    engine = try RenderEngine(configuration)
  }

  deinit { shutdown() }

  /// Opens the C libraries that drawing needs and that are otherwise opened when a page needs them first: for programs that would rather not
  /// start without them.
  ///
  /// - Throws: `libraryMissing`, naming all that are not installed.
  public static func openLibraries() throws(OffprintError) {
    if let missing = SharedLibraries.missing() { throw OffprintError(.libraryMissing, "\(missing).") }
  }

  // MARK: Rendering

  /// Draws a page, or takes its picture from the cache.
  ///
  /// - Parameters:
  ///   - request: the page, and how to draw it.
  ///   - priority: nil is that of the task.
  ///   - progress: told of each stage.
  /// - Throws: among others `cancelled`, `timedOut`, `limitExceeded`, and `queueFull` where too many requests wait.
  public func render(
    _ request: RenderRequest, priority: RenderPriority? = nil, progress: RenderProgress? = nil
  ) async throws(OffprintError) -> RenderResult {
    try await Call.answer(priority ?? .current) { call in
      engine.render(RenderJob(request, cancellation: call.flag, progress: progress), call, mayBlock: false)
    }.get()
  }

  /// The same for callers that can wait.
  public func renderAndWait(
    _ request: RenderRequest, cancellation: RenderCancellation? = nil, progress: RenderProgress? = nil
  ) throws(OffprintError) -> RenderResult {
    try Call.wait(.interactive, cancellation) { call in
      engine.render(RenderJob(request, cancellation: call.flag, progress: progress), call, mayBlock: true)
    }.get()
  }

  /// Sees to it that a picture is in the cache, for callers that can wait. One that is there is not read: `image` is empty then.
  package func keepAndWait(_ request: RenderRequest) throws(OffprintError) -> RenderResult {
    try Call.wait(.interactive) { call in
      engine.render(RenderJob(request, cancellation: call.flag, wantsImage: false), call, mayBlock: true)
    }.get()
  }

  /// The same with a completion: called at once on the caller's thread where the picture is known, on a worker otherwise. The cache is
  /// asked on the caller's thread, which therefore may wait for the disk.
  public func render(
    _ request: RenderRequest, priority: RenderPriority = .interactive,
    completion: @escaping @Sendable (Result<RenderResult, OffprintError>) -> Void
  ) {
    let call = Call(priority, completion: completion)
    engine.render(RenderJob(request, cancellation: call.flag), call, mayBlock: true)
  }

  /// Draws a page into memory instead of a file. Never cached.
  ///
  /// - Throws: as `render`.
  public func pixels(
    _ request: RenderRequest, priority: RenderPriority? = nil, progress: RenderProgress? = nil
  ) async throws(OffprintError) -> PixelResult {
    try await Call.answer(priority ?? .current) { call in
      engine.perform(RenderJob(request, cancellation: call.flag, progress: progress), call) { worker, job, prepared throws(OffprintError) in
        try worker.pixels(job, prepared)
      }
    }.get()
  }

  /// Lays a page out without drawing it: where each element's box is. Never cached.
  ///
  /// - Throws: as `render`.
  public func layout(
    _ request: RenderRequest, priority: RenderPriority? = nil, progress: RenderProgress? = nil
  ) async throws(OffprintError) -> PageLayout {
    try await Call.answer(priority ?? .current) { call in
      engine.perform(RenderJob(request, cancellation: call.flag, progress: progress), call) { worker, job, prepared throws(OffprintError) in
        try worker.layout(job, prepared)
      }
    }.get()
  }

  /// The same for callers that can wait.
  public func layoutAndWait(_ request: RenderRequest, cancellation: RenderCancellation? = nil) throws(OffprintError) -> PageLayout {
    try Call.wait(.interactive, cancellation) { call in
      engine.perform(RenderJob(request, cancellation: call.flag), call) { worker, job, prepared throws(OffprintError) in
        try worker.layout(job, prepared)
      }
    }.get()
  }

  /// What the engine made of a page, for callers that can wait; never cached.
  ///
  /// - Throws: as `render`.
  public func inspect(_ request: RenderRequest, _ aspect: Inspection.Aspect) throws(OffprintError) -> Inspection {
    try Call.wait(.interactive) { call in
      engine.perform(RenderJob(request, cancellation: call.flag), call) { worker, job, prepared throws(OffprintError) in
        try worker.inspect(job, prepared, aspect)
      }
    }.get()
  }

  /// Whether a page is in the cache, and if not, in what its key differs from the nearest picture that is. The thread waits for the disk; counts
  /// as no use.
  ///
  /// - Throws: `cacheUnusable`, also where there is no cache; what is wrong with the request or its template.
  public func explain(_ request: RenderRequest) throws(OffprintError) -> CacheExplanation { try engine.explain(request) }

  /// As `render` for a picture that is in memory; nil where it is not, or a hand-over to another thread costs less than finding that out, or
  /// something is wrong with the request.
  package func pictureInMemory(_ request: RenderRequest) -> RenderResult? { engine.pictureInMemory(request) }

  // MARK: The queue

  /// Runs `work` on a worker, in turn with the renders, however many wait.
  public func perform(_ work: @escaping @Sendable () -> Void) { engine.perform(work) }

  /// Runs `work` on a worker, in turn with the renders and bounded as they are.
  ///
  /// - Throws: `queueFull`, `shutDown`, `cancelled`, and what `work` throws.
  package func perform<Value: Sendable>(
    _ work: @escaping @Sendable () throws(OffprintError) -> Value
  ) async throws(OffprintError) -> Value {
    try await Call<Value>.answer(.interactive) { call in
      call.submit(to: engine.workers) { _ in
        do throws(OffprintError) { call.finish(.success(try work())) } catch { call.finish(.failure(error)) }
      }
    }.get()
  }

  /// How many requests wait for a worker.
  public var waitingCount: Int { engine.workers.waitingCount }

  /// Starts no more renders until `resume`. Pictures in the cache are still answered.
  public func suspend() { engine.workers.suspend() }

  /// Goes on after `suspend`.
  public func resume() { engine.workers.resume() }

  /// Takes no more requests, finishes those taken, and writes what the cache still has to write; the thread waits for that. Further
  /// requests fail with `shutDown`.
  ///
  /// - Parameter isExiting: the process ends next; what can be left to the next one is.
  /// - Returns: `cacheUnusable` where pictures that waited to be written to the cache were given up, because another process holds it.
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

  /// The cache that its pictures are in, for who looks after it in the same process; nil where there is none or it cannot be used. Asking may
  /// wait for the disk.
  package var pictureCache: RenderCache? { engine.pictureCache }

  /// Sees to it that other machines have a picture that was answered; waits for that. No error where nothing is shared.
  ///
  /// - Throws: `cacheUnusable` where they have not.
  package func share(_ result: RenderResult) throws(OffprintError) {
    guard engine.sharesPictures, let key = CacheKey(hex: result.key), let cache = pictureCache else { return }
    do throws(CacheError) { try cache.share(key) } catch { throw OffprintError(.cacheUnusable, error.message) }
  }

  /// The picture of a key, from this machine or one that it shares with; nil where there is none.
  package func image(key: String) -> [UInt8]? {
    CacheKey(hex: key).flatMap { pictureCache?.lookupEverywhere($0, deadline: .never)?.data }
  }

  /// The key that a request's picture has in the cache; its template is expanded for that.
  ///
  /// - Throws: as `render`, for what is wrong with the request itself.
  package func pictureKey(_ request: RenderRequest) throws(OffprintError) -> CacheKey { try engine.pictureKey(request) }

  /// A CSS colour; nil for what is none.
  public static func color(_ text: String) -> Color? { StyleEngine.color(text) }
}
