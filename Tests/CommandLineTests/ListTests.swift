import Foundation
import Testing

@Suite("Lists of jobs") struct ListTests {
  @Test("A list of hits can have any length without growing the stack")
  func manyHits() throws {
    let scratch = try Scratch()
    let list = (0..<6_000).map { "{\"id\":\"\($0)\",\"html\":\"x\",\"width\":20}" }.joined(separator: "\n")
    let jobs = try scratch.write("jobs.ndjson", list)
    let outcome = try Program.run(["warm", jobs, "--json", "--jobs", "2", "--cache", scratch.path("cache")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let counts = outcome.json as? [String: Any]
    #expect((counts?["hits"] as? Int ?? 0) + (counts?["misses"] as? Int ?? 0) == 6_000)
    #expect(counts?["failed"] as? Int == 0)
  }

  @Test("A list is read from a file, standard input or a pipe, with a byte order mark, blank lines and no final line end")
  func sources() throws {
    let scratch = try Scratch()
    let list = "\u{FEFF}{\"id\":\"a\",\"html\":\"<p>1\"}\r\n\n  \n{\"html\":\"<p>2\"}"
    let jobs = try scratch.write("jobs.ndjson", list)
    let arguments = ["--report", "-", "--no-cache", "--output", scratch.path("out")]
    #expect(try Program.run(["batch", jobs] + arguments).lines.map { $0["id"] as? String }.sorted { $0 ?? "" < $1 ?? "" } == ["4", "a"])
    #expect(try Program.run(["batch", "-"] + arguments, input: Data(list.utf8)).lines.count == 2)
    let pipe = Pipe()
    try pipe.fileHandleForWriting.write(contentsOf: Data(list.utf8))
    try pipe.fileHandleForWriting.close()
    let piped = try Program.run(["batch", "-"] + arguments, inputHandle: pipe.fileHandleForReading)
    #expect(piped.lines.count == 2 && piped.status == 0)
    #expect(try Program.run(["inspect", "--batch", "-"], input: Data(list.utf8)).lines.map { $0["id"] as? String } == ["a", "4"])
    #expect(try Program.run(["batch", scratch.path("none")] + arguments).status == 66)
    #expect(try Program.run(["batch", "-"] + arguments, input: Data()).status == 0)
  }

  @Test("Only the job fails whose identifier looks like a key")
  func keyShapedIdentifier() throws {
    let scratch = try Scratch()
    let list = "{\"html\":\"1\"}\n{\"html\":\"2\",\"identifier\":\"\(String(repeating: "0123ABcd", count: 8))\"}\n"
    let arguments = ["batch", "-", "--report", "-", "--no-cache", "--output", scratch.path("out"), "--keep-going"]
    let outcome = try Program.run(arguments, input: Data(list.utf8))
    #expect(outcome.lines.compactMap { ($0["error"] as? [String: Any])?["code"] as? String } == ["identifierInvalid"])
    #expect(outcome.lines.count == 2)
  }

  @Test("An endless list is refused by its size")
  func endlessList() throws {
    for arguments in [["batch", "/dev/zero", "--dry-run"], ["inspect", "--batch", "/dev/zero"]] {
      let outcome = try Program.run(arguments)
      #expect([65, 69].contains(outcome.status), "\(arguments) \(outcome.status) \(outcome.errors)")
    }
  }

  @Test("Invalid UTF-8 is an error, and never replaced by other text")
  func undecodable() throws {
    let list = Data(#"{"id":"a","html":"x","identifier":""#.utf8) + [0xFF] + Data("\"}\n".utf8)
    let outcome = try Program.run(["batch", "-", "--report", "-", "--no-cache", "--dry-run"], input: list)
    #expect(outcome.status == 1 && outcome.text.contains("UTF-8"), "\(outcome.status) \(outcome.text)")
    let paths = try Program.run(["batch", "-", "--dry-run"], input: Data([0x61, 0xFF, 0x0A]))
    #expect(paths.status == 1 && paths.errors.contains("UTF-8"), "\(paths.errors)")
    // Foundation cannot start a program with such an argument.
    let script = "exec \"$0\" render - -o /dev/null --no-cache --identifier \"$(printf 'a\\377')\""
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", script, Program.url.path]
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 64)
  }

  @Test("A line above the limit fails only its job, and the message names the option")
  func longLine() throws {
    let scratch = try Scratch()
    let long = "{\"html\":\"\(String(repeating: "x", count: 200_000))\"}"
    let list = Data("{\"html\":\"1\"}\n\(long)\n{\"html\":\"3\"}\n".utf8)
    let arguments = ["batch", "-", "--report", "-", "--no-cache", "--output", scratch.path("out"), "--keep-going", "--jobs", "1"]
    let outcome = try Program.run(arguments + ["--max-line-bytes", "100k"], input: list)
    #expect(outcome.lines.map { $0["status"] as? String } == ["rendered", "failed", "rendered"])
    let error = outcome.lines.dropFirst().first?["error"] as? [String: String]
    #expect(error?["code"] == "limitExceeded")
    #expect(error?["message"]?.contains("--max-line-bytes") == true)
    #expect(try Program.run(arguments, input: list).status == 0)
  }

  @Test(
    "Two jobs with the same id or output are an error before rendering",
    arguments: [
      ["{\"id\":\"x\",\"html\":\"1\"}", "{\"id\":\"y\",\"html\":\"2\"}", "{\"id\":\"x\",\"html\":\"3\"}"],
      ["{\"id\":\"a/b\",\"html\":\"1\"}", "{\"id\":\"a_b\",\"html\":\"2\"}"],
      ["{\"id\":\"..\",\"html\":\"1\"}", "{\"id\":\".\",\"html\":\"2\"}"],
      ["{\"id\":\"2\",\"html\":\"1\"}", "{\"html\":\"2\"}"],
      ["{\"id\":2,\"html\":\"1\"}", "{\"id\":\"2\",\"html\":\"2\"}"],
      ["{\"id\":\"a\",\"html\":\"1\",\"output\":\"o.png\"}", "{\"id\":\"b\",\"html\":\"2\",\"output\":\"./nowhere/../o.png\"}"],
      ["{\"id\":\"a\",\"html\":\"1\"}", "{\"id\":\"b\",\"html\":\"2\",\"output\":\"out/a.png\"}"],
      [
        "{\"id\":\"\(String(repeating: "é", count: 200))\",\"html\":\"1\"}",
        "{\"id\":\"\(String(repeating: "é", count: 201))\",\"html\":\"2\"}",
      ],
    ])
  func doubled(lines: [String]) throws {
    let scratch = try Scratch()
    let list = lines.joined(separator: "\n")
    let arguments = ["batch", "-", "--report", "-", "--no-cache", "--output", "out", "--keep-going"]
    let outcome = try Program.run(arguments, input: Data(list.utf8), folder: scratch.url)
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains("dataInvalid") && outcome.errors.contains("on lines 1 and \(lines.count)"), "\(outcome.errors)")
    #expect(outcome.output.isEmpty && scratch.names.isEmpty, "no image is rendered")
  }

  @Test(
    "An invalid id or output is an error before rendering",
    arguments: ["output\":null", "output\":\"\"", "output\":\"-\"", "id\":null", "id\":[]"])
  func badHead(member: String) throws {
    let scratch = try Scratch()
    let list = "{\"id\":\"first\",\"html\":\"x\"}\n{\"html\":\"x\",\"\(member)}"
    let outcome = try Program.run(
      ["batch", "-", "--no-cache", "--output", "out", "--keep-going"], input: Data(list.utf8), folder: scratch.url)
    #expect(outcome.status == 65 && scratch.names.isEmpty)
    #expect(outcome.errors.contains("dataInvalid: Line 2: \"\(member.prefix { $0 != "\"" })\" must be"), "\(outcome.errors)")
  }

  @Test("Different ids give different files, long ones are truncated between characters, and none leaves its folder")
  func fileNames() throws {
    let scratch = try Scratch()
    let ids = ["..", "a/../b", String(repeating: "é", count: 200), "tab\\tstop", "…"]
    let list = ids.map { "{\"id\":\"\($0)\",\"html\":\"x\",\"width\":20}" }.joined(separator: "\n")
    let outcome = try Program.run(["batch", "-", "--no-cache", "--output", scratch.path("out")], input: Data(list.utf8))
    #expect(outcome.status == 0, "\(outcome.errors)")
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("out")).sorted()
    #expect(names == ["_.png", "a_.._b.png", "tab_stop.png", String(repeating: "é", count: 125) + ".png", "…" + ".png"].sorted())
    #expect(scratch.names == ["out"])
  }

