import Glibc

/// The user's font folder, which all pages use: `offprint fonts add` installs packs there, and `render`, `serve` and all other commands use
/// them. Its contents are part of the cache key.
public enum UserFonts {
  /// `OFFPRINT_USER_FONTS` (empty for none); otherwise `offprint/fonts` in `$XDG_DATA_HOME` or `~/.local/share`.
  /// Nil if there is no home directory. https://specifications.freedesktop.org/basedir-spec/latest/
  public static var folder: String? {
    if let named = variable("OFFPRINT_USER_FONTS") { return named.isEmpty ? nil : named }
    // The specification requires that relative paths are ignored.
    if let data = variable("XDG_DATA_HOME"), data.hasPrefix("/") { return data + "/offprint/fonts" }
    guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.local/share/offprint/fonts"
  }

  /// The folder, if it exists.
  public static var existingFolder: String? {
    var status = stat()
    guard let folder, stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return folder
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
