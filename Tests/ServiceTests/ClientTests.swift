import Foundation
import Testing

/// Runs the programs in `docs/examples/clients` as documented.
@Suite("Client examples", .serialized) struct ClientTests {
  enum Client: String, CaseIterable {
    case curl = "render.sh", python = "render.py", node = "render.mjs", swift = "render.swift"

    var tools: [String] {
      switch self {
      case .curl: ["bash", "curl"]
      case .python: ["python3"]
      case .node: ["node"]
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

  /// The command, without the URL.
  private func command(_ client: Client, _ folder: URL) throws -> [String] {
    let file = Self.examples.appendingPathComponent(client.rawValue).path
    guard client == .swift else { return [try #require(client.tools.first.flatMap(Client.find)), file] }
    let program = folder.appendingPathComponent("client").path
    let made = try run([try #require(Client.find("swiftc")), "-parse-as-library", file, "-o", program])
    #expect(made.status == 0, "\(made.errors)")
    return [program]
  }

  private func run(_ words: [String], token: String? = nil) throws -> (status: Int32, errors: String) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: words[0])
    process.arguments = Array(words.dropFirst())
    process.environment = ProcessInfo.processInfo.environment.merging(token.map { ["OFFPRINT_TOKEN": $0] } ?? [:]) { $1 }
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test("The example clients render a page, and report why if they may not", arguments: Client.runnable)
  func draws(client: Client) throws {
    let service = try ServiceUnderTest(
      ["--tokens", "tokens", "--timeout", "300s", "--request-timeout", "300s"], files: ["tokens": "me render 0123456789abcdef\n"])
    let program = try command(client, service.folder)
    let output = service.folder.appendingPathComponent("out.png")
    let words = program + ["http://127.0.0.1:\(service.port)", output.path]
    let drawn = try run(words, token: "0123456789abcdef")
    #expect(drawn.status == 0, "\(drawn.errors)")
    let picture = try Data(contentsOf: output)
    #expect(picture.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]) && picture[16..<20] == Data([0, 0, 3, 32]))
    try FileManager.default.removeItem(at: output)
    let refused = try run(words)
    #expect(refused.status == 1 && refused.errors.contains("unauthorized"))
    #expect(!FileManager.default.fileExists(atPath: output.path))
  }
}
