import OffprintCoreTypes
import Glibc

/// Threads of the command, which block on renders; Swift's cooperative pool must not be blocked.
enum Threads {
  /// Deep JSON and templates recurse. Reserved address space costs nothing until it is used.
  private static let stackBytes = 64 << 20

  /// Runs `body` on `count` threads and returns when all have ended. If no thread can be created, it runs on the calling thread.
  static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let threads = (0..<count).compactMap { _ in start(body) }
    if threads.isEmpty { body() }
    for thread in threads { pthread_join(thread, nil) }
  }

  /// Runs `body` on a detached thread.
  static func detach(_ body: @escaping @Sendable () -> Void) {
    if let thread = start(body) { pthread_detach(thread) }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? { SystemThread.start(stackBytes: stackBytes, body) }
}
