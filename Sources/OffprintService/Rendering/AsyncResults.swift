import OffprintCoreTypes
import Offprint
import Synchronization

/// The images of requests that did not wait for them (`Prefer: respond-async`), kept in memory for a while.
final class AsyncResults: Sendable {
  enum Outcome: Sendable {
    case pending
    case done(Service.ServedImage)
    case failed(Problem)
  }

  private struct Entry {
    var owner: Client.Identity
    var outcome = Outcome.pending
    var bytes = 0
    var since = ContinuousClock.now
    var number: Int
  }

  private struct State {
    var entries: [String: Entry] = [:]
    var bytes = 0
    var next = 0
  }

  /// How long a result is kept after it is ready.
  static let lifetime = Duration.seconds(600)
  private static let maximumEntries = 4096
  private static let maximumBytes = 64 << 20
  private let state = Mutex(State())

  /// - Returns: The name of a new result.
  /// - Throws: `overloaded` if too many are in progress.
  func begin(_ owner: Client.Identity) throws(ServiceError) -> String {
    let name = (0..<16).map { _ in UInt8.random(in: 0...255) }.hexadecimalDigits
    let isFull = state.withLock { state in
      Self.drop(&state)
      guard state.entries.count < Self.maximumEntries else { return true }
      state.next += 1
      state.entries[name] = Entry(owner: owner, number: state.next)
      return false
    }
    if isFull { throw ServiceError(.overloaded, "Too many results wait to be read; try again later.", headers: [.retryAfter: "5"]) }
    return name
  }

  func finish(_ name: String, _ outcome: Outcome) {
    state.withLock { state in
      guard var entry = state.entries[name] else { return }
      if case .done(let image) = outcome { entry.bytes = image.result.image.count }
      entry.outcome = outcome
      entry.since = .now
      state.bytes += entry.bytes
      state.entries[name] = entry
      Self.drop(&state)
    }
  }

  /// Nil if there is no such result, or it belongs to another client.
  func outcome(_ name: String, for client: Client.Identity) -> Outcome? {
    state.withLock { state in
      Self.drop(&state)
      guard let entry = state.entries[name], entry.owner == client else { return nil }
      return entry.outcome
    }
  }

  /// Drops results that are too old, and the oldest while they are too large together.
  private static func drop(_ state: inout State) {
    let ready = state.entries.filter { if case .pending = $0.value.outcome { false } else { true } }
    for (name, entry) in ready.sorted(by: { $0.value.number < $1.value.number }) {
      let isOld = entry.since.duration(to: .now) > lifetime
      guard isOld || state.bytes > maximumBytes || state.entries.count >= maximumEntries else { continue }
      state.entries[name] = nil
      state.bytes -= entry.bytes
    }
  }
}
