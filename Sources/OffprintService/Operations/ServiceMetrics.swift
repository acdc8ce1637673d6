import HTTPTypes
import Offprint
import OffprintRenderCache

/// Counts refusals that never reach a route.
final class RefusalTally: Sendable {
  private let registry: PrometheusRegistry
  init(_ registry: PrometheusRegistry) { self.registry = registry }
  func add(_ code: String) { registry.counter("offprint_refused_connections_total", [("code", code)]).increment() }
}

/// Counts images in responses, also under the name that the metric had first.
struct ImageCounter: Sendable {
  private let counter: PrometheusCounter
  private let alias: PrometheusCounter

  init(_ registry: PrometheusRegistry, cache: String) {
    counter = registry.counter("offprint_images_total", [("cache", cache)])
    alias = registry.counter("offprint_pictures_total", [("cache", cache)])
  }

  func increment() {
    counter.increment()
    alias.increment()
  }
}

/// Metrics of the service, in addition to those that the library records for each render.
struct ServiceMetrics: Sendable {
  let registry: PrometheusRegistry
  private let hits: ImageCounter
  private let misses: ImageCounter
  private let collapsed: ImageCounter

  init(_ registry: PrometheusRegistry) {
    self.registry = registry
    hits = ImageCounter(registry, cache: "hit")
    misses = ImageCounter(registry, cache: "miss")
    collapsed = ImageCounter(registry, cache: "collapsed")
  }

  func count(_ served: RequestCoalescer.Served, _ order: ImageOrder) {
    if served.wasCollapsed { collapsed.increment() } else if served.result.wasCached { hits.increment() } else { misses.increment() }
  }

  /// The metrics of a route that is answered from the response cache, looked up once.
  struct CachedRoute: Sendable {
    fileprivate let hits: ImageCounter
    /// By method and status.
    fileprivate let requests: [PrometheusCounter]
    fileprivate let seconds: PrometheusHistogram

    func count(isHead: Bool, isUnchanged: Bool, seconds: Double) {
      hits.increment()
      requests[(isHead ? 2 : 0) + (isUnchanged ? 1 : 0)].increment()
      self.seconds.observe(seconds)
    }
  }

  func cachedRoute(_ route: String) -> CachedRoute {
    let requests = [("GET", "200"), ("GET", "304"), ("HEAD", "200"), ("HEAD", "304")].map { method, status in
      registry.counter("offprint_requests_total", [("route", route), ("method", method), ("status", status)])
    }
    return CachedRoute(hits: hits, requests: requests, seconds: registry.histogram("offprint_request_duration_seconds", [("route", route)]))
  }

  func count(route: String, method: String, status: Int, code: String?, seconds: Double) {
    registry.counter("offprint_requests_total", [("route", route), ("method", method), ("status", "\(status)")]).increment()
    registry.histogram("offprint_request_duration_seconds", [("route", route)]).observe(seconds)
    if let code { registry.counter("offprint_errors_total", [("code", code)]).increment() }
  }

  /// Records stages and outcomes of renders, as reported by the renderer.
  func observe(_ report: RenderReport) {
    registry.counter(
      "offprint_renders_total", [("outcome", report.outcome.rawValue), ("code", report.error?.code.rawValue ?? "none")]
    ).increment()
    guard report.outcome == .rendered else { return }
    registry.histogram("offprint_render_duration_seconds").observe(report.milliseconds / 1000)
    for timing in report.timings {
      registry.histogram("offprint_stage_duration_seconds", [("stage", timing.stage.rawValue)]).observe(timing.milliseconds / 1000)
    }
    guard report.bytes > 0 else { return }
    for name in ["offprint_image_bytes", "offprint_picture_bytes"] {
      registry.histogram(name, [], PrometheusHistogram.sizes).observe(Double(report.bytes))
    }
  }
}

extension Service {
  func metricsText(_ engine: Engine) async -> String {
    let registry = metrics.registry
    registry.gauge("offprint_queue_length").set(Double(engine.renderer.waitingCount))
    registry.gauge("offprint_flights").set(Double(coalescer.flightCount))
    registry.gauge("offprint_connections").set(Double(connections.count))
    if let webhooks { registry.gauge("offprint_webhooks_waiting").set(Double(webhooks.waitingCount)) }
    if let figures = spans?.figures {
      for (outcome, count) in [("exported", figures.exported), ("dropped", figures.dropped), ("failed", figures.failed)] {
        registry.counter("offprint_spans_total", [("outcome", outcome)]).raise(to: count)
      }
    }
    registry.gauge("offprint_workers").set(Double(settings.workers))
    registry.gauge("offprint_resident_bytes").set(Double(ProcessStatistics.residentBytes))
    if let workers = engine.renderer.workerStatistics {
      let causes = [
        ("retired", workers.retired), ("crashed", workers.crashed), ("timedOut", workers.timedOut), ("outOfMemory", workers.outOfMemory),
        ("lost", workers.lost), ("failedStart", workers.failedStarts),
      ]
      for (cause, count) in causes { registry.counter("offprint_worker_ends_total", [("cause", cause)]).raise(to: count) }
      registry.counter("offprint_worker_starts_total").raise(to: workers.started)
      registry.gauge("offprint_worker_processes").set(Double(workers.alive))
    }
    if let stats = await blocking({ try? engine.renderer.imageCache?.stats() }) {
      registry.gauge("offprint_cache_bytes").set(Double(stats.size))
      registry.gauge("offprint_cache_entries").set(Double(stats.entries))
      registry.gauge("offprint_cache_memory_bytes").set(Double(stats.memoryBytes))
    }
    if let figures = engine.renderer.imageCache?.configuration.tier?.figures { addTier(figures, to: registry) }
    return registry.text
  }

  private func addTier(_ figures: SecondTierStatistics, to registry: PrometheusRegistry) {
    for (result, count) in [("hit", figures.hits), ("miss", figures.misses), ("damaged", figures.damaged)] {
      registry.counter("offprint_tier_reads_total", [("result", result)]).raise(to: count)
    }
    registry.counter("offprint_tier_writes_total").raise(to: figures.writes)
    registry.counter("offprint_tier_failures_total").raise(to: figures.failures)
    registry.counter("offprint_tier_dropped_total").raise(to: figures.dropped)
    registry.gauge("offprint_tier_waiting").set(Double(figures.waiting))
    registry.gauge("offprint_tier_up").set(figures.isLost ? 0 : 1)
  }
}
