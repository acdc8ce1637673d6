import Foundation
import Testing

/// A cache with three images that have the tag `spring`, and one with a dependency.
private struct FilledCache {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    for name in ["a", "b", "c"] {
      try scratch.write("\(name).html", "<p>\(name)")
      try #require(
        run(["render", "\(name).html", "--identifier", "card-\(name)", "--tag", "spring", "--width", "90"], "cache").status == 0)
    }
    try scratch.write("sheet.css", "p{color:red}")
    try scratch.write("d.html", "<link rel=stylesheet href=sheet.css><p>d")
    try #require(run(["render", "d.html"], "cache").status == 0)
  }

  func run(_ arguments: [String], _ cache: String = "cache", input: Data? = nil) throws -> Program.Outcome {
    try Program.run(arguments + ["--cache", cache], input: input, folder: scratch.url)
  }

  func keys(_ arguments: [String] = [], _ cache: String = "cache") throws -> [String] {
    try run(["cache", "list", "--json"] + arguments, cache).lines.compactMap { $0["key"] as? String }
  }

  func identifiers(_ arguments: [String]) throws -> [String] {
    try run(["cache", "list", "--json"] + arguments).lines.flatMap { $0["identifiers"] as? [String] ?? [] }
  }
}

@Suite("The cache commands") struct CacheCommandTests {
  @Test("Control characters in names are escaped for people, and are JSON for programs")
  func controls() throws {
    let scratch = try Scratch()
    try scratch.write("a.html", "<p>a")
    let identifier = "a\u{1B}[31mred\nforged\u{9B}2J\u{202E}x"
    func run(_ arguments: [String]) throws -> Program.Outcome { try Program.run(arguments + ["--cache", "cache"], folder: scratch.url) }
    #expect(try run(["render", "a.html", "--identifier", identifier]).status == 0)
    for arguments in [["list"], ["show", identifier]] {
      let text = try run(["cache"] + arguments).text
      #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" }, "\(arguments)")
      #expect(text.contains("\\u{1B}[31mred\\u{A}forged\\u{9B}2J\\u{202E}x"), "\(arguments) \(text)")
    }
    #expect(try run(["cache", "list", "--json"]).lines.first?["identifiers"] as? [String] == [identifier])
  }

  @Test("stats counts each lookup once, by day")
  func stats() throws {
    let cache = try FilledCache()
    _ = try cache.run(["render", "a.html", "--width", "90"])
    let stats = try #require(try cache.run(["cache", "stats", "--json"]).json as? [String: Any])
    #expect(stats["entries"] as? Int == 4 && stats["hits"] as? Int == 1 && stats["hitRate"] as? Double == 0.2)
    let days = try #require(stats["days"] as? [[String: Any]])
    #expect(days.reduce(0) { $0 + ($1["misses"] as? Int ?? 0) } == 4 && days.reduce(0) { $0 + ($1["stores"] as? Int ?? 0) } == 4)
    #expect(try cache.run(["cache", "stats", "--days", "3"]).text.contains("1 hit (20 %)  4 misses  4 stored"))
  }

