import Glibc

/// Ctrl-C and what else asks a run to end: once, to end soon; twice, to end now.
enum Interrupts {
  /// From here on the first signal calls `first`, on a thread of its own, and the next ends the process as it would have without this.
  /// Called before other threads begin, which inherit that they are not interrupted.
  static func watch(_ first: @escaping @Sendable () -> Void) {
    var signals = sigset_t()
    sigemptyset(&signals)
    // What was started not to be interrupted, as with nohup, is not.
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let waited = signals
    Threads.detach {
      var signals = waited
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { return }
      first()
      guard sigwait(&signals, &number) == 0 else { return }
      // The status line must not stay where the prompt comes.
      StatusLine.show(nil)
      signal(number, SIG_DFL)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      raise(number)
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1  // SIG_IGN
  }
}
