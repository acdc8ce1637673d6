import OffprintCoreTypes
import OffprintConfiguration
import Offprint

/// The output of `--print-config`: each option with its value and source.
struct PrintedConfiguration {
  var settings: Settings
  var file: ConfigurationFile?
  /// Variables that are not options of this command.
  var unused: [String]

  private struct Row {
    var name: String
    var values: [String]?
    var isFlag: Bool
    var repeats: Bool
    var source: Setting.Source
    var place: String
  }

  private var rows: [Row] {
    settings.options.map { option in
      func row(_ values: [String]?, _ source: Setting.Source, _ place: String) -> Row {
        Row(
          name: option.name,
          values: values?.map { ["tier", "queue"].contains(option.name) ? Credentials.hidden(inAddress: $0) : Credentials.hidden(in: $0) },
          isFlag: option.isFlag, repeats: option.repeats,
          source: source, place: place)
      }
      if let values = settings.given[option.name] {
        return row(option.repeats ? values : values.suffix(1), .flag, "--\(option.name)")
      }
      if let setting = settings.found.first(where: { $0.option.name == option.name }) {
        return row(setting.values, setting.source, setting.place)
      }
      return row(option.isFlag ? ["false"] : option.defaultValue.map { [$0] }, .default, "")
    }
  }

  func text(asJSON: Bool) -> String { asJSON ? json : toml }

  /// In the format of a configuration file.
  private var toml: String {
    var lines = ["# offprint \(settings.command.words.joined(separator: " ")); \(file.map { "file: \($0.path)" } ?? "no file")"]
    for row in rows {
      let origin = row.source == .default ? "default" : "\(row.source.rawValue) \(row.place)"
      guard let values = row.values, row.source != .default else {
        lines.append("# \(row.name) = \(row.values.map { Self.value($0, row) } ?? "(none)")  # \(origin)")
        continue
      }
      lines.append("\(row.name) = \(Self.value(values, row))  # \(origin)")
    }
    if !unused.isEmpty { lines.append("# not options of this command: \(unused.joined(separator: ", "))") }
    return lines.joined(separator: "\n")
  }

  private static func value(_ values: [String], _ row: Row) -> String {
    func one(_ text: String) -> String {
      if row.isFlag { return text }
      return isNumber(text) ? text : JSONText.string(text)
    }
    return row.repeats ? "[\(values.map(one).joined(separator: ", "))]" : values.first.map(one) ?? "\"\""
  }

  /// Whether the text is a number in TOML syntax.
  private static func isNumber(_ text: String) -> Bool {
    let parts = text.split(byte: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts[0].count == 1 || !parts[0].hasPrefix("0") else { return false }
    return parts.allSatisfy { !$0.isEmpty && $0.count < 16 && $0.allSatisfy { $0.isASCII && $0.isNumber } }
  }

  private var json: String {
    let options = rows.map { row in
      let values = (row.values ?? []).map { row.isFlag ? $0 : JSONText.string($0) }
      let value = row.values == nil ? "null" : row.repeats ? "[\(values.joined(separator: ","))]" : values.first ?? "null"
      let place = row.place.isEmpty ? "null" : JSONText.string(row.place)
      return "{\"name\":\(JSONText.string(row.name)),\"value\":\(value),\"source\":\"\(row.source.rawValue)\",\"from\":\(place)}"
    }
    let words = JSONText.string(settings.command.words.joined(separator: " "))
    return
      "{\"command\":\(words),\"file\":\(file.map { JSONText.string($0.path) } ?? "null"),\"options\":[\(options.joined(separator: ","))],"
      + "\"unused\":[\(unused.map { JSONText.string($0) }.joined(separator: ","))]}"
  }
}
