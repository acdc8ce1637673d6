import Foundation
import Testing

@Suite("The other commands") struct OtherCommandTests {
  @Test("Every PostScript name that fonts prints selects its face in font-family")
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

  @Test("inspect prints boxes, the tree, and a batch with one line per page")
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

  @Test("inspect --computed prints the computed values of matching elements, as text or JSON")
  func computed() throws {
    let html = Data(
      """
      <style>p{--gap: 2px; margin: var(--gap) auto; color: #f008; width: calc(50% - 1em); font: italic 700 20px "A b", serif}
      p::before{content: "x" counter(n); transform: rotate(90deg)}</style><div><p>1<p>2</div>
      """.utf8)
    let lines = try Program.run(["inspect", "-", "--computed", "div > p", "--json"], input: html).lines
    #expect(lines.map { $0["path"] as? String } == ["0/1/0/0", "0/1/0/1"])
    let values = lines.first?["computed"] as? [String: String] ?? [:]
    #expect(["flex-wrap", "outline-style", "scrollbar-gutter"].map { values[$0] } == ["nowrap", "none", "auto"])
    let expected = [
      "color": "rgba(255, 0, 0, 0.533)", "margin-top": "2px", "margin-left": "auto", "width": "calc(50% - 20px)", "font-size": "20px",
      "font-family": "\"A b\", serif", "font-weight": "700", "font-style": "italic", "display": "block", "--gap": "2px", "z-index": "auto",
      "background-color": "rgba(0, 0, 0, 0)", "opacity": "1", "border-top-width": "0px",
    ]
    for (name, value) in expected { #expect(values[name] == value, "\(name)") }
    let pseudo = try Program.run(["inspect", "-", "--computed", "p:last-child::before"], input: html).text
    #expect(pseudo.contains("0/1/0/1 p::before\n") && pseudo.contains("  content: \"x\" counter(n);\n"))
    #expect(pseudo.contains("  transform: rotate(90deg);\n"))
    #expect(try Program.run(["inspect", "-", "--computed", "p["], input: html).status != 0)
    #expect(try Program.run(["inspect", "-", "--computed", "h1"], input: html).status != 0)
  }

  @Test("inspect --diagnostics prints what was dropped, where and why")
  func diagnostics() throws {
    let scratch = try Scratch()
    let page = try scratch.write("p.html", "<link rel=stylesheet href=s.css>\n<style>\np { colour: red;\n  width: blue }</style><p>")
    try scratch.write("s.css", "a { top: 0 }\nb::what { top: 0 }")
    let lines = try Program.run(["inspect", page, "--diagnostics", "--json"]).lines
    let found = lines.map { "\($0["source"] ?? "") \($0["line"] ?? 0):\($0["column"] ?? 0) \($0["code"] ?? "")" }
    #expect(
      found == [
        "s.css 2:1 css.invalid-selector", "\(page) 3:5 css.unknown-property", "\(page) 4:3 css.invalid-declaration",
      ])
    let text = try Program.run(["inspect", page, "--diagnostics"]).text
    #expect(text.contains("p.html:4:3: css.invalid-declaration: Invalid value of 'width': width: blue\n"))
  }

  @Test("Container queries and units use the sizes found by layout, through nested containers")
  func containers() throws {
    let html = Data(
      """
      <!DOCTYPE html><style>body{margin:0} div{container-type:inline-size} .o{width:50%} p{margin:0;height:10px;width:10cqw}
      @container (width >= 300px){.i{width:40%} p{height:20px}} @container (width < 130px){p{height:30px}}</style>
      <div class=o><p></p><div class=i><p></p></div></div>
      """.utf8)
    func boxes(_ width: String) throws -> [[Double]] {
      let answer = try Program.run(["inspect", "-", "--width", width], input: html).json as? [String: Any]
      return (answer?["boxes"] as? [[Any]])?.suffix(3).map { $0.suffix(2).compactMap { $0 as? Double } } ?? []
    }
    // The outer container is 300 px wide, so that the inner one is 120 px wide.
    #expect(try boxes("600") == [[30, 20], [120, 30], [12, 30]])
    #expect(try boxes("400") == [[20, 10], [200, 10], [20, 10]])
  }

  @Test("batch reports one line per job and continues after a failed one with --keep-going")
  func batch() throws {
    let scratch = try Scratch()
    let jobs = try scratch.write(
      "jobs.ndjson",
      "{\"id\":\"a/1\",\"html\":\"<p>a\"}\nnot json\n{\"id\":\"c\",\"template\":\"snippet\",\"html\":\"c\",\"set\":{\"width\":99}}\n")
    let outcome = try Program.run(
      ["batch", jobs, "--output", scratch.path("out"), "--report", "-", "--keep-going", "--jobs", "1", "--cache", scratch.path("cache")])
    #expect(outcome.status == 1)
    #expect(outcome.lines.map { $0["status"] as? String } == ["rendered", "failed", "rendered"])
    #expect(pngSize(try scratch.data("out/c.png")).first == 99)
    #expect(scratch.exists("out/a_1.png"))
    let sharded = try Program.run([
      "batch", jobs, "--output", scratch.path("s"), "--report", "-", "--shard", "1/3", "--cache", scratch.path("cache"),
    ])
    #expect(sharded.lines.map { $0["status"] as? String } == ["cached"])
  }

  @Test("A list allows no folder that a page alone may not read, unless a job or the command names it")
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

  @Test("warm fills the cache, prints hits and misses, and writes no files")
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
    let more = try scratch.write("more.ndjson", "{\"html\":\"<p>a\"}\n{\"html\":\"<p>c\"}\n")
    let text = try Program.run(["warm", more, "--cache", scratch.path("cache")]).text
    #expect(text.hasPrefix("1 hit, 1 miss, 0 failed; ") && text.hasSuffix(" bytes\n"), "\(text)")
    #expect(try Program.run(["cache", "clear", "--cache", scratch.path("cache")]).status == 0)
    #expect(try Program.run(["cache", "list", "--json", "--cache", scratch.path("cache")]).lines.isEmpty)
  }

  @Test("background creates five by five pixels, and stretches them")
  func background() throws {
    #expect(pngSize(try Program.run(["background", "#336699"]).output) == [5, 5])
    #expect(pngSize(try Program.run(["background", "#336699", "--stretch", "320x44"]).output) == [320, 44])
    #expect(try Program.run(["background", "no-colour"]).status == 64)
  }
}
