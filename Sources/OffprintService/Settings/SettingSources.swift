import OffprintConfiguration
import OffprintCoreTypes
import Offprint

/// The sources of settings. Flags take precedence over variables, and variables over the configuration file.
struct SettingSources: Sendable {
  /// A name and its values, in the order given.
  struct Entry: Hashable, Sendable {
    var name: String
    var values: [String]
  }

  var arguments: [String]
  /// Variables by name.
  var environment: [String: String]
  /// The service's section of the configuration file, already parsed.
  var file: [Entry] = []

  /// - Throws: `usage` for unknown settings in any source, and for invalid values.
  func settings() throws(OffprintError) -> ServiceSettings {
    var settings = ServiceSettings()
    for entry in file {
      guard let setting = SettingTable.byName[entry.name] else {
        throw OffprintError(.usage, "The configuration file has the unknown key '\(entry.name)'.")
      }
      try Self.apply(entry.values, of: setting, called: "The key '\(setting.name)'", to: &settings)
    }
    for setting in SettingTable.rows {
      guard let text = environment[setting.variable], !text.isEmpty else { continue }
      let values =
        setting.isList
        ? text.split(separator: ["allow-host", "cors-origin", "webhook-host"].contains(setting.name) ? " " : ":").map(String.init) : [text]
      try Self.apply(values, of: setting, called: setting.variable, to: &settings)
    }
    for entry in try Self.parse(arguments) {
      guard let setting = SettingTable.byName[entry.name] else { continue }
      try Self.apply(entry.values, of: setting, called: "--\(setting.name)", to: &settings)
    }
    return settings
  }

  /// A list is replaced as a whole by a source with higher precedence.
  private static func apply(
    _ values: [String], of setting: Setting, called name: String, to settings: inout ServiceSettings
  ) throws(OffprintError) {
    if setting.isList {
      let paths: [String: WritableKeyPath<ServiceSettings, [String]>] = [
        "fonts": \.fontFolders, "templates": \.templateFolders, "allow-files": \.allowedFolders, "allow-host": \.allowedHosts,
        "accept-host": \.acceptedHosts, "cors-origin": \.corsOrigins, "webhook-host": \.webhookHosts,
      ]
      if let path = paths[setting.name] { settings[keyPath: path] = [] }
      if setting.name == "allow-missing-layer" { settings.dispensableLayers = [] }
      if setting.name == "fail-on" { settings.fatalDiagnostics = [] }
    }
    for value in values where !setting.set(&settings, value) {
      let form = setting.isFlag ? "" : " <\(setting.valueName)>"
      throw OffprintError(.usage, "'\(value.prefix(100))' is not a valid value of \(name)\(form): \(setting.help)")
    }
  }

  /// Parses `--name value`, `--name=value` and flags. Repeated options become one entry.
  static func parse(_ arguments: [String]) throws(OffprintError) -> [Entry] {
    var entries: [Entry] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("--") else { throw unknown(argument) }
      let parts = argument.dropFirst(2).split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = parts.first.map(String.init), let setting = SettingTable.byName[name] else { throw unknown(argument) }
      let value: String
      if parts.count == 2 {
        value = String(parts[1])
      } else if setting.isFlag {
        value = "true"
      } else {
        guard let next = rest.popFirst() else { throw OffprintError(.usage, "--\(name) requires a value. \(setting.help)") }
        value = next
      }
      if let index = entries.firstIndex(where: { $0.name == name }) {
        entries[index].values = setting.isList ? entries[index].values + [value] : [value]
      } else {
        entries.append(Entry(name: name, values: [value]))
      }
    }
    return entries
  }

  private static func unknown(_ argument: String) -> OffprintError {
    let name = argument.drop { $0 == "-" }.split(byte: "=", maxSplits: 1).first.map(String.init) ?? ""
    let nearest = NearestName.of(name, in: SettingTable.rows.map(\.name)).map { "; did you mean '--\($0)'?" } ?? "."
    return OffprintError(.usage, "There is no option '\(argument.prefix(100))'\(nearest) 'offprint serve --help' lists all options.")
  }

  static var help: String {
    let rows = SettingTable.rows.map { row -> (String, String) in
      let name = row.isFlag ? "--\(row.name)" : "--\(row.name) <\(row.valueName)>"
      return (name, row.help)
    }
    let width = rows.map(\.0.count).max() ?? 0
    let lines = rows.map { "  \($0.0)\(String(repeating: " ", count: width - $0.0.count))  \($0.1)" }
    return """
      OVERVIEW: Renders pages over HTTP, with the same engine and cache as the command line.

      Each option can also be set with an environment variable (OFFPRINT_MAX_BODY for --max-body, OFFPRINT_FONT_PATH for --fonts,
      OFFPRINT_QUEUE_LENGTH for --queue; lists are separated by ':') or a key of the table [serve] in offprint.toml. Options override
      variables, and variables override the file.
      SIGHUP reloads fonts, templates, tokens and keys; SIGTERM finishes the requests in progress and exits.

      USAGE: offprint serve [options]
             offprint-server healthcheck [http://HOST:PORT]   (exit code 0 if that service is ready)

      OPTIONS:
      \(lines.joined(separator: "\n"))
        --version\(String(repeating: " ", count: max(0, width - 9)))  Print the version and the libraries; with --json as JSON.
        --help\(String(repeating: " ", count: max(0, width - 6)))  Print this.

      EXAMPLE:
        offprint serve --no-auth
        curl --data '<h1>Hello</h1>' -H 'Content-Type: text/html' http://127.0.0.1:8080/render > hello.png
      """
  }
}
