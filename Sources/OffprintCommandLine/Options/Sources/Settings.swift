import OffprintCoreTypes
import OffprintConfiguration
import Offprint

/// The value of an option, and its source.
struct Setting: Sendable {
  enum Source: String, Sendable { case flag, variable, file, `default` }

  var option: CommandOption
  /// Several if the option is repeatable; for a flag one, `true` or `false`.
  var values: [String]
  var source: Source
  /// The variable, or `offprint.toml:3`.
  var place: String

  /// As arguments; none for a flag that is off.
  var arguments: [String] {
    if option.isFlag { return values.first == "true" ? ["--\(option.name)"] : [] }
    return values.map { "--\(option.name)=\($0)" }
  }
}

/// The values of a command's options from outside the command line. Flags take precedence over variables, and variables over the file.
struct Settings {
  let command: KnownCommand
  let options: [CommandOption]
  private(set) var found: [Setting] = []
  /// The values in the arguments themselves, by the option's name.
  private(set) var given: [String: [String]] = [:]

  /// Mutually exclusive options. A source with higher precedence also overrides options of lower sources that are mutually exclusive with
  /// its own.
  private static let rivals = [
    ("selector", "clip"), ("transparent", "background"), ("window-size", "width"), ("window-size", "height"), ("no-cache", "cache"),
    ("no-cache", "tier"), ("no-cache", "tier-read-only"),
    ("no-cache", "refresh"), ("keep-going", "fail-fast"), ("dry-run", "resume"), ("names", "json"),
  ]
  /// Options that a command has but refuses. If set for all commands, they are ignored for these.
  private static let unfit: [String: Set<String>] = ["inspect": ["selector", "clip", "strict", "fail-on"], "warm": ["no-cache"]]

  init(_ command: KnownCommand, arguments: [String]) {
    self.command = command
    options = command.options
    for (option, value) in OptionScanner(options).scan(arguments) { given[option.name, default: []].append(value) }
  }

  func option(_ name: String) -> CommandOption? { options.first { $0.names.contains(name) } }

  private func isTaken(_ option: CommandOption) -> Bool {
    let taken = Set(given.keys).union(found.filter { $0.arguments != [] || $0.option.name == option.name }.map(\.option.name))
    if taken.contains(option.name) { return true }
    return Self.rivals.contains { $0.0 == option.name && taken.contains($0.1) || $0.1 == option.name && taken.contains($0.0) }
  }

  // MARK: Variables

  /// - Returns: Variables that are not options of this command.
  /// - Throws: `usage` for a flag's variable with a value that is not a Boolean.
  mutating func addVariables(_ variables: [(name: String, value: String)]) throws(OffprintError) -> [String] {
    var unused: [String] = []
    var layer: [Setting] = []
    for (name, value) in variables {
      // These locate fonts and the file itself. `OFFPRINT_FONTS`, the folder of bundled fonts, is older than the option --fonts and
      // unrelated to it.
      if ["OFFPRINT_FONTS", "OFFPRINT_USER_FONTS", "OFFPRINT_CONFIG"].contains(name) { continue }
      guard let option = options.first(where: { $0.names.contains { EnvironmentVariables.name(of: $0) == name } }) else {
        unused.append(name)
        continue
      }
      if isTaken(option) || isUnfit(option) { continue }
      layer.append(Setting(option: option, values: try Self.values(value, option, name), source: .variable, place: name))
    }
    found += layer
    return unused
  }

  private static func values(_ text: String, _ option: CommandOption, _ name: String) throws(OffprintError) -> [String] {
    if option.isFlag {
      guard let flag = EnvironmentVariables.flag(text) else {
        throw OffprintError(.usage, "\(name) is '\(Sentence.fit(text))'; --\(option.name) takes true or false.")
      }
      return ["\(flag)"]
    }
    guard option.repeats else { return [text] }
    return text.split(whereByte: { $0 == 0x0A || option.isPath && $0 == UInt8(ascii: ":") }).map(String.init)
  }

  private func isUnfit(_ option: CommandOption) -> Bool { Self.unfit[command.words.first ?? ""]?.contains(option.name) == true }

  // MARK: The file

