internal import COffprintCodecs
import Glibc

/// What PNG encoders use again: memory for pixels and bytes, and the state of compressors. Owned by one thread. What a rare large picture
/// needed is given back after it.
public final class PNGWorkspace {
  /// Kept of each kind from picture to picture.
  private static let mostKept = 64 << 20

  let threads: SpareThreads
  private var spare: HeapBytes?
  private var spareBytes: HeapBytes?
  private var deflater: OpaquePointer?
  private var compressor: (level: Int32, state: UnsafeMutableRawPointer)?

  public convenience init() { self.init(threads: SpareThreads()) }

  package init(threads: SpareThreads) { self.threads = threads }

  deinit {
    codecs_pixel_deflater_destroy(deflater)
    if let compressor { codecs_zlib_compressor_destroy(compressor.state) }
  }

  /// Memory without initial values; whoever takes it gives it back.
  func takePixels(_ count: Int) -> HeapBytes? {
    defer { spare = nil }
    if let spare, spare.count >= count * 4 { return spare }
    spare = nil
    return HeapBytes(count: count * 4)
  }

  /// Ends a picture: what was rarely large goes.
  func giveBack(_ pixels: HeapBytes) {
    if pixels.count <= Self.mostKept { spare = pixels }
    if let deflater, codecs_pixel_deflater_memory(deflater) > Self.mostKept {
      codecs_pixel_deflater_destroy(deflater)
      self.deflater = nil
    }
  }

  /// Memory for this picture's bytes, the same at each call.
  func bytes(_ count: Int) -> HeapBytes? {
    if let spareBytes, spareBytes.count >= count { return spareBytes }
    spareBytes = nil
    let made = HeapBytes(count: count)
    if count <= Self.mostKept { spareBytes = made }
    return made
  }

  /// Calls `body` with what makes streams of pixels; nil without memory.
  func withDeflater<R, E: Error>(_ body: (OpaquePointer) throws(E) -> R) throws(E) -> R? {
    if deflater == nil { deflater = codecs_pixel_deflater_create() }
    guard let deflater else { return nil }
    return try body(deflater)
  }

  /// libdeflate's state for a level.
  func compressor(_ level: Int32) -> UnsafeMutableRawPointer? {
    if let compressor, compressor.level == level { return compressor.state }
    if let compressor { codecs_zlib_compressor_destroy(compressor.state) }
    compressor = codecs_zlib_compressor_create(level).map { (level, $0) }
    return compressor?.state
  }
}

/// Memory without initial values, freed when the last one that knows it goes.
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
