import OffprintCoreTypes
import Synchronization

/// A cancellable one-shot completion.
final class Call<Value: Sendable>: Sendable {
  typealias Answer = Result<Value, OffprintError>

  private struct State {
    var completion: (@Sendable (Answer) -> Void)?
    /// Each removes the request from a queue it may wait in.
    var withdrawals: [@Sendable () -> Bool] = []
  }

  let flag = CancellationFlag()
  let priority: RenderPriority
  private let state: Mutex<State>

  init(_ priority: RenderPriority, completion: (@Sendable (Answer) -> Void)? = nil) {
    self.priority = priority
    state = Mutex(State(completion: completion))
  }

  func finish(_ answer: Answer) {
    let completion = state.withLock { state in
      defer { state = State() }
      return state.completion
    }
    completion?(answer)
  }

  /// Runs `job` on a thread of `pool`, unless the request is canceled first.
  func submit<Worker>(to pool: WorkerPool<Worker>, _ job: @escaping @Sendable (Worker) -> Void) {
    if flag.isCancelled { return finish(.failure(.cancelled)) }
    switch pool.submit(priority, { job($0) }) {
    case .accepted(let id):
      state.withLock { $0.withdrawals.append { pool.withdraw(id) } }
      if flag.isCancelled { withdraw() }
    case .full: finish(.failure(.queueFull))
    case .closed: finish(.failure(.shutDown))
    }
  }

  func cancel() {
    flag.cancel()
    withdraw()
  }

  private func withdraw() {
    let withdrawals = state.withLock { $0.withdrawals }
    for withdraw in withdrawals where withdraw() { finish(.failure(.cancelled)) }
  }

  /// Awaits the result of what `start` begins. Canceled together with the current task.
  static func answer(_ priority: RenderPriority, _ start: (Call) -> Void) async -> Answer {
    let call = Call(priority)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        call.state.withLock { $0.completion = { continuation.resume(returning: $0) } }
        start(call)
      }
    } onCancel: {
      call.cancel()
    }
  }

  /// The blocking equivalent.
  static func wait(_ priority: RenderPriority, _ cancellation: RenderCancellation? = nil, _ start: (Call) -> Void) -> Answer {
    let done = Gate()
    let box = ResponseBox()
    let call = Call(priority) { result in
      box.set(result)
      done.open()
    }
    let registration = cancellation?.onCancel { call.cancel() }
    defer { if let registration { cancellation?.remove(registration) } }
    start(call)
    done.wait()
    return box.get() ?? .failure(OffprintError(.renderFailed, "The render returned no result."))
  }

  private final class ResponseBox: Sendable {
    private let answer = Mutex<Answer?>(nil)
    func set(_ value: Answer) { answer.withLock { $0 = value } }
    func get() -> Answer? { answer.withLock { $0 } }
  }
}
