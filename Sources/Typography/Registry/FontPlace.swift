import OffprintCoreTypes
internal import COffprintPango
internal import Glibc

/// A folder or file that was looked at for fonts, and what it was then.
struct FontPlace {
  var path: String
  /// Nil: there was none.
  var key: FileKey?

  /// The folder's path and the name in it.
  var parts: (folder: Substring, name: Substring) {
    guard let slash = path.lastIndex(ofByte: "/"), slash != path.startIndex, path.utf8.index(after: slash) != path.endIndex else {
      return ("", path[...])
    }
    return (path[..<slash], path[path.index(after: slash)...])
  }

  /// Whether it may change once more within the clock's step.
  func isSettled(at now: Int) -> Bool { key.map { Int(clamping: $0.changed / 1_000_000_000) + 2 < now } ?? true }
}

/// What is asked for: folders, and whether the machine's own count.
struct FontOrder {
  var folders: [String]
  var includesSystemFonts: Bool

  /// What the machine's own configuration of fonts is found by.
  private static let variables: [String] = [
    "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT",
  ]

  /// Says the same for the same order.
  var text: String {
    var parts = folders
    if includesSystemFonts {
      parts.append("\u{1}")
      parts += Self.variables.map { getenv($0).map { String(cString: $0) } ?? "\u{1}" }
    }
    return parts.joined(separator: "\0")
  }
}

/// The files that the machine's own configuration of fonts is read from.
enum FontConfigurationPlaces {
  static func places(_ config: OpaquePointer) -> [FontPlace] {
    guard let list = FcConfigGetConfigFiles(config) else { return [] }
    defer { FcStrListDone(list) }
    var paths: [String] = [], seen: Set<ByteString> = []
    func add(_ path: String) { if seen.insert(path).inserted { paths.append(path) } }
    while let file = FcStrListNext(list) {
      let path = String(cString: file)
      add(path)
      if let slash = path.lastIndex(ofByte: "/"), slash != path.startIndex { add(String(path[..<slash])) }
    }
    // A configuration of the user's own that may come.
    if let home = getenv("XDG_CONFIG_HOME") {
      add(String(cString: home) + "/fontconfig")
    } else if let home = getenv("HOME") {
      add(String(cString: home) + "/.config/fontconfig")
    }
    return paths.map { path in
      var status = stat()
      return FontPlace(path: path, key: stat(path, &status) == 0 ? FileKey(status) : nil)
    }
  }
}
