import OffprintCoreTypes
internal import COffprintPango
internal import Glibc

/// A folder or file that was scanned for fonts, and its state at that time.
struct FontLocation {
  var path: String
  /// Nil if it did not exist.
  var key: FileKey?

  /// The folder's path, and the name in the folder.
  var parts: (folder: Substring, name: Substring) {
    guard let slash = path.lastIndex(ofByte: "/"), slash != path.startIndex, path.utf8.index(after: slash) != path.endIndex else {
      return ("", path[...])
    }
    return (path[..<slash], path[path.index(after: slash)...])
  }

  /// Whether another modification would change the modification time.
  func isSettled(at now: Int) -> Bool { key.map { Int(clamping: $0.changed / 1_000_000_000) + 2 < now } ?? true }
}

/// The request for a registry: folders, and whether to include the system's fonts.
struct FontOrder {
  var folders: [String]
  var includesSystemFonts: Bool

  /// Variables that affect the system's font configuration.
  private static let variables: [String] = [
    "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "FONTCONFIG_FILE", "FONTCONFIG_PATH", "FONTCONFIG_SYSROOT",
  ]

  /// Equal for equal requests.
  var text: String {
    var parts = folders
    if includesSystemFonts {
      parts.append("\u{1}")
      parts += Self.variables.map { getenv($0).map { String(cString: $0) } ?? "\u{1}" }
    }
    return parts.joined(separator: "\0")
  }
}

/// The files of the system's font configuration.
enum FontConfigurationFolders {
  static func places(_ config: OpaquePointer) -> [FontLocation] {
    guard let list = FcConfigGetConfigFiles(config) else { return [] }
    defer { FcStrListDone(list) }
    var paths: [String] = [], seen: Set<ByteString> = []
    func add(_ path: String) { if seen.insert(path).inserted { paths.append(path) } }
    while let file = FcStrListNext(list) {
      let path = String(cString: file)
      add(path)
      if let slash = path.lastIndex(ofByte: "/"), slash != path.startIndex { add(String(path[..<slash])) }
    }
    // User configuration files that could be created later.
    if let home = getenv("XDG_CONFIG_HOME") {
      add(String(cString: home) + "/fontconfig")
    } else if let home = getenv("HOME") {
      add(String(cString: home) + "/.config/fontconfig")
    }
    return paths.map { path in
      var status = stat()
      return FontLocation(path: path, key: stat(path, &status) == 0 ? FileKey(status) : nil)
    }
  }
}
