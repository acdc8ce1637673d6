import Glibc
import Synchronization

/// SIGINT and SIGTERM as something to ask for, let through only while one waits.
enum Interruption {
  private static let flag = Atomic<Bool>(false)

  static var isAsked: Bool { flag.load(ordering: .relaxed) }

  /// Threads that are started later take the signals as little as this one.
  ///
  /// - Returns: the mask to wait with.
  static func begin() -> sigset_t {
    _ = isAsked  // is made before a handler needs it
    var waiting = sigset_t()
    var ours = sigset_t()
    sigemptyset(&ours)
    for number in [SIGINT, SIGTERM] {
      sigaddset(&ours, number)
      signal(number) { _ in Interruption.flag.store(true, ordering: .relaxed) }
    }
    pthread_sigmask(SIG_BLOCK, &ours, &waiting)
    for number in [SIGINT, SIGTERM] { sigdelset(&waiting, number) }
    return waiting
  }

  /// Waits for something to read, at most so long; signals that the mask lets through end it.
  ///
  /// - Returns: whether there is something.
  static func wait(for descriptor: Int32, milliseconds: Int, mask: inout sigset_t) -> Bool {
    var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    var ready = fd_set()
    guard descriptor >= 0, Int(descriptor) < 8 * MemoryLayout<fd_set>.size else { return pselect(0, nil, nil, nil, &time, &mask) > 0 }
    // FD_SET: bits in the order of a machine's words.
    withUnsafeMutableBytes(of: &ready) { bytes in
      let words = bytes.assumingMemoryBound(to: UInt.self)
      words[Int(descriptor) / UInt.bitWidth] |= 1 << (UInt(descriptor) % UInt(UInt.bitWidth))
    }
    return pselect(descriptor + 1, &ready, nil, nil, &time, &mask) > 0
  }
}
