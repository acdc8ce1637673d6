import ArgumentParser
import Glibc
import Offprint
import OffprintRemote

struct WorkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "work", abstract: "Renders jobs of a queue until it is interrupted.",
    discussion: """
      Any number of workers on any number of machines can share a queue. 'offprint enqueue' adds jobs. A job is done when its image is in the cache, \
      with --tier in the shared cache, and with --output in its file; then its result is stored for 'offprint collect'. If a worker dies, its \
      job is taken by another one after --claim-after. A job that was started --tries times without finishing is abandoned: its result is an \
      error, and 'offprint collect --dead' lists it.

      Ctrl-C stops after the jobs in progress. A second Ctrl-C stops immediately, and other workers take the jobs. While the queue cannot be \
      reached, the worker waits.

      Example:
        offprint work --queue redis://queue.example/0 --tier s3://images --isolate
      """)

  @OptionGroup(title: "Queue") var queue: QueueOptions
  @Option(
    name: [.customShort("j", allowingJoined: true), .customLong("jobs")],
    help: ArgumentHelp("Jobs rendered concurrently (default: the number of cores).", valueName: "n"))
  var workers: Int?
  @Option(
    name: .customLong("tries"), help: ArgumentHelp("Number of times a job is started before it is abandoned (default: 3).", valueName: "n"))
  var tries: Int?
  @Option(
    name: .customLong("claim-after"),
    help: ArgumentHelp("Time without a sign of life after which a worker is considered dead (default: 60s).", valueName: "time"))
  var claimAfter: Age?
  @Flag(name: .customLong("until-empty"), help: "Exit when no job is left, including those of other workers.") var untilEmpty = false
  @Option(
    name: [.short, .customLong("output")], help: ArgumentHelp("Also write images to this folder.", valueName: "dir"))
  var output: String?
  @Flag(name: [.short, .customLong("quiet")], help: "Print only errors.") var quiet = false
  @Flag(name: .customLong("json"), help: "Print the summary and errors as JSON.") var json = false
  @OptionGroup(title: "Engine") var engine: EngineOptions

  mutating func validate() throws {
    if let workers, !(1...256).contains(workers) { throw ValidationError("--jobs must be 1 to 256.") }
    if let tries, !(1...1000).contains(tries) { throw ValidationError("--tries must be 1 to 1000.") }
    if let claimAfter, !(0.1...86_400).contains(claimAfter.seconds) { throw ValidationError("--claim-after must be 100ms to 1d.") }
    if engine.noCache && output == nil {
      throw ValidationError("--no-cache requires --output, because otherwise the images are not stored.")
    }
  }

  mutating func run() throws {
    let address = try queue.queue
    if let output { try Files.makeFolder(output) }
    let stop = StopSignal()
    Interrupts.watch {
      stop.set()
      Output.error("offprint: stopping after the jobs in progress; interrupt again to stop immediately")
    }
    let workers = workers ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    let renderer = try Renderer(engine.configuration(workers: workers, waitsForTier: true))
    defer { renderer.shutdown(isExiting: true) }
    let run = QueueRun(
      address: address, renderer: renderer, stop: stop,
      policy: QueueRun.Policy(
        tries: tries ?? 3, claimMilliseconds: Int((claimAfter?.seconds ?? 60) * 1000), untilEmpty: untilEmpty, output: output,
        cache: engine.policy, network: try engine.allowedNetwork))
    let tally = try run.perform(workers: workers)
    if json {
      Output.line(
        "{\"rendered\":\(tally.rendered),\"hits\":\(tally.cached),\"degraded\":\(tally.degraded),\"failed\":\(tally.failed),"
          + "\"dead\":\(tally.dead),\"put_back\":\(tally.putBack)}")
    } else if !quiet {
      Output.error(tally.text)
    }
  }
}
