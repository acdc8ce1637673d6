internal import COffprintCodecs
import OffprintCoreTypes
import Synchronization

/// Compresses the rows of a large image in independent parts, on as many threads as there are idle processors. The division into parts
/// depends only on the image's size, so that the bytes are the same on every machine.
final class PNGParts: @unchecked Sendable {
  /// A boundary costs about as much as a row without matches: less than 0.1 % of a part.
  private static let pixelsOfPart = 360_000
  private static let maximum = 32
  private static let stackBytes = 256 << 10

  private struct Part {
    var data: HeapBytes
    var adler: UInt32
    /// The number of uncompressed bytes.
    var length: Int
  }

  private let pixels: UnsafePointer<UInt32>
  private let width: Int
  private let height: Int
  private let rows: Int
  private let bytes: UInt32
  private let depth: UInt32
  private let deadline: Deadline
  private let threads: HelperThreads
  private let next = Atomic<Int>(0)
  private let hasFailed = Atomic<Bool>(false)
  private let parts: Mutex<[Part?]>

  /// Nil if the image is small enough for a single part.
  init?(_ stream: PNGStream, bytes: UInt32, depth: UInt32) {
    let count = min(Self.maximum, stream.height, stream.width * stream.height / Self.pixelsOfPart)
    guard count > 1 else { return nil }
    (pixels, width, height, deadline) = (stream.pixels, stream.width, stream.height, stream.deadline)
    (self.bytes, self.depth, threads) = (bytes, depth, stream.workspace.threads)
    rows = (height + count - 1) / count
    parts = Mutex(Array(repeating: nil, count: (height + rows - 1) / rows))
  }

  /// The compressed stream; nil if pixels of three bytes are not opaque, if memory cannot be allocated, and after the deadline.
  func compress() -> PNGStream.Data? {
    let count = parts.withLock { $0.count }
    let taken = threads.takeIdle(count - 1)
    defer { threads.release(taken) }
    // All threads have ended when this returns, since they read the image's pixels.
    SystemThread.together(with: taken, stackBytes: Self.stackBytes) { self.work() }
    return hasFailed.load(ordering: .acquiring) ? nil : joined(parts.withLock { $0.compactMap(\.self) }, of: count)
  }

  private func work() {
    let isWhole: Void? = PNGWorkspace().withDeflater { deflater in
      while !hasFailed.load(ordering: .relaxed) {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue, start = index * rows
        guard start < height else { return }
        let part = code(start, min(rows, height - start), deflater)
        parts.withLock { $0[index] = part }
        if part == nil || deadline.hasPassed { hasFailed.store(true, ordering: .releasing) }
      }
    }
    if isWhole == nil { hasFailed.store(true, ordering: .releasing) }
  }

  private func code(_ start: Int, _ count: Int, _ deflater: OpaquePointer) -> Part? {
    let first = pixels + start * width
    guard codecs_pixel_deflater_begin(deflater, width, bytes, depth, start > 0 ? first - width : nil) != 0,
      codecs_pixel_deflater_add(deflater, first, width, count) != 0
    else { return nil }
    let made = codecs_pixel_deflater_finish(deflater, start + count == height ? 1 : 0)
    guard let base = made.bytes, let data = HeapBytes(count: made.length) else { return nil }
    data.base.update(from: base, count: made.length)
    return Part(data: data, adler: made.adler, length: count * (width * Int(bytes) + 1))
  }

  private func joined(_ parts: [Part], of count: Int) -> PNGStream.Data? {
    guard parts.count == count, var joining = ZlibJoining(capacity: parts.reduce(0) { $0 + $1.data.count }) else { return nil }
    for part in parts { joining.add(part.data.base, part.data.count, adler: part.adler, of: part.length) }
    return joining.finish()
  }
}

/// Joins DEFLATE data into a zlib stream: https://www.rfc-editor.org/rfc/rfc1950#section-2.2
struct ZlibJoining {
  private let bytes: HeapBytes
  private var count = 2
  private var adler: UInt32 = 1

  /// - Parameter capacity: The maximum size of the data. Nil if memory cannot be allocated.
  init?(capacity: Int) {
    guard let bytes = HeapBytes(count: capacity + 6) else { return nil }
    self.bytes = bytes
    bytes.base[0] = 0x78
    bytes.base[1] = 0x5E
  }

  /// - Parameters:
  ///   - adler: The checksum of the uncompressed bytes.
  ///   - length: The number of uncompressed bytes.
  mutating func add(_ data: UnsafePointer<UInt8>, _ length: Int, adler: UInt32, of coded: Int) {
    (bytes.base + count).update(from: data, count: length)
    count += length
    self.adler = codecs_adler_joined(self.adler, adler, coded)
  }

  consuming func finish() -> PNGStream.Data {
    for shift in stride(from: 24, through: 0, by: -8) {
      bytes.base[count] = UInt8(truncatingIfNeeded: adler >> UInt32(shift))
      count += 1
    }
    return PNGStream.Data(base: bytes.base, length: count, owner: bytes)
  }
}
