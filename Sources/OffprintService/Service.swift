import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Offprint
import OffprintRenderCache
import Synchronization

/// The service: everything that its routes share.
final class Service: Sendable {
  let settings: ServiceSettings
  let logger: Logger
  /// Whether each request has a line in the log.
  let logsRequests: Bool
  let metrics: ServiceMetrics
  let coalescer = RequestCoalescer()
  let admission: Admission
  let batchSlots: Slots
  let connections = ConnectionRegistry()
  /// Nil where requests are authenticated.
  let acceptedHosts: AcceptedHosts?
  let memo: AnswerMemo
  let requestIDs = RequestIDs()
  let clock = AnswerClock()
  private let current: Mutex<Engine>
  private let draining = Atomic<Bool>(false)

  /// - Throws: what is wrong with the settings.
  init(_ settings: ServiceSettings, logger: Logger, registry: PrometheusRegistry = PrometheusRegistry()) throws(OffprintError) {
    self.settings = settings
    acceptedHosts = AcceptedHosts(settings)
    self.logger = logger
    logsRequests = logger.logLevel <= .info
    let metrics = ServiceMetrics(registry)
    self.metrics = metrics
    admission = Admission(most: settings.clientConcurrency)
    batchSlots = Slots(settings.batchSlots)
    memo = AnswerMemo(bytes: settings.cacheMemoryBytes / 2)
    current = Mutex(try Engine(settings, logger: logger) { metrics.observe($0) })
  }

  /// What answers are made with now.
  var engine: Engine { current.withLock { $0 } }

  var isDraining: Bool { draining.load(ordering: .relaxed) }

  func beginDraining() { draining.store(true, ordering: .relaxed) }

  /// Reads fonts, templates, tokens and keys anew. What is wrong with them is said, and the old ones stay.
  func reload() {
    do throws(OffprintError) {
      let metrics = metrics
      var made = try Engine(settings, logger: logger) { metrics.observe($0) }
      // The old engine ends with the last request that began with it.
      current.withLock { current in
        made.generation = current.generation + 1
        current = made
      }
      forget()
      logger.notice("Fonts, templates, tokens and keys were read anew.", metadata: ["generation": .stringConvertible(made.generation)])
    } catch {
      logger.error("Nothing was read anew: \(error.message)", metadata: ["code": "\(error.code.rawValue)"])
    }
  }

  /// What was remembered of pictures may not hold any more.
  func forget() { memo.forgetAll() }

  func end() { engine.renderer.end(isExiting: true) }

  // MARK: Threads

  /// Work that waits for the disk, away from Swift's pool.
  func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      NIOThreadPool.singleton.submit { _ in continuation.resume(returning: work()) }
    }
  }

  /// Work with the cache.
  ///
  /// - Throws: `cacheUnusable`, also where there is none; `usage` for filters that are none.
  func cache<Value: Sendable>(
    _ call: RouteCall, _ work: @escaping @Sendable (RenderCache) throws(CacheError) -> Value
  ) async throws -> Value {
    let renderer = call.engine.renderer
    let answer = await blocking { () -> Result<Value, OffprintError> in
      guard let cache = renderer.pictureCache else {
        return .failure(OffprintError(.cacheUnusable, "The service has no cache that it could use."))
      }
      do throws(CacheError) {
        return .success(try work(cache))
      } catch {
        return .failure(OffprintError(error.code == .invalidCacheQuery ? .usage : .cacheUnusable, error.message))
      }
    }
    return try answer.get()
  }
}
