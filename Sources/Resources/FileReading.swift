internal import OffprintCoreTypes
internal import Glibc

/// A regular file's bytes, and what is needed to detect later changes.
struct FileContents {
  var bytes: [UInt8]
  /// SHA-256 of `bytes`.
  var digest: [UInt8]
  /// The path with symbolic links resolved.
  var resolvedPath: String
  /// The modification time in nanoseconds since 1970; 0 if it is too recent to detect later changes.
  var modified: Int64
}

enum FileFailure: Error {
  case missing
  case outside(String)
  case notRegular
  case tooLarge
  case system(Int32)
}

/// Reads files that a page names, with the precautions for untrusted names.
enum FileReading {
  /// The path with symbolic links resolved, without a trailing slash; nil if it does not exist.
  static func resolved(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  /// The resolved path of the longest existing prefix of `path`.
  static func deepestExisting(_ path: String) -> String? {
    var path = path[...]
    while !path.isEmpty {
      if let place = resolved(String(path)) { return place }
      guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      path = path[..<slash]
    }
    return resolved("/")
  }

  /// Whether `path` is in `folder` or deeper. Both must be absolute and without dot segments.
  static func isInside(_ path: String, _ folder: String) -> Bool {
    if folder == "/" { return path.utf8.first == UInt8(ascii: "/") }
    guard path.utf8.starts(with: folder.utf8) else { return false }
    return path.utf8.count == folder.utf8.count || path.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/")
  }

  /// Reads the regular file at `path` if its resolved path is in one of `folders`, which must be resolved already.
  ///
  /// The path is checked again on the open file, so that changing a link in between has no effect. The file is opened with `O_NONBLOCK`, so
  /// that a FIFO cannot block the render.
  static func read(_ path: String, in folders: [String], limit: Int, _ memory: FileMemory? = nil) throws(FileFailure) -> FileContents {
    guard let place = resolved(path) else {
      throw errno == ENOENT || errno == ENOTDIR ? .missing : .system(errno)
    }
    guard folders.contains(where: { isInside(place, $0) }) else { throw .outside(place) }
    let file = open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { throw errno == ENOENT ? .missing : .system(errno) }
    defer { close(file) }
    if let actual = openPath(file), !folders.contains(where: { isInside(actual, $0) }) { throw .outside(actual) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .system(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notRegular }
    guard status.st_size <= limit else { throw .tooLarge }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    // File systems have a limited time resolution: a file modified a moment ago can be modified again without a new time, which is
    // therefore useless.
    let past = nanoseconds(now) &- 50_000_000
    let modified = nanoseconds(status.st_mtim) > past ? 0 : nanoseconds(status.st_mtim)
    let isSettled = modified != 0 && nanoseconds(status.st_ctim) <= past
    let state = FileMemory.State(status)
    if isSettled, let cached = memory?.content(state) {
      return FileContents(bytes: cached.bytes, digest: cached.digest, resolvedPath: place, modified: modified)
    }
    let bytes = try readAll(file, expected: Int(status.st_size), limit: limit)
    let content = FileMemory.Content(bytes: bytes, digest: SHA256.hash(bytes))
    if isSettled, bytes.count == state.size { memory?.keep(content, as: state) }
    return FileContents(bytes: bytes, digest: content.digest, resolvedPath: place, modified: modified)
  }

  static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
  }

  /// The current path of the open file according to the kernel; nil without `/proc`.
  private static func openPath(_ file: Int32) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/fd/\(file)", &buffer, Int(PATH_MAX))
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Reads to the end, whatever size the status reported.
  private static func readAll(_ file: Int32, expected: Int, limit: Int) throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var capacity = expected + 1  // with one more byte, reading to the end needs no further call
    while true {
      var failure: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        while count < buffer.count {
          let got = Glibc.read(file, buffer.baseAddress?.advanced(by: count), buffer.count - count)
          if got < 0, errno == EINTR { continue }
          if got < 0 { failure = errno }
          if got <= 0 { break }
          count += got
        }
      }
      guard failure == 0 else { throw .system(failure) }
      let ended = chunk.count < capacity
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
      guard bytes.count <= limit else { throw .tooLarge }
      if ended { return bytes }
      capacity = 65_536
    }
  }
}
