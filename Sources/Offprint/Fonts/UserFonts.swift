import Glibc

/// The folder of fonts that a user has chosen for all pages: `offprint fonts add` puts packs there, and `render`, `serve` and all other commands
/// find them. What is in it is part of a picture's key, by content.
public enum UserFonts {
  /// `OFFPRINT_USER_FONTS` (empty: none); else `offprint/fonts` in `$XDG_DATA_HOME` or `~/.local/share`.
  /// Nil where there is no home. https://specifications.freedesktop.org/basedir-spec/latest/
  public static var folder: String? {
    if let named = variable("OFFPRINT_USER_FONTS") { return named.isEmpty ? nil : named }
    // A relative path is to be ignored, as the specification has it.
    if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/offprint/fonts" }
    guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.local/share/offprint/fonts"
  }

  /// The folder, where it is one.
  public static var existingFolder: String? {
    var status = stat()
    guard let folder, stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return folder
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
