import Foundation
import Testing

/// Runs the programs in `docs/examples/clients` as documented.
@Suite("Client examples", .serialized) struct ClientTests {
  enum Client: String, CaseIterable {
    case curl = "render.sh", python = "render.py", node = "render.mjs", go = "render.go", swift = "render.swift"

    var tools: [String] {
      switch self {
      case .curl: ["bash", "curl"]
      case .python: ["python3"]
      case .node: ["node"]
      case .go: ["go"]
      case .swift: ["swiftc"]
      }
    }

    static var runnable: [Client] { allCases.filter { $0.tools.allSatisfy { Self.find($0) != nil } } }

    static func find(_ name: String) -> String? {
      (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }.first {
        FileManager.default.isExecutableFile(atPath: $0)
      }
    }
  }

  private static let examples = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../docs/examples/clients").standardized

  /// The command that runs a client, without its arguments. Compiles clients in Go and Swift.
  private func command(_ client: Client, _ folder: URL) throws -> [String] {
    let file = Self.examples.appendingPathComponent(client.rawValue).path
    let tool = try #require(client.tools.first.flatMap(Client.find))
    let program = folder.appendingPathComponent("client").path
    let compilerArguments: [String]
    switch client {
    case .go: compilerArguments = ["build", "-o", program, file]
    case .swift: compilerArguments = ["-parse-as-library", file, "-o", program]
    case .curl, .python, .node: return [tool, file]
    }
    let compiled = try run([tool] + compilerArguments)
    #expect(compiled.status == 0, "\(compiled.errors)")
    return [program]
  }

  private func run(
    _ words: [String], token: String? = nil, environment: [String: String] = [:]
  ) throws -> (status: Int32, output: String, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(token.map { ["OFFPRINT_TOKEN": $0] } ?? [:]) { $1 }
      .merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, printed, text)
  }

  @Test("The example clients save the image of a page, or print the service's error and save nothing", arguments: Client.runnable)
  func renders(client: Client) throws {
    let service = try ServiceUnderTest(
      ["--tokens", "tokens", "--timeout", "300s", "--request-timeout", "300s"], files: ["tokens": "me render 0123456789abcdef\n"])
    let program = try command(client, service.folder)
    let output = service.folder.appendingPathComponent("out.png")
    let words = program + ["http://127.0.0.1:\(service.port)", output.path]
    let rendered = try run(words, token: "0123456789abcdef")
    #expect(rendered.status == 0, "\(rendered.errors)")
    let image = try Data(contentsOf: output)
    #expect(image.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]) && image[16..<20] == Data([0, 0, 3, 32]))
    try FileManager.default.removeItem(at: output)
    let rejected = try run(words)
    #expect(rejected.status == 1 && rejected.errors.contains("unauthorized"))
    #expect(!FileManager.default.fileExists(atPath: output.path))
  }

  @Test(
    "The example clients sign URLs as the service verifies them", arguments: Client.runnable.filter { [.curl, .node, .go].contains($0) })
  func signs(client: Client) throws {
    let service = try ServiceUnderTest(["--keys", "keys"], files: ["keys": "main 0123456789abcdef0123\n"])
    let program = try command(client, service.folder)
    let words = ["sign", "/render/snippet.png", "body=Gr\u{FC}\u{DF}e & \"x\" (1)*!", "width=90px", "tag=b", "tag=a"]
    let signed = try run(program + words, environment: ["OFFPRINT_KEY": "main 0123456789abcdef0123"])
    let url = signed.output.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try service.get(url).status == 200, "\(url) \(signed.errors)")
    #expect(try service.get(url.replacing("90px", with: "91px")).code == "signatureInvalid")
  }
}
