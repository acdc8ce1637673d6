import ArgumentParser
import Glibc
import Offprint

@main
struct OffprintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "offprint",
    abstract: "Turns HTML and CSS into images without a browser, and never draws the same thing twice.",
    discussion: """
      Files are named by path, '-' is standard input or output. Lengths are CSS px. Pictures are kept in a cache (default: ./cache; --cache DIR \
      or OFFPRINT_CACHE), so that the same page with the same options is drawn once.

      Exit codes: 0 done, 1 some jobs failed (batch, warm), 2 the render failed, 64 wrong usage, 65 bad input data, 66 input not found, \
      69 a limit was exceeded, 73 output cannot be written, 74 the cache cannot be used, 75 timed out, 77 a resource was refused.
      """,
    version: Renderer.version,
    subcommands: [
      RenderCommand.self, BatchCommand.self, WarmCommand.self, InspectCommand.self, FontsCommand.self, BackgroundCommand.self,
      CacheCommand.self,
    ])

  /// Every failure of ours ends here: one sentence on standard error, and its exit code.
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let error as OffprintError {
      Output.error("offprint: \(error)")
      Glibc.exit(error.code.exitCode)
    } catch {
      exit(withError: error)
    }
  }
}
