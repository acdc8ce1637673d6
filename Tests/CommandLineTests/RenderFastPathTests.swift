import Testing

@testable import OffprintCommandLine

/// Compares the fast path of `render` with the argument parser.
@Suite struct RenderFastPathTests {
  /// A valid value for an option, chosen by its name or its placeholder in the help; nil for flags.
  private static func sample(_ option: CommandOption) -> String? {
    if option.isFlag { return nil }
    switch option.name {
    case "background": return "#abc"
    case "clip": return "1,2,30,40"
    case "window-size": return "300,200"
    case "set": return "key=value"
    case "color-scheme": return "dark"
    case "media": return "print"
    case "media-feature": return "hover=none"
    case "fail-on": return "scriptIgnored"
    case "glyph-positions": return "whole"
    case "at", "poster": return "1.5s"
    case "page-size": return "A5 landscape"
    case "margin": return "1cm 2cm"
    case "format": return "webp"
    case "compression": return "small"
    case "tier": return "redis://localhost"
    case "scale": return "2"
    case "allow-missing-layer": return "noNetwork"
    default: return ["file", "dir", "folder", "id", "css", "name|file", "tag", "host"].contains(option.valueName) ? "some" : "40"
    }
  }

  /// Options that must accompany an option.
  private static func requiredOptions(_ option: CommandOption) -> [String] {
    switch option.name {
    case "set", "data": ["--template", "card"]
    case "worker-memory", "worker-renders", "allow-missing-layer": ["--isolate"]
    case "tier-read-only": ["--tier", "redis://localhost"]
    default: []
    }
  }

  private static func dumped(_ command: some Any) -> String {
    var text = ""
    dump(command, to: &text)
    // Group titles are ignored: they only appear in help, and options read by the argument parser have none.
    return text.split(separator: "\n").filter { !$0.contains("title: \"") }.joined(separator: "\n")
  }

  private static let options = KnownCommand(["render"], root: OffprintCommand.self).options

  @Test("The fast path parses every name of every option as the argument parser does")
  func options() throws {
    #expect(Self.options.count > 50)
    for option in Self.options where option.name != "json" {
      for name in option.names.map({ "--\($0)" }) + option.shortNames.map({ "-\($0)" }) {
        let arguments = ["render", "page.html"] + Self.requiredOptions(option) + [name] + (Self.sample(option).map { [$0] } ?? [])
        let fastPath = try #require(RenderCommand(fastPath: arguments), "\(arguments)")
        #expect(Self.dumped(fastPath) == Self.dumped(try OffprintCommand.parseAsRoot(arguments)), "\(arguments)")
      }
    }
  }

  @Test(
    "The fast path parses combinations of options in any order as the argument parser does",
    arguments: [
      ["a.html"], ["a.html", "b.png"], ["-", "-o", "-"], ["-q", "a.html", "-w", "600", "b.png"],
      ["--css", "a.css", "a.html", "--css", "b.css", "--tag", "x", "--tag", "y", "--no-cache"],
      ["--template", "card", "--set", "a=b", "--set", "c=d=e", "x.html", "--scale", "2", "--transparent"],
      ["a.html", "--json", "-o", "b.png", "--max-nodes", "40k", "--cache", "c", "--cache-max-age", "12h"],
    ])
  func combinations(_ arguments: [String]) throws {
    let fastPath = try #require(RenderCommand(fastPath: ["render"] + arguments))
    #expect(Self.dumped(fastPath) == Self.dumped(try OffprintCommand.parseAsRoot(["render"] + arguments)))
    #expect(!Self.dumped(fastPath).contains("definition"), "a property wrapper was not initialized")
  }

  @Test(
    "Help, invalid arguments and other option syntaxes fall back to the argument parser",
    arguments: [
      ["a.html", "--help"], ["a.html", "--width=5"], ["a.html", "-w5"], ["a.html", "--", "-o"], ["a.html", "--width"],
      ["a.html", "--nothing"],
      ["a.html", "--width", "wide"], ["a.html", "--width", "5", "--width", "6"], ["a.html", "-o", "--quiet"], ["a.html", "b.png", "c.png"],
      ["a.html", "--no-cache", "--refresh"], ["a.html", "--scale", "40"], ["a.html", "--set", "a=b"], ["a.html", "b.png", "-o", "c.png"],
      ["a.html", "-qo", "b.png"], ["a.html", "--quality", "200"], ["a.html", "--max-nodes", "0"], ["a.html", "--worker-memory", "64"],
      ["a.html", "--quiet=true"], ["a.html", "--tier-read-only"],
    ])
  func fallsBack(_ arguments: [String]) {
    #expect(RenderCommand(fastPath: ["render"] + arguments) == nil)
  }

  @Test("Other commands fall back to the argument parser") func otherCommands() {
    #expect(RenderCommand(fastPath: ["batch", "a.ndjson"]) == nil)
    #expect(RenderCommand(fastPath: []) == nil)
  }
}
