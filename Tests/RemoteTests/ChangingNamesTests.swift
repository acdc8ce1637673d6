import Foundation
import Testing

/// A name server with changing answers, in its own network namespace.
@Suite("DNS names with changing addresses", .enabled(if: ChangingNames.isPossible, ChangingNames.impossible))
struct ChangingNamesTests {
  @Test("Resources are loaded only from allowed addresses, never from this machine, and unresponsive name servers time out")
  func names() throws {
    let pages = try ChangingNames.pages()
    #expect(pages.map(\.name) == ["fixed", "turns", "alternates", "inner", "both", "nowhere", "silent"])
    for page in pages {
      #expect(page.private == [], "\(page)")
      #expect(page.seconds < 15, "\(page)")
    }
    func expect(_ names: String..., holds: (ChangingNames.Page) -> Bool) {
      for page in pages where names.contains(page.name) { #expect(holds(page), "\(page)") }
    }
    let all: Set = ["/a.css", "/a.ttf", "/a.png", "/b.png"]
    expect("fixed") { $0.status == 0 && Set($0.allowed) == all && !$0.messages.contains("degraded") }
    expect("turns", "alternates", "both") { $0.status == 0 && (Set($0.allowed) == all || $0.messages.contains("resourceRefused")) }
    expect("inner") { $0.status == 0 && $0.allowed.isEmpty && $0.messages.contains("resourceRefused") }
    expect("nowhere") { $0.status == 0 && $0.allowed.isEmpty && $0.messages.contains("resourceUnreadable") }
    expect("silent") { $0.status == 75 && $0.allowed.isEmpty }
  }
}

private enum ChangingNames {
  struct Page: Decodable {
    var name: String
    var allowed: [String]
    var `private`: [String]
    var status: Int
    var seconds: Double
    var messages: String
  }

  static let impossible: Comment = "python3 and a network namespace of its own (unshare --net --mount, as root) are needed"
  private static let unshare = Programs.find("unshare")
  private static let python = Programs.find("python3")

  static let isPossible: Bool = {
    guard python != nil, let unshare else { return false }
    let process = Process()
    (process.executableURL, process.arguments) = (unshare, ["--net", "--mount", "true"])
    (process.standardError, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  static func pages() throws -> [Page] {
    guard let unshare, let python else { return [] }
    let process = Process(), output = Pipe()
    process.executableURL = unshare
    process.arguments = [
      "--net", "--mount", python.path, root.appendingPathComponent("Tests/RemoteTests/changing-names.py").path, Programs.offprint.path,
    ]
    process.standardOutput = output
    try process.run()
    let lines = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure("The names could not be served.") }
    return try lines.split(separator: UInt8(ascii: "\n")).map { try JSONDecoder().decode(Page.self, from: $0) }
  }
}
