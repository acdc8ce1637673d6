import ArgumentParser
import Glibc

struct JobOptions: ParsableArguments {
  @Option(name: .customLong("jobs"), help: ArgumentHelp("How many are drawn at a time (default: the number of cores).", valueName: "n"))
  var workers: Int?
  @Flag(name: .customLong("keep-going"), help: "Go on after a job failed (exit code 1 at the end).") var keepGoing = false
  @Option(name: .customLong("shard"), help: ArgumentHelp("Take every N-th job from the I-th on, I from 1 to N.", valueName: "i/n"))
  var shard: Shard?
  @OptionGroup var lines: LineOptions

  mutating func validate() throws {
    if let workers, !(1...256).contains(workers) { throw ValidationError("--jobs is 1 to 256.") }
  }
}

struct LineOptions: ParsableArguments {
  @Option(name: .customLong("max-line-bytes"), help: ArgumentHelp("Bytes of a line of a list (default: 32MiB).", valueName: "bytes"))
  var most: Amount?

  /// The most bytes of a line.
  var limit: Int { most?.value ?? 32 << 20 }

  mutating func validate() throws {
    if let most, !(1...(1 << 30)).contains(most.value) { throw ValidationError("--max-line-bytes is 1 to \(1 << 30).") }
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
