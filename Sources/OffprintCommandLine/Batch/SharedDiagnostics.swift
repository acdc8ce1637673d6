import Offprint
import Synchronization

/// The diagnostics of a run. A diagnostic of many rows is printed for the first one, and again at the end with the number of others.
final class SharedDiagnostics: Sendable {
  private struct Entry {
    var diagnostic: Diagnostic
    var count = 0
  }
  private let entries = Mutex<[String: Entry]>([:])
  /// The maximum number of different diagnostics to remember; further ones are printed every time.
  private static let limit = 1000

  func report(_ diagnostics: [Diagnostic], job: String, quiet: Bool) {
    for diagnostic in diagnostics where !quiet || diagnostic.severity == .degraded {
      let isNew = entries.withLock { entries in
        let name = "\(diagnostic.code.rawValue) \(diagnostic.message)"
        entries[name]?.count += 1
        if entries[name] != nil { return false }
        if entries.count < Self.limit { entries[name] = Entry(diagnostic: diagnostic) }
        return true
      }
      if isNew { Output.note(diagnostic.inJob(job)) }
    }
  }

  /// Called at the end of the run.
  func summarize() {
    let shared = entries.withLock { entries in
      defer { entries = [:] }
      return entries.sorted { $0.key < $1.key }.map(\.value).filter { $0.count > 0 }
    }
    for entry in shared {
      var diagnostic = entry.diagnostic
      diagnostic.message = "\(entry.count) more \(entry.count == 1 ? "job has" : "jobs have") this diagnostic: \(diagnostic.message)"
      Output.note(diagnostic)
    }
  }
}
