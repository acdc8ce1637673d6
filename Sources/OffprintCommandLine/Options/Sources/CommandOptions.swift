import ArgumentParser
import Offprint

/// An option of a command, as described by the argument parser.
struct CommandOption: Sendable {
  /// Without `--`; the first is the canonical name.
  var names: [String]
  /// Names of a single letter.
  var shortNames: [String]
  var isFlag: Bool
  var repeats: Bool
  /// The placeholder of its value in the help.
  var valueName: String
  var defaultValue: String?

  var name: String { names.first ?? "" }

  /// Whether its values are paths, which are resolved against the file's folder.
  var isPath: Bool { ["dir", "file", "folder"].contains(valueName) }
}

/// A command and its words.
struct KnownCommand {
  /// For example `["cache", "list"]`.
  var words: [String]
  var type: any ParsableCommand.Type

  /// The command that the arguments begin with; for a group without a subcommand, its default one.
  init(_ arguments: [String], root: any ParsableCommand.Type) {
    (words, type) = ([], root)
    for word in arguments {
      guard let next = Self.children(of: type).first(where: { $0.name == word }) else { break }
      words.append(word)
      type = next.type
    }
    if !words.isEmpty, let usual = type.configuration.defaultSubcommand { type = usual }
  }

  static func children(of type: any ParsableCommand.Type) -> [(name: String, type: any ParsableCommand.Type)] {
    type.configuration.subcommands.map { ($0._commandName, $0) }
  }

  /// All options of the command. Takes some milliseconds, so it is only called when needed.
  var options: [CommandOption] {
    guard let dump = JSONValue(parsing: Array(type._dumpHelp().utf8)), let command = dump["command"] else { return [] }
    return Self.options(of: command)
  }

  /// The options of all commands.
  static func allOptions(of root: any ParsableCommand.Type) -> [CommandOption] {
    guard let dump = JSONValue(parsing: Array(root._dumpHelp().utf8)), let command = dump["command"] else { return [] }
    var found: [CommandOption] = []
    var open = [command]
    while let command = open.popLast() {
      found += options(of: command)
      if case .array(let children)? = command["subcommands"] { open += children }
    }
    return found
  }

  private static func options(of command: JSONValue) -> [CommandOption] {
    guard case .array(let arguments)? = command["arguments"] else { return [] }
    return arguments.compactMap { argument in
      guard argument["kind"]?.string != "positional", case .array(let names)? = argument["names"] else { return nil }
      func named(_ kind: String) -> [String] { names.filter { $0["kind"]?.string == kind }.compactMap { $0["name"]?.string } }
      guard !named("long").isEmpty, !["help", "version"].contains(named("long").first) else { return nil }
      return CommandOption(
        names: named("long"), shortNames: named("short"), isFlag: argument["kind"]?.string == "flag",
        repeats: argument["isRepeating"]?.bool ?? false, valueName: argument["valueName"]?.string ?? "",
        defaultValue: argument["defaultValue"]?.string ?? defaultInText(argument["abstract"]?.string ?? ""))
    }
  }

  /// Finds `(default: 800)` in a help text.
  private static func defaultInText(_ text: String) -> String? {
    guard let start = text.firstRange(of: "(default: ")?.upperBound else { return nil }
    var depth = 1
    let value = text[start...].prefix { character in
      depth += character == "(" ? 1 : character == ")" ? -1 : 0
      return depth > 0
    }
    return String(value)
  }
}
