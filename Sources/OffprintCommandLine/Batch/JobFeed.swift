import Offprint
import Synchronization

/// Distributes the rows of a shard to threads, one at a time.
final class JobFeed: Sendable {
  private struct State {
    var lines: JobLines
    var index = 0
    var handedOut = 0
    var isClosed = false
    var error: OffprintError?
  }

  private let state: Mutex<State>
  private let shard: Shard?

  init(_ lines: JobLines, shard: Shard?) {
    state = Mutex(State(lines: lines))
    self.shard = shard
  }

  /// The next row, and its index in the shard.
  func next() -> (line: JobLine, position: Int)? {
    state.withLock { state in
      do throws(OffprintError) {
        while !state.isClosed, let line = try state.lines.next() {
          defer { state.index += 1 }
          guard shard?.takes(state.index) ?? true else { continue }
          defer { state.handedOut += 1 }
          return (line, state.handedOut)
        }
      } catch {
        state.error = error
        state.isClosed = true
      }
      return nil
    }
  }

  /// Ends the distribution.
  func close() { state.withLock { $0.isClosed = true } }
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Why reading ended early.
  var error: OffprintError? { state.withLock { $0.error } }
}
