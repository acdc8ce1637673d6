import Glibc

/// A worker process and the page that it is rendering.
final class WorkerProcess {
  struct Answer { let number: UInt64, outcome: String, milliseconds: Int, peakKiB: Int }

  let process: pid_t
  /// The number of workers started so far. Each has a separate file for its standard error.
  private nonisolated(unsafe) static var count = 0
  private let input: Int32
  let output: Int32
  let errorPath: String
  private var buffer: [UInt8] = []
  var current: UInt64?
  var started = ContinuousClock.now
  var isAskedToStop = false

  init(_ options: Options) throws {
    Self.count += 1
    errorPath = "\(options.folder)/worker-\(getpid())-\(Self.count).err"
    var toChild: [Int32] = [0, 0]
    var fromChild: [Int32] = [0, 0]
    guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else {
      throw Failure("A pipe cannot be created: \(String(cString: strerror(errno))).")
    }
    for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, errorPath, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    let words =
      ["fuzz-pages", "--worker", "--timeout", "\(options.seconds)s"] + (options.rendersTwice ? ["--twice"] : [])
      + (options.isSVG ? ["--svg"] : [])
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { arguments.forEach { free($0) } }
    var child: pid_t = 0
    let result = posix_spawn(&child, "/proc/self/exe", &actions, nil, arguments, environ)
    guard result == 0 else { throw Failure("A worker cannot be started: \(String(cString: strerror(result))).") }
    process = child
    input = toChild[1]
    output = fromChild[0]
    close(toChild[0])
    close(fromChild[1])
  }

  deinit {
    close(input)
    close(output)
    unlink(errorPath)
  }

  func send(_ text: String, _ number: UInt64) {
    current = number
    started = .now
    isAskedToStop = false
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      sent += count
    }
  }

  /// Reads available output. Nil if the answer is incomplete; `.failure` if the process has ended.
  func receive() -> Result<Answer?, Failure> {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count = chunk.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count) }
    if count <= 0 { return .failure(Failure("The worker has exited.")) }
    buffer += chunk.prefix(count)
    guard let end = buffer.firstIndex(of: 10) else { return .success(nil) }
    let words = String(decoding: buffer[..<end], as: UTF8.self).split(separator: " ")
    buffer.removeSubrange(...end)
    guard words.count == 4, let number = UInt64(words[0]) else { return .success(nil) }
    return .success(Answer(number: number, outcome: String(words[1]), milliseconds: Int(words[2]) ?? 0, peakKiB: Int(words[3]) ?? 0))
  }

  var elapsed: Double {
    let duration = ContinuousClock.now - started
    return Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
  }

  /// Waits for the process to exit.
  func status() -> Int32 {
    var status: Int32 = 0
    waitpid(process, &status, 0)
    return status
  }

  func end() {
    kill(process, SIGKILL)
    _ = status()
  }
}

struct Failure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
