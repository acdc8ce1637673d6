import OffprintCoreTypes
import ArgumentParser
import OffprintConfiguration
import Glibc
import Offprint
import Synchronization

/// The arguments for the argument parser: those typed, with short forms expanded, and those from variables and `offprint.toml`.
struct CommandArguments {
  /// All arguments, for the parser.
  private(set) var all: [String]
  /// The settings that were added to the typed arguments, for messages.
  private(set) var added: [Setting] = []
  /// The output of `--print-config`; nil if the command is to be run.
  private(set) var answer: String?

  /// The arguments passed to the parser, for commands that pass options on.
  static var parsed: [String] {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }
  private static let kept = Mutex<[String]>([])

  /// `--config`, `--no-config` and `--print-config`, which every command has.
  private struct Own {
    var file: String?
    var ignoresFile = false
    var prints = false
    /// The arguments without these options.
    var rest: [String] = []

    init(_ arguments: [String]) throws(OffprintError) {
      var words = arguments[...]
      while let word = words.popFirst() {
        switch word {
        case "--":
          rest += [word] + words
          return
        case "--no-config": ignoresFile = true
        case "--print-config": prints = true
        case "--config":
          guard let path = words.popFirst() else { throw OffprintError(.usage, "--config requires a file.") }
          file = path
        case _ where word.hasPrefix("--config="): file = String(word.dropFirst("--config=".count))
        default: rest.append(word)
        }
      }
      if ignoresFile && file != nil { throw OffprintError(.usage, "--config and --no-config exclude each other.") }
    }
  }

  /// - Throws: `usage`, and `dataInvalid` for an invalid file.
  init(_ typed: [String], root: any ParsableCommand.Type) throws(OffprintError) {
    let own = try Own(typed)
    all = try ShortForms.expand(own.rest, commands: KnownCommand.children(of: root).map(\.name))
    let explains = all.prefix { $0 != "--" }.contains {
      ["-h", "--help", "-help", "--help-hidden", "--experimental-dump-help"].contains($0)
    }
    let command = KnownCommand(all, root: root)
    guard !command.words.isEmpty, !explains else {
      if own.prints { throw OffprintError(.usage, "--print-config requires a command, such as 'offprint render --print-config'.") }
      return
    }
    let variables = EnvironmentVariables.all().filter { !Self.others.contains($0.name) }
    let path = own.ignoresFile ? nil : try Self.path(own)
    // Asking the parser for its options takes longer than many renders, so it is only done if there is something to add.
    guard path != nil || own.prints || variables.contains(where: { $0.name != "OFFPRINT_CACHE" }) || all.contains(where: Self.isSpelledOut)
    else { return }
    try add(command, variables, try path.map { path throws(OffprintError) in try Self.file(path) }, prints: own.prints, root)
  }

  /// Variables that other parts of the program read.
  private static let others: Set = ["OFFPRINT_FONTS", "OFFPRINT_USER_FONTS", "OFFPRINT_CONFIG"]

  private mutating func add(
    _ command: KnownCommand, _ variables: [(name: String, value: String)], _ file: ConfigurationFile?, prints: Bool,
    _ root: any ParsableCommand.Type
  ) throws(OffprintError) {
    let own = Array(all.dropFirst(command.words.count))
    var settings = Settings(command, arguments: own)
    let unused = try settings.addVariables(variables)
    if let file { try settings.add(file, root: KnownCommand([], root: root)) }
    let plain = Self.withoutFalse(own, settings.options)
    let asJSON = plain.contains("--json")
    added = settings.found
    all = command.words + added.flatMap(\.arguments) + plain
    if prints { answer = PrintedConfiguration(settings: settings, file: file, unused: unused).text(asJSON: asJSON) }
  }

  private static func path(_ own: Own) throws(OffprintError) -> String? {
    if let path = own.file ?? getenv("OFFPRINT_CONFIG").map({ String(cString: $0) }).flatMap({ $0.isEmpty ? nil : $0 }) {
      guard Files.kind(path) != nil else { throw OffprintError(.inputNotFound, "There is no configuration file '\(path)'.") }
      return path
    }
    return ConfigurationFile.find { path in
      Output.error("offprint: configurationIgnored: '\(path)' belongs to another user; specify it with --config to use it.")
    }
  }

  private static func file(_ path: String) throws(OffprintError) -> ConfigurationFile {
    do throws(ConfigurationError) {
      return try ConfigurationFile(path: path)
    } catch {
      throw OffprintError(.dataInvalid, error.line.map { "\(path):\($0): \(error.message)." } ?? "'\(path)' \(error.message).")
    }
  }

  // MARK: Flags that are switched off

  /// `--strict=false` overrides the file.
  private static func isSpelledOut(_ word: String) -> Bool { word.hasPrefix("--") && (word.hasSuffix("=true") || word.hasSuffix("=false")) }

  private static func withoutFalse(_ arguments: [String], _ options: [CommandOption]) -> [String] {
    let end = arguments.firstIndex { $0 == "--" } ?? arguments.endIndex
    let own = arguments[..<end].compactMap { word -> String? in
      guard isSpelledOut(word), let name = word.dropFirst(2).split(byte: "=").first.map(String.init) else { return word }
      guard options.contains(where: { $0.isFlag && $0.names.contains(name) }) else { return word }
      return word.hasSuffix("=true") ? "--\(name)" : nil
    }
    return own + arguments[end...]
  }

  /// The source of an invalid value that a message names; nil if it was typed.
  func origin(ofOptionIn message: String) -> String? {
    let words = message.split { !($0.isLetter || $0.isNumber || $0 == "-") }
    return added.first { setting in setting.option.names.contains { words.contains(Substring("--\($0)")) } }?.place
  }
}
