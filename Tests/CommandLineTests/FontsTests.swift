import Foundation
import Testing

@Suite("Fonts on the command line") struct FontsTests {
  /// A bundled font, as found by the program.
  private static func bundled(_ name: String) throws -> Data {
    let faces = try Program.run(["fonts", "--json"]).json as? [[String: Any]] ?? []
    let file = try #require(faces.compactMap { $0["file"] as? String }.first { $0.hasSuffix("/\(name)") })
    return try Data(contentsOf: URL(fileURLWithPath: file))
  }

  /// Creates a system with one installed font package.
  private func packaged(_ scratch: Scratch, package: String = "fonts-lato") throws {
    try scratch.write("root/var/lib/dpkg/info/\(package).list", "/usr/share/fonts/Lato.ttf\n/usr/share/doc/\(package)/copyright\n")
    try scratch.write("root/usr/share/doc/\(package)/copyright", "free\n")
    try scratch.write("root/usr/share/fonts/Lato.ttf", try Self.bundled("DejaVuSans.ttf"))
  }

  @Test("add copies a pack that pages then find, which changes their keys")
  func add() throws {
    let scratch = try Scratch()
    try packaged(scratch)
    let data = ["XDG_DATA_HOME": scratch.path("data"), "OFFPRINT_FONTS": scratch.path("none")]
    let page = try scratch.write("p.html", "<p style='font-family:DejaVu Sans'>a</p>")
    let render = ["render", page, "-o", scratch.path("p.png"), "--no-cache", "--json"]
    let before = try Program.run(render, environment: data)
    let added = try Program.run(["fonts", "add", "lato", "--root", scratch.path("root")], environment: data)
    #expect(added.status == 0 && added.text.contains("lato: 1 fonts"), "\(added.errors)")
    #expect(try scratch.data("data/offprint/fonts/lato/LICENCE-fonts-lato.txt") == Data("free\n".utf8))
    let after = try Program.run(render, environment: data)
    #expect(before.errors.contains("bundled fonts were not found") && !after.errors.contains("bundled fonts were not found"))
    #expect(before.output != after.output)
    #expect(try Program.run(["fonts", "--names"], environment: data).text == "DejaVuSans\n")
    let none = try Program.run(["fonts", "--names"], environment: data.merging(["OFFPRINT_USER_FONTS": ""]) { $1 })
    #expect(none.text.isEmpty)
    #expect(try Program.run(["fonts", "remove", "lato"], environment: data).status == 0)
    #expect(try Program.run(["fonts", "remove", "lato"], environment: data).status == 66)
    #expect(try Program.run(["fonts", "--names"], environment: data).text.isEmpty)
  }

  @Test("add refuses a font that is truncated or has no faces, and prints names with line breaks on one line")
  func brokenFiles() throws {
    let scratch = try Scratch()
    let whole = try Self.bundled("DejaVuSans.ttf")
    try scratch.write("cut.ttf", whole.prefix(whole.count / 2))
    try scratch.write("empty.ttc", Data("ttcf".utf8) + Data([0, 1, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]))
    try scratch.write("a\nb.ttf", whole)
    func add(_ file: String) throws -> Program.Outcome {
      try Program.run(["fonts", "add", scratch.path(file), "--folder", scratch.path("f")])
    }
    for name in ["cut.ttf", "empty.ttc"] {
      let outcome = try add(name)
      #expect(outcome.status == 65 && outcome.errors.contains("fontUnreadable"), "\(name): \(outcome.errors)")
      #expect(!scratch.exists("f/own/\(name)"))
    }
    let outcome = try add("a\nb.ttf")
    #expect(outcome.status == 0 && outcome.text.contains("a\\u{A}b.ttf\n"), "\(outcome.text)")
  }

  @Test("add reports an unknown pack, and what to install for a missing one")
  func errors() throws {
    let scratch = try Scratch()
    try packaged(scratch)
    func add(_ arguments: String...) throws -> Program.Outcome {
      try Program.run(["fonts", "add"] + arguments + ["--root", scratch.path("root"), "--folder", scratch.path("f")])
    }
    let unknown = try add("lato", "latin")
    #expect(unknown.status == 64 && unknown.errors.contains("fontPackUnknown") && unknown.errors.contains("emoji, cjk"))
    #expect(!scratch.exists("f"))
    let missing = try add("cjk")
    #expect(missing.status == 66 && missing.errors.contains("apt-get install fonts-noto-cjk"))
    #expect(try add().status == 64)
    #expect(try add("lato", "--list").status == 64)
    #expect(try Program.run(["fonts", "add", "x", "--folder", ""]).status == 64)
    try scratch.write("file", "")
    let blocked = try Program.run(["fonts", "add", "lato", "--root", scratch.path("root"), "--folder", scratch.path("file/f")])
    #expect(blocked.status == 73 && blocked.errors.contains("outputUnwritable"))
  }

  @Test("add --list shows the available packs, the installed ones and the added ones")
  func list() throws {
    let scratch = try Scratch()
    try packaged(scratch)
    let place = ["--root", scratch.path("root"), "--folder", scratch.path("f"), "--json"]
    #expect(try Program.run(["fonts", "add", "lato"] + place).status == 0)
    let packs = try Program.run(["fonts", "add", "--list"] + place).json as? [[String: Any]] ?? []
    #expect(packs.count > 10)
    let lato = packs.first { $0["pack"] as? String == "lato" }, cjk = packs.first { $0["pack"] as? String == "cjk" }
    #expect(lato?["installed"] as? Bool == true && lato?["added"] as? Bool == true && lato?["licence"] as? String == "OFL-1.1")
    #expect(cjk?["installed"] as? Bool == false && cjk?["package"] as? String == "fonts-noto-cjk")
    #expect(try Program.run(["fonts", "add", "--list"]).text.contains("PACK "))
  }

