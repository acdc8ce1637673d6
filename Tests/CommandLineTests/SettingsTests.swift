import Foundation
import Testing

@Suite("Short forms, variables and offprint.toml") struct SettingsTests {
  private func size(_ scratch: Scratch, _ arguments: [String], _ variables: [String: String] = [:]) throws -> [Int] {
    let outcome = try Program.run(arguments + ["-o", "-"], environment: variables, folder: scratch.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return pngSize(outcome.output)
  }

  @Test("Passwords in URLs are shown nowhere: in configuration, messages or process listings")
  func passwords() throws {
    let scratch = try Scratch()
    let address = "redis://user:pass:w@rd@localhost:1/0"
    try scratch.write("offprint.toml", "tier = \"\(address)\"\n")
    for arguments in [["--print-config"], ["--print-config", "--json"], ["--tier", address, "--print-config"]] {
      let outcome = try Program.run(["render"] + arguments, folder: scratch.url)
      #expect(outcome.text.contains("redis://user:***@localhost:1/0"), "\(outcome.errors)")
      #expect(!(outcome.text + outcome.errors).contains("pass"))
    }
    try scratch.write("offprint.toml", "tier = \(address)\n")
    let broken = try Program.run(["render", "-"], input: Data("x".utf8), folder: scratch.url)
    #expect(broken.status != 0 && !broken.errors.contains("pass"), "\(broken.errors)")
    let process = Process()
    process.executableURL = Program.url
    process.arguments = ["render", "-", "--tier", address, "-o", "/dev/null"]
    process.standardInput = Pipe()
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }
    usleep(500_000)
    let title = try String(contentsOfFile: "/proc/\(process.processIdentifier)/cmdline", encoding: .utf8)
    #expect(title.contains("redis://user:") && !title.contains("pass"), "\(title)")
  }

