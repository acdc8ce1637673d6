import ArgumentParser
import Glibc
import Offprint

struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch", abstract: "Draws many pages.",
    discussion: """
      JOBS is NDJSON: one JSON object a line, with "id", one of "input", "html" or "template", and any option of 'render' by its name: \
      "output", "width", "height", "scale", "background", "selector", "data", "set", "identifier", … Without "output" the picture is ID.png in \
      --output DIR.

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
    let lines = try JobList.read(jobs)
    let reporter = try Reporter(path: report)
    let runner = JobRunner(page: page, engine: engine, options: options, destination: .folder(output), reporter: reporter)
    let tally = try runner.run(lines)
    try reporter.finish()
    if tally.failed > 0 { throw ExitCode(1) }
  }
}

struct WarmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "warm", abstract: "Renders jobs into the cache, and writes no files.",
    discussion:
      "JOBS as for 'batch'. What is in the cache already costs a look-up. Says hits, misses, seconds and bytes; --json as one object.")

  @Argument(help: ArgumentHelp("An NDJSON file, or - for standard input.", valueName: "jobs")) var jobs: String
  @Flag(name: .customLong("json"), help: "The figures as JSON.") var json = false
  @OptionGroup(title: "Jobs") var options: JobOptions
  @OptionGroup(title: "Defaults for every job") var page: PageOptions
  @OptionGroup(title: "Engine") var engine: EngineOptions

  mutating func validate() throws {
    if engine.noCache { throw ValidationError("warm fills the cache: --no-cache makes no sense.") }
  }

  mutating func run() throws {
    let lines = try JobList.read(jobs)
    let start = ContinuousClock.now
    let runner = JobRunner(page: page, engine: engine, options: options, destination: .nowhere, reporter: try Reporter(path: nil))
    let tally = try runner.run(lines)
    let seconds = (ContinuousClock.now - start).seconds
    if json {
      Output.line(
        "{\"hits\":\(tally.cached),\"misses\":\(tally.rendered),\"failed\":\(tally.failed),\"seconds\":\(JSONText.number(seconds)),\"bytes\":\(tally.bytes)}"
      )
    } else {
      Output.line(
        "\(tally.cached) hits, \(tally.rendered) misses, \(tally.failed) failed, \(seconds.rounded(places: 2)) s, \(tally.bytes) bytes")
    }
    if tally.failed > 0 { throw ExitCode(1) }
  }
}

struct JobOptions: ParsableArguments {
  @Option(name: .customLong("jobs"), help: ArgumentHelp("How many are drawn at a time (default: the number of cores).", valueName: "n"))
  var workers: Int?
  @Flag(name: .customLong("keep-going"), help: "Go on after a job failed (exit code 1 at the end).") var keepGoing = false
  @Option(name: .customLong("shard"), help: ArgumentHelp("Take every N-th job from the I-th on, I from 1 to N.", valueName: "i/n"))
  var shard: Shard?

  mutating func validate() throws {
    if let workers, !(1...256).contains(workers) { throw ValidationError("--jobs is 1 to 256.") }
  }
}

/// `I/N`; also what schedulers of job arrays set.
struct Shard: ExpressibleByArgument {
  var index: Int
  var count: Int

  init?(argument: String) {
    let parts = argument.split(separator: "/").map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], count >= 1, (1...count).contains(index) else { return nil }
    (self.index, self.count) = (index, count)
  }

  /// From `SLURM_ARRAY_TASK_ID` and `_COUNT`, or `AWS_BATCH_JOB_ARRAY_INDEX` and `_SIZE`.
  static var fromEnvironment: Shard? {
    func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }
    if let index = number("SLURM_ARRAY_TASK_ID"), let count = number("SLURM_ARRAY_TASK_COUNT") {
      return Shard(argument: "\(index - (number("SLURM_ARRAY_TASK_MIN") ?? 0) + 1)/\(count)")
    }
    if let index = number("AWS_BATCH_JOB_ARRAY_INDEX"), let count = number("AWS_BATCH_JOB_ARRAY_SIZE") {
      return Shard(argument: "\(index + 1)/\(count)")
    }
    return nil
  }

  func takes(_ number: Int) -> Bool { number % count == index - 1 }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}

extension Double {
  func rounded(places: Int) -> String {
    let factor = [1.0, 10, 100, 1000][min(max(places, 0), 3)]
    return JSONText.number((self * factor).rounded() / factor)
  }
}
