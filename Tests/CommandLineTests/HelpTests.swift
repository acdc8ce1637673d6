import Foundation
import Testing

/// Help is read by people, and other programs depend on parts of it. After an intended change: `OFFPRINT_RECORD=1 swift test --filter
/// HelpTests`.
@Suite("Help") struct HelpTests {
  static let commands = [
    [], ["render"], ["batch"], ["warm"], ["inspect"], ["fonts"], ["fonts", "list"], ["fonts", "add"], ["fonts", "remove"], ["background"],
    ["cache"], ["cache", "stats"], ["cache", "list"],
    ["cache", "show"], ["cache", "explain"], ["cache", "verify"], ["cache", "trim"], ["cache", "purge"], ["cache", "export"],
    ["cache", "import"], ["cache", "migrate"], ["cache", "clear"],
    ["templates"], ["templates", "list"], ["templates", "show"], ["templates", "specimen"], ["watch"], ["serve"], ["sign"], ["enqueue"],
    ["work"], ["collect"],
    ["worker"], ["mcp"],
  ]

  private static let folder = URL(fileURLWithPath: #filePath).appendingPathComponent("../../Expectations/CommandLine").standardized

  @Test("The help of each command is unchanged", arguments: commands)
  func text(command: [String]) throws {
    let outcome = try Program.run(command + ["--help"], environment: ["COLUMNS": "100"])
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    let file = Self.folder.appendingPathComponent((["offprint"] + command).joined(separator: "-") + ".txt")
    if ProcessInfo.processInfo.environment["OFFPRINT_RECORD"] != nil { try outcome.output.write(to: file) }
    let expected = try String(contentsOf: file, encoding: .utf8)
    #expect(outcome.text == expected, "\(file.lastPathComponent) differs; OFFPRINT_RECORD=1 records it anew")
  }

  @Test("The help of every command is recorded")
  func complete() throws {
    func names(_ command: [String: Any]?, _ path: [String]) -> [[String]] {
      let subcommands = (command?["subcommands"] as? [[String: Any]] ?? []).filter { $0["commandName"] as? String != "help" }
      return [path] + subcommands.flatMap { names($0, path + [$0["commandName"] as? String ?? ""]) }
    }
    let dump = try Program.run(["--experimental-dump-help"]).json as? [String: Any]
    let all = names(dump?["command"] as? [String: Any], [])
    #expect(Set(all) == Set(Self.commands))
  }

  @Test("Completion scripts are printed")
  func completion() throws {
    for shell in ["bash", "zsh", "fish"] {
      #expect(try Program.run(["--generate-completion-script", shell]).text.contains("offprint"))
    }
  }
}
