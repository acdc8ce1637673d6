internal import COffprintCodecs
import OffprintCoreTypes

enum ZlibStream {
  /// With a deadline, more than this is compressed on a dedicated thread, because the library cannot be interrupted.
  static let bytesAtOnce = 8 << 20

  /// Compresses a few bytes; empty if memory cannot be allocated.
  static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    let capacity = codecs_zlib_bound(bytes.count)
    return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = bytes.withUnsafeBufferPointer { codecs_zlib_compress(9, $0.baseAddress, $0.count, buffer.baseAddress, capacity) }
    }
  }

  /// Nil if memory cannot be allocated.
  /// - Throws: `timedOut`.
  static func compress(
    _ data: HeapBytes, count: Int, level: Int32, _ workspace: PNGWorkspace, _ deadline: Deadline
  ) throws(ImageError) -> (bytes: HeapBytes, length: Int)? {
    let task = DecodingTask(limits: Limits(), deadline: deadline)
    try task.check()
    let capacity = codecs_zlib_bound(count)
    guard let out = HeapBytes(count: capacity) else { return nil }
    guard count > bytesAtOnce, let time = deadline.remaining else {
      let length = workspace.compressor(level).map { codecs_zlib_compress_with($0, data.base, count, out.base, capacity) } ?? 0
      return length > 0 ? (out, length) : nil
    }
    // An abandoned thread continues to run, so it must not use the workspace.
    let length = AbandonableResult<Int>()
    let isDone = workspace.threads.run(for: time) { length.value = codecs_zlib_compress(level, data.base, count, out.base, capacity) }
    if isDone == nil { length.value = codecs_zlib_compress(level, data.base, count, out.base, capacity) }
    if isDone == false { throw ImageError(.timedOut, "Encoding the image exceeded the time limit.") }
    return length.value.flatMap { $0 > 0 ? (out, $0) : nil }
  }
}
