import ArgumentParser
import Offprint

struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch", abstract: "Renders many pages.",
    discussion: """
      JOBS are lists or pages. A list is NDJSON (one JSON object per line), a JSON array, CSV with a header, paths or URLs (one per line), a \
      sitemap, or a log of JSON lines with the job in a member "job" (the service's access log contains no jobs). A job has "id", one of "input", \
      "html" or "template", and any option of 'render' by its name: "output", "width", "height", "scale", "background", "selector", "data", \
      "set", "identifier", … Columns of a table that are not options are data for --template. With --template T --data ROWS and no JOBS, each \
      row is the data of one image.

      Without "output", an image is written to --output DIR with the name --name, or ID.png. --name may contain fields of the row in braces, and \
      {id}, {number}, {list}, {stem}, {folder}, {width}, {height}, {scale}; {number:04} has at least four digits. Folders are created.

      Lists are read twice and may have any length. The first pass checks that no two jobs have the same id or output, which is an error before \
      anything is rendered; it keeps 16 bytes of each, and stores a list from a pipe in a temporary file. The second pass renders the jobs.

      With --merge FILE.pdf, the pages of all jobs are written to one PDF, with an outline of their ids, after the last job. If a job fails, an \
      existing file is unchanged; with --keep-going, the failed job is left out.

      A page in a list ("html") may load no files, except from --allow-files or "allow-files". A page in a file ("input") may load files from its \
      folder.

      --report writes one JSON object per job when it ends, with "id", "status" ("rendered", "cached" or "failed"), "state" ("rendered", "hit", \
      "degraded" or "failed"), "error" (with "code" and "message"), "output", "width", "height", "bytes", "key", "diagnostics", "faces", \
      "timings", "attempts" and "milliseconds".

      Ctrl-C stops after the jobs in progress (exit code 1); a second Ctrl-C stops immediately. --resume continues.

      Examples:
        offprint batch jobs.ndjson --output images --report report.ndjson
        offprint batch 'pages/*.html' --output images --width 1200
        offprint batch --template ticket.mustache --data guests.csv --name '{table}/{number:03}-{name}.png'
        offprint batch --template certificate --data names.csv --merge certificates.pdf
      """)

  @OptionGroup(title: "Lists") var lists: ListOptions
  @Option(
    name: [.short, .customLong("output")], help: ArgumentHelp("The folder for images.", valueName: "dir")
  )
  var output: String = "."
  @Option(
    name: .customLong("name"),
    help: ArgumentHelp("A pattern for file names, such as '{sku}-{width}.png' (default: {id}.png).", valueName: "pattern"))
  var name: String?
  @Option(
    name: .customLong("merge"),
    help: ArgumentHelp("Write the pages of all jobs to one PDF, in the order of the lists; - for standard output.", valueName: "file"))
  var merged: String?
  @OptionGroup(title: "Jobs") var options: JobOptions
  @OptionGroup(title: "Defaults for every job") var page: PageOptions
  @OptionGroup(title: "Engine") var engine: EngineOptions

  mutating func validate() throws {
    guard merged != nil else { return }
    if name != nil { throw ValidationError("--merge writes one file and excludes --name.") }
    if options.resume { throw ValidationError("--merge and --resume exclude each other. Cached images are not rendered again.") }
    if let format = page.encoding.format, format != .pdf { throw ValidationError("--merge writes a PDF, not \(format.rawValue).") }
    if merged == "-" && (options.json || options.report == "-") {
      throw ValidationError("The PDF and a report cannot both be written to standard output.")
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
