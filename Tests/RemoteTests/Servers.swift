import Foundation
import Glibc
import Testing

/// The root of the package.
let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The programs that the tests start.
enum Programs {
  private static let folder: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL.deletingLastPathComponent()
    return bundle ?? URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
  }()
  static let offprint = folder.appendingPathComponent("offprint")
  /// Also nil if libhiredis is not installed.
  static let redis = hiredis ? find("redis-server") : nil
  private static let hiredis = ["so.1.3.0", "so.1.1.0", "so.1.0.0", "so.1", "so.0.14", "so"].contains {
    dlopen("libhiredis.\($0)", RTLD_NOW) != nil
  }
  static let moto = find("moto_server")

  static func find(_ name: String) -> URL? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init) + ["/usr/local/bin"]
    return folders.map { URL(fileURLWithPath: $0).appendingPathComponent(name) }.first {
      FileManager.default.isExecutableFile(atPath: $0.path)
    }
  }

  static let noRedis: Comment = "redis-server or libhiredis is not installed: apt-get install redis-server libhiredis0.14"
  static let noMoto: Comment = "moto_server is not installed: pip install 'moto[server,s3]'"
}

struct Failure: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

/// A temporary folder that is removed after the test.
final class Scratch {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-remote-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> String {
    try Data(text.utf8).write(to: url.appendingPathComponent(name))
    return path(name)
  }

  func data(_ name: String) throws -> Data { try Data(contentsOf: url.appendingPathComponent(name)) }
}

/// A port that is currently unused.
func freePort() throws -> Int {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let status = withUnsafeMutablePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) == 0 && getsockname(descriptor, $0, &size) == 0 }
  }
  guard status else { throw Failure("No port is free.") }
  return Int(UInt16(bigEndian: address.sin_port))
}

func answers(_ port: Int) -> Bool {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = UInt16(port).bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  return withUnsafePointer(to: &address) { pointer in
    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
}

/// Waits until a condition holds.
func until(_ what: String, seconds: Double = 120, _ condition: () throws -> Bool) throws {
  let end = Date(timeIntervalSinceNow: seconds)
  while try !condition() {
    guard Date() < end else { throw Failure("It never came to be: \(what).") }
    usleep(20_000)
  }
}

/// A third-party server on its own port that can be killed and restarted.
final class Server {
  let port: Int
  let folder: Scratch
  private let program: URL
  private let arguments: [String]
  private var process: Process?

  private init(_ program: URL?, prepare: (Scratch) throws -> Void = { _ in }, _ arguments: (Int, String) -> [String]) throws {
    guard let program else { throw Failure("The server is not installed.") }
    self.program = program
    folder = try Scratch()
    try prepare(folder)
    port = try freePort()
    self.arguments = arguments(port, folder.url.path)
    try start()
  }

  deinit { stop() }

  /// With a log that is written before each reply.
  static func redis() throws -> Server {
    try Server(Programs.redis) { ["--port", "\($0)", "--dir", $1, "--appendonly", "yes", "--appendfsync", "always", "--save", ""] }
  }

  /// With a self-signed certificate for 127.0.0.1, in `cert.pem` and `key.pem` in its folder.
  static func rediss(asksForCertificates: Bool = false) throws -> Server {
    try Server(Programs.redis, prepare: makeCertificate) { port, folder in
      [
        "--port", "0", "--tls-port", "\(port)", "--dir", folder, "--appendonly", "yes", "--appendfsync", "always", "--save", "",
        "--tls-cert-file", "\(folder)/cert.pem", "--tls-key-file", "\(folder)/key.pem", "--tls-ca-cert-file", "\(folder)/cert.pem",
        "--tls-auth-clients", asksForCertificates ? "yes" : "no",
      ]
    }
  }

  private static func makeCertificate(_ folder: Scratch) throws {
    guard let program = Programs.find("openssl") else { throw Failure("openssl is not installed.") }
    let process = Process()
    process.executableURL = program
    process.arguments = [
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", "/CN=offprint",
      "-addext",
      "subjectAltName=IP:127.0.0.1", "-keyout", folder.path("key.pem"), "-out", folder.path("cert.pem"),
    ]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure("There is no certificate.") }
  }

  static func s3() throws -> Server { try Server(Programs.moto) { port, _ in ["-H", "127.0.0.1", "-p", "\(port)"] } }

  func start() throws {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.currentDirectoryURL = folder.url
    try process.run()
    self.process = process
    try until("\(program.lastPathComponent) listens") { answers(port) }
  }

  /// Kills it, like a power failure.
  func stop() {
    guard let process, process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}

/// Runs `offprint` as users do.
final class Run {
  private let process = Process()
  private let output: URL
  private let errors: URL

  init(_ arguments: [String], in folder: Scratch, environment: [String: String] = [:], input: String? = nil) throws {
    process.executableURL = Programs.offprint
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    let own = [
      "OFFPRINT_FONTS": root.appendingPathComponent("Fonts").path, "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret",
    ]
    process.environment = ProcessInfo.processInfo.environment.merging(own) { $1 }.merging(environment) { $1 }
    let name = UUID().uuidString
    output = folder.url.appendingPathComponent("\(name).out")
    errors = folder.url.appendingPathComponent("\(name).err")
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    if let input {
      let file = folder.url.appendingPathComponent("\(name).in")
      try Data(input.utf8).write(to: file)
      process.standardInput = try FileHandle(forReadingFrom: file)
    } else {
      process.standardInput = FileHandle.nullDevice
    }
    try process.run()
  }

  deinit { killNow() }

  var isRunning: Bool { process.isRunning }
  var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }
  var messages: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

  func killNow() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func signal(_ number: Int32) { kill(process.processIdentifier, number) }

  /// Waits for its exit code.
  func end() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  }

  @discardableResult
  static func finish(_ arguments: [String], in folder: Scratch, environment: [String: String] = [:], input: String? = nil) throws -> Run {
    let run = try Run(arguments, in: folder, environment: environment, input: input)
    let status = run.end()
    guard status == 0 else { throw Failure("offprint \(arguments) ended with \(status): \(run.messages)") }
    return run
  }

  /// The output as one JSON object per line.
  var lines: [[String: Any]] { Self.lines(text) }

  static func lines(_ text: String) -> [[String: Any]] {
    text.split(separator: "\n").compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
  }
}
