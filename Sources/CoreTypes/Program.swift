internal import COffprintLibraries
import Glibc

/// This process's program. `CommandLine` needs `/proc`; these do not.
package enum Program {
  /// What `main` was given, the program's name included.
  package static let arguments: [String] = (0..<clibraries_argument_count()).compactMap {
    clibraries_argument($0).map { String(cString: $0) }
  }

  /// Replaces passwords in the arguments that other processes can see, in `/proc/PID/cmdline`. To be called before threads start.
  package static func hideCredentials() {
    for (index, argument) in arguments.enumerated() {
      let bytes = Array(argument.utf8)
      guard bytes.contains(UInt8(ascii: "@")) else { continue }
      for range in Credentials.ranges(bytes) + Credentials.ranges(inAddress: bytes) {
        clibraries_hide_argument(Int32(index), range.lowerBound, range.count)
      }
    }
  }

  /// The file, without symbolic links; nil where the system does not say.
  package static var path: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      clibraries_program(buffer.baseAddress).map { String(cString: $0) }
    }
  }
}
