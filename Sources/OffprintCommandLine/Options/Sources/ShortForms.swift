import OffprintConfiguration
import Glibc
import Offprint

/// What people type instead of `offprint render INPUT -o OUTPUT`.
///
/// A name of a command is always the command: a page called `batch` is `./batch`.
enum ShortForms {
  /// - Returns: the arguments with `render` before them, where they are a page's and no command's.
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

  /// Options before the page, as wkhtmltoimage has them.
  private static func isForRender(_ first: String) -> Bool {
    !ownOptions.contains(String(first.prefix { $0 != "=" })) && !first.hasPrefix("--experimental") && !first.hasPrefix("---")
  }
}
