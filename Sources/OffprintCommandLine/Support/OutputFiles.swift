import OffprintCoreTypes
import Glibc
import Offprint

extension Files {
  /// Writes a whole file, or standard output for `-`.
  ///
  /// Existing output paths keep their type: files are replaced atomically, by renaming a complete temporary file; symbolic links are
  /// followed; devices and pipes are written to.
  static func write(_ bytes: [UInt8], to path: String) throws(OffprintError) {
    if path == "-" { return try Output.bytes(bytes) }
    do {
      try writeInPieces(to: path) { try $0(bytes) }
    } catch let error as OffprintError {
      throw error
    } catch {
      throw OffprintError(.outputUnwritable, "'\(path)' cannot be written.")
    }
  }

  /// Writes several files into a folder, which is created if missing.
  static func write(folder: String, _ files: [(name: String, bytes: [UInt8])]) throws(OffprintError) {
    try makeFolder(folder)
    for file in files { try write(file.bytes, to: "\(folder)/\(file.name)") }
  }

  /// Creates a folder and its missing parents.
  static func makeFolder(_ path: String) throws(OffprintError) {
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(byte: "/") {
      made += "\(part)/"
      if mkdir(made, 0o755) != 0 && errno != EEXIST && kind(made) == nil {
        throw OffprintError(.outputUnwritable, "The folder '\(path)' cannot be created: \(errorText()).")
      }
    }
    var status = stat()
    guard path.isEmpty || stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR else {
      throw OffprintError(.outputUnwritable, "The folder '\(path)' cannot be created: a file of that name exists.")
    }
  }

  /// Writes a file in pieces: `body` receives a function that writes one.
  ///
  /// - Throws: `outputUnwritable`, and errors of `body`; a file is then not created or replaced.
  static func writeInPieces<Value>(to path: String, _ body: (([UInt8]) throws -> Void) throws -> Value) throws -> Value {
    switch OutputTarget(path) {
    case .file(let place): return try replacing(place, named: path, body)
    case .node: return try writingThrough(path, body)
    case .folder: throw OffprintError(.outputUnwritable, "'\(path)' is a folder; specify a file.")
    }
  }

  private static func replacing<Value>(
    _ place: String, named path: String, _ body: (([UInt8]) throws -> Void) throws -> Value
  ) throws -> Value {
    let temporary = TemporaryFiles.temporaryName(for: place)
    let descriptor = Glibc.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw unwritable(path, errno) }
    TemporaryFiles.lock(descriptor)
    var status = stat()
    if stat(place, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
    do {
      let value = try writing(to: descriptor, named: path, body)
      guard rename(temporary, place) == 0 else { throw unwritable(path, errno) }
      return value
    } catch {
      unlink(temporary)
      throw error
    }
  }

  private static func writingThrough<Value>(_ path: String, _ body: (([UInt8]) throws -> Void) throws -> Value) throws -> Value {
    let descriptor = openNode(path)
    guard descriptor >= 0 else {
      if errno == ENXIO { throw OffprintError(.outputUnwritable, "'\(path)' cannot be written: no process reads from it.") }
      throw unwritable(path, errno)
    }
    return try writing(to: descriptor, named: path, body)
  }

  /// Closes the descriptor.
  private static func writing<Value>(
    to descriptor: Int32, named path: String, _ body: (([UInt8]) throws -> Void) throws -> Value
  ) throws -> Value {
    var isOpen = true
    defer { if isOpen { close(descriptor) } }
    let value = try body { bytes in
      let code = FileDescriptorIO.write(bytes, to: descriptor)
      if code != 0 { throw unwritable(path, code) }
    }
    isOpen = false
    guard close(descriptor) == 0 else { throw unwritable(path, errno) }
    return value
  }

  /// Opens a device or pipe. Waits a limited time for the reader of a pipe, which may start later.
  private static func openNode(_ path: String) -> Int32 {
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else { return Glibc.open(path, flags, 0o644) }
    let end = ContinuousClock.now.advanced(by: .seconds(10))
    while true {
      let descriptor = Glibc.open(path, flags | O_NONBLOCK, 0o644)
      if descriptor >= 0 || errno != ENXIO || ContinuousClock.now >= end { return descriptor }
      usleep(20_000)
    }
  }

  private static func unwritable(_ path: String, _ code: Int32) -> OffprintError {
    OffprintError(.outputUnwritable, "'\(path)' cannot be written: \(errorText(code)).")
  }
}

/// How an output is written.
enum OutputTarget: Equatable {
  /// A file to create or replace; for a symbolic link, its target.
  case file(String)
  /// A device, a pipe, or a dangling link, which is opened and written to.
  case node
  case folder

  init(_ path: String) {
    switch Files.kind(path) {
    case nil, S_IFREG?: self = .file(path)
    case S_IFDIR?: self = .folder
    case S_IFLNK?: self = Self.link(path)
    default: self = .node
    }
  }

  /// Targets of `/dev/stdout` and similar links belong to the process that opened them, and are never replaced.
  private static func link(_ path: String) -> OutputTarget {
    guard let place = Files.resolved(path), !isOfProcess(path), !isOfProcess(place), !leadsToProcess(path) else { return .node }
    return switch Files.kind(place) {
    case S_IFREG?: .file(place)
    case S_IFDIR?: .folder
    default: .node
    }
  }

  private static func isOfProcess(_ path: String) -> Bool { path.hasPrefix("/dev/") || path.hasPrefix("/proc/") }

  private static func leadsToProcess(_ path: String) -> Bool {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink(path, &target, target.count)
    return length > 0 && isOfProcess(String(decoding: target.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self))
  }
}
