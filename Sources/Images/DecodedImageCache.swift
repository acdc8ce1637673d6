internal import OffprintCoreTypes
import Glibc

/// Decoded images by their encoded bytes. Evicts the least recently used ones, and is shared by all threads of a renderer. Decoding depends
/// only on the bytes and on the halvings in the key, so no result depends on the cache's contents.
public final class DecodedImageCache: @unchecked Sendable {
  /// An image as decoded, before the budget of a page applies.
  struct Entry {
    var bitmap: Bitmap
    var probe: ImageProbe
    var byteCount: Int
    var lastUse: UInt64
  }

  /// Bytes are compared completely, but only their number and some of them are hashed.
  struct Key: Hashable {
    var bytes: [UInt8]
    var decodedPixels: Int
    /// How often the image was halved while decoding.
    var halvings = 0
    /// Of an animation.
    var frame = 0

    func hash(into hasher: inout Hasher) {
      hasher.combine(bytes.count)
      bytes.withUnsafeBytes { all in
        for start in [0, all.count / 2, max(0, all.count - 64)] {
          hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: all[start..<min(all.count, start + 64)]))
        }
      }
    }
  }

  private let maximumBytes: Int
  private let lock: UnsafeMutablePointer<pthread_mutex_t>
  private var entries: [Key: Entry] = [:]
  private var byteCount = 0
  private var clock: UInt64 = 0

  /// - Parameter maximumBytes: The limit for pixels and encoded bytes together.
  public init(maximumBytes: Int = 64 << 20) {
    self.maximumBytes = maximumBytes
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

  /// Stores an image, unless it would use more than a quarter of the limit.
  func keep(_ bitmap: Bitmap, _ probe: ImageProbe, for key: Key) {
    let size = bitmap.byteCount + key.bytes.count + 512
    guard size <= maximumBytes / 4 else { return }
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    guard entries[key] == nil else { return }
    while byteCount + size > maximumBytes, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      byteCount -= oldest.value.byteCount
      entries[oldest.key] = nil
    }
    clock += 1
    byteCount += size
    entries[key] = Entry(bitmap: bitmap, probe: probe, byteCount: size, lastUse: clock)
  }

  /// The bytes and the number of images in the cache.
  public var usage: (bytes: Int, images: Int) {
    pthread_mutex_lock(lock)
    defer { pthread_mutex_unlock(lock) }
    return (byteCount, entries.count)
  }
}
