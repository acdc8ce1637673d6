/// An option's name in messages: the flag on the command line, the key in jobs, the property in Swift.
package enum OptionName: String, CaseIterable, Sendable {
  case allowFiles = "allow-files", allowHost = "allow-host", allowMissingLayer = "allow-missing-layer", fonts, pageSize = "page-size",
    queue,
    size, tier, timeout

  private var property: String {
    switch self {
    case .allowFiles: "allowedFolders"
    case .allowHost: "allowedHosts"
    case .allowMissingLayer: "dispensableLayers"
    case .fonts: "fontFolders"
    case .pageSize: "sheet.size"
    case .queue: "queue"
    case .size: "size"
    case .tier: "tier"
    case .timeout: "limits.seconds"
    }
  }

  /// `--allow-files`, `'allow-files'` or `'allowedFolders'`, depending on the role of this code.
  package var text: String {
    switch Program.role {
    case .program: "--\(rawValue)"
    case .cLibrary: "'\(rawValue)'"
    case .swiftLibrary: "'\(property)'"
    }
  }

  /// With a value: `--allow-files /srv`, `'/srv' in 'allow-files'`.
  package func text(_ value: String) -> String { Program.role == .program ? "\(text) \(value)" : "'\(value)' in \(text)" }
}
