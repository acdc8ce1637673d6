import Testing

@testable import OffprintCommandLine

/// Compares the fast path of `render` with the argument parser.
@Suite struct PlainArgumentsTests {
  /// A value for an option, by its placeholder in the help.
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

  /// Other options that some options require.
  private static func companions(_ option: CommandOption) -> [String] {
    switch option.name {
    case "set", "data": ["--template", "card"]
    case "worker-memory", "worker-renders", "allow-missing-layer": ["--isolate"]
    case "tier-read-only": ["--tier", "redis://localhost"]
    default: []
    }
  }

  private static func text(_ command: some Any) -> String {
    var text = ""
    dump(command, to: &text)
    // Titles of groups only matter for the help, and parsed options have none.
    return text.split(separator: "\n").filter { !$0.contains("title: \"") }.joined(separator: "\n")
  }

  private static let options = KnownCommand(["render"], root: OffprintCommand.self).options

  @Test("Each option, by each of its names, is parsed like by the argument parser")
  func options() throws {
    #expect(Self.options.count > 50)
    for option in Self.options where option.name != "json" {
      for name in option.names.map({ "--\($0)" }) + option.shortNames.map({ "-\($0)" }) {
        let arguments = ["render", "page.html"] + Self.companions(option) + [name] + (Self.sample(option).map { [$0] } ?? [])
        let plain = try #require(RenderCommand(plain: arguments), "\(arguments)")
        #expect(Self.text(plain) == Self.text(try OffprintCommand.parseAsRoot(arguments)), "\(arguments)")
      }
    }
  }

  @Test(
    "Combinations of options in any order are parsed like by the argument parser",
    arguments: [
      ["a.html"], ["a.html", "b.png"], ["-", "-o", "-"], ["-q", "a.html", "-w", "600", "b.png"],
      ["--css", "a.css", "a.html", "--css", "b.css", "--tag", "x", "--tag", "y", "--no-cache"],
      ["--template", "card", "--set", "a=b", "--set", "c=d=e", "x.html", "--scale", "2", "--transparent"],
      ["a.html", "--json", "-o", "b.png", "--max-nodes", "40k", "--cache", "c", "--cache-max-age", "12h"],
    ])
  func several(_ arguments: [String]) throws {
    let plain = try #require(RenderCommand(plain: ["render"] + arguments))
    #expect(Self.text(plain) == Self.text(try OffprintCommand.parseAsRoot(["render"] + arguments)))
    #expect(!Self.text(plain).contains("definition"), "an option has no value")
  }

  @Test(
    "Help, errors and other spellings are left to the argument parser",
    arguments: [
      ["a.html", "--help"], ["a.html", "--width=5"], ["a.html", "-w5"], ["a.html", "--", "-o"], ["a.html", "--width"],
      ["a.html", "--nothing"],
      ["a.html", "--width", "wide"], ["a.html", "--width", "5", "--width", "6"], ["a.html", "-o", "--quiet"], ["a.html", "b.png", "c.png"],
      ["a.html", "--no-cache", "--refresh"], ["a.html", "--scale", "40"], ["a.html", "--set", "a=b"], ["a.html", "b.png", "-o", "c.png"],
      ["a.html", "-qo", "b.png"], ["a.html", "--quality", "200"], ["a.html", "--max-nodes", "0"], ["a.html", "--worker-memory", "64"],
      ["a.html", "--quiet=true"], ["a.html", "--tier-read-only"],
    ])
  func left(_ arguments: [String]) {
    #expect(RenderCommand(plain: ["render"] + arguments) == nil)
  }

  @Test("Other commands are left to the argument parser") func otherCommands() {
    #expect(RenderCommand(plain: ["batch", "a.ndjson"]) == nil)
    #expect(RenderCommand(plain: []) == nil)
  }
}
