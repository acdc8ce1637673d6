internal import OffprintCoreTypes
internal import Glibc

/// Locks between processes: one byte of a file per key, with open-file-description locks, which the kernel releases when their holder dies.
/// https://www.gnu.org/software/libc/manual/html_node/Open-File-Description-Locks.html
final class FileLocks: Sendable {
  static let schema: Int64 = 0
  static func number(_ key: CacheKey) -> Int64 { key.lockNumber + 1 }
  private static let setLock: Int32 = 37  // F_OFD_SETLK

  private let file: Int32

  init(path: String) throws(CacheError) {
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW, 0o666)
    guard file >= 0 else { throw CacheError(errno: errno, "open", path) }
  }

  deinit { close(file) }

  /// Acquires the lock, waiting at most `timeout` and not past `deadline`; false if it was not acquired.
  func lock(_ number: Int64, timeout: Duration, deadline: Deadline = .never) -> Bool {
    let end = Deadline(after: timeout)
    var pause: UInt32 = 500
    while true {
      if set(number, Int16(F_WRLCK)) { return true }
      guard errno == EAGAIN || errno == EACCES || errno == EINTR, !end.hasPassed, !deadline.hasPassed else { return false }
      usleep(pause)
      pause = min(pause * 2, 10_000)
    }
  }

  func unlock(_ number: Int64) { _ = set(number, Int16(F_UNLCK)) }

  private func set(_ number: Int64, _ type: Int16) -> Bool {
    var range = Glibc.flock()
    range.l_type = type
    range.l_whence = Int16(SEEK_SET)
    range.l_start = off_t(number)
    range.l_len = 1
    return withUnsafeMutablePointer(to: &range) { fcntl(file, Self.setLock, UnsafeMutableRawPointer($0)) } == 0
  }
}
