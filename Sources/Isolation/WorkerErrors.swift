internal import OffprintCoreTypes
internal import Glibc
internal import Offprint

extension WorkerProcesses {
  /// The error of a page whose worker failed.
  static func error(
    _ reason: PageExchange.Reason, _ ending: ChildProcess.Ending, _ page: RemotePage, _ isolation: IsolationConfiguration
  ) -> OffprintError {
    switch reason {
    case .cancelled: return OffprintError(.cancelled, "The render was canceled: no caller is waiting for it.")
    case .overdue: return overdue(page)
    case .overMemory: return overMemory(isolation)
    case .malformed(let reason):
      return OffprintError(
        .workerCrashed, "The worker process of the page sent an invalid message and was ended: \(reason). No other page is affected.")
    case .ended:
      if ending.signal == SIGXCPU { return overdue(page) }
      if ending.residentBytes >= isolation.memoryBytes { return overMemory(isolation) }
      return OffprintError(
        .workerCrashed, "The worker process of the page \(how(ending)). The page cannot be rendered; no other page is affected.")
    }
  }

  private static func how(_ ending: ChildProcess.Ending) -> String {
    switch ending.signal {
    case 0 where ending.status < 0: "ended"
    case 0: "ended with exit code \(ending.status)"
    case let signal: "was ended by signal \(signal) (\(strsignal(signal).map { String(cString: $0) } ?? "unknown"))"
    }
  }

  private static func overdue(_ page: RemotePage) -> OffprintError {
    OffprintError(
      .workerTimedOut,
      "The worker process did not stop after the time limit of \(page.request.limits.seconds) s and was ended; "
        + "make the page simpler or raise \(OptionName.timeout.text)."
    )
  }

  private static func overMemory(_ isolation: IsolationConfiguration) -> OffprintError {
    OffprintError(
      .workerMemory,
      "The page needs more memory than the limit of a worker process (\(isolation.memoryBytes) bytes); make the page smaller or raise the limit."
    )
  }
}