  @Test("Faces that support every character of a text are listed, and the face of each of its parts")
  func texts() throws {
    #expect(try Program.run(["fonts", "--covers", "☎", "--names"]).text == "DejaVuSans\n")
    let none = try Program.run(["fonts", "--covers", "中"])
    #expect(none.status == 66 && none.errors.contains("inputNotFound"))
    let match = try Program.run(["fonts", "--match", "Nowhere, Arial", "--text", "ab✓中"])
    #expect(match.text == "ab\tLiberationSans\tfamily (Arial)\n✓\tDejaVuSans\tfallback\n中\tLiberationSans\tmissing\n", "\(match.text)")
    let bold = try Program.run(["fonts", "--match", "Arial", "--text", "a", "--weight", "700", "--style", "italic", "--json"])
    #expect((bold.json as? [[String: Any]])?.first?["postScriptName"] as? String == "LiberationSans-BoldItalic")
    for arguments in [
      ["--match", "Arial"], ["--match", " ", "--text", "a"], ["--text", "a"], ["--match", "a", "--text", "a", "--weight", "0"],
    ] {
      #expect(try Program.run(["fonts"] + arguments).status == 64, "\(arguments)")
    }
  }

  @Test("Missing fonts for a text are reported, and an error with --strict")
  func missing() throws {
    let scratch = try Scratch()
    let page = try scratch.write("p.html", "<p style='font-family:Nowhere'>中</p>")
    let outcome = try Program.run(["render", page, "-o", scratch.path("p.png"), "--cache", scratch.path("c")])
    #expect(outcome.status == 0 && outcome.errors.contains("missingGlyph: ") && outcome.errors.contains("familyFallback: "))
    #expect(outcome.errors.contains("degraded"))
    let strict = try Program.run(["render", page, "-o", scratch.path("q.png"), "--no-cache", "--strict"])
    #expect(strict.status == 65 && strict.errors.contains("missingGlyph: ") && !scratch.exists("q.png"))
  }

  @Test("Fonts are found by their other names, printed in a custom format, and listed for a page")
  func lists() throws {
    let names = ["LiberationSans", "LiberationSans-Italic", "LiberationSans-Bold", "LiberationSans-BoldItalic"]
    for family in ["Arial", "sans-serif", "liberation sans"] {
      #expect(
        try Set(Program.run(["fonts", "--family", family, "--names"]).text.split(separator: "\n").map(String.init)) == Set(names),
        "\(family)")
    }
    #expect(try Program.run(["fonts", "--family", "Nowhere"]).status == 66)
    let line = try Program.run(["fonts", "--family", "DejaVu Sans", "--format", "{{{postScriptName}: {weight}, {outlines}, {embedding}"])
    #expect(line.text == "{DejaVuSans: 400, truetype, installable\n", "\(line.text)\(line.errors)")
    for arguments in [
      ["--format", "{x}"], ["--format", "{family"], ["--format", "a", "--json"], ["--duplicates", "--names"],
      ["--match", "a", "--text", "a", "--specimen", "x.png"],
    ] {
      #expect(try Program.run(["fonts"] + arguments).status == 64, "\(arguments)")
    }
    let scratch = try Scratch()
    let page = try scratch.write("p.html", "<p style='font:bold 12px Arial'>a<tt>b</tt>")
    #expect(try Program.run(["fonts", "--used-by", page, "--names"]).text == "LiberationMono-Bold\nLiberationSans-Bold\n")
    #expect(try Program.run(["fonts", "--used-by", scratch.path("none.html")]).status == 66)
    let face = (try Program.run(["fonts", "--family", "DejaVu Sans", "--json"]).json as? [[String: Any]])?.first
    #expect((face?["licence"] as? String)?.isEmpty == false && face?["colorTables"] as? [String] == [] && face?["index"] as? Int == 0)
  }

  @Test("Duplicate fonts are reported, and a specimen of them is rendered")
  func sheets() throws {
    let scratch = try Scratch()
    try scratch.write("f/Copy.ttf", try Self.bundled("DejaVuSans.ttf"))
    let twice = try Program.run(["fonts", "--duplicates", "--fonts", scratch.path("f")])
    #expect(twice.text.contains("is the same as") && twice.text.contains("Copy.ttf"), "\(twice.text)")
    let json = try Program.run(["fonts", "--duplicates", "--fonts", scratch.path("f"), "--json"]).json as? [[String: Any]]
    #expect(json?.count == 1 && json?.first?["sameFile"] as? Bool == true)
    #expect(try Program.run(["fonts", "--duplicates"]).text.isEmpty)
    let sheet = try Program.run(["fonts", "--specimen", scratch.path("s.png"), "--family", "monospace"])
    #expect(sheet.status == 0 && sheet.errors.contains("4 faces"), "\(sheet.errors)")
    #expect(try scratch.data("s.png").starts(with: [0x89, 0x50]))
    #expect(try Program.run(["fonts", "--specimen", scratch.path("no/s.png")]).status == 73)
  }
}
