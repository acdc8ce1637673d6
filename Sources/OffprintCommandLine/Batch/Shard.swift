import OffprintCoreTypes
import ArgumentParser
import Glibc

/// `I/N`, or the variables of job-array schedulers.
struct Shard: ExpressibleByArgument {
  var index: Int
  var count: Int

  init?(argument: String) {
    let parts = argument.split(byte: "/").map { Int($0) }
    guard parts.count == 2, let index = parts[0], let count = parts[1], count >= 1, (1...count).contains(index) else { return nil }
    (self.index, self.count) = (index, count)
  }

  private init?(from zero: Int?, of count: Int?) {
    guard let zero, let count, count >= 1, (0..<count).contains(zero) else { return nil }
    (index, self.count) = (zero + 1, count)
  }

  /// The shard of this process according to the scheduler; nil without one.
  ///
  /// - Slurm: https://slurm.schedmd.com/job_array.html
  /// - AWS Batch: https://docs.aws.amazon.com/batch/latest/userguide/job_env_vars.html
  /// - Kubernetes: https://kubernetes.io/docs/tasks/job/indexed-parallel-processing-static/ (the number of completions is not set by
  ///   Kubernetes: the manifest sets `JOB_COMPLETIONS`)
  static var fromEnvironment: Shard? {
    if let id = number("SLURM_ARRAY_TASK_ID") {
      let step = max(1, number("SLURM_ARRAY_TASK_STEP") ?? 1)
      let (offset, overflow) = id.subtractingReportingOverflow(number("SLURM_ARRAY_TASK_MIN") ?? 0)
      return overflow ? nil : Shard(from: offset / step, of: number("SLURM_ARRAY_TASK_COUNT"))
    }
    if let index = number("AWS_BATCH_JOB_ARRAY_INDEX") { return Shard(from: index, of: number("AWS_BATCH_JOB_ARRAY_SIZE")) }
    if let index = number("JOB_COMPLETION_INDEX") { return Shard(from: index, of: number("JOB_COMPLETIONS")) }
    return nil
  }

  /// Why the scheduler's variables cannot be used; nil if they are unset or valid.
  static var problemInEnvironment: String? {
    guard fromEnvironment == nil else { return nil }
    for (index, count) in [
      ("SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT"), ("AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE"),
      ("JOB_COMPLETION_INDEX", "JOB_COMPLETIONS"),
    ] where getenv(index) != nil {
      return "\(index) is set, but \(count) is missing or does not match; this process renders the whole list. Set --shard I/N or \(count)."
    }
    return nil
  }

  private static func number(_ name: String) -> Int? { getenv(name).flatMap { Int(String(cString: $0)) } }

  func takes(_ number: Int) -> Bool { number % count == index - 1 }
}
