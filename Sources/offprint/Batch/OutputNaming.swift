import Glibc
import Offprint

/// Where a job's picture goes.
enum OutputNaming {
  /// An id as a file name: path separators and control characters become `_`, and it is not longer than names may be.
  static func fileName(_ id: String) -> String {
    let scalars = id.unicodeScalars.map { scalar -> Unicode.Scalar in
      scalar == "/" || scalar.value < 0x20 || scalar.value == 0x7F ? "_" : scalar
    }
    let name = String(String.UnicodeScalarView(scalars)).prefix(bytes: Int(NAME_MAX) - ".png".utf8.count)
    return name.isEmpty || name == "." || name == ".." ? "_" : name
  }

  static func path(id: String, output: String?, folder: String) -> String { output ?? "\(folder)/\(fileName(id)).png" }
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
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}
