internal import OffprintCoreTypes
internal import Glibc

/// A regular file's bytes and what a later look needs to tell whether it changed.
struct FileContents {
  var bytes: [UInt8]
  /// SHA-256 of `bytes`.
  var digest: [UInt8]
  /// The place it really is, links resolved.
  var resolvedPath: String
  /// In nanoseconds since 1970; 0 where the time proves nothing.
  var modified: Int64
}

enum FileFailure: Error {
  case missing
  case outside(String)
  case notRegular
  case tooLarge
  case system(Int32)
}

/// Reading of files that a page names, under the rules for untrusted names.
enum FileReading {
  /// The folder `path` really is, without a slash at its end; nil where there is none.
  static func resolved(_ path: String) -> String? {
    guard let pointer = realpath(path, nil) else { return nil }
    defer { free(pointer) }
    return String(cString: pointer)
  }

  /// Where the longest beginning of `path` that exists really is.
  static func deepestExisting(_ path: String) -> String? {
    var path = path[...]
    while !path.isEmpty {
      if let place = resolved(String(path)) { return place }
      guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
      path = path[..<slash]
    }
    return resolved("/")
  }

  /// Whether `path` is in `folder` or deeper. Both are absolute and without dot segments.
  static func isInside(_ path: String, _ folder: String) -> Bool {
    if folder == "/" { return path.utf8.first == UInt8(ascii: "/") }
    guard path.utf8.starts(with: folder.utf8) else { return false }
    return path.utf8.count == folder.utf8.count || path.utf8.dropFirst(folder.utf8.count).first == UInt8(ascii: "/")
  }

  /// Reads the regular file at `path` when, all links resolved, it lies in one of `folders` (which are resolved already).
  ///
  /// The place is checked again on the open file, so that a link changed in between leads nowhere else. It is opened without
  /// waiting, so that a FIFO cannot hold the render.
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
    // File systems count in ticks: what changed a moment ago can change again without a new time, which then proves nothing.
    let past = nanoseconds(now) &- 50_000_000
    let modified = nanoseconds(status.st_mtim) > past ? 0 : nanoseconds(status.st_mtim)
    let isSettled = modified != 0 && nanoseconds(status.st_ctim) <= past
    let state = FileMemory.State(status)
    if isSettled, let known = memory?.content(state) {
      return FileContents(bytes: known.bytes, digest: known.digest, resolvedPath: place, modified: modified)
    }
    let bytes = try readAll(file, expected: Int(status.st_size), limit: limit)
    let content = FileMemory.Content(bytes: bytes, digest: SHA256.hash(bytes))
    if isSettled, bytes.count == state.size { memory?.keep(content, as: state) }
    return FileContents(bytes: bytes, digest: content.digest, resolvedPath: place, modified: modified)
  }

  static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000).partialValue &+ Int64(time.tv_nsec)
  }

  /// Where the open file is by now, as the kernel knows it; nil without `/proc`.
  private static func openPath(_ file: Int32) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    let count = readlink("/proc/self/fd/\(file)", &buffer, Int(PATH_MAX))
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Reads to the end; the file may be longer or shorter than it said.
  private static func readAll(_ file: Int32, expected: Int, limit: Int) throws(FileFailure) -> [UInt8] {
    var bytes: [UInt8] = []
    var capacity = expected + 1  // one more shows the end without another round
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
