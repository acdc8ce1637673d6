import OffprintConfiguration
import Offprint

/// The table `[serve]` of `offprint.toml`.
enum SettingFile {
  /// - Throws: `usage`, with the line, for errors in the file.
  static func entries(_ arguments: [String]) throws(OffprintError) -> [SettingSources.Entry] {
    try read { (file) throws(ConfigurationError) in try entries(file) } ?? []
  }

  /// - Throws: `usage`, with the line, for errors in the file.
  static func presets() throws(OffprintError) -> [Preset] {
    try read { (file) throws(ConfigurationError) in try Preset.presets(file) } ?? []
  }

  private static func read<Value>(_ body: (ConfigurationFile) throws(ConfigurationError) -> Value) throws(OffprintError) -> Value? {
    guard let path = ConfigurationFile.find(isForeign: { _ in }) else { return nil }
    do throws(ConfigurationError) {
      return try body(ConfigurationFile(path: path))
    } catch {
      throw OffprintError(.usage, "\(path)\(error.line.map { ":\($0)" } ?? ""): \(error.message).")
    }
  }

  /// Relative paths are resolved against the file's folder. Tables and keys of commands are validated by the commands.
  static func entries(_ file: ConfigurationFile) throws(ConfigurationError) -> [SettingSources.Entry] {
    try file.entries.filter { $0.table.first == "serve" && $0.table.dropFirst().first != "preset" }.map {
      entry throws(ConfigurationError) in
      guard entry.table == ["serve"], let setting = SettingTable.byName[entry.name] else {
        let name = (entry.table.dropFirst() + [entry.name]).joined(separator: ".")
        throw ConfigurationError(line: entry.line, "the service has no setting '\(name)'")
      }
      let values = setting.isPath ? entry.value.texts.map { $0.hasPrefix("/") ? $0 : file.folder + $0 } : entry.value.texts
      return SettingSources.Entry(name: entry.name, values: values)
    }
  }
}
