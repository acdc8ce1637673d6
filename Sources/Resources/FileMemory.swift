import OffprintCoreTypes
internal import Glibc
import Synchronization

/// Caches files with their digests, so that a file used by many pages is read and hashed once. A file whose status is unchanged is not read
/// again, unless it was modified a moment ago. Thread-safe; shared by all threads of a renderer.
package final class FileMemory: Sendable {
  /// The status that identifies a file's contents. `st_ctim` cannot be set by programs.
  struct State: Hashable {
    var device: UInt64
    var node: UInt64
    var size: Int
    var modified: Int64
    var changed: Int64

    init(_ status: stat) {
      device = UInt64(status.st_dev)
      node = UInt64(status.st_ino)
      size = Int(status.st_size)
      modified = FileReading.nanoseconds(status.st_mtim)
      changed = FileReading.nanoseconds(status.st_ctim)
    }
  }

  struct Content {
    var bytes: [UInt8]
    /// SHA-256 of `bytes`.
    var digest: [UInt8]
  }

  /// Two generations of entries: when the younger one fills half of the memory, the older one is dropped.
  private struct Generations {
    var young: [State: Content] = [:]
    var old: [State: Content] = [:]
    var youngBytes = 0
  }

  private let maximumBytes: Int
  private let generations = Mutex(Generations())

  /// - Parameter maximumBytes: The size limit of all files together.
  package init(maximumBytes: Int = 32 << 20) { self.maximumBytes = maximumBytes }

  func content(_ state: State) -> Content? {
    let cached = generations.withLock { $0.young[state] ?? $0.old[state] }
    if let cached { keep(cached, as: state) }
    return cached
  }

  /// - Parameter state: The status before the file was read. Its times must be old enough that any later change gives a different status.
  func keep(_ content: Content, as state: State) {
    let size = content.bytes.count + 512
    guard size <= maximumBytes / 8 else { return }
    let forgotten = generations.withLock { generations -> [State: Content] in
      var forgotten: [State: Content] = [:]
      if generations.young.updateValue(content, forKey: state) == nil { generations.youngBytes += size }
      if generations.youngBytes > maximumBytes / 2 {
        forgotten = generations.old
        generations.old = generations.young
        (generations.young, generations.youngBytes) = ([:], 0)
      }
      return forgotten
    }
    // Evicted contents are released after the lock.
    withExtendedLifetime(forgotten) {}
  }
}
