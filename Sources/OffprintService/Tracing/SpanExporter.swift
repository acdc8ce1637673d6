import OffprintCoreTypes
import Logging
import NIOPosix
import Offprint
import OffprintRemote
import Synchronization

/// Sends spans to a collector over OTLP/HTTP in JSON, in batches. Spans that do not fit in the queue are dropped and counted: an export never
/// delays a request.
///
/// https://opentelemetry.io/docs/specs/otlp/#otlphttp
final class SpanExporter: SpanSink {
  struct Figures: Hashable, Sendable {
    var exported = 0
    /// The queue was full.
    var dropped = 0
    /// The collector refused them, or could not be reached.
    var failed = 0
  }

  private struct State {
    var waiting: [JSONValue] = []
    var sending = 0
    var figures = Figures()
    var sleeper: Task<Void, Never>?
    var isEnding = false
    var lastWarning: ContinuousClock.Instant?
  }

  // The defaults of https://opentelemetry.io/docs/specs/otel/trace/sdk/#batching-processor
  static let maximumWaiting = 2048
  static let batchSize = 512
  private static let interval = Duration.seconds(5)
  private static let maximumAttempts = 5
  private static let warningInterval = Duration.seconds(60)

  private let export: TraceExport
  private let resource: TraceResource
  private let poster: HTTPPoster
  private let logger: Logger
  private let pool = NIOThreadPool(numberOfThreads: 1)
  private let state = Mutex(State())

  /// - Throws: `usage` for an invalid URL, `libraryMissing`.
  init(_ export: TraceExport, resource: TraceResource, logger: Logger) throws(OffprintError) {
    (self.export, self.resource, self.logger) = (export, resource, logger)
    poster = try HTTPPoster(hosts: nil, timeout: .seconds(export.seconds))
    do throws(OffprintError) {
      _ = try poster.host(of: export.url)
    } catch {
      throw OffprintError(.usage, "Spans cannot be exported: \(error.message)")
    }
    pool.start()
    Task { [weak self] in
      while let self, await self.step() {}
    }
  }

  deinit { pool.shutdownGracefully { _ in } }

  var figures: Figures { state.withLock { $0.figures } }

  func add(_ span: JSONValue) {
    state.withLock { state in
      guard state.waiting.count < Self.maximumWaiting else {
        state.figures.dropped += 1
        return
      }
      state.waiting.append(span)
      if state.waiting.count >= Self.batchSize { state.sleeper?.cancel() }
    }
  }

  /// Sends all waiting spans. Returns after the time even if there are some left.
  func flush(seconds: Double) async {
    state.withLock { state in
      state.isEnding = true
      state.sleeper?.cancel()
    }
    let end = ContinuousClock.now.advanced(by: .seconds(seconds))
    while state.withLock({ !$0.waiting.isEmpty || $0.sending > 0 }), ContinuousClock.now < end {
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  // MARK: Batches

  /// Waits for a batch and sends it.
  ///
  /// - Returns: False if there will be no more.
  private func step() async -> Bool {
    let sleeper = state.withLock { state -> Task<Void, Never>? in
      guard state.waiting.count < Self.batchSize, !state.isEnding else { return nil }
      let sleeper = Task<Void, Never> { try? await Task.sleep(for: Self.interval) }
      state.sleeper = sleeper
      return sleeper
    }
    await sleeper?.value
    let (batch, isLast) = state.withLock { state in
      let batch = Array(state.waiting.prefix(Self.batchSize))
      state.waiting.removeFirst(batch.count)
      state.sending = batch.count
      return (batch, state.isEnding && batch.isEmpty)
    }
    guard !batch.isEmpty else { return !isLast }
    let problem = await send(Array(resource.request(batch).text.utf8))
    let warns = state.withLock { state in
      state.sending = 0
      if problem == nil { state.figures.exported += batch.count } else { state.figures.failed += batch.count }
      guard problem != nil, state.lastWarning.map({ ContinuousClock.now - $0 > Self.warningInterval }) ?? true else { return false }
      state.lastWarning = .now
      return true
    }
    if warns, let problem { logger.warning("Spans were not exported: \(problem).", metadata: ["spans": .stringConvertible(batch.count)]) }
    return true
  }

  /// - Returns: Why the batch was not accepted; nil if it was.
  private func send(_ body: [UInt8]) async -> String? {
    var tries = 0
    while true {
      tries += 1
      let (problem, pause) = Self.problem(await post(body), tries)
      guard let problem else { return nil }
      // At shutdown, there is no time for more attempts.
      guard let pause, tries < Self.maximumAttempts, !state.withLock({ $0.isEnding }) else { return problem }
      let sleeper = Task<Void, Never> { try? await Task.sleep(for: .seconds(pause)) }
      state.withLock { $0.sleeper = sleeper }
      await sleeper.value
    }
  }

  private func post(_ body: [UInt8]) async -> HTTPPoster.Outcome {
    await withCheckedContinuation { continuation in
      pool.submit { [poster, export] state in
        guard case .active = state else { return continuation.resume(returning: .refused("the service ends")) }
        continuation.resume(returning: poster.post(body, to: export.url, headers: ["Content-Type: application/json"] + export.headers))
      }
    }
  }

  /// Why an attempt failed, and after how many seconds it is worth another. https://opentelemetry.io/docs/specs/otlp/#failures-1
  private static func problem(_ outcome: HTTPPoster.Outcome, _ tries: Int) -> (problem: String?, pause: Double?) {
    switch outcome {
    case .answered(let status, _) where (200...299).contains(status): (nil, nil)
    case .answered(let status, let retryAfter):
      ("the collector responded with status \(status)", [429, 502, 503, 504].contains(status) ? Backoff.seconds(tries, retryAfter) : nil)
    case .refused(let reason): (reason, nil)
    case .unreachable(let reason): (reason, Backoff.seconds(tries, nil))
    }
  }
}
