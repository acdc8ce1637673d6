import OffprintCoreTypes
import Glibc

/// The contents of `offprint.toml`.
package struct ConfigurationFile: Sendable {
  /// A key with its value.
  package struct Entry: Hashable, Sendable {
    /// Its table: empty for all commands, `["batch"]` for one.
    package var table: [String]
    /// An option's name, without `--`.
    package var name: String
    package var value: TOMLValue
    /// From 1.
    package var line: Int
  }

  /// The path in messages.
  package var path: String
  package var entries: [Entry]

  package static let name = "offprint.toml"
  /// The maximum size of a file in bytes.
  private static let largest = 1 << 20

  /// - Throws: An error in the text.
  package init(path: String, text: [UInt8]) throws(ConfigurationError) {
    self.path = path
    entries = try TOMLReader.read(text)
  }

  /// - Throws: If the file cannot be read, or an error in its text.
  package init(path: String) throws(ConfigurationError) { try self.init(path: path, text: try Self.read(path)) }

  /// The folder that relative paths in the file are resolved against, ending in `/`.
  package var folder: String {
    let absolute = path.hasPrefix("/") ? path : (Self.workingFolder ?? "") + "/" + path
    return absolute.lastIndex(ofByte: "/").map { String(absolute[...$0]) } ?? "/"
  }

  /// The position of an entry, for messages.
  package func place(_ line: Int) -> String { "\(path):\(line)" }

  /// Finds the file that applies: in the working directory or a folder above it, otherwise the user's.
  ///
  /// - Parameter isForeign: Called for files of other users, which are skipped.
  package static func find(isForeign: (String) -> Void) -> String? {
    for path in candidates {
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      let user = geteuid()
      if status.st_uid == user || status.st_uid == 0 || user == 0 { return path }
      isForeign(path)
    }
    return nil
  }

  private static var candidates: [String] {
    var paths: [String] = []
    var folder = workingFolder?[...] ?? ""
    while !folder.isEmpty {
      paths.append(folder == "/" ? "/\(name)" : "\(folder)/\(name)")
      guard folder != "/", let slash = folder.lastIndex(ofByte: "/") else { break }
      folder = slash == folder.startIndex ? "/" : folder[..<slash]
    }
    // https://specifications.freedesktop.org/basedir-spec/latest/
    if let own = variable("XDG_CONFIG_HOME"), own.hasPrefix("/") {
      paths.append("\(own)/offprint/\(name)")
    } else if let home = variable("HOME") {
      paths.append("\(home)/.config/offprint/\(name)")
    }
    return paths
  }

  private static var workingFolder: String? {
    guard let folder = getcwd(nil, 0) else { return nil }
    defer { free(folder) }
    return String(cString: folder)
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 } }

  private static func read(_ path: String) throws(ConfigurationError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw ConfigurationError("cannot be read: \(String(cString: strerror(errno)))") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw ConfigurationError("cannot be read: \(String(cString: strerror(errno)))") }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= largest else { throw ConfigurationError("is larger than \(largest) bytes") }
    }
  }
}
