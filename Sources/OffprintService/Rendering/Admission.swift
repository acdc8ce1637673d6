import OffprintCoreTypes
import HTTPTypes
import Synchronization

/// Counts and limits the concurrent requests of each client.
final class Admission: Sendable {
  private let counts = Mutex<[Client.Identity: Int]>([:])
  private let maximum: Int

  init(maximum: Int) { self.maximum = maximum }

  /// - Throws: `tooManyRequests`.
  func enter(_ client: Client.Identity) throws(ServiceError) -> AdmissionSlot {
    let isFull = counts.withLock { counts in
      let count = counts[client, default: 0]
      if count >= maximum { return true }
      counts[client] = count + 1
      return false
    }
    if isFull {
      throw ServiceError(
        .tooManyRequests, "You have reached the limit of concurrent requests per client (\(maximum)); try again when one has ended.",
        headers: [.retryAfter: "1"])
    }
    return AdmissionSlot(self, client)
  }

  fileprivate func leave(_ client: Client.Identity) {
    counts.withLock { counts in
      let left = counts[client, default: 1] - 1
      counts[client] = left > 0 ? left : nil
    }
  }
}

/// The slot of a request among the concurrent requests of its client. Released with the last reference at the latest, because the body of a
/// response is dropped without being written if the client has gone or sent HEAD.
final class AdmissionSlot: Sendable {
  private let admission: Admission
  private let client: Client.Identity
  private let hasLeft = Atomic<Bool>(false)

  fileprivate init(_ admission: Admission, _ client: Client.Identity) { (self.admission, self.client) = (admission, client) }

  deinit { leave() }

  func leave() {
    if !hasLeft.exchange(true, ordering: .relaxed) { admission.leave(client) }
  }
}

/// A semaphore that serves waiting tasks in order.
final class Slots: Sendable {
  private struct State {
    /// Negative if more slots were taken than exist.
    var free: Int
    var next = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: max(1, count))) }

  /// - Returns: False if the task was canceled, in which case no slot was taken.
  func take() async -> Bool {
    let number = state.withLock { state in
      state.next += 1
      return state.next
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if Task.isCancelled { return false }
          if state.free > 0 {
            state.free -= 1
            return true
          }
          state.waiting.append((number, continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let continuation = state.withLock { state -> CheckedContinuation<Bool, Never>? in
        guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return nil }
        return state.waiting.remove(at: index).continuation
      }
      continuation?.resume(returning: false)
    }
  }

  /// Takes slots even if none is free: later takers wait until as many were released.
  func overdraw(_ count: Int) { state.withLock { $0.free -= count } }

  func give(_ count: Int = 1) {
    let ready = state.withLock { state in
      state.free += count
      let ready = state.waiting.prefix(max(0, state.free))
      state.waiting.removeFirst(ready.count)
      state.free -= ready.count
      return ready
    }
    for entry in ready { entry.continuation.resume(returning: true) }
  }
}
