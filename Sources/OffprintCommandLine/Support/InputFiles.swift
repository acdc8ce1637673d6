import OffprintCoreTypes
import Glibc
import Offprint

/// Files named on the command line.
enum Files {
  /// The maximum size of a template, a style sheet or data.
  static let largest = 64 << 20

  /// The bytes of `path`, or of standard input for `-`.
  ///
  /// - Parameter field: The field of `Limits` that `limit` is from, for the message.
  /// - Throws: `inputNotFound`, `inputIsFolder`, `inputUnreadable`, `limitExceeded`.
  static func read(_ path: String, limit: Int = largest, field: String? = nil) throws(OffprintError) -> [UInt8] {
    let descriptor = try open(path)
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    let name = displayName(path)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = try read(descriptor, &chunk, name)
      if count == 0 { return bytes }
      bytes.append(contentsOf: chunk[..<count])
      if bytes.count > limit {
        let name = field.map { ", the limit '\($0)'" } ?? ""
        throw OffprintError(.limitExceeded, "\(displayName(path)) is larger than \(limit) bytes\(name).")
      }
    }
  }

  /// Like `read`, without the byte order mark that some programs write.
  static func readText(_ path: String) throws(OffprintError) -> [UInt8] { withoutMark(try read(path)) }

  static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
  }

  static func displayName(_ path: String) -> String { path == "-" ? "standard input" : "'\(path)'" }

  /// Opens `path` for reading; standard input for `-`.
  static func open(_ path: String) throws(OffprintError) -> Int32 {
    if path == "-" { return STDIN_FILENO }
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? OffprintError(.inputNotFound, "There is no file '\(path)'.")
        : OffprintError(.inputUnreadable, "'\(path)' cannot be read: \(errorText()).")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      throw OffprintError(.inputIsFolder, "'\(path)' is a folder; specify a file.")
    }
    return descriptor
  }

  /// - Returns: The number of bytes read; 0 at the end.
  static func read(_ descriptor: Int32, _ chunk: inout [UInt8], _ name: String) throws(OffprintError) -> Int {
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count >= 0 { return count }
      guard errno == EINTR else { throw OffprintError(.inputUnreadable, "\(name) cannot be read: \(errorText()).") }
    }
  }
}

extension Files {
  /// The absolute path; symbolic links are not resolved.
  static func absolute(_ path: String) -> String { path.hasPrefix("/") ? path : workingFolder + path }

  /// Ends in `/`.
  private static let workingFolder: String = {
    guard let folder = getcwd(nil, 0) else { return "" }
    defer { free(folder) }
    let path = String(cString: folder)
    return path == "/" ? path : path + "/"
  }()

  static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The folder of a file, ending in `/`.
  static func folder(of path: String) -> String {
    let path = absolute(path)
    return path.lastIndex(ofByte: "/").map { String(path[...$0]) } ?? "/"
  }

  /// The last component of a path.
  static func name(_ path: String) -> String { path.split(byte: "/").last.map(String.init) ?? path }

  /// A file's name without folders and extension.
  static func stem(_ path: String) -> String {
    let name = name(path)
    return name.lastIndex(ofByte: ".").map { $0 > name.startIndex ? String(name[..<$0]) : name } ?? name
  }

  /// The absolute path of a folder named by an option, ending in `/`.
  ///
  /// - Throws: `inputNotFound`, or `usage` if it is not a folder.
  static func folder(_ path: String, for option: String) throws(OffprintError) -> String {
    var status = stat()
    guard stat(path, &status) == 0 else { throw OffprintError(.inputNotFound, "There is no folder '\(path)' for \(option).") }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw OffprintError(.usage, "\(option) requires a folder, and '\(path)' is not one.") }
    let path = absolute(path)
    return path.hasSuffix("/") ? path : path + "/"
  }

  /// `path` with all symbolic links resolved; nil if it does not exist.
  static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// The file type of `path` itself, such as `S_IFREG`, without following links; nil if it does not exist.
  static func kind(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Whether both paths lead to the same file.
  static func areSame(_ a: String, _ b: String) -> Bool {
    var first = stat(), second = stat()
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Calls `body` with each name in a folder until it returns false.
  static func names(in folder: String, _ body: (String) -> Bool) {
    guard let stream = opendir(folder) else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != "." && name != ".." && !body(name) { return }
    }
  }
}
