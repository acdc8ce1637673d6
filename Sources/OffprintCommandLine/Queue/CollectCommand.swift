import ArgumentParser
import OffprintCoreTypes
import Glibc
import Offprint
import OffprintRemote

struct CollectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "collect", abstract: "Writes the results of a queue as a batch report.",
    discussion: """
      Waits until all jobs are done. --no-wait collects the available results; --follow runs until it is interrupted. A result is removed from the \
      queue when it is in the report; then a job with its id can be added again. With --output, images are fetched from the cache and --tier. Run \
      only one collect per queue at a time.

      Abandoned jobs are reported as failed. --dead lists them as jobs that 'offprint enqueue' accepts.

      Exit codes: 0 success, 1 some jobs failed.

      Examples:
        offprint collect --queue redis://queue.example/0 --report report.ndjson --output images --tier s3://images
        offprint collect --queue redis://queue.example/0 --dead > dead.ndjson
      """)

  @OptionGroup(title: "Queue") var queue: QueueOptions
  @Option(name: .customLong("report"), help: ArgumentHelp("The report file (default: standard output).", valueName: "file"))
  var report: String?
  @Flag(name: .customLong("follow"), help: "Run until interrupted.") var follow = false
  @Flag(name: .customLong("no-wait"), help: "Collect the available results without waiting.") var noWait = false
  @Flag(name: .customLong("dead"), help: "List the abandoned jobs, and remove them from the queue.") var dead = false
  @Option(name: [.short, .customLong("output")], help: ArgumentHelp("Write the images to this folder.", valueName: "dir"))
  var output: String?
  @Flag(name: .customLong("json"), help: "Print the summary (with --report) and errors as JSON.") var json = false
  @OptionGroup(title: "Engine") var engine: EngineOptions

  mutating func validate() throws {
    if follow && noWait { throw ValidationError("--follow and --no-wait exclude each other.") }
    if dead && (follow || noWait || output != nil) { throw ValidationError("--dead excludes --follow, --no-wait and --output.") }
    if json && report == nil { throw ValidationError("--json requires --report FILE, because the report is written to standard output.") }
    if output != nil && engine.noCache { throw ValidationError("--output fetches images from the cache and excludes --no-cache.") }
  }

  mutating func run() throws {
    let queue = WorkQueue(try queue.queue)
    let reporter = try Reporter(path: report ?? "-", goesOn: true)
    if dead {
      try listDead(queue, reporter)
      return try reporter.finish()
    }
    let stop = StopSignal()
    Interrupts.watch { stop.set() }
    let renderer = try output.map { folder throws(OffprintError) in
      try Files.makeFolder(folder)
      return try Renderer(engine.configuration())
    }
    defer { renderer?.shutdown(isExiting: true) }
    let tally = try collect(queue, reporter, renderer, stop)
    try reporter.finish()
    if json {
      Output.line("{\"jobs\":\(tally.done),\"failed\":\(tally.failed),\"missing\":\(tally.missing),\"left\":\(tally.left)}")
    } else {
      let parts = [(tally.missing, "images are missing"), (tally.left, "jobs left"), (tally.dead, "abandoned (--dead)")]
      let rest = parts.filter { $0.0 > 0 }.map { ", \($0.0) \($0.1)" }.joined()
      Output.error("\(tally.done) results, \(tally.failed) failed\(rest)")
    }
    if tally.failed > 0 || tally.missing > 0 { throw ExitCode(1) }
  }

  private struct Figures { var done = 0, failed = 0, missing = 0, left = 0, dead = 0 }

  private func collect(_ queue: WorkQueue, _ reporter: Reporter, _ renderer: Renderer?, _ stop: StopSignal) throws(OffprintError) -> Figures
  {
    var figures = Figures()
    while !stop.isSet && !Output.hasFailed {
      // Queried before the results: if a job ends in between, its result is among them.
      let left = try queue.left()
      let letters = try queue.results(after: "0", waiting: noWait || left == 0 && !follow ? 0 : 500)
      if letters.isEmpty && (noWait || left == 0 && !follow) { break }
      for letter in letters {
        figures.done += 1
        let state = JSONValue(parsing: letter.report)?["state"]?.string
        if state == "failed" { figures.failed += 1 }
        if let renderer, state != "failed", !fetch(letter, renderer) { figures.missing += 1 }
        reporter.report(line: letter.report)
      }
      // Only results that were written may be removed from the queue.
      guard reporter.isWhole else { break }
      try queue.forget(letters)
    }
    (figures.left, figures.dead) = (try queue.left(), try queue.deadCount())
    return figures
  }

  /// - Returns: Whether the image was written to its file.
  private func fetch(_ letter: WorkQueue.Letter, _ renderer: Renderer) -> Bool {
    guard let folder = output, let report = JSONValue(parsing: letter.report), let name = report["output"]?.string,
      let image = renderer.image(key: report["key"]?.string ?? "")
    else {
      Output.error("offprint: \(Sentence.fit(letter.id)): its image is not in the cache.")
      return false
    }
    do throws(OffprintError) {
      let path = try JobLetter.path(name, in: folder)
      try Files.makeFolder(Files.folder(of: path))
      try Files.write(image, to: path)
      return true
    } catch {
      Output.failure(error, job: letter.id)
      return false
    }
  }

  private func listDead(_ queue: WorkQueue, _ reporter: Reporter) throws(OffprintError) {
    var last = "0"
    while case let letters = try queue.dead(after: last), let final = letters.last {
      for letter in letters {
        guard case .object(var fields)? = JSONValue(parsing: letter.body)?["fields"] else { continue }
        fields["id"] = .string(letter.id)
        reporter.report(line: Array(JSONValue.object(fields).text.utf8))
        let reason = JSONValue(parsing: letter.report)?["error"]?["message"]?.string ?? ""
        Output.error("offprint: \(Sentence.fit(letter.id)): \(Sentence.fit(reason))")
      }
      guard reporter.isWhole && !Output.hasFailed else { return }
      try queue.forgetDead(letters)
      last = final.entry
    }
  }
}
