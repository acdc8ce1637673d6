internal import CCodecs
import CoreTypes
import Glibc

/// Memory without initial values, freed when the last one that knows it goes.
final class HeapBytes: @unchecked Sendable {
  let base: UnsafeMutablePointer<UInt8>

  init?(count: Int) {
    guard let memory = malloc(max(1, count)) else { return nil }
    base = memory.bindMemory(to: UInt8.self, capacity: max(1, count))
  }

  deinit { free(base) }
}

enum ZlibStream {
  /// More is compressed on a thread of its own where there is a deadline, since the library cannot be interrupted.
  private static let bytesAtOnce = 8 << 20

  /// Nil without memory.
  /// - Throws: `timedOut`.
  static func compress(_ data: HeapBytes, count: Int, level: Int32, _ deadline: Deadline) throws(ImageError) -> (
    bytes: HeapBytes, length: Int
  )? {
    let task = DecodingTask(limits: Limits(), deadline: deadline)
    try task.check()
    let capacity = codecs_zlib_bound(count)
    guard let out = HeapBytes(count: capacity) else { return nil }
    let length = LeftResult<Int>()
    func work() { length.value = codecs_zlib_compress(level, data.base, count, out.base, capacity) }
    if count > bytesAtOnce, let time = deadline.remaining {
      let isDone = LeavableThread.run(for: time) { length.value = codecs_zlib_compress(level, data.base, count, out.base, capacity) }
      if isDone == nil { work() }
      if isDone == false { throw ImageError(.timedOut, "There was no time left to write the picture.") }
    } else {
      work()
    }
    return length.value.map { (out, $0) }.flatMap { $0.1 > 0 ? $0 : nil }
  }
}
