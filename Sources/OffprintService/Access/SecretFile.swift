import Glibc
import Offprint

/// Reads small files that contain secrets.
enum SecretFile {
  static func read(_ path: String, what: String) throws(OffprintError) -> [UInt8] {
    guard let bytes = try SmallFile.read(path, limit: 1 << 20, what: "The file of \(what)") else {
      throw OffprintError(.inputNotFound, "The file of \(what) '\(path)' does not exist.")
    }
    return bytes
  }
}

enum SmallFile {
  static func readAny(_ path: String) throws(OffprintError) -> [UInt8]? { try read(path, limit: 1 << 20, what: "The file") }

  /// - Returns: The contents; nil if the file does not exist.
  /// - Throws: `inputUnreadable`, also if it is not a regular file; `limitExceeded`.
  static func read(_ path: String, limit: Int, what: String) throws(OffprintError) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    if descriptor < 0 && errno == ENOENT { return nil }
    defer { if descriptor >= 0 { close(descriptor) } }
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw OffprintError(.inputUnreadable, "\(what) '\(path)' cannot be read.")
    }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw OffprintError(.inputUnreadable, "\(what) '\(path)' cannot be read.") }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      if bytes.count > limit { throw OffprintError(.limitExceeded, "\(what) '\(path)' is larger than \(limit) bytes.") }
    }
  }
}
