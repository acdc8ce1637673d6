import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOPosix
import Offprint
import OffprintRenderCache
import Synchronization

/// The state shared by all routes of the service.
final class Service: Sendable {
  let settings: ServiceSettings
  let logger: Logger
  /// Whether each request is logged.
  let logsRequests: Bool
  let metrics: ServiceMetrics
  let coalescer = RequestCoalescer()
  let admission: Admission
  let batchSlots: Slots
  let connections = ConnectionRegistry()
  /// Nil if requests are authenticated.
  let acceptedHosts: AcceptedHosts?
  let responseCache: ResponseCache
  let requestIDs = RequestIDs()
  let clock = ResponseClock()
  let uploads: Uploads
  let results = AsyncResults()
  /// Nil if no host of webhooks is allowed.
  let webhooks: WebhookQueue?
  let cors: CrossOriginAccess
  /// Nil if spans are not sent to a collector.
  let spans: SpanExporter?
  private let current: Mutex<Engine>
  private let draining = Atomic<Bool>(false)
  private let drainStart = Mutex<ContinuousClock.Instant?>(nil)

  /// - Throws: An error for invalid settings.
  init(
    _ settings: ServiceSettings, logger: Logger, registry: PrometheusRegistry = PrometheusRegistry(), spans: SpanExporter? = nil
  ) throws(OffprintError) {
    self.settings = settings
    self.spans = spans
    acceptedHosts = AcceptedHosts(settings)
    cors = CrossOriginAccess(origins: settings.corsOrigins)
    let uploads = Uploads()
    self.uploads = uploads
    self.logger = logger
    logsRequests = logger.logLevel <= .info
    let metrics = ServiceMetrics(registry)
    self.metrics = metrics
    admission = Admission(maximum: settings.clientConcurrency)
    batchSlots = Slots(settings.batchSlots)
    webhooks = settings.webhookHosts.isEmpty ? nil : try WebhookQueue(settings, logger: logger, registry: registry)
    let responseCache = ResponseCache(bytes: settings.cacheMemoryBytes / 2)
    self.responseCache = responseCache
    current = Mutex(
      try Engine(
        settings, logger: logger, isStart: true, uploads: uploads, onRemoval: { responseCache.removeAll() },
        observer: { metrics.observe($0) }))
  }

  /// The current engine.
  var engine: Engine { current.withLock { $0 } }

  var isDraining: Bool { draining.load(ordering: .relaxed) }

  func beginDraining() {
    draining.store(true, ordering: .relaxed)
    drainStart.withLock { $0 = .now }
  }

  /// What is left of the time for requests in progress; at least a second.
  var remainingDrainSeconds: Double {
    let elapsed = drainStart.withLock { $0 }.map { (ContinuousClock.now - $0).seconds } ?? 0
    return max(1, settings.drainDelaySeconds + settings.drainSeconds - elapsed)
  }

  /// Rereads fonts, templates, tokens and keys. If one of them is invalid, the error is logged and the old ones stay in use.
  func reload() {
    do throws(OffprintError) {
      let metrics = metrics, responseCache = responseCache
      var made = try Engine(
        settings, logger: logger, isStart: false, uploads: uploads, onRemoval: { responseCache.removeAll() },
        observer: { metrics.observe($0) })
      // The old engine is released with the last request that uses it.
      current.withLock { current in
        made.generation = current.generation + 1
        current = made
      }
      removeCachedResponses()
      logger.notice("Fonts, templates, tokens and keys were reloaded.", metadata: ["generation": .stringConvertible(made.generation)])
    } catch {
      logger.error("Nothing was reloaded: \(error.message)", metadata: ["code": "\(error.code.rawValue)"])
    }
  }

  /// Removes all cached responses, because the images may have changed.
  func removeCachedResponses() { responseCache.removeAll() }

  func end() { engine.renderer.end(isExiting: true) }

  // MARK: Threads

  /// Runs blocking work outside of Swift's cooperative pool.
  func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      NIOThreadPool.singleton.submit { _ in continuation.resume(returning: work()) }
    }
  }

  /// Runs work with the cache.
  ///
  /// - Throws: `cacheUnusable`, also if there is no cache; `usage` for invalid filters.
  func cache<Value: Sendable>(
    _ call: RouteCall, _ work: @escaping @Sendable (RenderCache) throws(CacheError) -> Value
  ) async throws -> Value {
    let renderer = call.engine.renderer
    let answer = await blocking { () -> Result<Value, OffprintError> in
      guard let cache = renderer.imageCache else {
        return .failure(OffprintError(.cacheUnusable, "The service has no usable cache."))
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
