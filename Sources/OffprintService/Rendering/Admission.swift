import OffprintCoreTypes
import HTTPTypes
import Synchronization

/// How many requests each client has under way.
final class Admission: Sendable {
  private let counts = Mutex<[Client.Identity: Int]>([:])
  private let most: Int

  init(most: Int) { self.most = most }

  /// - Throws: `tooManyRequests`.
  func enter(_ client: Client.Identity) throws(ServiceError) -> AdmissionSlot {
    let isFull = counts.withLock { counts in
      let count = counts[client, default: 0]
      if count >= most { return true }
      counts[client] = count + 1
      return false
    }
    if isFull {
      throw ServiceError(
        .tooManyRequests, "You have as many requests under way as the service takes of one client (\(most)); try again when one has ended.",
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

/// The place of a request among those that its client has under way. It is given up with the last reference at the latest: the body of an
/// answer is dropped without being written where the client has gone or asked with HEAD.
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

/// So many at a time, in the order they came.
final class Slots: Sendable {
  private struct State {
    /// Below 0 where more were taken than there are.
    var free: Int
    var next = 0
    var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: max(1, count))) }

  /// - Returns: false where the task was cancelled: then no slot was taken.
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

  /// Takes slots also where none is free: the next wait until as many were given back.
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
