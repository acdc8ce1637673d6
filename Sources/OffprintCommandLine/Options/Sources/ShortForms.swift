import OffprintConfiguration
import Glibc
import Offprint

/// Abbreviations of `offprint render INPUT -o OUTPUT`.
///
/// The name of a command always means the command: use `./batch` for a page named `batch`.
enum ShortForms {
  /// - Returns: The arguments preceded by `render` if the first one is a page and not a command.
  /// - Throws: `usage` for a first word that is neither.
  static func expand(_ arguments: [String], commands: [String]) throws(OffprintError) -> [String] {
    guard let first = arguments.first else {
      return StandardInput.isFile && isatty(STDOUT_FILENO) == 0 ? ["render", "-"] : arguments
    }
    if commands.contains(first) || first == "help" { return arguments }
    if first.hasPrefix("-") { return isForRender(first) ? ["render"] + arguments : arguments }
    if first.contains("/") || first.contains(".") || Files.kind(first) != nil { return ["render"] + arguments }
    let nearest = NearestName.of(first, in: commands).map { "did you mean '\($0)'?" } ?? "'offprint --help' lists the commands."
    throw OffprintError(.usage, "There is no command '\(Sentence.fit(first))', and no file of that name; \(nearest)")
  }

  private static let ownOptions: Set = ["-h", "--help", "--help-hidden", "-help", "--version", "--generate-completion-script"]

  /// Whether the first argument is an option of `render`: options may precede the page, as in wkhtmltoimage.
  private static func isForRender(_ first: String) -> Bool {
    !ownOptions.contains(String(first.prefix { $0 != "=" })) && !first.hasPrefix("--experimental") && !first.hasPrefix("---")
  }
}
