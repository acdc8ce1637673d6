import OffprintCoreTypes
import Glibc

/// Threads of the command's own: they wait for renders, which Swift's cooperative pool must not.
enum Threads {
  /// Deep JSON and templates recurse; reserved address space costs nothing until used.
  private static let stackBytes = 64 << 20

  /// Runs `body` on `count` threads at a time and returns when all have ended. Where no thread is to be had, it runs here.
  static func run(_ count: Int, _ body: @escaping @Sendable () -> Void) {
    let threads = (0..<count).compactMap { _ in start(body) }
    if threads.isEmpty { body() }
    for thread in threads { pthread_join(thread, nil) }
  }

  /// Runs `body` beside everything else; nobody waits for its end.
  static func detach(_ body: @escaping @Sendable () -> Void) {
    if let thread = start(body) { pthread_detach(thread) }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? { SystemThread.start(stackBytes: stackBytes, body) }
}
