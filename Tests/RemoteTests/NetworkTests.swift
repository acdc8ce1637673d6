import OffprintCoreTypes
import Foundation
import Offprint
import Testing

@testable import OffprintRemote
@testable import OffprintResources

/// Runs `trap-server.py` while this object exists.
final class TrapServer {
  let port: Int
  private let process = Process()
  private let input = Pipe()

  init() throws {
    let python = try #require(Programs.find("python3"))
    process.executableURL = python
    process.arguments = [URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("trap-server.py").path]
    let output = Pipe()
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  deinit {
    try? input.fileHandleForWriting.close()
    process.terminate()
  }

  func url(_ path: String, host: String = "127.0.0.1") -> String { "http://\(host):\(port)\(path)" }
}

@Suite("Loading resources over the network", .enabled(if: Programs.find("python3") != nil))
struct NetworkTests {
  let server: TrapServer
  init() throws { server = try TrapServer() }

  private func load(
    _ url: String, hosts: [String] = ["127.0.0.1"], timeout: Duration = .seconds(20), deadline: Deadline = .never, limit: Int = 1 << 20
  ) throws -> NetworkResource {
    try HTTPResources(hosts: hosts, timeout: timeout).load(try #require(ResourceURL(url)), limit: limit, deadline: deadline, allows: nil)
  }

  private func code(_ url: String, hosts: [String] = ["127.0.0.1"], timeout: Duration = .seconds(20), limit: Int = 1 << 20) -> String? {
    do {
      _ = try load(url, hosts: hosts, timeout: timeout, limit: limit)
      return nil
    } catch let error as ResourceError {
      #expect(error.message.utf8.count < 700 && error.message.hasSuffix("."))
      return error.code.rawValue
    } catch {
      return "\(error)"
    }
  }

  @Test("Resources are loaded from named hosts, with their type, decompressed, and through redirects")
  func answers() throws {
    let plain = try load(server.url("/a.png"))
    #expect(plain.bytes.starts(with: [0x89, 0x50]) && plain.mimeType == "image/png")
    #expect(try load(server.url("/packed.png")).bytes == plain.bytes)
    let far = try load(server.url("/to?/to?a.png"))
    #expect(far.bytes == plain.bytes && far.url.description == server.url("/a.png"))
    #expect(try load(server.url("/a.png"), hosts: ["127.0.0.1:\(server.port)"]).bytes == plain.bytes)
    #expect(try load(server.url("/a.png"), hosts: ["127.0.0.0/8"]).bytes == plain.bytes)
    #expect(try load(server.url("/a.png", host: "localhost"), hosts: ["localhost"]).bytes == plain.bytes)
  }

  @Test("Resources are refused or limited, whatever a server sends")
  func traps() {
    let small = server.url("")
    for (path, expected) in [
      ("/none", "resourceMissing"), ("/error?410", "resourceMissing"), ("/error?500", "resourceUnreadable"),
      ("/error?403", "resourceUnreadable"), ("/error?204", "resourceUnreadable"), ("/loop", "resourceRefused"),
      ("/to?http://192.168.0.1/", "resourceRefused"), ("/to?http://169.254.169.254/latest/meta-data/", "resourceRefused"),
      ("/to?http://[::1]/", "resourceRefused"), ("/to?http://localhost/", "resourceRefused"), ("/to?file:///etc/passwd", "resourceRefused"),
      ("/to?ftp://127.0.0.1/", "resourceRefused"), ("/to?http://user@127.0.0.1/", "resourceRefused"),
      ("/to?gopher://127.0.0.1/x", "resourceRefused"),
      ("/endless", "limitExceeded"), ("/bomb", "limitExceeded"), ("/short", "resourceUnreadable"), ("/broken-gzip", "resourceUnreadable"),
      ("/heads?100", "resourceRefused"), ("/nonsense", "resourceUnreadable"),
    ] {
      #expect(code(small + path) == expected, "\(path)")
    }
    for path in ["/endless-head", "/hundreds"] {
      #expect(["resourceRefused", "resourceUnreadable"].contains(code(small + path) ?? ""), "\(path)")
    }
    #expect(code(server.url("/a.png"), limit: 10) == "limitExceeded")
    #expect(code("http://127.0.0.1:1/") == "resourceUnreadable")
  }

  @Test("Loading ends at the deadline and on cancellation")
  func time() throws {
    for path in ["/slow", "/silent"] {
      #expect(code(server.url(path), timeout: .milliseconds(300)) == "resourceUnreadable")
      let error = #expect(throws: ResourceError.self) { try load(server.url(path), deadline: Deadline(after: .milliseconds(300))) }
      #expect(error?.code == .resourceUnreadable)
    }
  }

  @Test("Other hosts, this machine and its network are never contacted unless named")
  func addresses() {
    for hosts in [["*"], ["*.1"], ["localhost"], ["127.0.0.1:1"], ["10.0.0.0/8"]] {
      #expect(code(server.url("/a.png"), hosts: hosts) == "resourceRefused", "\(hosts)")
    }
    // Spellings of this machine's address that are not obvious.
    for host in ["localhost", "2130706433", "0x7f.1", "0", "[::ffff:127.0.0.1]", "127.1", "[::1]"] {
      #expect(code(server.url("/a.png", host: host), hosts: ["*"]) == "resourceRefused", "\(host)")
    }
    #expect(code("http://x@127.0.0.1:\(server.port)/a.png") == "resourceRefused")
    #expect(code("http://127.0.0.1 :\(server.port)/a.png") == "resourceRefused")
    #expect(throws: OffprintError.self) { try HTTPResources(hosts: ["a b"]) }
  }

  @Test("If a rule names an address with a port, its other ports are never contacted, by number or by name")
  func ports() throws {
    let other = try TrapServer()
    let hosts = ["127.0.0.1:\(server.port)", "*"]
    for host in ["127.0.0.1", "localhost"] {
      #expect(try !load(server.url("/a.png", host: host), hosts: hosts).bytes.isEmpty)
      #expect(code(other.url("/a.png", host: host), hosts: hosts) == "resourceRefused", "\(host)")
      let path = "/to?\(other.url("/a.png", host: host))"
      #expect(code(server.url(path), hosts: hosts) == "resourceRefused", "redirected to \(host)")
      #expect(code(other.url("/a.png", host: host), hosts: ["localhost:\(server.port)", "*"]) == "resourceRefused", "\(host)")
    }
  }

  private func run(_ arguments: [String], _ input: String = "") throws -> (status: Int32, output: String, errors: String) {
    let process = Process(), out = Pipe(), errors = Pipe(), page = Pipe()
    process.executableURL = Programs.offprint
    process.arguments = arguments
    process.standardInput = page
    process.standardOutput = out
    process.standardError = errors
    try process.run()
    try page.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try page.fileHandleForWriting.close()
    let text = out.fileHandleForReading.readDataToEndOfFile(), said = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: text, as: UTF8.self), String(decoding: said, as: UTF8.self))
  }