  @Test("Passwords are hidden if they contain spaces or quotes, are in an invalid URL, or are truncated in a message")
  func oddPasswords() throws {
    let scratch = try Scratch()
    let secret = "Sec" + "ret"
    for address in [
      "redis://user:pa\"\(secret)@127.0.0.1:1/0", "redis://user:pa \(secret)@127.0.0.1:1/0", "redis:/u:\(secret)@h", "u:\(secret)@h:1",
      "//u:\(secret)@h", "redis://u:\(secret)", "s3://images?endpoint=http%3A%2F%2Fu:\(secret)%40h",
    ] {
      let shown = try Program.run(["render", "--tier", address, "--print-config"], folder: scratch.url)
      #expect(!(shown.text + shown.errors).contains(secret), "\(address): \(shown.text)")
      let refused = try Program.run(["render", "-", "--tier", address, "-o", "/dev/null"], input: Data("x".utf8), folder: scratch.url)
      #expect(!refused.errors.contains(secret), "\(address): \(refused.errors)")
    }
    try scratch.write("offprint.toml", "tier = redis://:\(String(repeating: "0123456789abcdef", count: 4))@cache.example:6379/0\n")
    let long = try Program.run(["render", "-"], input: Data("x".utf8), folder: scratch.url)
    #expect(long.status != 0 && !long.errors.contains("0123456789"), "\(long.errors)")
    let process = Process()
    process.executableURL = Program.url
    process.arguments = ["render", "-", "--tier", "redis://user:pa \"\(secret)@127.0.0.1:1/0", "-o", "/dev/null"]
    process.standardInput = Pipe()
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }
    usleep(500_000)
    let title = try String(contentsOfFile: "/proc/\(process.processIdentifier)/cmdline", encoding: .utf8)
    #expect(title.contains("redis://user:") && !title.contains(secret), "\(title)")
  }

  @Test("A page alone is rendered to a file beside it; a second argument is the image, never another page; options may precede the page")
  func shortForms() throws {
    let scratch = try Scratch()
    for name in ["dir/in.html", "other.html", "render"] { try scratch.write(name, "<p>x") }
    func run(_ words: [String]) throws -> Program.Outcome { try Program.run(words + ["--no-cache"], folder: scratch.url) }
    #expect(try run(["dir/in.html", "-w", "60"]).status == 0 && pngSize(try scratch.data("dir/in.png")).first == 60)
    #expect(try run(["dir/in.html", "out.png"]).status == 0 && scratch.exists("out.png"))
    #expect(try run(["--width", "50", "dir/in.html", "wk.png"]).status == 0 && pngSize(try scratch.data("wk.png")).first == 50)
    #expect(try run(["./render", "r.png"]).status == 0 && scratch.exists("r.png"))
    let second = try run(["dir/in.html", "other.html"])
    #expect(second.status == 64 && second.errors.contains("offprint batch"))
    #expect(try scratch.data("other.html") == Data("<p>x".utf8))
    #expect(try run(["render", "dir/in.html", "a.png", "-o", "b.png"]).status == 64)
    let wrong = try run(["rendr"])
    #expect(wrong.status == 64 && wrong.errors.contains("did you mean 'render'?"), "\(wrong.errors)")
  }

  @Test("A page is read from standard input if none is named, and nothing blocks without input")
  func standardInput() throws {
    let scratch = try Scratch()
    let html = Data("<p>x".utf8)
    #expect(try pngSize(Program.run(["render", "--no-cache", "-w", "30"], input: html).output).first == 30)
    #expect(
      try Program.run(["render", "-o", "x.png", "--no-cache"], input: html, folder: scratch.url).status == 0 && scratch.exists("x.png"))
    #expect(!pngSize(try Program.run([], input: html, folder: scratch.url).output).isEmpty)
    let none = try Program.run(["render"], inputHandle: .nullDevice)
    #expect(none.status == 64 && none.errors.contains("Specify the page"), "\(none.errors)")
    #expect(try Program.run([], inputHandle: .nullDevice).text.contains("SUBCOMMANDS"))
    #expect(try Program.run(["batch"], inputHandle: .nullDevice).status == 64)
  }

  @Test("A flag overrides a variable, a variable the file, and a command's table the top level")
  func precedence() throws {
    let scratch = try Scratch()
    try scratch.write("a/b/p.html", "<!DOCTYPE html><body style='margin:0'><p style='margin:0;height:9px'>")
    try scratch.write("a/offprint.toml", "width = 30\nno-cache = true\n[render]\nscale = 2\n[batch]\nwidth = 70\n")
    let file = scratch.path("a/b/p.html")
    func run(_ options: [String], _ variables: [String: String] = [:]) throws -> [Int] {
      let outcome = try Program.run(
        ["render", file, "-o", "-"] + options, environment: variables, folder: scratch.url.appendingPathComponent("a/b"))
      #expect(outcome.status == 0, "\(outcome.errors)")
      return pngSize(outcome.output)
    }
    #expect(try run([]) == [60, 18])
    #expect(try run([], ["OFFPRINT_WIDTH": "40"]) == [80, 18])
    #expect(try run(["--width", "50"], ["OFFPRINT_WIDTH": "40", "OFFPRINT_SCALE": "1"]) == [50, 9])
    #expect(try run(["--window-size", "10,20"]) == [20, 40], "a source of higher precedence overrides options that exclude its own")
    #expect(try run(["--no-config", "--no-cache"]) == [800, 9])
    try scratch.write("other.toml", "width = 90\nno-cache = true\n")
    #expect(try run(["--config", scratch.path("other.toml")]) == [90, 9])
    #expect(try run([], ["OFFPRINT_CONFIG": scratch.path("other.toml")]) == [90, 9])
    let home = scratch.path("home")
    try scratch.write("home/.config/offprint/offprint.toml", "width = 33\nno-cache = true\n")
    #expect(try size(scratch, ["render", file], ["HOME": home, "XDG_CONFIG_HOME": ""]) == [33, 9])
  }

  @Test("Flags can be switched off, lists are lists, and paths in a file are relative to its folder")
  func kinds() throws {
    let scratch = try Scratch()
    try scratch.write("c/s.css", "p{height:5px;margin:0} body{margin:0}")
    try scratch.write(
      "c/offprint.toml", "strict = true\nno-cache = true\ncss = [\"s.css\"]\ntemplate = \"t.mustache\"\nset = { a = 1, b = \"x y\" }\n")
    try scratch.write("c/t.mustache", "<p title='{{a}}{{b}}'>{{{body}}}<img src=none.png>")
    try scratch.write("p.html", "x")
    let arguments = ["render", "p.html", "--config", "c/offprint.toml", "-o", "-", "--selector", "p", "-w", "20"]
    #expect(try Program.run(arguments, folder: scratch.url).status == 66, "strict")
    for (options, variables) in [(["--strict=false"], [:]), ([], ["OFFPRINT_STRICT": "no"])] as [([String], [String: String])] {
      let outcome = try Program.run(arguments + options, environment: variables, folder: scratch.url)
      #expect(outcome.status == 0 && pngSize(outcome.output) == [20, 5], "\(outcome.errors)")
    }
    let folders = try Program.run(
      ["fonts", "--names"], environment: ["OFFPRINT_FONT_PATH": "/nowhere/a:/nowhere/b"], folder: scratch.url)
    #expect(folders.status == 66 && folders.errors.contains("/nowhere/a"))
  }

  @Test(
    "Errors in a file are reported with their line and the nearest name",
    arguments: [
      ("a = 1", "offprint.toml:1: there is no option 'a'"),
      ("\nwidht = 3", "offprint.toml:2: there is no option 'widht'; did you mean 'width'?"),
      ("[batch]\njbos = 1", ""), ("[render]\njobs = 1", "offprint.toml:2: there is no option 'jobs' of 'render'"),
      ("[rendr]\nx = 1", "no command 'rendr' for a table [rendr]; did you mean 'render'?"),
      ("width = ", "offprint.toml:1: a value is missing"),
      ("width = 3 4", "offprint.toml:1: unexpected text"), ("width = 3\nwidth = 4", "offprint.toml:2: 'width' is specified twice"),
      ("width = [1, 2]", "'width' takes one value"), ("strict = 1", "'strict' must be true or false"),
      ("css = \"x\nwidth = 3", "a string is not closed on its line"),
      ("width = 2024-01-01", "dates and times must be in quotes"), ("[serve]\nlisten = \"x\"", ""), ("width = \"wide\"", "(from "),
    ])
  func wrongFiles(text: String, says: String) throws {
    let scratch = try Scratch()
    try scratch.write("offprint.toml", text)
    let outcome = try Program.run(["render", "-", "-o", "-", "--no-cache"], input: Data("x".utf8), folder: scratch.url)
    #expect(outcome.status == (says.isEmpty ? 0 : says == "(from " ? 64 : 65), "\(outcome.errors)")
    #expect(says.isEmpty || outcome.errors.contains(says), "\(outcome.errors)")
  }

  @Test("--print-config prints the source of each value, as text for a file and as JSON")
  func printed() throws {
    let scratch = try Scratch()
    try scratch.write("offprint.toml", "width = 30\ncss = [\"a.css\"]\n")
    let variables = ["OFFPRINT_SCALE": "1.5", "OFFPRINT_NO_SUCH": "1"]
    let arguments = ["render", "--print-config", "--strict"]
    let outcome = try Program.run(arguments, environment: variables, folder: scratch.url)
    #expect(outcome.status == 0 && scratch.names == ["offprint.toml"])
    for line in [
      "width = 30  # file ", "scale = 1.5  # variable OFFPRINT_SCALE", "strict = true  # flag --strict", "# height = \"auto\"  # default",
    ] {
      #expect(outcome.text.contains("\n\(line)"), "\(line) in \(outcome.text)")
    }
    try scratch.write("copy.toml", outcome.output)
    let copy = try Program.run(["render", "-", "--config", "copy.toml", "--print-config", "--json"], folder: scratch.url)
    let options = (copy.json as? [String: Any])?["options"] as? [[String: Any]] ?? []
    let width = try #require(options.first { $0["name"] as? String == "width" })
    let place = "copy.toml:\(try line(of: "width =", outcome.text))"
    #expect(width["value"] as? String == "30" && width["source"] as? String == "file" && width["from"] as? String == place)
    #expect(
      try Program.run(arguments + ["--json"], environment: variables, folder: scratch.url).text.contains(
        "\"OFFPRINT_NO_SUCH\""))
  }

  private func line(of start: String, _ text: String) throws -> Int {
    try #require(text.split(separator: "\n", omittingEmptySubsequences: false).firstIndex { $0.hasPrefix(start) }) + 1
  }

  @Test("A wrong value in a variable is reported with the variable's name")
  func wrongVariables() throws {
    for (name, value) in [("OFFPRINT_WIDTH", "wide"), ("OFFPRINT_STRICT", "maybe")] {
      let outcome = try Program.run(["render", "-", "--no-cache"], input: Data("x".utf8), environment: [name: value])
      #expect(outcome.status == 64 && outcome.errors.contains(name), "\(outcome.errors)")
    }
    #expect(try Program.run(["render", "-", "--no-cache"], input: Data("x".utf8), environment: ["OFFPRINT_WIDTH": ""]).status == 0)
  }

  @Test("With --json an error is one JSON object on standard error")
  func errors() throws {
    let scratch = try Scratch()
    for (arguments, code, exit) in [
      (["render", "none.html", "--json"], "inputNotFound", 66), (["render", "--json", "--widht", "3"], "usage", 64),
      (["cache", "stats", "--json", "--cache", "/proc"], "cacheUnusable", 74), (["rendr", "--json"], "usage", 64),
    ] {
      let outcome = try Program.run(arguments, folder: scratch.url)
      let json = try JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: [String: Any]]
      #expect(json?["error"]?["code"] as? String == code && json?["error"]?["exit"] as? Int == exit, "\(outcome.errors)")
      #expect(outcome.status == Int32(exit) && json?["error"]?["message"] is String && outcome.output.isEmpty)
    }
    let list = Data("{\"id\":\"a\",\"html\":1}".utf8)
    let batch = try Program.run(["batch", "-", "--json", "--no-cache"], input: list, folder: scratch.url)
    #expect(
      batch.status == 1 && batch.errors.contains("\"exit\":65,\"id\":\"a\"}}") && (batch.json as? [String: Any])?["failed"] as? Int == 1)
  }
}
