import ArgumentParser
import Offprint

struct WarmCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "warm", abstract: "Renders jobs into the cache without writing files.",
    discussion: """
      JOBS are those of 'batch'. To warm the cache with earlier requests, let your program log them as JSON lines with the job in a member "job". \
      Jobs that are already in the cache cost a lookup. Prints hits, misses, seconds and bytes; --json prints one object. If the cache cannot \
      store an image, the exit code is 74; with --keep-going the other jobs are still tried.
      """)

  @OptionGroup(title: "Lists") var lists: ListOptions
  @OptionGroup(title: "Jobs") var options: JobOptions
  @OptionGroup(title: "Defaults for every job") var page: PageOptions
  @OptionGroup(title: "Engine") var engine: EngineOptions

  mutating func validate() throws {
    if engine.noCache { throw ValidationError("warm writes to the cache and excludes --no-cache.") }
  }

  mutating func run() throws {
    let input = try JobInput(lists, page, name: nil)
    let (tally, seconds) = try JobRun(input: input, lists: lists, engine: engine, options: options, folder: nil).perform()
    if options.report != "-" { tell(tally, seconds) }
    // Reported when it occurred.
    if tally.cacheProblem != nil { throw ExitCode(OffprintError.Code.cacheUnusable.exitCode) }
    if tally.failed > 0 || tally.isInterrupted { throw ExitCode(1) }
  }

  private func tell(_ tally: Tally, _ seconds: Double) {
    let misses = tally.rendered + tally.degraded
    if options.json {
      Output.line(
        "{\"hits\":\(tally.cached),\"misses\":\(misses),\"degraded\":\(tally.degraded),\"failed\":\(tally.failed),"
          + "\"skipped\":\(tally.skipped),\"seconds\":\(JSONText.number(seconds)),\"bytes\":\(tally.bytes)}")
    } else if options.dryRun {
      Output.line(tally.preview)
    } else {
      let degraded = tally.degraded > 0 ? " (\(tally.degraded) degraded: not cached)" : ""
      Output.line(
        "\(tally.cached.counted("hit")), \(misses.counted("miss", "misses"))\(degraded), \(tally.failed) failed; "
          + "\(seconds.rounded(places: 2)) s, \(tally.bytes.counted("byte"))")
    }
  }
}