  /// - Throws: `dataInvalid` for unknown keys and invalid values.
  mutating func add(_ file: ConfigurationFile, root: KnownCommand) throws(OffprintError) {
    // Tables of this command take precedence over tables of its group, and these over the top level.
    for depth in stride(from: command.words.count, through: 0, by: -1) {
      let table = Array(command.words.prefix(depth))
      var layer: [Setting] = []
      for entry in file.entries where entry.table == table {
        guard let option = option(entry.name) else {
          if depth == command.words.count && depth > 0 { throw unknown(entry, file, options) }
          try checkKnown(entry, file, root)
          continue
        }
        if isTaken(option) || depth == 0 && isUnfit(option) { continue }
        layer.append(try setting(option, entry, file))
      }
      found += layer
    }
    try checkTables(file, root)
  }

  private func setting(_ option: CommandOption, _ entry: ConfigurationFile.Entry, _ file: ConfigurationFile) throws(OffprintError)
    -> Setting
  {
    let place = file.place(entry.line)
    var values = entry.value.texts
    if option.isFlag {
      guard case .bool = entry.value else { throw OffprintError(.dataInvalid, "\(place): '\(entry.name)' must be true or false.") }
    } else if !option.repeats && values.count != 1 {
      throw OffprintError(.dataInvalid, "\(place): '\(entry.name)' takes one value.")
    }
    if values.contains(where: { $0.utf8.contains(0) }) {
      throw OffprintError(.dataInvalid, "\(place): '\(entry.name)' contains a zero byte.")
    }
    if option.isPath || option.valueName == "name|file" {
      values = values.map { value in
        let inFolder = file.folder + value
        if value.hasPrefix("/") || value == "-" || value.isEmpty { return value }
        return option.isPath || Files.kind(inFolder) != nil ? inFolder : value
      }
    }
    return Setting(option: option, values: values, source: .file, place: place)
  }

  /// Accepts a key that only other commands have.
  private func checkKnown(_ entry: ConfigurationFile.Entry, _ file: ConfigurationFile, _ root: KnownCommand) throws(OffprintError) {
    let all = KnownCommand.allOptions(of: root.type)
    if !all.contains(where: { $0.names.contains(entry.name) }) { throw unknown(entry, file, all) }
  }

  /// Tables are named after commands; those of the service are checked by the service.
  private func checkTables(_ file: ConfigurationFile, _ root: KnownCommand) throws(OffprintError) {
    for entry in file.entries where !entry.table.isEmpty && entry.table.first != "serve" {
      let known = KnownCommand(entry.table, root: root.type)
      if known.words == entry.table { continue }
      // May be an option with members, as in `set.title = "x"` or [set].
      let names = KnownCommand.children(of: known.type).map(\.name) + (known.words.isEmpty ? ["serve"] : [])
      let wrong = entry.table[known.words.count]
      let nearest = NearestName.of(wrong, in: names).map { "; did you mean '\($0)'?" } ?? "."
      throw OffprintError(
        .dataInvalid,
        "\(file.place(entry.line)): there is no command '\(Sentence.fit(wrong))' for a table [\(entry.table.joined(separator: "."))]\(nearest)"
      )
    }
  }

  private func unknown(_ entry: ConfigurationFile.Entry, _ file: ConfigurationFile, _ options: [CommandOption]) -> OffprintError {
    let nearest = NearestName.of(entry.name, in: options.flatMap(\.names)).map { "; did you mean '\($0)'?" } ?? "."
    let where_ = entry.table.isEmpty ? "" : " of '\(entry.table.joined(separator: " "))'"
    return OffprintError(.dataInvalid, "\(file.place(entry.line)): there is no option '\(Sentence.fit(entry.name))'\(where_)\(nearest)")
  }
}

/// Finds the options in arguments.
struct OptionScanner {
  private let options: [CommandOption]
  init(_ options: [CommandOption]) { self.options = options }

  /// All options with their values, in order and including repetitions; the value of a flag is `true`.
  func scan(_ arguments: [String]) -> [(CommandOption, String)] {
    var found: [(CommandOption, String)] = []
    var rest = arguments[...]
    while let word = rest.popFirst(), word != "--" {
      guard word.hasPrefix("-"), word.count > 1 else { continue }
      if word.hasPrefix("--") {
        let parts = word.dropFirst(2).split(byte: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, let option = options.first(where: { $0.names.contains(String(name)) }) else { continue }
        found.append((option, option.isFlag ? "true" : parts.count > 1 ? String(parts[1]) : rest.first ?? ""))
        if !option.isFlag && parts.count == 1 { rest = rest.dropFirst() }
      } else {
        for letter in word.dropFirst() {
          guard let option = options.first(where: { $0.shortNames.contains(String(letter)) }) else { break }
          found.append((option, option.isFlag ? "true" : rest.first ?? ""))
        }
      }
    }
    return found
  }
}
