internal import CLibraries

/// The C libraries that are opened when one of their functions is called first (`Sources/CLibraries`).
public enum SharedLibraries {
  /// Opens all of them, where that is to happen before anybody waits for a picture.
  ///
  /// - Returns: the file name of the first that is not installed, or too old; nil where all are there.
  public static func openAll() -> String? { clibraries_open_all().map { String(cString: $0) } }
}
