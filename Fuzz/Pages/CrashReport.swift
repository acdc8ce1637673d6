import Glibc

/// Writes the stack of a worker that a signal terminates to its standard error, as addresses. The parent process resolves them to names.
enum CrashReport {
  private typealias Backtrace = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32
  private typealias Symbols = @convention(c) (UnsafePointer<UnsafeMutableRawPointer?>, Int32, Int32) -> Void

  private static let depth: Int32 = 96
  // Written once, before the signal handlers are installed.
  private nonisolated(unsafe) static var backtrace: Backtrace?
  private nonisolated(unsafe) static var symbols: Symbols?
  private nonisolated(unsafe) static var frames: UnsafeMutablePointer<UnsafeMutableRawPointer?>?

  static func install() {
    backtrace = unsafeBitCast(dlsym(nil, "backtrace"), to: Backtrace?.self)
    symbols = unsafeBitCast(dlsym(nil, "backtrace_symbols_fd"), to: Symbols?.self)
    let buffer = UnsafeMutablePointer<UnsafeMutableRawPointer?>.allocate(capacity: Int(depth))
    buffer.initialize(repeating: nil, count: Int(depth))
    frames = buffer
    // The first call loads the unwinder, which is not safe in a signal handler.
    _ = backtrace?(buffer, depth)
    giveStack()
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { CrashReport.report($0) }
    action.sa_flags = SA_ONSTACK | Int32(bitPattern: UInt32(SA_RESETHAND))
    for number in [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGUSR2] { sigaction(number, &action, nil) }
    // The signal must be delivered to the rendering thread, whose stack is of interest, not to the waiting one.
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGUSR2)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
  }

  /// Sets an alternate signal stack for the current thread, because its own may have overflowed.
  static func giveStack() {
    let size = 256 << 10
    var stack = stack_t(ss_sp: .allocate(byteCount: size, alignment: 16), ss_flags: 0, ss_size: size)
    sigaltstack(&stack, nil)
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGUSR2)
    pthread_sigmask(SIG_UNBLOCK, &mask, nil)
  }

  private static func report(_ number: Int32) {
    if let frames, let count = backtrace?(frames, depth) { symbols?(frames, count, 2) }
    signal(number, SIG_DFL)
    kill(getpid(), number == SIGUSR2 ? SIGKILL : number)
  }
}
