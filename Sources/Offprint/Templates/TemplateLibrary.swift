import OffprintCoreTypes
import Glibc

/// Templates by name: the built-in ones, and those in folders.
///
/// In a folder each file `NAME.mustache` is a template; a name that begins with `_` marks a partial. Later folders take precedence over
/// earlier ones, and folders over built-in templates. Files are read on demand.
public struct TemplateLibrary: Sendable {
  /// Only the built-in templates.
  public static let builtIn = TemplateLibrary(places: [:])

  static let fileExtension = ".mustache"
  private static let maximumFiles = 10_000
  private static let maximumBytes = 4 << 20
  private static let maximumPartials = 256

  /// The folder of each template that is in one, ending in `/`.
  private let places: [String: String]

  private init(places: [String: String]) { self.places = places }

  /// - Throws: `inputNotFound` for a folder that does not exist, `usage` for a path that is not a folder, `limitExceeded` for a folder with
  ///   too many files.
  public init(folders: [String]) throws(OffprintError) {
    var places: [String: String] = [:]
    for folder in folders {
      for name in try Self.names(in: folder) { places[name] = folder.hasSuffix("/") ? folder : folder + "/" }
    }
    self.init(places: places)
  }

  /// The names of templates that can be rendered, sorted.
  public var names: [String] { Set(BuiltInTemplates.names + places.keys.filter { !$0.hasPrefix("_") }).sorted() }

  /// Whether the template exists.
  public func contains(_ name: String) -> Bool { BuiltInTemplates.source(name) != nil || places[name] != nil && !name.hasPrefix("_") }

  /// The path of a template's file; nil for a built-in one.
  public func path(of name: String) -> String? { places[name].map { $0 + name + Self.fileExtension } }

  /// Reads and parses a template.
  ///
  /// - Throws: `templateUnknown`, `templateInvalid`, `inputUnreadable`, `limitExceeded`.
  public func template(_ name: String) throws(OffprintError) -> Template {
    guard let folder = places[name], !name.hasPrefix("_") else {
      guard let source = BuiltInTemplates.source(name) else {
        throw OffprintError(
          .templateUnknown, "There is no template '\(name.prefix(100))'; the templates are \(names.joined(separator: ", ")).")
      }
      return try Template(source: source, name: name)
    }
    return try Self.template(at: folder + name + Self.fileExtension, name: name)
  }

  /// The template in a file. Its partials are the files `NAME.mustache` in the same folder.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - name: For messages.
  /// - Throws: `inputNotFound`, `inputIsFolder`, `inputUnreadable`, `limitExceeded`, `templateInvalid`.
  public static func template(at path: String, name: String) throws(OffprintError) -> Template {
    let source = try read(path)
    let folder = path.lastIndex(ofByte: "/").map { String(path[...$0]) } ?? ""
    return try Template(source: source, name: name, partials: try partials(of: source, name: name, in: folder))
  }

  // MARK: Partials

  /// All partials included directly or indirectly. If data chooses a name, all partials of the folder.
  private static func partials(of source: String, name: String, in folder: String) throws(OffprintError) -> [String: String] {
    var found: [String: String] = [:]
    var waiting = try included(source, name, folder)
    var bytes = 0
    while let next = waiting.popLast() {
      // A missing partial is an error where it is used, so that the message can name the line.
      guard found[next] == nil, isPlainName(next), isFile(folder + next + fileExtension) else { continue }
      let text = try read(folder + next + fileExtension)
      bytes += text.utf8.count
      guard found.count < maximumPartials, bytes <= maximumBytes else {
        throw OffprintError(.limitExceeded, "The template '\(name)' includes more than \(maximumPartials) files or \(maximumBytes) bytes.")
      }
      found[next] = text
      waiting += try included(text, next, folder)
    }
    return found
  }

  private static func included(_ source: String, _ name: String, _ folder: String) throws(OffprintError) -> [String] {
    let (names, isAny) = try MustacheTemplate.partialNames(source, name: name)
    return isAny ? names + (try self.names(in: folder.isEmpty ? "." : folder).sorted().prefix(maximumPartials)) : names
  }

  private static func isPlainName(_ name: String) -> Bool {
    !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 } && !name.hasPrefix(".")
  }

  // MARK: Files

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  private static func names(in folder: String) throws(OffprintError) -> [String] {
    guard let stream = opendir(folder) else {
      throw errno == ENOTDIR
        ? OffprintError(.usage, "'\(folder)' is not a folder of templates.")
        : OffprintError(.inputNotFound, "There is no folder of templates '\(folder)'.")
    }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let file = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard file.hasSuffix(fileExtension), !file.hasPrefix("."), file.utf8.count > fileExtension.utf8.count else { continue }
      names.append(String(file.dropLast(fileExtension.count)))
      guard names.count <= maximumFiles else {
        throw OffprintError(.limitExceeded, "The folder '\(folder)' has more than \(maximumFiles) templates.")
      }
    }
    return names
  }

  private static func read(_ path: String) throws(OffprintError) -> String {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else {
      throw errno == ENOENT || errno == ENOTDIR
        ? OffprintError(.inputNotFound, "There is no template file '\(path)'.")
        : OffprintError(.inputUnreadable, "The template '\(path)' cannot be read: \(String(cString: strerror(errno))).")
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else {
        let code: OffprintError.Code = errno == EISDIR ? .inputIsFolder : .inputUnreadable
        throw OffprintError(code, "The template '\(path)' cannot be read: \(String(cString: strerror(errno))).")
      }
      if count == 0 { return String(decoding: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...], as: UTF8.self) }
      bytes += chunk[..<count]
      guard bytes.count <= maximumBytes else {
        throw OffprintError(.limitExceeded, "The template '\(path)' is larger than \(maximumBytes) bytes.")
      }
    }
  }
}
