internal import COffprintCodecs
import OffprintCoreTypes

enum ZlibStream {
  /// More is compressed on a thread of its own where there is a deadline, since the library cannot be interrupted.
  static let bytesAtOnce = 8 << 20

  /// A few bytes; none without memory.
  static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    let capacity = codecs_zlib_bound(bytes.count)
    return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = bytes.withUnsafeBufferPointer { codecs_zlib_compress(9, $0.baseAddress, $0.count, buffer.baseAddress, capacity) }
    }
  }

  /// Nil without memory.
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
    // A thread that is left goes on: nothing of the workspace may be its own.
    let length = LeftResult<Int>()
    let isDone = workspace.threads.run(for: time) { length.value = codecs_zlib_compress(level, data.base, count, out.base, capacity) }
    if isDone == nil { length.value = codecs_zlib_compress(level, data.base, count, out.base, capacity) }
    if isDone == false { throw ImageError(.timedOut, "There was no time left to write the picture.") }
    return length.value.flatMap { $0 > 0 ? (out, $0) : nil }
  }
}