  @Test("A resource is rendered, cached, and rendered again when it has changed")
  func program() throws {
    let scratch = try Scratch()
    let page = "<link rel=stylesheet href=sheet.css><img src=changing.png>"
    func render(_ more: String...) throws -> (status: Int32, output: String, errors: String) {
      try run(
        [
          "render", "-", "-o", scratch.path("o.png"), "--cache", scratch.path("c"), "--base-url", server.url("/"), "--width", "50",
          "--no-config",
        ]
          + more, page)
    }
    let refused = try render()
    #expect(refused.status == 0 && refused.errors.contains("resourceRefused") && refused.errors.contains("degraded"))
    #expect(try render("--strict").status == 77)
    let drawn = try render("--allow-host", "127.0.0.1")
    #expect(drawn.status == 0 && !drawn.errors.contains("degraded") && drawn.errors.contains("rendered"), "\(drawn.errors)")
    #expect(try render("--allow-host", "127.0.0.1").errors.contains("from the cache"))
    _ = try load(server.url("/change"))
    #expect(try render("--allow-host", "127.0.0.1").errors.contains("rendered"))
    #expect(try render("--allow-host", "a b").status == 64)
  }

  @Test("The page itself can be loaded from an allowed host, in its server's encoding, with its resources")
  func pages() throws {
    let scratch = try Scratch()
    let configuration = try RendererConfiguration().loading(from: ["127.0.0.1"])
    let request = try configuration.page(at: server.url("/to?site/page.html"), limits: Limits())
    #expect(String(decoding: request.html, as: UTF8.self).hasSuffix("<p>café"))
    #expect(request.basePath == server.url("/site/page.html") && request.allowedFolders.isEmpty)
    let page = server.url("/site/page.html")
    func render(_ input: String, _ more: String...) throws -> (status: Int32, output: String, errors: String) {
      try run(["render", input, "-o", scratch.path("o.png"), "--cache", scratch.path("c"), "--strict", "--no-config"] + more)
    }
    let refused = try render(page)
    #expect(refused.status == 77 && refused.errors.contains("--allow-host 127.0.0.1"), "\(refused.errors)")
    let drawn = try render(page, "--allow-host", "127.0.0.1")
    #expect(drawn.status == 0 && drawn.errors.contains("rendered"), "\(drawn.errors)")
    #expect(try render(page, "--allow-host", "127.0.0.1").errors.contains("from the cache"))
    for (path, more, status) in [
      ("/none", [], 66), ("/error?500", [], 66), ("/a.png", [], 65), ("/site/page.html", ["--max-input-bytes", "20"], 69),
    ] as [(String, [String], Int32)] {
      let arguments = ["render", server.url(path), "-o", scratch.path("o.png"), "--no-cache", "--allow-host", "127.0.0.1", "--no-config"]
      #expect(try run(arguments + more).status == status, "\(path)")
    }
    try Data("{\"input\":\"\(page)\"}\n".utf8).write(to: URL(fileURLWithPath: scratch.path("l.ndjson")))
    let batch = ["batch", scratch.path("l.ndjson"), "--output", scratch.path("out"), "--cache", scratch.path("c"), "--no-config"]
    #expect(try run(batch).status == 1)
    #expect(try run(batch + ["--allow-host", "127.0.0.1"]).status == 0)
    #expect(FileManager.default.fileExists(atPath: scratch.path("out/1.png")))
  }

  @Test("A style sheet needs the right Content-Type, and an image does not")
  func types() throws {
    let outcome = try run(
      ["render", "-", "-o", "-", "--no-cache", "--base-url", server.url("/"), "--allow-host", "127.0.0.1", "--no-config"],
      "<link rel=stylesheet href=plain.css><img src=text.png>")
    #expect(outcome.errors.contains("resourceWrongType") && outcome.errors.contains("text/html"))
    #expect(outcome.errors.contains("text.png"))
    #expect(outcome.status == 0)
  }
}
