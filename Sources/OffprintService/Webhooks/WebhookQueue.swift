import OffprintCoreTypes
import Logging
import NIOPosix
import Offprint
import OffprintRemote
import Synchronization

/// Delivers webhooks, and retries those whose receivers do not answer. They are kept in memory: at shutdown they are delivered for a while,
/// and after a crash they are lost.
final class WebhookQueue: Sendable {
  private struct State {
    /// Webhooks of renders in progress, and those being delivered.
    var reserved = 0
    var isDraining = false
    var sleepers: [Int: Task<Void, Never>] = [:]
    var next = 0
    var hosts: [String: HostLine] = [:]
  }

  /// The deliveries to one host, so that a slow receiver does not delay the others.
  private struct HostLine {
    static let concurrency = 2
    let slots = Slots(concurrency)
    var users = 0
  }

  private static let maximumReserved = 4096
  private static let threads = 8
  private static let longestDrainingPause = 1.0

  private let poster: HTTPPoster
  private let logger: Logger
  private let metrics: WebhookMetrics
  private let retrySeconds: Double
  /// Deliveries block threads for as long as their receivers take, so they have their own.
  private let pool = NIOThreadPool(numberOfThreads: threads)
  private let slots = Slots(threads)
  private let state = Mutex(State())

  /// - Throws: `usage` for invalid hosts, `libraryMissing`.
  init(_ settings: ServiceSettings, logger: Logger, registry: PrometheusRegistry) throws(OffprintError) {
    guard settings.webhookKeysFile != nil else {
      throw OffprintError(.usage, "--webhook-host requires --webhook-keys: webhooks are signed.")
    }
    poster = try HTTPPoster(hosts: settings.webhookHosts, timeout: .seconds(settings.webhookSeconds))
    retrySeconds = settings.webhookRetrySeconds
    self.logger = logger
    metrics = WebhookMetrics(registry)
    pool.start()
  }

  deinit { pool.shutdownGracefully { _ in } }

  var waitingCount: Int { state.withLock { $0.reserved } }

  /// - Throws: `dataInvalid`, `resourceRefused`.
  func target(_ url: String) throws(OffprintError) -> WebhookTarget {
    do throws(OffprintError) {
      return WebhookTarget(url: url, host: try poster.host(of: url))
    } catch {
      let advice = error.code == .resourceRefused ? " The service allows hosts with --webhook-host." : ""
      throw OffprintError(error.code, "\"webhook\" cannot be used: \(error.message)\(advice)")
    }
  }

  // MARK: Reservations

  /// A place in the queue, released with its last reference.
  final class Ticket: Sendable {
    private let queue: WebhookQueue
    fileprivate init(_ queue: WebhookQueue) { self.queue = queue }
    deinit { queue.state.withLock { $0.reserved -= 1 } }
  }

  /// Reserves a place before the render, so that no finished render lacks one.
  ///
  /// - Throws: `overloaded`.
  func reserve() throws(ServiceError) -> Ticket {
    let isFull = state.withLock { state in
      guard state.reserved < Self.maximumReserved else { return true }
      state.reserved += 1
      return false
    }
    if isFull { throw ServiceError(.overloaded, "Too many webhooks wait for delivery; try again later.", headers: [.retryAfter: "5"]) }
    return Ticket(self)
  }

  // MARK: Delivery

  /// - Parameter signer: Called for each attempt, because keys can be reloaded.
  func deliver(_ message: WebhookMessage, _ ticket: Ticket, signer: @escaping @Sendable () -> WebhookSigner) {
    Task { [self] in
      // The place in the queue is free when the webhook is delivered or given up.
      defer { withExtendedLifetime(ticket) {} }
      let start = ContinuousClock.now
      var tries = 0
      while true {
        let outcome = await attempt(message, signer)
        tries += 1
        switch WebhookVerdict(outcome) {
        case .delivered(let status): return finish(message, tries, status: status)
        case .failed(let reason): return fail(message, tries, reason)
        case .retried(let reason, let retryAfter):
          let pause = Backoff.seconds(tries, retryAfter)
          guard (ContinuousClock.now - start).seconds + pause <= retrySeconds else { return fail(message, tries, reason) }
          await wait(pause)
          metrics.retries.increment()
        }
      }
    }
  }