  @Test("A device accepts the images of any number of jobs", .enabled(if: Scratch.supportsDevices))
  func devices() throws {
    let scratch = try Scratch()
    let null = try #require(scratch.device("null", minor: 3))
    let list = (0..<3).map { "{\"id\":\"\($0)\",\"html\":\"x\",\"output\":\"\(null)\"}" }.joined(separator: "\n")
    #expect(try Program.run(["batch", "-", "--no-cache"], input: Data(list.utf8)).status == 0)
    #expect(scratch.fileType("null") == S_IFCHR)
  }

  @Test(
    "An invalid job is an error that gives the reason",
    arguments: [
      ("[1]", "not a JSON object"), ("{\"html\":1}", "\"html\" must be a string"),

      ("{\"input\":\"-\"}", "\"input\" must be"),
      ("{\"id\":\"a\"}", "neither \"input\""), ("{\"html\":\"x\",\"input\":\"y\"}", "both"),
      ("{\"html\":\"x\",\"widht\":3}", "no option \"widht\""), ("{\"html\":\"x\",\"fonts\":\"f\"}", "can only be set for all jobs"),
      ("{\"html\":\"x\",\"selector\":\"p\",\"clip\":\"0,0,1,1\"}", "exclude each other"),
    ])
  func noJob(line: String, reason: String) throws {
    let scratch = try Scratch()
    let outcome = try Program.run(
      ["batch", "-", "--report", "-", "--no-cache", "--output", scratch.path("out")], input: Data(line.utf8))
    #expect(outcome.status == 1)
    let error = outcome.lines.first?["error"] as? [String: String]
    #expect(error?["code"] == "dataInvalid")
    #expect(error?["message"]?.contains(reason) == true, "\(error ?? [:])")
  }

