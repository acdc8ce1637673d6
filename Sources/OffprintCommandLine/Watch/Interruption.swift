import Glibc
import Synchronization

/// Turns SIGINT and SIGTERM into a flag. They are unblocked only while waiting.
enum Interruption {
  private static let flag = Atomic<Bool>(false)

  static var isAsked: Bool { flag.load(ordering: .relaxed) }

  /// Blocks the signals in this thread and those started later.
  ///
  /// - Returns: The signal mask for waiting.
  static func begin() -> sigset_t {
    _ = isAsked  // initializes the flag before a handler needs it
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

  /// Waits until the descriptor is readable; signals that the mask does not block end the wait.
  ///
  /// - Returns: Whether it is readable.
  static func wait(for descriptor: Int32, milliseconds: Int, mask: inout sigset_t) -> Bool {
    var time = timespec(tv_sec: milliseconds / 1000, tv_nsec: milliseconds % 1000 * 1_000_000)
    var ready = fd_set()
    guard descriptor >= 0, Int(descriptor) < 8 * MemoryLayout<fd_set>.size else { return pselect(0, nil, nil, nil, &time, &mask) > 0 }
    // FD_SET: a bit in an array of machine words.
    withUnsafeMutableBytes(of: &ready) { bytes in
      let words = bytes.assumingMemoryBound(to: UInt.self)
      words[Int(descriptor) / UInt.bitWidth] |= 1 << (UInt(descriptor) % UInt(UInt.bitWidth))
    }
    return pselect(descriptor + 1, &ready, nil, nil, &time, &mask) > 0
  }
}