  private func attempt(_ message: WebhookMessage, _ signer: @escaping @Sendable () -> WebhookSigner) async -> HTTPPoster.Outcome {
    let hostSlots = enter(message.host)
    defer { leave(message.host) }
    _ = await hostSlots.take()
    defer { hostSlots.give() }
    _ = await slots.take()
    defer { slots.give() }
    return await withCheckedContinuation { continuation in
      pool.submit { [poster] state in
        guard case .active = state else { return continuation.resume(returning: .refused("the service ends")) }
        let fields = signer().headers(id: message.id, seconds: WallClock.seconds(), body: message.body)
        continuation.resume(returning: poster.post(message.body, to: message.url, headers: ["Content-Type: application/json"] + fields))
      }
    }
  }

  private func enter(_ host: String) -> Slots {
    state.withLock { state in
      var line = state.hosts[host] ?? HostLine()
      line.users += 1
      state.hosts[host] = line
      return line.slots
    }
  }

  private func leave(_ host: String) {
    state.withLock { state in
      guard var line = state.hosts[host] else { return }
      line.users -= 1
      state.hosts[host] = line.users > 0 ? line : nil
    }
  }

  /// Waits at most a second during shutdown.
  private func wait(_ seconds: Double) async {
    let entry = state.withLock { state -> (number: Int, sleeper: Task<Void, Never>) in
      let pause = state.isDraining ? min(seconds, Self.longestDrainingPause) : seconds
      let sleeper = Task<Void, Never> { try? await Task.sleep(for: .seconds(pause)) }
      state.next += 1
      state.sleepers[state.next] = sleeper
      return (state.next, sleeper)
    }
    await entry.sleeper.value
    state.withLock { $0.sleepers[entry.number] = nil }
  }

  private func finish(_ message: WebhookMessage, _ tries: Int, status: Int) {
    metrics.delivered.increment()
    logger.info(
      "A webhook was delivered.",
      metadata: [
        "request": "\(message.requestID)", "host": "\(message.host)", "status": .stringConvertible(status),
        "attempts": .stringConvertible(tries),
      ])
  }

  private func fail(_ message: WebhookMessage, _ tries: Int, _ reason: String) {
    metrics.failed.increment()
    logger.warning(
      "A webhook was not delivered: \(reason).",
      metadata: ["request": "\(message.requestID)", "host": "\(message.host)", "attempts": .stringConvertible(tries)])
  }

  // MARK: Shutdown

  /// Waits until all webhooks are delivered or given up, also those of renders in progress. Retries are sent at once.
  func drain(seconds: Double) async {
    let sleepers = state.withLock { state in
      state.isDraining = true
      return Array(state.sleepers.values)
    }
    sleepers.forEach { $0.cancel() }
    let end = ContinuousClock.now.advanced(by: .seconds(min(max(0, seconds), 86_400)))
    while waitingCount > 0, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(20)) }
    let left = waitingCount
    guard left > 0 else { return }
    logger.warning("Webhooks were not delivered before the service ended.", metadata: ["count": .stringConvertible(left)])
  }
}

/// What a receiver's response means.
enum WebhookVerdict: Hashable, Sendable {
  case delivered(Int)
  /// Trying again does not help.
  case failed(String)
  case retried(String, retryAfter: Int?)

  init(_ outcome: HTTPPoster.Outcome) {
    self =
      switch outcome {
      case .answered(let status, _) where (200...299).contains(status): .delivered(status)
      case .answered(let status, let retryAfter) where status >= 500 || status == 429 || status == 408:
        .retried("the receiver responded with status \(status)", retryAfter: retryAfter)
      case .answered(let status, _) where (300...399).contains(status):
        .failed("the receiver redirects (status \(status)), which is not followed")
      case .answered(let status, _): .failed("the receiver responded with status \(status)")
      case .refused(let reason): .failed(reason)
      case .unreachable(let reason): .retried(reason, retryAfter: nil)
      }
  }
}

struct WebhookMetrics: Sendable {
  let delivered: PrometheusCounter
  let failed: PrometheusCounter
  let retries: PrometheusCounter

  init(_ registry: PrometheusRegistry) {
    delivered = registry.counter("offprint_webhooks_total", [("outcome", "delivered")])
    failed = registry.counter("offprint_webhooks_total", [("outcome", "failed")])
    retries = registry.counter("offprint_webhook_retries_total")
  }
}
