import OffprintCoreTypes
import Glibc

/// `OFFPRINT_*` variables, each corresponding to an option.
package enum EnvironmentVariables {
  package static let prefix = "OFFPRINT_"

  /// `OFFPRINT_MAX_WIDTH` for `max-width`.
  package static func name(of option: String) -> String {
    prefix + option.map { $0 == "-" ? "_" : $0.uppercased() }.joined()
  }

  /// All that are set and not empty, sorted by name.
  package static func all() -> [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    var next = environ
    while let variable = next.pointee {
      if strncmp(variable, prefix, prefix.utf8.count) == 0 {
        let parts = String(cString: variable).split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, !parts[1].isEmpty { found.append((String(parts[0]), String(parts[1]))) }
      }
      next = next.advanced(by: 1)
    }
    return found.sorted { $0.name < $1.name }
  }

  /// The value of a flag's variable; nil if it is not a Boolean.
  package static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "true", "yes", "on": true
    case "0", "false", "no", "off": false
    default: nil
    }
  }
}
