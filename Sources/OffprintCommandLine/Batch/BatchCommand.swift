import ArgumentParser
import Offprint

struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch", abstract: "Draws many pages.",
    discussion: """
      JOBS are lists: NDJSON (a JSON object a line), a JSON array, CSV with a header, paths or URLs (one a line), a sitemap, or the service's \
      access log; or pages themselves. A job has "id", one of "input", "html" or "template", and any option of 'render' by its name: \
      "output", "width", "height", "scale", "background", "selector", "data", "set", "identifier", … Columns of a table that are no option are \
      data for --template. With --template T --data ROWS and no JOBS, each row is data for one picture.

      Without "output" the picture is --name in --output DIR, or ID.png. --name takes fields of the row in braces, and {id}, {number}, {list}, \
      {stem}, {folder}, {width}, {height}, {scale}; {number:04} has at least four digits; folders are made.

      Lists are read twice: first to see that no two jobs have the same id or output, which is an error before anything is drawn (16 bytes of \
      each are kept, and what comes through a pipe in a temporary file), then job by job; they may have any length.

      With --merge FILE.pdf the pages of all jobs are in one PDF, with an outline of their ids. It is written when all jobs are done; one that \
      failed leaves it as it was, or is left out with --keep-going.

      A page in a list ("html") may read no files unless --allow-files or "allow-files" says so; a page in a file ("input") those beside it.

      --report says one line of JSON a job as it ends: {"id","status":"rendered"|"cached"|"failed","state":"rendered"|"hit"|"degraded"|"failed",\
      "error":{"code","message"},"output","width","height","bytes","key","diagnostics","faces","timings","attempts","milliseconds"}.

      Ctrl-C ends after the jobs under way (exit code 1), a second one at once; --resume goes on.

      Examples:
        offprint batch jobs.ndjson --output pictures --report report.ndjson
        offprint batch 'pages/*.html' --output pictures --width 1200
        offprint batch --template ticket.mustache --data guests.csv --name '{table}/{number:03}-{name}.png'
        offprint batch --template certificate --data names.csv --merge certificates.pdf
      """)

  @OptionGroup(title: "Lists") var lists: ListOptions
  @Option(
    name: [.short, .customLong("output")], help: ArgumentHelp("The folder for pictures (default: the working directory).", valueName: "dir")
  )
  var output: String = "."
  @Option(
    name: .customLong("name"),
    help: ArgumentHelp("What pictures are called, as '{sku}-{width}.png' (default: {id}.png).", valueName: "pattern"))
  var name: String?
  @Option(
    name: .customLong("merge"),
    help: ArgumentHelp("Write the pages of all jobs into one PDF, - for standard output, in the order of the lists.", valueName: "file"))
  var merged: String?
  @OptionGroup(title: "Jobs") var options: JobOptions
  @OptionGroup(title: "Defaults for every job") var page: PageOptions
  @OptionGroup(title: "Engine") var engine: EngineOptions

  mutating func validate() throws {
    guard merged != nil else { return }
    if name != nil { throw ValidationError("--merge writes one file: --name makes no sense.") }
    if options.resume { throw ValidationError("--merge and --resume exclude each other: what the cache has is not drawn again.") }
    if let format = page.encoding.format, format != .pdf { throw ValidationError("--merge makes a PDF, not \(format.rawValue).") }
    if merged == "-" && (options.json || options.report == "-") {
      throw ValidationError("The PDF and a report cannot both go to standard output.")
    }
    page.encoding.format = .pdf
  }

  mutating func run() throws {
    let input = try JobInput(lists, page, name: name)
    let run = JobRun(input: input, lists: lists, engine: engine, options: options, folder: output, merged: merged)
    let (tally, seconds) = try run.perform()
    if options.json { Output.line(tally.json(seconds: seconds)) }
    if tally.failed > 0 || tally.isInterrupted { throw ExitCode(1) }
  }
}