  @Test("list filters, sorts, searches, limits and groups")
  func list() throws {
    let cache = try FilledCache()
    #expect(try cache.identifiers(["--where", "tag = spring", "--sort", "identifier"]) == ["card-a", "card-b", "card-c"])
    #expect(
      try cache.identifiers(["--where", "identifier ~ 'card-*' and not identifier = card-b", "--sort", "identifier desc"]) == [
        "card-c", "card-a",
      ])
    #expect(try cache.identifiers(["--search", "b.html"]) == ["card-b"])
    #expect(try cache.keys(["--search", "sheet.css"]).count == 1)
    #expect(try cache.keys(["--limit", "2"]).count == 2)
    let groups = try cache.run(["cache", "list", "--group", "tag", "--json"]).lines
    #expect(groups.map { $0["value"] as? String } == ["spring", ""] && groups.map { $0["entries"] as? Int } == [3, 1])
    #expect(try cache.run(["cache", "list"]).text.contains("c.html"))
    for wrong in [["--where", "colour = red"], ["--where", "size >"], ["--sort", "beauty"], ["--group", "beauty"], ["--limit", "0"]] {
      #expect(try cache.run(["cache", "list"] + wrong).status == 64, "\(wrong)")
      #expect(try cache.run(["cache", "list"] + wrong, "none").status == 64, "\(wrong), without a cache")
    }
  }

  @Test("show prints an entry by identifier, key or leading digits, and writes its image")
  func show() throws {
    let cache = try FilledCache()
    let entry = try #require(try cache.run(["cache", "show", "card-b", "--json"]).json as? [String: Any])
    let key = try #require(entry["key"] as? String)
    #expect((entry["parts"] as? [String: String])?["width"] == "90.0" && entry["tags"] as? [String] == ["spring"])
    #expect(try cache.run(["cache", "show", String(key.prefix(10)), "-o", "b-again.png"]).text.contains("identifier: card-b"))
    #expect(try cache.scratch.data("b-again.png") == cache.scratch.data("b.png"))
    #expect(try cache.run(["cache", "show", "card-z"]).status == 66)
    #expect(try cache.run(["cache", "show", "card-b"], "none").status == 74)
  }

  @Test("explain reports a hit, the option that differs, and the file that has changed")
  func explain() throws {
    let cache = try FilledCache()
    #expect(try cache.run(["cache", "explain", "a.html", "--width", "90"]).text.hasPrefix("a.html: hit"))
    let miss = try #require(try cache.run(["cache", "explain", "a.html", "--width", "91", "--json"]).json as? [String: Any])
    #expect(miss["status"] as? String == "miss")
    let differences = miss["differences"] as? [[String: String]]
    #expect(differences == [["part": "width", "wanted": "91.0", "stored": "90.0"]])
    try cache.scratch.write("sheet.css", "p{color:blue;}")
    #expect(try cache.run(["cache", "explain", "d.html"]).text.contains("changed: \(cache.scratch.path("sheet.css"))"))
    try cache.scratch.write("a.html", "<p>A")
    #expect(try cache.run(["cache", "explain", "a.html", "--width", "90"]).text.contains("  html: 4 bytes"))
  }

  @Test("verify finds a damaged image, --repair removes it, and it is rendered again")
  func verify() throws {
    let cache = try FilledCache()
    let key = try #require(try cache.keys(["--where", "identifier = card-a"]).first)
    let file = "cache/objects/\(key.prefix(2))/\(key).png"
    try cache.scratch.write(file, "not an image")
    let found = try cache.run(["cache", "verify", "--json"])
    #expect(found.status == 74 && (found.json as? [String: Any])?["damaged"] as? [String] == [key])
    #expect(try cache.run(["cache", "verify", "--repair"]).text.hasSuffix("repaired\n"))
    #expect(try cache.run(["cache", "verify"]).text == "checked: 3\nno damage found\n")
    #expect(try cache.run(["render", "a.html", "--width", "90"]).errors.contains("rendered"))
  }

  @Test("trim and purge remove what they specify, and with --dry-run nothing")
  func removal() throws {
    let cache = try FilledCache()
    for arguments in [["trim", "--max-size", "0"], ["purge", "--tag", "spring"], ["purge", "--where", "width = 90"], ["clear"]] {
      #expect(try cache.run(["cache"] + arguments + ["--dry-run"]).errors.contains("would be removed"))
      #expect(try cache.keys().count == 4)
    }
    #expect(try cache.run(["cache", "purge", "--identifier", "card-b"]).errors.hasPrefix("1 entry ("))
    #expect(try cache.run(["cache", "purge", "--tag", "spring", "--json"]).lines.first?["removed"] as? Int == 2)
    #expect(try cache.run(["cache", "trim", "--max-size", "0"]).errors.hasPrefix("1 entry ("))
    #expect(try cache.keys().isEmpty)
    #expect(try cache.run(["cache", "purge"]).status == 64 && cache.run(["cache", "trim"]).status == 64)
  }

  @Test("export and import transfer a warm cache, and an invalid archive is refused")
  func transfer() throws {
    let cache = try FilledCache()
    #expect(try cache.run(["cache", "export", "warm.tar", "--where", "tag = spring"]).errors == "3 entries exported\n")
    #expect(try cache.run(["cache", "import", "warm.tar"], "other").errors.hasPrefix("3 entries ("))
    #expect(try cache.run(["cache", "import", "warm.tar"], "other").errors.contains("3 existed already"))
    #expect(try cache.run(["render", "a.html", "--width", "90"], "other").errors.contains("from the cache"))
    let stream = try cache.run(["cache", "export", "-"])
    #expect(try cache.run(["cache", "import", "-", "--json"], "third", input: stream.output).lines.first?["added"] as? Int == 4)
    #expect(try cache.run(["cache", "import", "a.html"], "fourth").status == 65)
    #expect(try cache.run(["cache", "export", "x.tar"], "none").status == 74)
    #expect(!cache.scratch.exists("none") && !cache.scratch.exists("x.tar"))
  }

  @Test("--cache-max-size and --cache-max-age limit what a render leaves behind")
  func bounds() throws {
    let cache = try FilledCache()
    let outcome = try cache.run(["render", "a.html", "--width", "91", "--cache-max-age", "0s", "--cache-max-size", "1GiB"])
    #expect(outcome.status == 0)
    #expect(try cache.keys().count <= 1)
    #expect(try cache.run(["render", "a.html", "--cache-max-size", "much"]).status == 64)
    #expect(try cache.run(["render", "a.html", "--tag", ""]).status == 64)
  }

  @Test("migrate reports that there is nothing to do, and creates no cache")
  func migrate() throws {
    let cache = try FilledCache()
    #expect(try cache.run(["cache", "migrate"]).errors.contains("nothing to do"))
    #expect(try cache.run(["cache", "migrate"], "none").status == 74)
    #expect(!cache.scratch.exists("none"))
  }
}
