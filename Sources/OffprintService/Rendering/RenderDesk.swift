import Offprint
import Synchronization

/// Where requests for pictures come together: the same picture is drawn once however many ask for it at a time, and who has waited long
/// enough goes.
final class RenderDesk: Sendable {
  typealias Answer = Result<RenderResult, OffprintError>

  struct Served: Sendable {
    var result: RenderResult
    /// Another request for the same was under way.
    var wasCollapsed: Bool
  }

  private struct FlightKey: Hashable {
    var request: RenderRequest
    var priority: RenderPriority
    var generation: Int
  }

  private let flights = Mutex<[FlightKey: Flight]>([:])

  /// How many pictures are asked for of the renderer.
  var flightCount: Int { flights.withLock { $0.count } }
  /// How many requests wait for those.
  var waitingCount: Int { flights.withLock { $0.values.reduce(0) { $0 + $1.waitingCount } } }

  /// - Parameter seconds: from now to the answer, waiting included.
  /// - Throws: `timedOut` after that, `cancelled` when the task is, and what the renderer throws.
  func picture(
    _ request: RenderRequest, priority: RenderPriority, engine: Engine, seconds: Double
  ) async throws(OffprintError) -> Served {
    // A name belongs to who asks, not to what is drawn; who wants it drawn anew does not share.
    guard request.cachePolicy == .standard else {
      return Served(result: try await alone(request, priority, engine, seconds), wasCollapsed: false)
    }
    var shared = request
    shared.identifier = nil
    let key = FlightKey(request: shared, priority: priority, generation: engine.generation)
    for _ in 0..<3 {
      let served = await join(key, engine, seconds)
      // Those whom it was made for went just as this request came.
      if case .failure(let error) = served.answer, error.code == .cancelled, !Task.isCancelled, served.wasCollapsed { continue }
      return Served(result: try served.answer.get(), wasCollapsed: served.wasCollapsed)
    }
    return Served(result: try await alone(shared, priority, engine, seconds), wasCollapsed: false)
  }

  private func join(_ key: FlightKey, _ engine: Engine, _ seconds: Double) async -> (answer: Answer, wasCollapsed: Bool) {
    let (flight, isFirst) = flights.withLock { flights -> (Flight, Bool) in
      if let flight = flights[key] { return (flight, false) }
      let flight = Flight()
      flights[key] = flight
      return (flight, true)
    }
    if isFirst {
      flight.start { [weak self] flight in
        let answer = await Self.render(key.request, key.priority, engine)
        // Removed before it is answered: who comes later asks the cache.
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
    flight.start { _ in await Self.render(request, priority, engine) }
    return try await flight.join(seconds: seconds) {}.get()
  }

  private static func render(_ request: RenderRequest, _ priority: RenderPriority, _ engine: Engine) async -> Answer {
    do throws(OffprintError) {
      return .success(try await engine.renderer.picture(request, priority: priority))
    } catch {
      return .failure(error)
    }
  }
}

/// One picture that is being made, and those who wait for it. When the last has gone, it is cancelled.
private final class Flight: Sendable {
  typealias Answer = RenderDesk.Answer

  private struct State {
    var answer: Answer?
    var next = 0
    var waiting: [Int: CheckedContinuation<Answer, Never>] = [:]
    var task: Task<Void, Never>?
    var isAbandoned = false
  }

  private let state = Mutex(State())

  var waitingCount: Int { state.withLock { $0.waiting.count } }

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

  /// - Parameter abandoned: called when the last has gone without an answer.
  func join(seconds: Double, abandoned: @escaping @Sendable () -> Void) async -> Answer {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    let timer = Task {
      guard (try? await Task.sleep(for: .seconds(seconds))) != nil else { return }
      self.leave(number, .failure(Self.late(seconds)), abandoned)
    }
    defer { timer.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Answer? in
          if let answer = state.answer { return answer }
          if Task.isCancelled { return .failure(OffprintError(.cancelled, "Nobody waits for the picture any more.")) }
          state.waiting[number] = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      leave(number, .failure(OffprintError(.cancelled, "Nobody waits for the picture any more.")), abandoned)
    }
  }

  private static func late(_ seconds: Double) -> OffprintError {
    OffprintError(.timedOut, "The picture was not ready within \(JSONText.number(seconds)) s, waiting for a worker included.")
  }

  private func leave(_ number: Int, _ answer: Answer, _ abandoned: @Sendable () -> Void) {
    let (continuation, task) = state.withLock { state -> (CheckedContinuation<Answer, Never>?, Task<Void, Never>?) in
      let continuation = state.waiting.removeValue(forKey: number)
      guard continuation != nil, state.waiting.isEmpty, state.answer == nil else { return (continuation, nil) }
      state.isAbandoned = true
      return (continuation, state.task)
    }
    if let task {
      abandoned()
      task.cancel()
    }
    continuation?.resume(returning: answer)
  }
}
