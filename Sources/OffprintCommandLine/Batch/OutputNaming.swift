import OffprintCoreTypes
import Glibc
import Offprint

/// Where a job's picture goes.
struct OutputNaming: Sendable {
  /// The folder of outputs that no job names.
  var folder: String
  var rules: RowRules
  var page: PageOptions

  /// - Throws: `dataInvalid` where `--name` gives none.
  func path(_ head: JobHead, _ line: JobLine) throws(OffprintError) -> String {
    if let output = head.output { return output }
    let own = rules.isData ? nil : head.fields?["format"]?.string
    let ending = (own.flatMap { PictureFormat(fileExtension: $0) } ?? page.encoding.format ?? .png).fileExtension
    guard let pattern = rules.pattern, head.fields != nil else { return "\(folder)/\(Self.fileName(head.id)).\(ending)" }
    let name = try pattern.path(line.place, ending: ending) { field in value(field, head, line) }
    return "\(folder)/\(name)"
  }

  /// What a field of `--name` says: of the row first, then what is known of each.
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
    // Its folders stay folders.
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

  /// An id as a file name, and not longer than names may be.
  static func fileName(_ id: String) -> String {
    let name = safe(id).prefix(bytes: Int(NAME_MAX) - ".webp".utf8.count)
    return name.isEmpty || name == "." || name == ".." ? "_" : name
  }

  /// Path separators and control characters become `_`.
  private static func safe(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar == "/" || scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? "_" : scalar
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

/// One name for each place on disk, however a path spells it.
struct PlaceResolver {
  private var folders: [String: String] = [:]
  private static let most = 4096

  /// The folders that outputs go to, as the paths name them; at most some thousand.
  var knownFolders: [String] { folders.keys.sorted() }

  /// - Returns: nil where any number of pictures may go: a device takes all.
  mutating func place(_ path: String) -> String? {
    let place = folder(Files.folder(of: path)) + Files.name(path)
    switch Files.kind(place) {
    case nil, S_IFREG?, S_IFDIR?: return place
    case S_IFLNK?: return Files.resolved(place) ?? place
    default: return nil
    }
  }

  private mutating func folder(_ path: String) -> String {
    if let known = folders[path] { return known }
    let resolved = (Files.resolved(path) ?? Self.normalized(path)) + "/"
    if folders.count < Self.most { folders[path] = resolved }
    return resolved
  }

  /// Without `.`, `..` and doubled separators.
  private static func normalized(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(byte: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
