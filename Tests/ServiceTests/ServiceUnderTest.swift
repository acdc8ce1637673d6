import Foundation
import Glibc
import Testing

/// A real `offprint-server` with its own folder, and a client that sends arbitrary requests.
final class ServiceUnderTest: @unchecked Sendable {
  let folder: URL
  let port: Int
  private let process: Process
  private let log: URL
  private let ownsFolder: Bool

  /// - Parameters:
  ///   - arguments: In addition to `--listen` and `--cache`.
  ///   - folder: A folder that outlives this service.
  ///   - program: The program to start, with `leading` before the arguments.
  init(
    _ arguments: [String] = ["--no-auth"], files: [String: String] = [:], environment: [String: String] = [:], folder given: URL? = nil,
    program: String = "offprint-server", leading: [String] = []
  ) throws {
    ownsFolder = given == nil
    folder = given ?? FileManager.default.temporaryDirectory.appendingPathComponent("offprint-service-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in files {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    log = folder.appendingPathComponent("log")
    _ = FileManager.default.createFile(atPath: log.path, contents: nil)
    process = Process()
    process.executableURL = program.hasPrefix("/") ? URL(fileURLWithPath: program) : Self.executable(program)
    process.arguments = leading + ["--listen", "127.0.0.1:0", "--cache", folder.appendingPathComponent("cache").path] + arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    process.standardError = try FileHandle(forWritingTo: log)
    try process.run()
    port = try Self.waitForPort(log, process)
  }

  deinit {
    if process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    if ownsFolder { try? FileManager.default.removeItem(at: folder) }
  }

  static func executable(_ name: String) -> URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL.deletingLastPathComponent()
    return (bundle ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()).appendingPathComponent(name)
  }

  private static func waitForPort(_ log: URL, _ process: Process) throws -> Int {
    for _ in 0..<6000 {
      let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
      if let match = text.firstMatch(of: /http:\/\/127\.0\.0\.1:(\d+)\//), let port = Int(match.1) { return port }
      if !process.isRunning { throw Failure("The service ended: \(text)") }
      usleep(10_000)
    }
    throw Failure("The service does not listen.")
  }

  struct Failure: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
  }

  var logText: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }
  var isRunning: Bool { process.isRunning }
  /// Its child processes.
  var children: [Int32] {
    let pid = process.processIdentifier
    let text = try? String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
    let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
    let others = tasks.compactMap { try? String(contentsOfFile: "/proc/\(pid)/task/\($0)/children", encoding: .utf8) }
    return Set(
      (others + [text ?? ""]).flatMap { $0.split(separator: " ").compactMap { Int32($0.trimmingCharacters(in: .whitespacesAndNewlines)) } }
    ).sorted()
  }

  var descriptorCount: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process.processIdentifier)/fd"))?.count ?? 0
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// - Returns: The exit code.
  func wait() -> Int32 {
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Waits until `condition` holds; false if it never does.
  func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<3000 {
      if try condition() { return true }
      usleep(10_000)
    }
    return false
  }

  // MARK: Requests

  func connect() throws -> RawConnection { try RawConnection(port: port) }

  func send(_ method: String, _ target: String, _ headers: [String: String] = [:], body: [UInt8]? = nil) throws -> TestResponse {
    let connection = try connect()
    var head = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
    for name in headers.keys.sorted() { head += "\(name): \(headers[name] ?? "")\r\n" }
    if let body { head += "Content-Length: \(body.count)\r\n" }
    connection.write(Array((head + "\r\n").utf8) + (body ?? []))
    return try connection.readResponse(isHead: method == "HEAD")
  }

  func get(_ target: String, _ headers: [String: String] = [:]) throws -> TestResponse { try send("GET", target, headers) }

  func post(_ target: String, html: String, _ headers: [String: String] = [:]) throws -> TestResponse {
    try send("POST", target, headers.merging(["Content-Type": "text/html"]) { first, _ in first }, body: Array(html.utf8))
  }

  func post(_ target: String, json: String, _ headers: [String: String] = [:]) throws -> TestResponse {
    try send("POST", target, headers.merging(["Content-Type": "application/json"]) { first, _ in first }, body: Array(json.utf8))
  }
}

