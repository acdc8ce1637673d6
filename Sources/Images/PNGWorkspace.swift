internal import COffprintCodecs
import Glibc

/// Memory that PNG encoders reuse: buffers for pixels and bytes, and the state of compressors. Owned by one thread. Oversized buffers are
/// released after each image.
public final class PNGWorkspace {
  /// Larger buffers are not retained.
  private static let maximumKept = 64 << 20

  let threads: HelperThreads
  private var spare: HeapBytes?
  private var spareBytes: HeapBytes?
  private var deflater: OpaquePointer?
  private var compressor: (level: Int32, state: UnsafeMutableRawPointer)?

  public convenience init() { self.init(threads: HelperThreads()) }

  package init(threads: HelperThreads) { self.threads = threads }

  deinit {
    codecs_pixel_deflater_destroy(deflater)
    if let compressor { codecs_zlib_compressor_destroy(compressor.state) }
  }

  /// An uninitialized buffer; the caller must return it with `release`.
  func takePixels(_ count: Int) -> HeapBytes? {
    defer { spare = nil }
    if let spare, spare.count >= count * 4 { return spare }
    spare = nil
    return HeapBytes(count: count * 4)
  }

  /// Returns a buffer after an image, retaining it unless it is too large.
  func release(_ pixels: HeapBytes) {
    if pixels.count <= Self.maximumKept { spare = pixels }
    if let deflater, codecs_pixel_deflater_memory(deflater) > Self.maximumKept {
      codecs_pixel_deflater_destroy(deflater)
      self.deflater = nil
    }
  }

  /// A buffer for the current image's bytes, the same at each call.
  func bytes(_ count: Int) -> HeapBytes? {
    if let spareBytes, spareBytes.count >= count { return spareBytes }
    spareBytes = nil
    let made = HeapBytes(count: count)
    if count <= Self.maximumKept { spareBytes = made }
    return made
  }

  /// Calls `body` with the compressor for pixels; nil if memory cannot be allocated.
  func withDeflater<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R? {
    if deflater == nil { deflater = codecs_pixel_deflater_create() }
    guard let deflater else { return nil }
    return try body(deflater)
  }

  /// The state of libdeflate for a compression level.
  func compressor(_ level: Int32) -> UnsafeMutableRawPointer? {
    if let compressor, compressor.level == level { return compressor.state }
    if let compressor { codecs_zlib_compressor_destroy(compressor.state) }
    compressor = codecs_zlib_compressor_create(level).map { (level, $0) }
    return compressor?.state
  }
}

/// Uninitialized, reference-counted buffer.
final class HeapBytes: @unchecked Sendable {
  let base: UnsafeMutablePointer<UInt8>
  let count: Int

  init?(count: Int) {
    guard let memory = malloc(max(1, count)) else { return nil }
    self.count = count
    base = memory.bindMemory(to: UInt8.self, capacity: max(1, count))
  }

  deinit { free(base) }
}
