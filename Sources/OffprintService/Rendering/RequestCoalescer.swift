import Offprint
import Synchronization

/// Coalesces concurrent requests for the same image: it is rendered once, and each caller waits no longer than its own timeout.
final class RequestCoalescer: Sendable {
  typealias Answer = Result<RenderResult, OffprintError>

  struct Served: Sendable {
    var result: RenderResult
    /// Whether the request joined another one in progress.
    var wasCollapsed: Bool
  }

  private struct FlightKey: Hashable {
    var request: RenderRequest
    /// The exact bytes of strings. `String` compares by canonical equivalence, but equivalent strings can render differently.
    var spelling: [[UInt8]]
    var priority: RenderPriority
    var generation: Int
  }

  private let flights = Mutex<[FlightKey: Flight]>([:])

  /// The number of renders in progress.
  var flightCount: Int { flights.withLock { $0.count } }
  /// The number of requests that wait for them.
  var waitingCount: Int { flights.withLock { $0.values.reduce(0) { $0 + $1.waitingCount } } }

  /// - Parameter seconds: The time limit until the response, including waiting.
  /// - Throws: `timedOut` after that, `cancelled` if the task is canceled, and errors of the renderer.
  func image(
    _ request: RenderRequest, priority: RenderPriority, engine: Engine, seconds: Double
  ) async throws(OffprintError) -> Served {
    // The identifier belongs to the caller, not to the image, so it is not part of the key. Requests that bypass the cache are not
    // coalesced.
    guard request.cachePolicy == .standard else {
      return Served(result: try await alone(request, priority, engine, seconds), wasCollapsed: false)
    }
    var shared = request
    shared.identifier = nil
    let key = FlightKey(request: shared, spelling: shared.spelling, priority: priority, generation: engine.generation)
    for _ in 0..<3 {
      let served = await join(key, engine, seconds)
      // The previous callers left just as this request joined, which canceled the render.
      if case .failure(let error) = served.answer, error.code == .cancelled, !Task.isCancelled, served.wasCollapsed { continue }
      return Served(result: try served.answer.get(), wasCollapsed: served.wasCollapsed)
    }
    return Served(result: try await alone(shared, priority, engine, seconds), wasCollapsed: false)
  }

  private func join(_ key: FlightKey, _ engine: Engine, _ seconds: Double) async -> (answer: Answer, wasCollapsed: Bool) {
    let (flight, isFirst) = flights.withLock { flights -> (Flight, Bool) in
      if let flight = flights[key] {
        flight.enter()
        return (flight, false)
      }
      let flight = Flight()
      flight.enter()
      flights[key] = flight
      return (flight, true)
    }
    if isFirst {
      flight.start { [weak self] flight in
        let answer = await Self.render(key.request, key.priority, engine)
        // Removed before it completes: later requests find the image in the cache.
        self?.flights.withLock { if $0[key] === flight { $0[key] = nil } }
        return answer
      }
    }
    let answer = await flight.join(seconds: seconds) { [weak self] in
      self?.flights.withLock { if $0[key] === flight { $0[key] = nil } }
    }
    return (answer, !isFirst)
  }

  private func alone(
    _ request: RenderRequest, _ priority: RenderPriority, _ engine: Engine, _ seconds: Double
  ) async throws(OffprintError) -> RenderResult {
    let flight = Flight()
    flight.enter()
    flight.start { _ in await Self.render(request, priority, engine) }
    return try await flight.join(seconds: seconds) {}.get()
  }

  private static func render(_ request: RenderRequest, _ priority: RenderPriority, _ engine: Engine) async -> Answer {
    do throws(OffprintError) {
      return .success(try await engine.renderer.image(request, priority: priority))
    } catch {
      return .failure(error)
    }
  }
}

/// One render in progress and its callers. When the last caller leaves, the render is canceled.
private final class Flight: Sendable {
  typealias Answer = RequestCoalescer.Answer

  private struct State {
    var answer: Answer?
    /// Callers that entered and have not left; some may not be waiting yet.
    var callers = 0
    var next = 0
    var waiting: [Int: CheckedContinuation<Answer, Never>] = [:]
    var task: Task<Void, Never>?
    var isAbandoned = false
  }

  private let state = Mutex(State())

  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Counts a caller, who must call `join` afterwards.
  func enter() { state.withLock { $0.callers += 1 } }

  func start(_ work: @escaping @Sendable (Flight) async -> Answer) {
    let task = Task {
      let answer = await work(self)
      let waiting = self.state.withLock { state in
        state.answer = answer
        defer { state.waiting = [:] }
        return state.waiting
      }
      for continuation in waiting.values { continuation.resume(returning: answer) }
    }
    if state.withLock({ state in
      state.task = task
      return state.isAbandoned
    }) {
      task.cancel()
    }
  }

  /// Waits for the image, then leaves.
  ///
  /// - Parameter abandoned: Called if the last caller leaves without an answer, also if it was canceled before waiting.
  func join(seconds: Double, abandoned: @escaping @Sendable () -> Void) async -> Answer {
    defer { leave(abandoned) }
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    let timer = Task {
      guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
      self.resume(number, .failure(Self.late(seconds)))
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Answer? in
          if let answer = state.answer { return answer }
          if Task.isCancelled {
            return .failure(OffprintError(.cancelled, "The request was canceled: no client is waiting for the image."))
          }
          state.waiting[number] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      resume(number, .failure(OffprintError(.cancelled, "The request was canceled: no client is waiting for the image.")))
    }
  }

  private static func late(_ seconds: Double) -> OffprintError {
    OffprintError(.timedOut, "The image was not ready within \(JSONText.number(seconds)) s, including waiting for a worker.")
  }

  private func resume(_ number: Int, _ answer: Answer) {
    state.withLock { $0.waiting.removeValue(forKey: number) }?.resume(returning: answer)
  }

  private func leave(_ abandoned: () -> Void) {
    let (isAbandoned, task) = state.withLock { state -> (Bool, Task<Void, Never>?) in
      state.callers -= 1
      guard state.callers == 0, state.answer == nil else { return (false, nil) }
      state.isAbandoned = true
      return (true, state.task)
    }
    guard isAbandoned else { return }
    abandoned()
    task?.cancel()
  }
}

extension RenderRequest {
  /// The bytes of the strings that become part of the page, sorted.
  fileprivate var spelling: [[UInt8]] {
    let pairs = [attributes, partials].flatMap { $0 }.map { Array($0.key.utf8) + [0] + Array($0.value.utf8) }
    return pairs.sorted { $0.lexicographicallyPrecedes($1) } + [Array((selector ?? "").utf8), Array((basePath ?? "").utf8)]
  }
}
