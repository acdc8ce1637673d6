internal import OffprintCoreTypes
import Glibc

/// Decoded pictures by their bytes, the latest used up to a bound, for all threads of a renderer. What is decoded is a function of the
/// bytes and of the limit that is part of the key, so that no result depends on what is kept here.
public final class PictureCache: @unchecked Sendable {
  /// A picture as it was decoded, before it is brought within a page's budget.
  struct Entry {
    var bitmap: Bitmap
    var probe: ImageProbe
    var byteCount: Int
    var lastUse: UInt64
  }

  /// Bytes are compared whole, and hashed by their number and some of them.
  struct Key: Hashable {
    var bytes: [UInt8]
    var decodedPixels: Int
    /// How often it was halved while it was decoded.
    var halvings = 0

    func hash(into hasher: inout Hasher) {
      hasher.combine(bytes.count)
      bytes.withUnsafeBytes { all in
        for start in [0, all.count / 2, max(0, all.count - 64)] {
          hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: all[start..<min(all.count, start + 64)]))
        }
      }
    }
  }

  private let mostBytes: Int
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var entries: [Key: Entry] = [:]
  private var byteCount = 0
  private var clock: UInt64 = 0

  /// - Parameter mostBytes: of pixels and files together.
  public init(mostBytes: Int = 64 << 20) {
    self.mostBytes = mostBytes
    lock = .allocate(capacity: 1)
    pthread_mutex_init(lock, nil)
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func entry(_ key: Key) -> Entry? {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard var entry = entries[key] else { return nil }
    clock += 1
    entry.lastUse = clock
    entries[key] = entry
    return entry
  }

  /// A picture that would take more than a quarter of the room is not kept.
  func keep(_ bitmap: Bitmap, _ probe: ImageProbe, for key: Key) {
    let size = bitmap.byteCount + key.bytes.count + 512
    guard size <= mostBytes / 4 else { return }
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard entries[key] == nil else { return }
    while byteCount + size > mostBytes, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      byteCount -= oldest.value.byteCount
      entries[oldest.key] = nil
    }
    clock += 1
    byteCount += size
    entries[key] = Entry(bitmap: bitmap, probe: probe, byteCount: size, lastUse: clock)
  }

  /// Bytes that are kept, and in how many pictures.
  public var usage: (bytes: Int, pictures: Int) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return (byteCount, entries.count)
  }
}