  @Test("A job's own options override the command's, including mutually exclusive ones")
  func overrides() throws {
    let scratch = try Scratch()
    func size(_ options: [String], _ members: String) throws -> [Int] {
      let list = "{\"id\":\"a\",\"html\":\"<body style='margin:0'><p id=p style='margin:0;width:9px;height:7px'>\",\(members)}"
      let outcome = try Program.run(
        ["batch", "-", "--no-cache", "--output", scratch.path("out")] + options, input: Data(list.utf8))
      #expect(outcome.status == 0, "\(outcome.errors)")
      return pngSize(try scratch.data("out/a.png"))
    }
    #expect(try size(["--window-size", "50,40"], "\"width\":30") == [30, 40])
    #expect(try size(["--width", "50", "--height", "20"], "\"window-size\":\"30,10\"") == [30, 10])
    #expect(try size(["--clip", "0,0,5,5"], "\"selector\":\"#p\"") == [9, 7])
    #expect(try size(["--selector", "#p", "--scale", "3"], "\"clip\":\"0,0,5,5\",\"scale\":2") == [10, 10])
    #expect(try size(["--transparent"], "\"background\":\"red\",\"height\":5") == [800, 5])
  }

  @Test("warm reports once that the cache cannot store anything, and exits with 74")
  func warmWithoutRoom() throws {
    let scratch = try Scratch()
    try scratch.write("file", "in the way")
    let list = Data((0..<4).map { "{\"html\":\"\($0)\",\"width\":20}" }.joined(separator: "\n").utf8)
    for more in [[], ["--keep-going"]] {
      let outcome = try Program.run(["warm", "-", "--cache", scratch.path("file/cache")] + more, input: list)
      #expect(outcome.status == 74)
      #expect(outcome.errors.split(separator: "\n").count { $0.contains("cacheUnusable") } == 1, "\(outcome.errors)")
    }
    let batch = try Program.run(["batch", "-", "--cache", scratch.path("file/cache"), "--output", scratch.path("out")], input: list)
    #expect(batch.status == 0 && batch.errors.contains("cacheUnusable"))
  }

  @Test("A page in a list may read no files, and one in a file those beside it")
  func filesOfPages() throws {
    let scratch = try Scratch()
    try scratch.write("a.png", try Program.run(["background", "red"]).output)
    try scratch.write("p.html", "<img src=a.png>")
    let list = [
      "{\"id\":1,\"html\":\"<img src=a.png>\",\"strict\":true}",
      "{\"id\":2,\"html\":\"<img src=a.png>\",\"strict\":true,\"base-url\":\".\"}",
      "{\"id\":3,\"html\":\"<img src=a.png>\",\"strict\":true,\"allow-files\":\".\"}", "{\"id\":4,\"input\":\"p.html\",\"strict\":true}",
    ].joined(separator: "\n")
    let arguments = ["batch", "-", "--report", "-", "--keep-going", "--no-cache", "--jobs", "1", "--output", "out"]
    let outcome = try Program.run(arguments, input: Data(list.utf8), folder: scratch.url)
    #expect(outcome.lines.map { $0["status"] as? String } == ["failed", "failed", "rendered", "rendered"], "\(outcome.text)")
  }
}
