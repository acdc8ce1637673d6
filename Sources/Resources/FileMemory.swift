import OffprintCoreTypes
internal import Glibc
import Synchronization

/// Files as they were read, with their digests, so that what many pages use is read and hashed once. A file whose times and place say that
/// nothing changed is what it was; whatever changed a moment ago is read again. For all threads of a renderer.
package final class FileMemory: Sendable {
  /// What a file's status says of its content. `st_ctim` is nobody's to set.
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

  /// Two generations: when the younger has half of all, the older goes.
  private struct Generations {
    var young: [State: Content] = [:]
    var old: [State: Content] = [:]
    var youngBytes = 0
  }

  private let mostBytes: Int
  private let generations = Mutex(Generations())

  /// - Parameter mostBytes: of all files together.
  package init(mostBytes: Int = 32 << 20) { self.mostBytes = mostBytes }

  func content(_ state: State) -> Content? {
    let known = generations.withLock { $0.young[state] ?? $0.old[state] }
    if let known { keep(known, as: state) }
    return known
  }

  /// - Parameter state: that the file had before it was read; its times are far enough back to tell of any change since.
  func keep(_ content: Content, as state: State) {
    let size = content.bytes.count + 512
    guard size <= mostBytes / 8 else { return }
    let forgotten = generations.withLock { generations -> [State: Content] in
      var forgotten: [State: Content] = [:]
      if generations.young.updateValue(content, forKey: state) == nil { generations.youngBytes += size }
      if generations.youngBytes > mostBytes / 2 {
        forgotten = generations.old
        generations.old = generations.young
        (generations.young, generations.youngBytes) = ([:], 0)
      }
      return forgotten
    }
    // What goes is let go behind the lock.
    withExtendedLifetime(forgotten) {}
  }
}
