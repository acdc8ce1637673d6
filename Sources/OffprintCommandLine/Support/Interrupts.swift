import Glibc

/// Handles Ctrl-C and other termination signals: the first ends the run soon, the second immediately.
enum Interrupts {
  /// The first signal calls `first` on a dedicated thread; the next one ends the process by its default action. Must be called before other
  /// threads start, so that they inherit the signal mask.
  static func watch(_ first: @escaping @Sendable () -> Void) {
    var signals = sigset_t()
    sigemptyset(&signals)
    // Signals that were ignored at startup, as with nohup, remain ignored.
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let waited = signals
    Threads.detach {
      var signals = waited
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { return }
      first()
      guard sigwait(&signals, &number) == 0 else { return }
      // The status line must not remain before the shell's prompt.
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
