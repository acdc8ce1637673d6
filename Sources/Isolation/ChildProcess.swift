internal import OffprintCoreTypes
internal import COffprintIsolation
internal import Glibc

/// The process of a worker, at the level of the operating system. Must be used by one thread at a time.
final class ChildProcess: @unchecked Sendable {
  /// How the process ended.
  struct Ending: Hashable {
    /// The signal that ended it; zero if it exited with `status`.
    var signal: Int32
    var status: Int32
    /// The maximum resident set size.
    var residentBytes: Int
  }

  let id: pid_t
  private let handle: Int32
  private let errors: Int32
  private let memory: Int32
  private var ending: Ending?
  private static let pageBytes = max(1, sysconf(Int32(_SC_PAGESIZE)))

  private init(id: pid_t, errors: Int32) {
    self.id = id
    self.errors = errors
    handle = cisolation_process_handle(id)
    // Kept open, so that it never refers to a later process with the same number.
    memory = open("/proc/\(id)/statm", O_RDONLY | O_CLOEXEC)
  }

  deinit {
    end()
    for descriptor in [handle, errors, memory] where descriptor >= 0 { close(descriptor) }
  }

  /// - Parameter channel: Becomes its descriptor 3.
  /// - Throws: The reason, as the end of a sentence.
  static func start(_ program: String, _ arguments: [String], channel: Int32) throws(StartFailure) -> ChildProcess {
    let errors = raised(cisolation_memory_file("errors"))
    guard errors >= 0 else { throw StartFailure("the file for its standard error cannot be created: \(errorText(-errors))") }
    // Of the owner's environment, which may contain secrets, only the variables for locating libraries are passed on.
    let environment = ["LD_LIBRARY_PATH", "OFFPRINT_LIBRARIES"].compactMap { (name: String) in
      getenv(name).map { "\(name)=\(String(cString: $0))" }
    }
    let words: [String] = ["offprint"] + arguments
    let id = withStrings(words) { words in
      withStrings(environment + ["SWIFT_BACKTRACE=enable=no"]) { cisolation_spawn(program, words, $0, errors, channel) }
    }
    guard id > 0 else {
      close(errors)
      throw StartFailure("'\(program)' cannot be started: \(errorText(-id))")
    }
    return ChildProcess(id: id, errors: errors)
  }

  /// Duplicates a descriptor whose number is below 10, so that it does not collide with the descriptors of a worker.
  static func raised(_ descriptor: Int32) -> Int32 {
    guard (0..<10).contains(descriptor) else { return descriptor }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
    let failure = errno
    close(descriptor)
    return copy < 0 ? -failure : copy
  }

  private static func withStrings<R>(_ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> R) -> R {
    let copies = strings.map { strdup($0) }
    defer { copies.forEach { free($0) } }
    return body(copies + [nil])
  }

  /// Resident and virtual memory in bytes; nil if the system does not provide them.
  var memoryUse: (resident: Int, address: Int)? {
    var text = [UInt8](repeating: 0, count: 64)
    let count = pread(memory, &text, text.count, 0)
    guard memory >= 0, count > 0 else { return nil }
    let numbers = text[..<count].split(separator: UInt8(ascii: " ")).prefix(2).map { digits in
      digits.reduce(0) { $0 &* 10 &+ Int($1 &- UInt8(ascii: "0")) } &* Self.pageBytes
    }
    return numbers.count == 2 ? (numbers[1], numbers[0]) : nil
  }

  /// Lowers its scheduling priority: https://man7.org/linux/man-pages/man7/sched.7.html. Has no effect if that is not permitted.
  func step(back niceness: Int) {
    let niceness = Int32(clamping: min(niceness, 19))
    cisolation_lower_priority(id, niceness, 1)
    // Must be opened before the process closes its own files.
    let group = cisolation_open_group(id)
    guard group >= 0 else { return }
    guard cisolation_step_group_back(group, niceness) == -EAGAIN,
      SystemThread.start(stackBytes: 64 << 10, isDetached: true, { Self.step(group, back: niceness) }) != nil
    else {
      close(group)
      return
    }
  }

  /// Retries until the kernel accepts it, on a thread that may block.
  private static func step(_ group: Int32, back niceness: Int32) {
    defer { close(group) }
    for _ in 0..<600 {
      usleep(UInt32.random(in: 100_000...150_000))
      if cisolation_step_group_back(group, niceness) != -EAGAIN { return }
    }
  }

  /// Limits its CPU time from now on.
  func limitCPU(seconds: Double) { _ = cisolation_limit_cpu(id, UInt64(min(max(seconds, 1), 1e6).rounded(.up))) }

  /// Kills it unless it has ended, and returns how it ended.
  @discardableResult
  func end() -> Ending {
    if let ending { return ending }
    _ = cisolation_kill(handle, id, SIGKILL)
    var told = cisolation_ending()
    // If another thread waits for all child processes, the status is lost.
    let status = cisolation_wait(id, &told)
    let ending =
      status == 0
      ? Ending(signal: told.signal, status: told.status, residentBytes: told.resident_bytes)
      : Ending(signal: 0, status: -1, residentBytes: 0)
    self.ending = ending
    return ending
  }

  /// The last part of its standard error, on one line.
  var lastWords: String {
    var bytes = [UInt8](repeating: 0, count: 300)
    let size = lseek(errors, 0, SEEK_END)
    let count = pread(errors, &bytes, bytes.count, max(0, size - bytes.count))
    let text = String(decoding: bytes.prefix(max(0, count)).map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
    return text.split(byte: " ").joined(separator: " ")
  }
}

/// Why a worker did not become ready, as the end of a sentence.
struct StartFailure: Error, Hashable {
  var reason: String
  init(_ reason: String) { self.reason = reason }
}
