internal import COffprintLibraries
import Glibc

/// The C libraries that are opened on the first call of one of their functions (`Sources/CLibraries`): those in `lib/offprint` beside the
/// program's `bin` if it runs from a bundle, otherwise the system's.
public enum SharedLibraries {
  /// Opens all of them now, so that the first render does not have to.
  ///
  /// - Returns: The libraries that are missing or too old, with the packages to install; nil if all are available.
  public static func missing() -> String? { clibraries_missing().map { String(cString: $0) } }

  /// Opens an optional library.
  ///
  /// - Parameter name: The file name, such as `libxml2.so.2`.
  package static func open(_ name: String) -> UnsafeMutableRawPointer? { clibraries_open_file(name) }

  /// The name differs between Debian and Ubuntu.
  package static var jpegFileName: String { String(cString: clibraries_jpeg_file()) }

  /// The folder of the bundled libraries; nil if the system's are used.
  package static var bundle: String? { clibraries_folder().map { String(cString: $0) } }

  /// The file that would be opened for a library.
  package struct File: Hashable, Sendable {
    package var path: String
    /// The build ID written by the linker, in hexadecimal digits; the file's size and time if it has none.
    package var buildID: String
  }

  /// Nil if no such file exists. Does not open the library.
  package static func file(_ name: String) -> File? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX) + Int(CLIBRARIES_BUILD_ID)) { buffer in
      guard let path = buffer.baseAddress else { return nil }
      let buildID = path + Int(PATH_MAX)
      return clibraries_file(name, path, buildID) == 1 ? File(path: String(cString: path), buildID: String(cString: buildID)) : nil
    }
  }
}
