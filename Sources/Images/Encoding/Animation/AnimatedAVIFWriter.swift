internal import COffprintCodecs
import OffprintCoreTypes

/// Writes an AVIF image sequence. All frames have the size of the image; the codec encodes what differs from the frames before.
struct AnimatedAVIFWriter: AnimationWriter {
  /// The encoder cannot be interrupted: if it exceeds the deadline, it is left to finish on its own thread, which releases it.
  private final class Sequence: @unchecked Sendable {
    let pointer: OpaquePointer
    init?(_ pointer: OpaquePointer?) {
      guard let pointer else { return nil }
      self.pointer = pointer
    }
    deinit { codecs_avif_sequence_discard(pointer) }
  }

  private let sequence: Sequence
  private let threads: HelperThreads

  init(_ shape: AnimationShape, _ threads: HelperThreads) throws(ImageError) {
    try AVIFEncoder.checkAvailability()
    let sequence = Sequence(
      codecs_avif_sequence_begin(
        UInt32(clamping: shape.width), UInt32(clamping: shape.height),
        AVIFEncoder.options(width: shape.width, height: shape.height, shape.encoding), shape.hasAlpha ? 1 : 0,
        UInt32(clamping: shape.animation.framesPerSecond), UInt32(clamping: shape.animation.plays ?? 0)))
    guard let sequence else { throw Self.outOfMemory }
    self.sequence = sequence
    self.threads = threads
  }

  mutating func add(_ bitmap: Bitmap, next: Bitmap?, ticks: Range<Int>, _ deadline: Deadline) throws(ImageError) {
    let sequence = sequence
    let isEncoded = try run(deadline) {
      var pixels: [UInt8] = []
      pixels.reserveCapacity(bitmap.width * bitmap.height * 4)
      bitmap.withUnsafePixels { for pixel in $0 { pixels.append(straight: pixel) } }
      return codecs_avif_sequence_add(sequence.pointer, pixels, UInt32(clamping: ticks.count)) == CODECS_COMPLETE
    }
    guard isEncoded else { throw Self.outOfMemory }
  }

  mutating func finish(_ deadline: Deadline) throws(ImageError) -> [UInt8] {
    let sequence = sequence
    let file = try run(deadline) {
      var bytes: UnsafeMutablePointer<UInt8>?
      var size = 0
      let status = codecs_avif_sequence_finish(sequence.pointer, &bytes, &size)
      defer { codecs_avif_free(bytes) }
      return status == CODECS_COMPLETE ? Array(UnsafeBufferPointer(start: bytes, count: size)) : []
    }
    guard !file.isEmpty else { throw Self.outOfMemory }
    return file
  }

  private func run<Value: Sendable>(_ deadline: Deadline, _ body: @escaping @Sendable () -> Value) throws(ImageError) -> Value {
    let result = AbandonableResult<Value>()
    let isDone = threads.run(for: deadline.remaining ?? .seconds(86_400)) { result.value = body() }
    if isDone == nil { result.value = body() }
    guard isDone != false, let value = result.value else {
      throw ImageError(.timedOut, "Encoding the image exceeded the time limit.")
    }
    return value
  }
}
