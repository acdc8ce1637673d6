import ArgumentParser
import Offprint

struct WarmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "warm", abstract: "Renders jobs into the cache, and writes no files.",
    discussion: """
      JOBS as for 'batch'. What is in the cache already costs a look-up. Says hits, misses, seconds and bytes; --json as one object. \
      Where the cache cannot store, it ends with exit code 74; with --keep-going it tries the rest.
      """)

  @Argument(help: ArgumentHelp("An NDJSON file, or - for standard input.", valueName: "jobs")) var jobs: String
  @Flag(name: .customLong("json"), help: "The figures as JSON.") var json = false
  @OptionGroup(title: "Jobs") var options: JobOptions
  @OptionGroup(title: "Defaults for every job") var page: PageOptions
  @OptionGroup(title: "Engine") var engine: EngineOptions

  mutating func validate() throws {
    if engine.noCache { throw ValidationError("warm fills the cache: --no-cache makes no sense.") }
  }

  mutating func run() throws {
    let start = ContinuousClock.now
    let run = JobRun(page: page, engine: engine, options: options, folder: nil)
    let tally = try run.perform(jobs, reportPath: nil)
    let seconds = (ContinuousClock.now - start).seconds
    if json {
      Output.line(
        "{\"hits\":\(tally.cached),\"misses\":\(tally.rendered),\"failed\":\(tally.failed),\"seconds\":\(JSONText.number(seconds)),\"bytes\":\(tally.bytes)}"
      )
    } else {
      Output.line(
        "\(tally.cached) hits, \(tally.rendered) misses, \(tally.failed) failed, \(seconds.rounded(places: 2)) s, \(tally.bytes) bytes")
    }
    // Said when it was seen.
    if tally.cacheProblem != nil { throw ExitCode(OffprintError.Code.cacheUnusable.exitCode) }
    if tally.failed > 0 { throw ExitCode(1) }
  }
}
