public import CoreTypes
import CSS
import Glibc
import RenderCache
import Synchronization
import Typography

/// Draws pages, and never the same one twice.
///
/// Jobs run on threads of the renderer's own; pictures that are in the cache are answered at once and wait behind nothing. All methods may
/// be called from any thread.
public final class Renderer: Sendable {
  public static let version = "0.1.0"

  private let pool: WorkerPool<RenderWorker>
  private let fonts: FontRegistry
  private let store: PictureStore?
  private let isShutDown = Mutex(false)

  /// - Throws: `inputNotFound` for a font folder that is not there. A cache that cannot be used is no error: each result says so.
  public init(_ configuration: RendererConfiguration = RendererConfiguration()) throws(OffprintError) {
    let folders = try configuration.resolvedFontFolders()
    let registry = FontRegistry(
      folders: folders, includeSystemFonts: configuration.usesSystemFonts, cacheDirectory: configuration.cacheFolder.map { "\($0)/fonts" })
    fonts = registry
    store = configuration.cacheFolder.map {
      PictureStore(folder: $0, maxSize: configuration.cacheMaxSize, memoryBytes: configuration.cacheMemoryBytes)
    }
    pool = WorkerPool(size: configuration.workers) { RenderWorker(registry: registry) }
  }

  deinit { shutdown() }

  /// Draws a page, or takes its picture from the cache.
  ///
  /// - Throws: `OffprintError`.
  public func render(_ request: RenderRequest) async throws -> RenderResult {
    try await withCheckedThrowingContinuation { continuation in
      render(request) { continuation.resume(with: $0) }
    }
  }

  /// The same for callers that can wait.
  public func renderAndWait(_ request: RenderRequest) throws(OffprintError) -> RenderResult {
    try wait { self.render(request, completion: $0) }
  }

  /// The same with a completion: called at once on the caller's thread where the picture is known, on a worker otherwise.
  public func render(_ request: RenderRequest, completion: @escaping @Sendable (Result<RenderResult, OffprintError>) -> Void) {
    let prepared: PreparedRequest
    do throws(OffprintError) {
      prepared = try PreparedRequest(request, fonts: fonts)
    } catch {
      return completion(.failure(error))
    }
    if let known = store?.lookup(prepared) { return completion(.success(known)) }
    let store = store
    submit(
      { worker in
        Result { () throws(OffprintError) in
          guard let store, request.cachePolicy != .none else { return try worker.render(prepared) }
          return try store.value(prepared) { () throws(OffprintError) in try worker.render(prepared) }
        }
      }, completion)
  }

  /// What the engine made of a page; never cached.
  public func inspect(_ request: RenderRequest, _ aspect: Inspection.Aspect) throws(OffprintError) -> Inspection {
    let prepared = try PreparedRequest(request, fonts: fonts)
    return try wait { self.submit({ worker in Result { () throws(OffprintError) in try worker.inspect(prepared, aspect) } }, $0) }
  }

  /// Runs `work` on a worker, in turn with the renders.
  public func perform(_ work: @escaping @Sendable () -> Void) {
    if !pool.submit({ _ in work() }) { work() }
  }

  /// Starts no more renders until `resume`. Pictures in the cache are still answered.
  public func suspend() { pool.suspend() }

  public func resume() { pool.resume() }

  /// Takes no more requests, finishes those taken, and writes what the cache still has to write. Further requests fail with `shutDown`.
  ///
  /// - Parameter isExiting: the process ends next; what can be left to the next one is.
  public func shutdown(isExiting: Bool = false) {
    guard
      isShutDown.withLock({ isShutDown in
        defer { isShutDown = true }
        return !isShutDown
      })
    else { return }
    pool.close()
    store?.close(isExiting: isExiting)
  }

  /// A CSS colour; nil for what is none.
  public static func color(_ text: String) -> Color? { StyleEngine.color(text) }

  private func submit<Value: Sendable>(
    _ work: @escaping @Sendable (RenderWorker) -> Result<Value, OffprintError>,
    _ completion: @escaping @Sendable (Result<Value, OffprintError>) -> Void
  ) {
    if !pool.submit({ completion(work($0)) }) {
      completion(.failure(OffprintError(.shutDown, "The renderer was shut down.")))
    }
  }

  private func wait<Value: Sendable>(
    _ start: (@escaping @Sendable (Result<Value, OffprintError>) -> Void) -> Void
  ) throws(OffprintError) -> Value {
    let box = Mutex<Result<Value, OffprintError>?>(nil)
    let done = Gate()
    start { result in
      box.withLock { $0 = result }
      done.open()
    }
    done.wait()
    guard let result = box.withLock({ $0 }) else { throw OffprintError(.renderFailed, "The render gave no answer.") }
    return try result.get()
  }
}

/// Opens once.
final class Gate: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t> = .allocate(capacity: 1)
  init() { sem_init(semaphore, 0, 0) }
  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }
  func open() { sem_post(semaphore) }
  func wait() { while sem_wait(semaphore) != 0 && errno == EINTR {} }
}
