import ArgumentParser
import Offprint

struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch", abstract: "Draws many pages.",
    discussion: """
      JOBS is NDJSON: one JSON object a line, with "id", one of "input", "html" or "template", and any option of 'render' by its name: \
      "output", "width", "height", "scale", "background", "selector", "data", "set", "identifier", … Without "output" the picture is ID.png in \
      --output DIR. The list is read twice: first to see that no two jobs have the same id or output, which is an error before anything is \
      drawn (16 bytes of each are kept, and what comes through a pipe in a temporary file), then job by job; it may have any length.

      A page in a list ("html") may read no files unless --allow-files or "allow-files" says so; a page in a file ("input") those beside it.

      --report says one line of JSON a job as it ends: {"id","status":"rendered"|"cached"|"failed","error":{"code","message"},"output",\
      "width","height","bytes","milliseconds"}.

      Example:
        offprint batch jobs.ndjson --output pictures --report -
      """)

  @Argument(help: ArgumentHelp("An NDJSON file, or - for standard input.", valueName: "jobs")) var jobs: String
  @Option(
    name: [.short, .customLong("output")], help: ArgumentHelp("The folder for pictures (default: the working directory).", valueName: "dir")
  )
  var output: String = "."
  @Option(name: .customLong("report"), help: ArgumentHelp("Where the report goes, - for standard output.", valueName: "file")) var report:
    String?
  @OptionGroup(title: "Jobs") var options: JobOptions
  @OptionGroup(title: "Defaults for every job") var page: PageOptions
  @OptionGroup(title: "Engine") var engine: EngineOptions

  mutating func run() throws {
    let run = JobRun(page: page, engine: engine, options: options, folder: output)
    let tally = try run.perform(jobs, reportPath: report)
    if tally.failed > 0 { throw ExitCode(1) }
  }
}
