import OffprintCoreTypes
import ArgumentParser
import Glibc
import Offprint

/// The command line as a whole.
package enum CommandLineProgram {
  /// The program, from the arguments of its process to its exit code.
  package static func main() -> Never { OffprintCommand.main() }
}

struct OffprintCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "offprint",
    abstract: "Renders HTML and CSS to images without a browser, and caches the results.",
    discussion: """
      Files are specified by path; '-' is standard input or output. Lengths are in CSS px. Images are cached (default: in ./cache; --cache DIR or \
      OFFPRINT_CACHE), so that the same page with the same options is rendered once.

      Short forms of 'offprint render': 'offprint in.html out.png', 'offprint in.html -w 600' and 'offprint < in.html > out.png'.

      Every option can also be set with an environment variable (OFFPRINT_WIDTH for --width) or a key in offprint.toml, which is searched in the \
      working directory and its parents, then in ~/.config/offprint. An option overrides a variable, and a variable overrides the file. All \
      commands have --config FILE, --no-config and --print-config (prints the source of each value). With --json, errors are JSON: \
      {"error":{"code","message","exit"}}.

      Exit codes: 0 success, 1 some jobs failed (batch, warm), 2 the render failed, 64 invalid usage, 65 invalid input data, 66 input not found, \
      69 a limit was exceeded, 73 the output cannot be written, 74 the cache cannot be used, 75 timed out, 77 a resource was refused, 127 a library \
      is missing.
      """,
    version: Renderer.version,
    subcommands: [
      RenderCommand.self, BatchCommand.self, WarmCommand.self, InspectCommand.self, FontsCommand.self, BackgroundCommand.self,
      CacheCommand.self, TemplatesCommand.self, EnqueueCommand.self, WorkCommand.self, CollectCommand.self, WatchCommand.self,
      WorkerCommand.self, ServeCommand.self, SignCommand.self, MCPCommand.self,
    ])

  static func main() -> Never {
    Program.role = .program
    signal(SIGPIPE, SIG_IGN)
    // A write beyond the process's file size limit is an error of that write.
    signal(SIGXFSZ, SIG_IGN)
    Glibc.exit(run())
  }

  /// All failures end here: one sentence on standard error, and the exit code.
  private static func run() -> Int32 {
    let status: Int32
    let typed = Array(Program.arguments.dropFirst())
    Program.hideCredentials()
    Output.speaksJSON = typed.prefix { $0 != "--" }.contains("--json")
    var arguments: CommandArguments?
    do {
      if let what = Program.undecodable {
        throw OffprintError(
          .usage, "The text of \(what) is not valid UTF-8; pass the contents of files with such names through standard input.")
      }
      if WorkerCommand.isMeant(by: Program.arguments) {
        try WorkerCommand.serve()
        return 0
      }
      if typed.contains("--version"), typed.allSatisfy({ $0 == "--version" || $0 == "--json" }) {
        Output.line(Output.speaksJSON ? VersionReport().json : VersionReport().text)
        try Output.finish()
        return 0
      }
      if typed.first == "help", let text = try HelpTopics.text(typed.dropFirst(), commands: KnownCommand.children(of: self).map(\.name)) {
        Output.line(text)
        try Output.finish()
        return 0
      }
      let prepared = try CommandArguments(typed, root: self)
      arguments = prepared
      CommandArguments.parsed = prepared.all
      if let answer = prepared.answer {
        Output.line(answer)
      } else {
        var command: any ParsableCommand = try RenderCommand(fastPath: prepared.all) ?? parseAsRoot(prepared.all)
        try command.run()
      }
      status = 0
    } catch let error as OffprintError {
      return fail(error)
    } catch {
      status = exitCode(for: error).rawValue
      if status == 0 {
        // Help, the version and completion scripts are results like others.
        Output.line(message(for: error))
      } else if !(error is ExitCode) {
        return fail(OffprintError(.usage, usageSentence(error, arguments)))
      }
    }
    do throws(OffprintError) {
      try Output.finish()
      return status
    } catch {
      return fail(error)
    }
  }

  private static func fail(_ error: OffprintError) -> Int32 {
    // If a program such as 'head' has read as much of the text as it needs, there is nothing to report.
    if !(error.code == .outputUnwritable && Output.isClosedPipe) { Output.failure(error) }
    return error.code.exitCode
  }

  /// What is wrong with the arguments, the source of the option, and where options are explained.
  private static func usageSentence(_ error: any Error, _ arguments: CommandArguments?) -> String {
    var sentence = Sentence.fit(message(for: error))
    if let origin = arguments?.origin(ofOptionIn: sentence) {
      sentence = "\(sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence) (from \(origin))."
    }
    guard let hint = fullMessage(for: error).split(byte: "\n").last(where: { $0.contains("See '") && $0.contains("--help") }) else {
      return sentence
    }
    // The parser's suggestions end in "?.".
    if sentence.hasSuffix("?.") { sentence.removeLast() }
    return "\(sentence)\(sentence.hasSuffix(".") || sentence.hasSuffix("?") ? "" : ".") \(hint.drop { $0 == " " })"
  }
}
