// A worker for tests. Before it renders a page, it performs the attack that the page's first comment names. Pages themselves cannot do that; code
// that exploits a flaw of the engine could.
import COffprintIsolation
import Glibc
import OffprintIsolation
import Offprint

/// The word in `<!--harm WORD-->` at the start of the page.
func harm(in request: RenderRequest) -> String? {
  let text = String(decoding: request.html.prefix(200), as: UTF8.self)
  guard text.hasPrefix("<!--harm "), let end = text.range(of: "-->") else { return nil }
  return String(text[text.index(text.startIndex, offsetBy: 9)..<end.lowerBound])
}

extension String {
  /// Foundation's version would add its startup to that of the worker.
  fileprivate func range(of word: String) -> Range<String.Index>? { firstRange(of: word) }
}

/// Allocates and touches memory, 16 MiB at a time, until the process is killed.
func allocate() -> Never {
  while true {
    if let bytes = malloc(16 << 20) { memset(bytes, 1, 16 << 20) }
    usleep(1000)
  }
}

/// Sends arbitrary bytes to the owner.
func say(_ bytes: [UInt8]) { _ = send(3, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

func header(_ kind: UInt8, values: UInt32, bulk: UInt64) -> [UInt8] {
  [0x4F, 0x70, 2, kind] + withUnsafeBytes(of: values.littleEndian) { Array($0) } + withUnsafeBytes(of: bulk.littleEndian) { Array($0) }
}

/// Performs an operation and reports the error, such as `name: Operation not permitted`, or `name: done` if it was permitted.
func attempt(_ name: String, _ body: () -> Int) -> String {
  errno = 0
  let status = body()
  return "\(name): \(status >= 0 ? "done" : String(cString: strerror(errno)))"
}

func openDescriptors() -> String {
  let numbers: [Int32] = (0..<64).filter { fcntl($0, F_GETFD) >= 0 }
  return numbers.map { "\($0)" }.joined(separator: " ")
}

func environmentNames() -> String {
  var names: [String] = []
  var position = 0
  while let entry = environ[position] {
    names.append(String(String(cString: entry).prefix { $0 != "=" }))
    position += 1
  }
  return names.joined(separator: " ")
}

/// Maps a page of a file. Returns -1 if that fails.
func map(_ protection: Int32, _ file: Int32) -> Int {
  let failed = mmap(nil, 4096, protection, MAP_PRIVATE, file, 0) == MAP_FAILED
  let reason = errno
  if file > STDERR_FILENO { close(file) }
  errno = reason
  return failed ? -1 : 0
}

/// Attempts the operations that the sandbox must deny, and reports the result of each.
func attempts() -> String {
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(9).bigEndian
  address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
  return [
    attempt("write") { Int(open("/tmp/offprint-isolation", O_WRONLY | O_CREAT, 0o600)) },
    attempt("memory file") { Int(cisolation_memory_file("x")) },
    attempt("read") { Int(open("/etc/passwd", O_RDONLY)) },
    attempt("list") { Int(open("/", O_RDONLY | O_DIRECTORY)) },
    attempt("remove") { Int(unlink("/tmp/offprint-isolation")) },
    attempt("make") { Int(mkdir("/tmp/offprint-isolation.d", 0o700)) },
    attempt("socket") { Int(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)) },
    attempt("connect") {
      withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Int(connect(3, $0, socklen_t(MemoryLayout<sockaddr_in>.size))) }
      }
    },
    attempt("process") {
      var id = pid_t()
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
      let status = posix_spawn(&id, "/bin/true", nil, nil, &arguments, environ)
      errno = status
      return status == 0 ? 0 : -1
    },
    attempt("execute") {
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("/bin/true"), nil]
      return Int(execv("/bin/true", &arguments))
    },
    attempt("kill") { Int(kill(getppid(), 0)) },
    attempt("limits") {
      var limit = rlimit(rlim_cur: 1 << 40, rlim_max: 1 << 40)
      return Int(setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit))
    },
    attempt("code") { mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0 },
    attempt("library code") { map(PROT_READ | PROT_EXEC, open("/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY)) },
    attempt("writable library code") { map(PROT_READ | PROT_WRITE | PROT_EXEC, open("/lib/x86_64-linux-gnu/libc.so.6", O_RDONLY)) },
    attempt("written file code") { map(PROT_READ | PROT_EXEC, STDERR_FILENO) },
    attempt("made executable") {
      guard let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), page != MAP_FAILED else { return 0 }
      return Int(mprotect(page, 4096, PROT_READ | PROT_EXEC))
    },
    "descriptors: \(openDescriptors())", "environment: \(environmentNames())",
  ].joined(separator: "; ")
}

func act(_ harm: String) throws(OffprintError) {
  switch harm {
  case "crash": raise(SIGSEGV)
  case "trap": abort()
  case "exit": exit(7)
  case "hang": while true { usleep(1000) }
  case "spin": while true {}
  case "allocate": allocate()
  case "greedy": while malloc(256 << 20) != nil {}
  case "nonsense": say(Array(repeating: 0x58, count: 64))
  case "huge": say(header(14, values: 100, bulk: 1 << 50))
  case "half": say(header(14, values: 1000, bulk: 1000) + [1, 2, 3])
  case "damaged": say(header(14, values: 8, bulk: 0) + [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F])
  case "foreign": say(header(3, values: 0, bulk: 0))
  case "trickle":
    say(header(14, values: 1000, bulk: 1000))
    while true {
      say([0])
      usleep(5000)
    }
  case "attempts": throw OffprintError(.renderFailed, attempts())
  default: break
  }
  if harm == "half" { while true { usleep(1000) } }
}

exit(
  CommandLine.arguments.dropFirst().first == "worker"
    ? IsolatedWorker.run { request throws(OffprintError) in if let harm = harm(in: request) { try act(harm) } }
    : CommandLine.arguments.dropFirst().first == "broken"
      ? {
        _ = "no such thing\n".withCString { write(2, $0, strlen($0)) }; return 3
      }() : 64)
