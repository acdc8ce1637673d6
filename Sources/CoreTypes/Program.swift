internal import COffprintLibraries
import Glibc

/// The program of this process. Unlike `CommandLine`, it does not need `/proc`.
package enum Program {
  /// The arguments of `main`, including the program's name.
  package static let arguments: [String] = (0..<clibraries_argument_count()).compactMap {
    clibraries_argument($0).map { String(cString: $0) }
  }

  /// Names the first argument or `OFFPRINT_` variable that is not valid UTF-8, for messages; nil if all are valid. Once decoded to a
  /// `String`, invalid bytes cannot be distinguished from replacement characters.
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

  /// Overwrites passwords in the arguments that other processes can read in `/proc/PID/cmdline`. Call it before starting threads.
  package static func hideCredentials() {
    for (index, argument) in arguments.enumerated() {
      let bytes = Array(argument.utf8)
      guard bytes.contains(UInt8(ascii: "@")) else { continue }
      for range in Credentials.ranges(bytes) + Credentials.ranges(inAddress: bytes) {
        clibraries_hide_argument(Int32(index), range.lowerBound, range.count)
      }
    }
  }

  /// What this code is linked into.
  package enum Role: Sendable {
    /// Another program, as a Swift library.
    case swiftLibrary
    /// Another program, through the C library.
    case cLibrary
    /// `offprint` or `offprint-server`.
    case program
  }

  /// Must be set before anything else runs. Only a program may exit the process, write to standard error, and change process-wide state.
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

  /// The path of the executable or shared library that contains this code, with symbolic links resolved.
  package static var objectPath: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      clibraries_object(buffer.baseAddress).map { String(cString: $0) }
    }
  }

  /// The path of the executable, with symbolic links resolved; nil if the system does not provide it.
  package static var path: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      clibraries_program(buffer.baseAddress).map { String(cString: $0) }
    }
  }
}
