import OffprintCoreTypes
import Glibc
import Offprint

/// Determines the output file of a job.
struct OutputNaming: Sendable {
  /// The folder for jobs without an output.
  var folder: String
  var rules: RowRules
  var page: PageOptions

  /// - Throws: `dataInvalid` if `--name` gives an invalid name.
  func path(_ head: JobHead, _ line: JobLine) throws(OffprintError) -> String {
    if let output = head.output { return output }
    let own = rules.isData ? nil : head.fields?["format"]?.string
    let ending = (own.flatMap { EncodedImageFormat(fileExtension: $0) } ?? page.encoding.format ?? .png).fileExtension
    guard let pattern = rules.pattern, head.fields != nil else { return "\(folder)/\(Self.fileName(head.id)).\(ending)" }
    let name = try pattern.path(line.place, ending: ending) { field in value(field, head, line) }
    return "\(folder)/\(name)"
  }

  /// The value of a field in `--name`: from the row if it has the field, otherwise a built-in one.
  private func value(_ field: String, _ head: JobHead, _ line: JobLine) -> String? {
    if let own = head.fields?[field] {
      guard let text = own.argument ?? own.bool.map({ "\($0)" }), !text.isEmpty else { return nil }
      return Self.safe(text)
    }
    let input = head.fields?["input"]?.string
    switch field {
    case "id": return Self.safe(head.id)
    case "number": return "\(line.number)"
    case "list": return Self.safe(line.source.label)
    case "stem": return input.map { Self.safe(PageLocation.id($0).split(byte: "/").last.map(String.init) ?? "index") }
    // The folders of the input.
    case "folder":
      return input.map { PageLocation.id($0).split(byte: "/").dropLast().map { Self.safe(String($0)) }.joined(separator: "/") }
    case "width": return Self.text(page.windowSize?.width ?? page.width ?? .px(800))
    case "height": return Self.text(page.windowSize?.height ?? page.height ?? .auto)
    case "scale": return JSONText.number(page.scale ?? 1)
    default: return nil
    }
  }

  private static func text(_ length: PageLength) -> String {
    switch length {
    case .auto: "auto"
    case .px(let value): JSONText.number(value)
    }
  }

  /// An id as a file name, truncated to the maximum length of names.
  static func fileName(_ id: String) -> String {
    let name = safe(id).prefix(bytes: Int(NAME_MAX) - ".webp".utf8.count)
    return name.isEmpty || name == "." || name == ".." ? "_" : name
  }

  /// Replaces path separators and control characters by `_`.
  private static func safe(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar == "/" || scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? "_" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

/// Maps all spellings of a path to one name per location on disk.
struct OutputPathResolver {
  private var folders: [String: String] = [:]
  private static let maximum = 4096

  /// The folders of outputs as given; at most a few thousand.
  var knownFolders: [String] { folders.keys.sorted() }

  /// - Returns: Nil for a device, which any number of images can be written to.
  mutating func place(_ path: String) -> String? {
    let place = folder(Files.folder(of: path)) + Files.name(path)
    switch Files.kind(place) {
    case nil, S_IFREG?, S_IFDIR?: return place
    case S_IFLNK?: return Files.resolved(place) ?? place
    default: return nil
    }
  }

  private mutating func folder(_ path: String) -> String {
    if let cached = folders[path] { return cached }
    let resolved = (Files.resolved(path) ?? Self.normalized(path)) + "/"
    if folders.count < Self.maximum { folders[path] = resolved }
    return resolved
  }

  /// The path without `.`, `..` and repeated separators.
  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(byte: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
