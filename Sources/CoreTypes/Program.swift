internal import COffprintLibraries
import Glibc

/// This process's program. `CommandLine` needs `/proc`; these do not.
package enum Program {
  /// What `main` was given, the program's name included.
  package static let arguments: [String] = (0..<clibraries_argument_count()).compactMap {
    clibraries_argument($0).map { String(cString: $0) }
  }

  /// What cannot be told from other text once it is a `String`, for messages: an argument or a variable of ours that is not UTF-8.
  package static var undecodable: String? {
    for index in 0..<clibraries_argument_count() {
      if let text = clibraries_argument(index), String(validatingCString: text) == nil { return "argument \(index)" }
    }
    var next = environ
    while let variable = next.pointee {
      if strncmp(variable, "OFFPRINT_", 9) == 0, String(validatingCString: variable) == nil {
        return String(cString: variable).split(byte: "=").first.map { "the variable \($0)" }
      }
      next += 1
    }
    return nil
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

  /// What this code is a part of.
  package enum Role: Sendable {
    /// Another program's, in Swift.
    case swiftLibrary
    /// Another program's, by way of the C library.
    case cLibrary
    /// `offprint` or `offprint-server`.
    case program
  }

  /// To be set before anything else. Only a program may end its process, write to standard error, and change what holds for the whole process.
  package static var role: Role {
    get {
      switch Int(clibraries_role()) {
      case CLIBRARIES_PROGRAM: .program
      case CLIBRARIES_C_LIBRARY: .cLibrary
      default: .swiftLibrary
      }
    }
    set {
      switch newValue {
      case .program: clibraries_set_role(Int32(CLIBRARIES_PROGRAM))
      case .cLibrary: clibraries_set_role(Int32(CLIBRARIES_C_LIBRARY))
      case .swiftLibrary: clibraries_set_role(Int32(CLIBRARIES_SWIFT_LIBRARY))
      }
    }
  }

  /// The file of this code, without symbolic links: the program's, or the shared library's.
  package static var objectPath: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      clibraries_object(buffer.baseAddress).map { String(cString: $0) }
    }
  }

  /// The file, without symbolic links; nil where the system does not say.
  package static var path: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      clibraries_program(buffer.baseAddress).map { String(cString: $0) }
    }
  }
}
