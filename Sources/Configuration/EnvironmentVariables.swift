import OffprintCoreTypes
import Glibc

/// `OFFPRINT_*`: an option as a variable.
package enum EnvironmentVariables {
  package static let prefix = "OFFPRINT_"

  /// `OFFPRINT_MAX_WIDTH` for `max-width`.
  package static func name(of option: String) -> String {
    prefix + option.map { $0 == "-" ? "_" : $0.uppercased() }.joined()
  }

  /// All that are set and not empty, in the order of their names.
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

  /// What a flag's variable means; nil for what is neither.
  package static func flag(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "1", "true", "yes", "on": true
    case "0", "false", "no", "off": false
    default: nil
    }
  }
}
