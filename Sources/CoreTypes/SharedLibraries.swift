internal import COffprintLibraries
import Glibc

/// The C libraries that are opened when one of their functions is called first (`Sources/CLibraries`): those in `lib/offprint` beside the
/// program's `bin`, where a bundle has them, else the system's.
public enum SharedLibraries {
  /// Opens all of them, where that is to happen before anybody waits for an image.
  ///
  /// - Returns: those that are not installed, or too old, and the packages to install; nil where all are there.
  public static func missing() -> String? { clibraries_missing().map { String(cString: $0) } }

  /// Opens one that a program can do without.
  ///
  /// - Parameter name: of its file, such as `libxml2.so.2`.
  package static func open(_ name: String) -> UnsafeMutableRawPointer? { clibraries_open_file(name) }

  /// Debian's and Ubuntu's differ.
  package static var jpegFileName: String { String(cString: clibraries_jpeg_file()) }

  /// The folder of the bundled libraries; nil where the system's are used.
  package static var bundle: String? { clibraries_folder().map { String(cString: $0) } }

  /// The file that would be opened.
  package struct File: Hashable, Sendable {
    package var path: String
    /// The digest that its linker wrote, in hexadecimal digits; its size and time where it has none.
    package var buildID: String
  }

  /// Nil if no such file exists. The library is not opened.
  package static func file(_ name: String) -> File? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + Int(CLIBRARIES_BUILD_ID)) { buffer in
      guard let path = buffer.baseAddress else { return nil }
      let buildID = path + Int(PATH_MAX)
      return clibraries_file(name, path, buildID) == 1 ? File(path: String(cString: path), buildID: String(cString: buildID)) : nil
    }
  }
}
