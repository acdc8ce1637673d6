import Foundation
import Testing

@Suite("The other commands") struct OtherCommandTests {
  @Test("Every PostScript name that fonts prints chooses its face in font-family")
  func fontNames() throws {
    let names = try Program.run(["fonts", "--names"]).text.split(separator: "\n").map(String.init)
    #expect(names.contains("LiberationSans") && names.count >= 13)
    let scratch = try Scratch()
    for name in names {
      let outcome = try Program.run(
        ["render", "-", "--no-cache", "--json", "-o", scratch.path("o.png")], input: Data("<p style=\"font-family:'\(name)'\">Abc".utf8))
      let faces = ((outcome.json as? [String: Any])?["faces"] as? [[String: Any]])?.compactMap { $0["postScriptName"] as? String }
      #expect(faces == [name])
    }
  }

  @Test("inspect answers boxes, the tree, and a batch, one line a page")
  func inspect() throws {
    let html = Data("<body style='margin:0'><div style='width:50px;height:20px'></div>".utf8)
    let boxes = try Program.run(["inspect", "-", "--width", "200"], input: html).json as? [String: Any]
    let list = boxes?["boxes"] as? [[Any]]
    #expect(list?.map { $0[0] as? String } == ["0", "0/1", "0/1/0"])
    #expect(list?.last?.dropFirst().compactMap { $0 as? Double } == [0, 0, 50, 20])
    let tree = try Program.run(["inspect", "-", "--dom"], input: Data("<p>x".utf8)).text
    #expect(tree == "| <html>\n|   <head>\n|   <body>\n|     <p>\n|       \"x\"\n")
    let scratch = try Scratch()
    let jobs = try scratch.write("l.ndjson", "{\"id\":\"a\",\"html\":\"<p>1\"}\n{\"id\":\"b\",\"input\":\"/no/such\"}\n")
    let batch = try Program.run(["inspect", "--batch", jobs])
    #expect(batch.lines.map { $0["id"] as? String } == ["a", "b"])
    #expect(batch.lines.last?["error"] != nil)
    #expect(batch.status == 1)
  }

  @Test("batch reports one line a job and goes on after a failed one when told to")
  func batch() throws {
    let scratch = try Scratch()
    let jobs = try scratch.write(
      "jobs.ndjson", "{\"id\":\"a/1\",\"html\":\"<p>a\"}\nnot json\n{\"id\":\"c\",\"template\":\"snippet\",\"html\":\"c\",\"set\":{\"width\":99}}\n")
    let outcome = try Program.run(
      ["batch", jobs, "--output", scratch.path("out"), "--report", "-", "--keep-going", "--jobs", "1", "--cache", scratch.path("cache")])
    #expect(outcome.status == 1)
    #expect(outcome.lines.map { $0["status"] as? String } == ["rendered", "failed", "rendered"])
    #expect(pngSize(try scratch.data("out/c.png")).first == 99)
    #expect(scratch.exists("out/a_1.png"))
    let sharded = try Program.run(["batch", jobs, "--output", scratch.path("s"), "--report", "-", "--shard", "1/3", "--cache", scratch.path("cache")])
    #expect(sharded.lines.map { $0["status"] as? String } == ["cached"])
  }

  @Test("A list opens no folder that a page alone has not, unless a job or the command names it")
  func foldersOfLists() throws {
    let scratch = try Scratch()
    for folder in ["a", "b"] { try scratch.write("\(folder)/p.html", "<img src='../x.svg' width=9 height=9>") }
    try scratch.write("x.svg", "<svg xmlns='http://www.w3.org/2000/svg'/>")
    func status(_ more: String, _ options: [String]) throws -> Int32 {
      let lines = ["a", "b"].map { "{\"id\":\"\($0)\",\"input\":\"\(scratch.path("\($0)/p.html"))\",\"strict\":true\(more)}\n" }
      let jobs = try scratch.write("jobs.ndjson", lines.joined())
      return try Program.run(["batch", jobs, "--output", scratch.path("out"), "--no-cache"] + options).status
    }
    #expect(try status("", []) == 1)
    #expect(try status("", ["--allow-files", scratch.path("")]) == 0)
    #expect(try status(",\"allow-files\":[\"\(scratch.path(""))\"]", []) == 0)
  }

  @Test("warm fills the cache, says hits and misses, and writes no files")
  func warm() throws {
    let scratch = try Scratch()
    let jobs = try scratch.write("jobs.ndjson", "{\"id\":1,\"html\":\"<p>a\"}\n{\"id\":2,\"html\":\"<p>b\"}\n")
    func counts() throws -> [Int] {
      let json = try Program.run(["warm", jobs, "--json", "--cache", scratch.path("cache")]).json as? [String: Any]
      return ["hits", "misses", "failed"].compactMap { json?[$0] as? Int }
    }
    #expect(try counts() == [0, 2, 0])
    #expect(try counts() == [2, 0, 0])
    #expect(scratch.names.sorted() == ["cache", "jobs.ndjson"])
    let list = try Program.run(["cache", "list", "--json", "--cache", scratch.path("cache")])
    #expect(list.lines.count == 2)
    #expect(try Program.run(["cache", "clear", "--cache", scratch.path("cache")]).status == 0)
    #expect(try Program.run(["cache", "list", "--json", "--cache", scratch.path("cache")]).lines.isEmpty)
  }

  @Test("background makes five by five pixels, and stretches them")
  func background() throws {
    #expect(pngSize(try Program.run(["background", "#336699"]).output) == [5, 5])
    #expect(pngSize(try Program.run(["background", "#336699", "--stretch", "320x44"]).output) == [320, 44])
    #expect(try Program.run(["background", "no-colour"]).status == 64)
  }

  @Test("Help names every command, and each command explains itself")
  func help() throws {
    let help = try Program.run(["--help"]).text
    for command in ["render", "batch", "warm", "inspect", "fonts", "background", "cache"] {
      #expect(help.contains(command))
      #expect(try Program.run([command, "--help"]).text.contains("USAGE"))
    }
    #expect(try Program.run(["--generate-completion-script", "bash"]).text.contains("offprint"))
  }
}
