import Foundation
import Glibc
import Testing

@testable import Offprint

/// The commands of `offprint` for the service.
@Suite("offprint serve and sign")
struct CommandTests {
  private struct Outcome {
    var status: Int32
    var output: String
    var errors: String
  }

  private func run(_ program: URL, _ arguments: [String], in folder: URL, environment: [String: String] = [:]) throws -> Outcome {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    let (output, errors) = (folder.appendingPathComponent("out"), folder.appendingPathComponent("err"))
    for file in [output, errors] { try Data().write(to: file) }
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: try String(contentsOf: output, encoding: .utf8),
      errors: try String(contentsOf: errors, encoding: .utf8))
  }

  private func scratch(_ body: (URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-serve-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder)
  }

  private let offprint = ServiceUnderTest.executable("offprint")

  @Test("serve starts the program beside it with the same options")
  func serve() throws {
    try scratch { folder in
      let help = try run(offprint, ["serve", "--help"], in: folder)
      #expect(help.status == 0 && help.output.contains("--client-concurrency"))
      let wrong = try run(offprint, ["serve", "--nonsense"], in: folder)
      #expect(wrong.status == 64 && wrong.errors.contains("--nonsense"))
      let closed = try run(offprint, ["serve"], in: folder)
      #expect(closed.status == 64 && closed.errors.hasPrefix("offprint: usage: ") && closed.errors.contains("--no-auth"))
    }
    let service = try ServiceUnderTest(["--no-auth"], program: "offprint", leading: ["serve"])
    #expect(try service.post("/render", html: "<p>x").isPNG)
    service.signal(SIGTERM)
    #expect(service.wait() == 0)
  }

  @Test("serve explains how to build the service if it is missing")
  func missing() throws {
    try scratch { folder in
      let alone = folder.appendingPathComponent("offprint")
      try FileManager.default.copyItem(at: offprint, to: alone)
      let outcome = try run(alone, ["serve", "--no-auth"], in: folder)
      #expect(outcome.status == 66 && outcome.errors.contains("swift build -c release --product offprint-server"), "\(outcome.errors)")
    }
  }

  @Test("sign creates a URL that the service accepts")
  func sign() throws {
    let keys = "first 0123456789abcdef0123\nsecond 0123456789abcdef0124\n"
    let service = try ServiceUnderTest(["--keys", "keys"], files: ["keys": keys])
    let address = "http://127.0.0.1:\(service.port)/render/snippet.png?body=Hello"
    for more in [[], ["--key", "second"], ["--expires", "1h"]] {
      let outcome = try run(offprint, ["sign", address, "--keys", "keys"] + more, in: service.folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let signed = outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)
      #expect(signed.hasPrefix(address + "&key="))
      #expect(try service.get(String(signed.dropFirst("http://127.0.0.1:\(service.port)".count))).isPNG)
    }
    #expect(try run(offprint, ["sign", address], in: service.folder, environment: ["OFFPRINT_KEYS": "keys"]).status == 0)
    #expect(try run(offprint, ["sign", address], in: service.folder).status == 64)
    #expect(try run(offprint, ["sign", address, "--keys", "keys", "--key", "none"], in: service.folder).status == 64)
    #expect(try run(offprint, ["sign", address, "--keys", "keys", "--expires", "soon"], in: service.folder).status == 64)
  }

  @Test("A service killed under load and restarted returns correct images, and its cache is sound")
  func killed() throws {
    var images: [String: [UInt8]] = [:]
    // Its folder outlives the killed services.
    let first = try ServiceUnderTest(["--no-auth"])
    let folder = first.folder.appendingPathComponent("kept")
    @Sendable func page(_ number: Int) -> String {
      "<body style='margin:0'><p style='width:\(number + 20)px;height:9px;background:red'>\(number)"
    }
    for round in 0..<3 {
      let service = try ServiceUnderTest(["--no-auth", "--cache", folder.path])
      let running = service
      let senders = (0..<4).map { sender in
        let thread = Thread { for number in 0..<200 { _ = try? running.post("/render", html: page(number * 4 + sender)) } }
        thread.start()
        return thread
      }
      for number in 0..<30 {
        let response = try service.post("/render", html: page(number))
        #expect(response.status == 200)
        if let known = images[page(number)] { #expect(known == response.body) } else { images[page(number)] = response.body }
      }
      // First its workers: killing one only fails its request.
      for child in service.children { kill(child, SIGKILL) }
      #expect(service.eventually { (try? running.post("/render", html: "<p>after \(round)").status) == 200 })
      service.signal(SIGKILL)
      _ = service.wait()
      withExtendedLifetime(senders) {}
      let verify = try run(offprint, ["cache", "verify", "--cache", folder.path], in: service.folder)
      #expect(verify.status == 0, "\(verify.output) \(verify.errors)")
    }
    let last = try ServiceUnderTest(["--no-auth", "--cache", folder.path])
    for (page, bytes) in images { #expect(try last.post("/render", html: page).body == bytes) }
  }
}
