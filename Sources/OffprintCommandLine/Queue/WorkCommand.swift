import ArgumentParser
import Glibc
import Offprint
import OffprintRemote

struct WorkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "work", abstract: "Draws jobs of a queue, until it is told to end.",
    discussion: """
      Any number of these, on any number of machines, share a queue; 'offprint enqueue' fills it. A job is done when its picture is in the cache, \
      with --tier in the shared store, and with --output in its file; then its result is written for 'offprint collect'. A job whose worker died \
      goes to another one after --claim-after. One that was tried --tries times and never done is given up: its result says so, and \
      'offprint collect --dead' lists it.

      Ctrl-C ends after the jobs under way; a second one at once, and others take them. While the queue cannot be reached it waits.

      Example:
        offprint work --queue redis://queue.example/0 --tier s3://pictures --isolate
      """)

  @OptionGroup(title: "Queue") var queue: QueueOptions
  @Option(
    name: [.customShort("j", allowingJoined: true), .customLong("jobs")],
    help: ArgumentHelp("How many are drawn at a time (default: the number of cores).", valueName: "n"))
  var workers: Int?
  @Option(name: .customLong("tries"), help: ArgumentHelp("How often a job is begun before it is given up (default: 3).", valueName: "n"))
  var tries: Int?
  @Option(
    name: .customLong("claim-after"),
    help: ArgumentHelp("When a worker that says nothing counts as dead (default: 60s).", valueName: "time"))
  var claimAfter: Age?
  @Flag(name: .customLong("until-empty"), help: "End when no job is left, those of other workers included.") var untilEmpty = false
  @Option(
    name: [.short, .customLong("output")], help: ArgumentHelp("Write pictures to this folder as well.", valueName: "dir"))
  var output: String?
  @Flag(name: [.short, .customLong("quiet")], help: "Say only what goes wrong.") var quiet = false
  @Flag(name: .customLong("json"), help: "The figures at the end as JSON; errors too.") var json = false
  @OptionGroup(title: "Engine") var engine: EngineOptions

  mutating func validate() throws {
    if let workers, !(1...256).contains(workers) { throw ValidationError("--jobs is 1 to 256.") }
    if let tries, !(1...1000).contains(tries) { throw ValidationError("--tries is 1 to 1000.") }
    if let claimAfter, !(0.1...86_400).contains(claimAfter.seconds) { throw ValidationError("--claim-after is 100ms to 1d.") }
    if engine.noCache && output == nil { throw ValidationError("--no-cache goes with --output: pictures would be nowhere.") }
  }

  mutating func run() throws {
    let address = try queue.queue
    if let output { try Files.makeFolder(output) }
    let stop = StopSignal()
    Interrupts.watch {
      stop.set()
      Output.error("offprint: stopping when the jobs under way are done; once more ends at once")
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
