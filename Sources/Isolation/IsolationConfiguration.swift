internal import OffprintCoreTypes
internal import Glibc
import Offprint

/// Configures the isolation of pages.
public struct IsolationConfiguration: Sendable {
  /// The program to run as a worker, which calls `IsolatedWorker.run` when called with `arguments`.
  public var program: String
  /// Its arguments, without its own name.
  public var arguments: [String]
  /// The memory limit of a worker while it renders, in bytes; a page that exceeds it fails with `workerMemory`.
  public var memoryBytes = 1 << 30
  /// How long after a page's deadline its worker may still respond, in seconds, before it is killed.
  public var graceSeconds = 0.5
  /// A worker is replaced after this many pages.
  public var retiresAfterRenders = 1000
  /// A worker that uses more memory than this after a page is replaced.
  public var retiresAboveBytes = 256 << 20
  /// The niceness of workers relative to their owner, from 0 (the same) to 19. Above 0, they also use the batch scheduling policy.
  public var niceness = 0
  /// The time limit for a worker to become ready, in seconds.
  public var startSeconds = 10.0
  /// Layers that may be missing. If any other layer is missing, no worker renders: pages fail with `workerUnavailable`, which names the
  /// layer.
  public var dispensableLayers: Set<IsolationReport.Layer> = []
  /// Called with the isolation of the workers when the first is ready, on a thread of the library.
  public var onFirstReport: (@Sendable (IsolationReport) -> Void)?

  /// - Parameters:
  ///   - program: A path; nil for this program, which also works after its file was replaced if `/proc` is available. In the C library,
  ///     `bin/offprint` in a folder above the library.
  ///   - arguments: Without the program's own name.
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

/// Statistics of worker processes.
public struct WorkerStatistics: Hashable, Sendable, Codable {
  /// Processes that became ready.
  public var started = 0
  /// Processes that could not be started.
  public var failedStarts = 0
  /// Processes replaced after their number of pages, or because of their memory use.
  public var retired = 0
  /// Processes that ended while rendering.
  public var crashed = 0
  /// Processes killed because they did not respond in time.
  public var timedOut = 0
  /// Processes killed because they used too much memory.
  public var outOfMemory = 0
  /// Processes that ended while idle.
  public var lost = 0
  /// Processes currently running.
  public var alive = 0

  public init() {}
}