struct TestResponse {
  var status: Int
  /// By lowercase name.
  var headers: [String: String]
  var body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }
  var json: [String: Any] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]) ?? [:] }
  var jsonArray: [[String: Any]] { (try? JSONSerialization.jsonObject(with: Data(body)) as? [[String: Any]]) ?? [] }
  /// The code in problem details; nil for other responses.
  var code: String? { headers["content-type"] == "application/problem+json" ? json["code"] as? String : nil }
  var isPNG: Bool { body.starts(with: [0x89, 0x50, 0x4E, 0x47]) }
}

/// A socket.
final class RawConnection {
  private let descriptor: Int32
  private var buffer: [UInt8] = []

  init(port: Int) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
    guard status == 0 else { throw ServiceUnderTest.Failure("There is no connection to port \(port).") }
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { Glibc.close(descriptor) }

  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress?.advanced(by: start), bytes.count - start, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      start += count
    }
    return true
  }

  func write(_ text: String) { write(Array(text.utf8)) }

  /// False at the end.
  private func fill() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &chunk, chunk.count, 0)
    if count <= 0 { return false }
    buffer += chunk[..<count]
    return true
  }

  /// Makes the connection end with RST when it is closed.
  func endWithReset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout.size(ofValue: option)))
  }

  /// Whether the peer closes the connection within four seconds, and sends nothing more.
  func hasEnded() -> Bool {
    var limit = timeval(tv_sec: 4, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var byte: UInt8 = 0
    return buffer.isEmpty && recv(descriptor, &byte, 1, 0) == 0
  }

  /// How long `write` waits for a peer that reads nothing.
  func setSendTimeout(milliseconds: Int) {
    var limit = timeval(tv_sec: milliseconds / 1000, tv_usec: milliseconds % 1000 * 1000)
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  func rest() -> [UInt8] {
    while fill() {}
    return buffer
  }

  /// The next response; informational ones are skipped.
  func readResponse(isHead: Bool = false) throws -> TestResponse {
    while true {
      let head = try head()
      if (100..<200).contains(head.status) { continue }
      return TestResponse(
        status: head.status, headers: head.headers, body: isHead || head.status == 304 || head.status == 204 ? [] : try body(head.headers))
    }
  }

  private func head() throws -> (status: Int, headers: [String: String]) {
    while true {
      if let end = buffer.firstRange(of: [13, 10, 13, 10]) {
        let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        buffer.removeSubrange(..<end.upperBound)
        let words = lines[0].split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { throw ServiceUnderTest.Failure("No status line: \(lines[0])") }
        let pairs = lines.dropFirst().compactMap { line -> (String, String)? in
          guard let colon = line.firstIndex(of: ":") else { return nil }
          return (line[..<colon].lowercased(), line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
        }
        return (status, Dictionary(pairs) { $0 + ", " + $1 })
      }
      guard fill() else {
        throw ServiceUnderTest.Failure("The connection ended before a response: \(String(decoding: buffer, as: UTF8.self))")
      }
    }
  }

  func body(_ headers: [String: String]) throws -> [UInt8] {
    if headers["transfer-encoding"] == "chunked" { return try chunks() }
    let length = Int(headers["content-length"] ?? "0") ?? 0
    return try take(length)
  }

  func take(_ count: Int) throws -> [UInt8] {
    while buffer.count < count { guard fill() else { throw ServiceUnderTest.Failure("The body ends early.") } }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  /// The next chunk of a chunked body; nil at its end.
  func chunk() throws -> [UInt8]? {
    var line: [UInt8] = []
    while !line.suffix(2).elementsEqual([13, 10]) { line += try take(1) }
    let size = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) ?? 0
    let bytes = try take(size)
    _ = try take(2)
    return size == 0 ? nil : bytes
  }

  private func chunks() throws -> [UInt8] {
    var all: [UInt8] = []
    while let next = try chunk() { all += next }
    return all
  }

  /// The head of a response whose body is read in chunks.
  func readHead() throws -> TestResponse {
    let head = try head()
    return TestResponse(status: head.status, headers: head.headers, body: [])
  }
}
