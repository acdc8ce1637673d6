import Glibc
import Offprint

/// Standard output for results, standard error for everything else.
enum Output {
  static func error(_ line: String) { write(Array((line + "\n").utf8), to: STDERR_FILENO) }

  static func line(_ line: String) { write(Array((line + "\n").utf8), to: STDOUT_FILENO) }

  static func bytes(_ bytes: [UInt8]) throws(OffprintError) {
    guard write(bytes, to: STDOUT_FILENO) else { throw OffprintError(.outputUnwritable, "Standard output cannot be written.") }
  }

  @discardableResult
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        offset += count
      }
      return true
    }
  }

  /// Diagnostics of a render, one line each.
  static func diagnostics(_ diagnostics: [Diagnostic], quiet: Bool) {
    for diagnostic in diagnostics where !quiet || diagnostic.severity == .degraded { error("offprint: \(diagnostic)") }
  }
}

/// Files named on the command line.
enum Files {
  /// The bytes of `path`, or of standard input for `-`.
  ///
  /// - Throws: `inputNotFound`, `inputIsFolder`, `inputUnreadable`, `limitExceeded`.
  static func read(_ path: String, limit: Int = 64 << 20) throws(OffprintError) -> [UInt8] {
    if path == "-" { return try read(STDIN_FILENO, name: "standard input", limit: limit) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? OffprintError(.inputNotFound, "There is no file '\(path)'.")
        : OffprintError(.inputUnreadable, "'\(path)' cannot be read: \(String(cString: strerror(errno))).")
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw OffprintError(.inputUnreadable, "'\(path)' cannot be read.") }
    if status.st_mode & S_IFMT == S_IFDIR { throw OffprintError(.inputIsFolder, "'\(path)' is a folder; name a file.") }
    return try read(descriptor, name: "'\(path)'", limit: limit)
  }

  private static func read(_ descriptor: Int32, name: String, limit: Int) throws(OffprintError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw OffprintError(.inputUnreadable, "\(name) cannot be read: \(String(cString: strerror(errno))).") }
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
      if bytes.count > limit { throw OffprintError(.limitExceeded, "\(name) is larger than \(limit) bytes.") }
    }
  }

  /// Writes whole files: to a temporary name beside, then renamed; `-` is standard output.
  static func write(_ bytes: [UInt8], to path: String) throws(OffprintError) {
    if path == "-" { return try Output.bytes(bytes) }
    let temporary = "\(path).\(getpid())-\(UInt32.random(in: 0...UInt32.max)).tmp"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw unwritable(path) }
    var offset = 0
    let isWritten = bytes.withUnsafeBytes { buffer in
      while offset < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        offset += count
      }
      return true
    }
    let failure = errno
    guard close(descriptor) == 0 && isWritten && rename(temporary, path) == 0 else {
      if isWritten { /* close or rename failed: errno is theirs */  } else { errno = failure }
      let error = unwritable(path)
      unlink(temporary)
      throw error
    }
  }

  private static func unwritable(_ path: String) -> OffprintError {
    OffprintError(.outputUnwritable, "'\(path)' cannot be written: \(String(cString: strerror(errno))).")
  }

  /// `path` from the working directory on, symbolic links left alone.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  /// The folder that a file is in, ending in `/`.
  static func folder(of path: String) -> String {
    let path = absolute(path)
    return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "/"
  }

  /// A file's name without folders and extension.
  static func stem(_ path: String) -> String {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    return name.lastIndex(of: ".").map { $0 > name.startIndex ? String(name[..<$0]) : name } ?? name
  }
}

extension Files {
  /// Writes several files into a folder, which is made where it is missing.
  static func write(folder: String, _ files: [(name: String, bytes: [UInt8])]) throws(OffprintError) {
    if mkdir(folder, 0o755) != 0 && errno != EEXIST {
      throw OffprintError(.outputUnwritable, "The folder '\(folder)' cannot be made: \(String(cString: strerror(errno))).")
    }
    for file in files { try write(file.bytes, to: "\(folder)/\(file.name)") }
  }
}
