internal import Glibc

/// Threads that may block, unlike those of Swift's cooperative pool.
package enum SystemThread {
  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// - Parameter isDetached: Whether the thread is detached; otherwise the caller must join or detach it.
  /// - Returns: The `pthread_t`; nil if no thread could be created.
  package static func start(stackBytes: Int, isDetached: Bool = false, _ body: @escaping @Sendable () -> Void) -> UInt? {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, stackBytes)
    if isDetached { pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED)) }
    defer { pthread_attr_destroy(&attributes) }
    var thread = pthread_t()
    let context = Unmanaged.passRetained(Body(body))
    let status = pthread_create(
      &thread, &attributes,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, context.toOpaque())
    if status == 0 { return thread }
    context.release()
    return nil
  }

  /// Runs `body` on this thread and on up to `others` new ones, as many as can be created, and returns when all have ended.
  package static func together(with others: Int, stackBytes: Int, _ body: @escaping @Sendable () -> Void) {
    let threads = (0..<others).compactMap { _ in start(stackBytes: stackBytes, body) }
    body()
    for thread in threads { pthread_join(thread, nil) }
  }
}
