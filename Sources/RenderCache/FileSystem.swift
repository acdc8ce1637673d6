internal import Glibc

/// The few file operations the store needs, each with its errors.
enum FileSystem {
  static func makeFolder(_ path: String) throws(CacheError) {
    if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    if errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")), slash > path.startIndex {
      try makeFolder(String(path[..<slash]))
      if mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    }
    throw CacheError(errno: errno, "create", path)
  }

  /// The whole file when it has exactly `size` bytes; nil when it is missing, unreadable or of another size.
  static func read(_ path: String, size: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    guard size >= 0, size < Int.max else { return nil }
    let bytes = readBytes(file, limit: size + 1)
    return bytes?.count == size ? bytes : nil
  }

  /// Up to `limit` bytes of a regular file; nil where it cannot be read.
  static func read(_ path: String, limit: Int) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
    return readBytes(file, limit: Int(status.st_size) + 1)
  }

  private static func readBytes(_ file: Int32, limit: Int) -> [UInt8]? {
    var failed = false
    var status = stat()
    // The size a row claims may be wrong: reserve no more than what is there.
    guard fstat(file, &status) == 0 else { return nil }
    let capacity = min(limit, Int(status.st_size) + 1)
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      while count < buffer.count {
        let got = Glibc.read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
        if got < 0, errno == EINTR { continue }
        failed = got < 0
        if got <= 0 { break }
        count += got
      }
    }
    return failed ? nil : bytes
  }

  /// Writes a new file and syncs it. The file is locked until it is closed, so that others can tell that its writer lives.
  static func write(_ bytes: [UInt8], to path: String, synchronized: Bool) throws(CacheError) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw CacheError(errno: errno, "create", path) }
    _ = flock(file, LOCK_EX | LOCK_NB)
    var failure: Int32 = 0
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count, failure == 0 {
        let put = Glibc.write(file, buffer.baseAddress?.advanced(by: done), buffer.count - done)
        if put < 0 { failure = errno == EINTR ? 0 : errno } else { done += put }
      }
    }
    if failure == 0, synchronized, fsync(file) != 0 { failure = errno }
    if close(file) != 0, failure == 0 { failure = errno }
    guard failure == 0 else {
      unlink(path)
      throw CacheError(errno: failure, "write", path)
    }
  }

  static func synchronizeFolder(_ path: String) {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)  // not every file system can; the index heals what is lost
    close(folder)
  }

  /// The names in a folder, sorted, without those that start with a dot.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let item = readdir(stream) {
      let name = withUnsafePointer(to: &item.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.utf8.first != UInt8(ascii: ".") { names.append(name) }
    }
    return names.sorted()
  }

  static func status(_ path: String) -> (size: Int64, modified: Int64, isRegular: Bool)? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    let seconds = Int64(status.st_mtim.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue
    return (Int64(status.st_size), seconds &+ Int64(status.st_mtim.tv_nsec), status.st_mode & S_IFMT == S_IFREG)
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
  static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

  /// Removes files whose writers died: older than an hour by the machine's clock, and locked by nobody.
  static func removeLeftovers(in folder: String, olderThan milliseconds: Int64 = 3_600_000) -> Int {
    var removed = 0
    for name in names(in: folder) {
      let path = folder + "/" + name
      guard let status = status(path), status.modified / 1_000_000 < CacheTime.now().milliseconds - milliseconds else { continue }
      let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard file >= 0 else { continue }
      if flock(file, LOCK_EX | LOCK_NB) == 0, unlink(path) == 0 { removed += 1 }
      close(file)
    }
    return removed
  }
}

/// Locks between processes: one byte of a file for each key, by open-file-description locks, which the kernel lets go when their holder
/// dies. https://www.gnu.org/software/libc/manual/html_node/Open-File-Description-Locks.html
final class FileLocks: Sendable {
  static let schema: Int64 = 0
  static func number(_ key: CacheKey) -> Int64 { key.lockNumber + 1 }
  private static let setLock: Int32 = 37  // F_OFD_SETLK

  private let file: Int32

  init(path: String) throws(CacheError) {
    file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw CacheError(errno: errno, "open", path) }
  }

  deinit { close(file) }

  /// Takes the lock, waiting for at most `timeout`; false when it could not be had.
  func lock(_ number: Int64, timeout: Duration) -> Bool {
    let end = ContinuousClock.now.advanced(by: timeout)
    var pause: UInt32 = 500
    while true {
      if set(number, Int16(F_WRLCK)) { return true }
      guard errno == EAGAIN || errno == EACCES || errno == EINTR, ContinuousClock.now < end else { return false }
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
