internal import OffprintCoreTypes
internal import Glibc
import Offprint

/// How pages are isolated.
public struct IsolationConfiguration: Sendable {
  /// The program that becomes a worker, which calls `IsolatedWorker.run` when it gets `arguments`.
  public var program: String
  /// What it is called with, without its own name.
  public var arguments: [String]
  /// Bytes in memory that a worker may have while it draws; a page for which that is not enough fails with `workerMemory`.
  public var memoryBytes = 1 << 30
  /// How much later than its deadline a page's worker may answer, in seconds, before it is ended.
  public var graceSeconds = 0.5
  /// After so many pages a worker is replaced.
  public var retiresAfterRenders = 1000
  /// A worker that has more bytes in memory after a page is replaced.
  public var retiresAboveBytes = 256 << 20
  /// How much less than its owner a worker gets of the processors where there are not enough: 0, as much, to 19. Above 0 it is also scheduled
  /// as work that nobody waits for by the millisecond.
  public var niceness = 0
  /// Seconds that a worker has to become ready.
  public var startSeconds = 10.0
  /// Layers that may be missing. Without any other, no worker draws: pages fail with `workerUnavailable`, which names the layer.
  public var dispensableLayers: Set<IsolationReport.Layer> = []
  /// Told what isolates the workers once the first is ready, on a thread of the library's.
  public var onFirstReport: (@Sendable (IsolationReport) -> Void)?

  /// - Parameters:
  ///   - program: a path; nil: this program, where there is `/proc` also after its file was replaced. In the C library, `bin/offprint` in a folder
  ///     above the library.
  ///   - arguments: without the program's own name.
  public init(program: String? = nil, arguments: [String] = ["worker"]) {
    self.program = program ?? Self.ownProgram; self.arguments = arguments
  }

  private static var ownProgram: String {
    if Program.role == .cLibrary { return programBesideLibrary ?? "offprint" }
    let link = "/proc/self/exe"
    return access(link, X_OK) == 0 ? link : Program.path ?? link
  }
}

extension IsolationConfiguration {
  private static var programBesideLibrary: String? {
    var folders = Program.objectPath?.split(byte: "/").dropLast() ?? []
    while !folders.isEmpty {
      folders.removeLast()
      let candidate = "/\(folders.joined(separator: "/"))/bin/offprint"
      if access(candidate, X_OK) == 0 { return candidate }
    }
    return nil
  }
}

/// What became of the worker processes.
public struct WorkerStatistics: Hashable, Sendable, Codable {
  /// Processes that became ready.
  public var started = 0
  /// That could not be started.
  public var failedStarts = 0
  /// Replaced after their time.
  public var retired = 0
  /// Ended while they drew.
  public var crashed = 0
  /// Ended because they did not answer in time.
  public var timedOut = 0
  /// Ended because they had too much memory.
  public var outOfMemory = 0
  /// Ended without drawing; somebody else's doing.
  public var lost = 0
  /// Alive now.
  public var alive = 0

  public init() {}
}
