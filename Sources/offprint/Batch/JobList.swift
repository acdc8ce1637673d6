import Glibc
import Offprint

/// A list of jobs that can be read more than once: it is checked before anything is drawn. What comes through a pipe is kept in a file
/// without a name, not in memory.
final class JobList: Sendable {
  let name: String
  private let descriptor: Int32
  private let range: Range<Int>
  private let lineLimit: Int

  /// - Throws: what opening throws; `outputUnwritable` where there is no room for what comes through a pipe.
  init(_ path: String, lineLimit: Int) throws(OffprintError) {
    name = Files.displayName(path)
    self.lineLimit = lineLimit
    let opened = try Files.open(path)
    var status = stat()
    let start = lseek(opened, 0, SEEK_CUR)
    if fstat(opened, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0, start >= 0 {
      descriptor = opened
      // What is appended meanwhile was not checked, and is not drawn.
      range = start..<max(start, status.st_size)
    } else {
      defer { if opened != STDIN_FILENO { close(opened) } }
      descriptor = try Self.unnamedFile()
      range = 0..<(try Self.copy(opened, to: descriptor, name))
    }
  }

  deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

  /// From the first line on.
  func lines() -> LineReader { LineReader(descriptor, name: name, range: range, limit: lineLimit) }

  private static func unnamedFile() throws(OffprintError) -> Int32 {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(folder)/offprint-jobs-XXXXXX".utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw noRoom(errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(&template)
    return descriptor
  }

  private static func copy(_ source: Int32, to target: Int32, _ name: String) throws(OffprintError) -> Int {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    var size = 0
    while true {
      let count = try Files.read(source, &chunk, name)
      if count == 0 { return size }
      let code = Descriptor.write(Array(chunk[..<count]), to: target)
      if code != 0 { throw noRoom(code) }
      size += count
    }
  }

  private static func noRoom(_ code: Int32) -> OffprintError {
    OffprintError(
      .outputUnwritable,
      "The list cannot be kept in a temporary file: \(errorText(code)); name another folder with TMPDIR, or a file as JOBS.")
  }
}
