import Foundation
import Testing

@Suite("Formats of lists") struct InputListTests {
  /// The ids and states of a run without a cache.
  private func run(_ scratch: Scratch, _ arguments: [String], input: String? = nil, status: Int32 = 0) throws -> [String] {
    let outcome = try Program.run(
      ["batch"] + arguments + ["--no-cache", "--keep-going", "--report", "-", "--output", "out", "--width", "40"],
      input: input.map { Data($0.utf8) }, folder: scratch.url)
    #expect(outcome.status == status, "\(outcome.errors)\(outcome.text)")
    return outcome.lines.map { "\($0["id"] as? String ?? "?") \($0["state"] as? String ?? "?")" }.sorted()
  }

  @Test("Columns of a table are options by name, and quotes, quoted line breaks, semicolons and tabs are supported")
  func tables() throws {
    let scratch = try Scratch()
    try scratch.write("comma.csv", "\u{FEFF}id,html,width,transparent\r\na,\"<p>\"\"x\"\",\ny\",30,yes\r\nb,<p>z,,\r\n")
    try scratch.write("semicolon.csv", "html;scale\n<p>x;2\n<p>a,b;1,5\n")
    try scratch.write("tabs.tsv", "html\tid\n<p>x, y\tt\n")
    try scratch.write("broken-header.csv", "id;\"html\"\n1;\"<p>x;\ny\"\n")
    try scratch.write("line-in-header.csv", "html;\"what\nit is; said\"\n{{x}};\"a\nb\"\n")
    #expect(try run(scratch, ["comma.csv"]) == ["a rendered", "b rendered"])
    #expect(try ["a", "b"].map { pngSize(try scratch.data("out/\($0).png")).first } == [30, 40])
    #expect(try run(scratch, ["semicolon.csv"], status: 1) == ["1 rendered", "2 failed"])
    #expect(pngSize(try scratch.data("out/1.png")).first == 80)
    #expect(try run(scratch, ["tabs.tsv"]) == ["t rendered"])
    #expect(try run(scratch, ["broken-header.csv"]) == ["1 rendered"])
    #expect(try run(scratch, ["line-in-header.csv"], status: 65) == [])
    #expect(try run(scratch, ["-"], input: "html,id\n<p>x,piped\n") == ["piped rendered"])
  }

  @Test(
    "An invalid table is an error that names the problem",
    arguments: [
      ("widht,html\n1,x\n", "did you mean 'width'?", 65), ("html,html\nx,y\n", "two columns 'html'", 65),
      ("id,\"html\n1,x\n", "the header has an unclosed quote", 65),
      ("html,id\n\"<p>x,1\n", "has an unclosed quote", 1), ("html,id\nx,1,2\n", "has 3 columns, but the header has 2", 1),
      ("html,width\nx,wide\n", "\"width\" must be", 1),
    ])
  func badTables(text: String, says: String, status: Int) throws {
    let scratch = try Scratch()
    try scratch.write("t.csv", text)
    let outcome = try Program.run(["batch", "t.csv", "--no-cache", "--output", "out"], folder: scratch.url)
    #expect(outcome.status == Int32(status) && outcome.errors.contains(says), "\(outcome.errors)")
    #expect(status == 1 || !scratch.exists("out"))
    try scratch.write("latin.csv", Data("id,html\n1,caf".utf8) + Data([0xE9, 0x0A]))
    let latin = try Program.run(["batch", "latin.csv", "--no-cache", "--output", "out"], folder: scratch.url)
    #expect(latin.status == 1 && latin.errors.contains("save the table as UTF-8"))
    try scratch.write("book.xlsx", Data([0x50, 0x4B, 3, 4, 20, 0, 0, 0]))
    let book = try Program.run(["batch", "book.xlsx", "--no-cache"], folder: scratch.url)
    #expect(book.status == 65 && book.errors.contains("xlsx2csv 'book.xlsx' > 'book.csv'"))
  }

  @Test("--map renames columns, whose names can contain dots and spaces in templates and output names")
  func renamedColumns() throws {
    let scratch = try Scratch()
    try scratch.write("t.csv", "Full Name,first.name,w\nAda Lovelace,Ada,50\n")
    try scratch.write("hi.mustache", "<p>{{Full Name}} {{first.name}}")
    try scratch.write("mapped.mustache", "<p>{{holder}} {{first.name}}")
    let options = ["batch", "t.csv", "--no-cache", "--output", "out", "--save-html", "html", "--template"]
    let plain = try Program.run(options + ["hi.mustache", "--name", "{Full Name}-{first.name}.png"], folder: scratch.url)
    #expect(plain.status == 0 && scratch.exists("out/Ada Lovelace-Ada.png"), "\(plain.errors)")
    let saved = try FileManager.default.contentsOfDirectory(atPath: scratch.path("html"))
    #expect(String(decoding: try scratch.data("html/\(try #require(saved.first))"), as: UTF8.self).contains("<p>Ada Lovelace Ada"))
    let mapped = try Program.run(
      options + ["mapped.mustache", "--map", "Full Name=holder", "--map", "w=width", "--name", "m.png"], folder: scratch.url)
    let mappedSize = pngSize(try scratch.data("out/m.png"))
    #expect(mapped.status == 0 && mappedSize.first == 50, "\(mapped.errors)")
    let wrong = try Program.run(options + ["mapped.mustache", "--map", "Ful Name=holder"], folder: scratch.url)
    #expect(wrong.status == 65 && wrong.errors.contains("did you mean 'Full Name'?"), "\(wrong.errors)")
    try scratch.write("t.ndjson", #"{"who":"<p>x","w":40}"#)
    let objects = try Program.run(
      ["batch", "t.ndjson", "--no-cache", "--output", "out", "--map", "who=html", "--map", "w=width", "--name", "o.png"],
      folder: scratch.url)
    let size = pngSize(try scratch.data("out/o.png"))
    #expect(objects.status == 0 && size.first == 40, "\(objects.errors)")
  }

  @Test("A diagnostic shared by many rows is printed once, with their number")
  func sharedDiagnostics() throws {
    let scratch = try Scratch()
    try scratch.write("jobs.ndjson", (1...5).map { #"{"id":"\#($0)","html":"<img src=none.png>\#($0)"}"# }.joined(separator: "\n"))
    let outcome = try Program.run(
      ["batch", "jobs.ndjson", "--no-cache", "--output", "out", "--jobs", "1", "--allow-files", "."], folder: scratch.url)
    let lines = outcome.errors.split(separator: "\n").filter { $0.contains("resourceMissing") }
    #expect(outcome.status == 0 && lines.count == 2 && lines[1].contains("4 more jobs have this"), "\(outcome.errors)")
  }

  @Test("A JSON array is read element by element, also over many lines, and a truncated one is an error before rendering")
  func arrays() throws {
    let scratch = try Scratch()
    try scratch.write("page.html", "<p>p")
    try scratch.write("a.json", "[\n {\"id\": \"x\",\n  \"html\": \"<p>], [ } \\\" \"},\n\"page.html\",{\"html\":\"y\"}]\n")
    #expect(try run(scratch, ["a.json"]) == ["3 rendered", "page rendered", "x rendered"])
    #expect(
      try run(scratch, ["-"], input: "{\n\"id\":\"m\",\n\"html\":\"x\"}\n{\"id\":\"n\",\"html\":\"x\"}") == ["m rendered", "n rendered"])
    let wrong = [
      "[{\"html\":\"x\"},", "[{\"html\":\"x\"}", "[{\"html\":\"x\"}] {\"html\":\"y\"}", "[{\"html\":\"x\"}}, {\"html\":\"y\"}]",
      "[{\"html\":\"x\"} {\"html\":\"y\"}]", "[{\"html\":\"x\"},]", "[,{\"html\":\"x\"}]", "[{\"html\":\"x\"},,{\"html\":\"y\"}]",
    ]
    for text in wrong {
      try scratch.write("bad.json", text)
      let outcome = try Program.run(["batch", "bad.json", "--no-cache", "--output", "none"], folder: scratch.url)
      #expect(outcome.status == 65 && !scratch.exists("none"), "\(text) \(outcome.errors)")
    }
  }

  @Test("Pages, patterns and several lists are rendered in one run, and rows of different lists have different ids")
  func several() throws {
    let scratch = try Scratch()
    for name in ["a", "b"] { try scratch.write("pages/\(name).html", "<p>\(name)") }
    try scratch.write("one.ndjson", "{\"html\":\"1\"}")
    try scratch.write("two.csv", "html\n2\n")
    #expect(
      try run(scratch, ["pages/*.html", "one.ndjson", "two.csv"]) == ["a rendered", "b rendered", "one-1 rendered", "two-1 rendered"])
    #expect(scratch.exists("out/a.png") && scratch.exists("out/two-1.png"))
    let none = try Program.run(["batch", "no/*.html", "--no-cache"], folder: scratch.url)
    #expect(none.status == 66 && none.errors.contains("No file matches"))
    try scratch.write("more/a.html", "<p>other")
    let same = try Program.run(["batch", "pages/a.html", "more/a.html", "--no-cache", "--output", "o"], folder: scratch.url)
    #expect(same.status == 65 && same.errors.contains("--name"), "\(same.errors)")
    #expect(!scratch.exists("o"))
  }

  @Test("A list of paths and file: URLs may have comments and blank lines, and one of web URLs is confined to --root")
  func paths() throws {
    let scratch = try Scratch()
    try scratch.write("site/index.html", "<p>i")
    try scratch.write("site/blog/a b.html", "<p>b")
    let list = "# pages\n\nsite/index.html\r\nfile://\(scratch.path("site/blog/a%20b.html"))\n"
    #expect(try run(scratch, ["-"], input: list).contains("site/index rendered"))
    try scratch.write("urls.txt", "https://e.org/\nhttps://e.org/blog/a%20b?x=1#y\nhttp://e.org/../../etc/passwd\nhttps://e.org/none\n")
    #expect(
      try run(scratch, ["urls.txt", "--root", "site"], status: 1) == [
        "../../etc/passwd failed", "blog/a b rendered", "index rendered", "none failed",
      ])
    #expect(scratch.exists("out/blog_a b.png"))
    let refused = try Program.run(["batch", "urls.txt", "--no-cache"], folder: scratch.url)
    #expect(refused.status == 1 && refused.errors.contains("resourceRefused") && refused.errors.contains("--root"))
  }

  @Test("Each <loc> of a sitemap is a page, except in comments and other namespaces")
  func sitemaps() throws {
    let scratch = try Scratch()
    for name in ["index", "a", "b&c"] { try scratch.write("site/\(name).html", "<p>\(name)") }
    let urls = ["https://e.org/", "<![CDATA[https://e.org/a]]>", "\n https://e.org/b&amp;c.html "].map {
      "<url><loc>\($0)</loc><image:image><image:loc>https://e.org/no.png</image:loc></image:image></url>"
    }
    try scratch.write("sitemap.xml", "<?xml version='1.0'?><urlset xmlns='x'><!-- <loc>no</loc> -->\(urls.joined())</urlset>")
    #expect(try run(scratch, ["sitemap.xml", "--root", "site"]) == ["a rendered", "b&c rendered", "index rendered"])
    try scratch.write("index.xml", "<sitemapindex><sitemap><loc>https://e.org/s.xml</loc></sitemap></sitemapindex>")
    let index = try Program.run(["batch", "index.xml", "--no-cache", "--root", "site"], folder: scratch.url)
    #expect(index.status == 65 && index.errors.contains("index of sitemaps"), "\(index.errors)")
  }

  @Test("Jobs of an access log are rendered, and cannot choose files to read or write")
  func logs() throws {
    let scratch = try Scratch()
    let lines = [
      "{\"time\":1,\"job\":{\"id\":\"theirs\",\"html\":\"<p>x\",\"width\":20,\"output\":\"/tmp/theirs.png\"}}",
      "{\"time\":2,\"path\":\"/health\"}",
      "{\"job\":{\"input\":\"/etc/passwd\"}}", "{\"job\":{\"html\":\"x\",\"allow-files\":\"/\"}}",
    ]
    try scratch.write("access.log", lines.joined(separator: "\n"))
    #expect(try run(scratch, ["access.log"], status: 1) == ["1 rendered", "3 failed", "4 failed"])
    #expect(scratch.exists("out/1.png"))
    let warm = try Program.run(["warm", "access.log", "--keep-going", "--json"], folder: scratch.url)
    #expect((warm.json as? [String: Any])?["misses"] as? Int == 1)
  }

  @Test("--input-format sets the format of a list if its name and contents do not")
  func format() throws {
    let scratch = try Scratch()
    try scratch.write("odd", "html\n<p>x\n")
    #expect(try run(scratch, ["odd", "--input-format", "csv"]) == ["1 rendered"])
    #expect(try run(scratch, ["odd", "--input-format", "ndjson"], status: 1) == ["1 failed", "2 failed"])
    #expect(try Program.run(["batch", "odd", "--input-format", "xls"], folder: scratch.url).status == 64)
  }

  @Test("With --template and --data each row is one image, and no column is an option")
  func rows() throws {
    let scratch = try Scratch()
    try scratch.write("t.mustache", "<body style='margin:0'><p style='margin:0;width:{{width}}px;height:{{height}}px'>{{name}}")
    let arguments = ["--template", "t.mustache", "--selector", "p", "--data"]
    try scratch.write("rows.csv", "name,width,height,id\nAda,9,7,first\nBob,11,5,\n")
    #expect(try run(scratch, arguments + ["rows.csv"]) == ["2 rendered", "first rendered"])
    #expect(try ["first", "2"].map { pngSize(try scratch.data("out/\($0).png")) } == [[9, 7], [11, 5]])
    try scratch.write("rows.json", "[{\"id\":\"j\",\"name\":\"x\",\"width\":3,\"height\":4}]")
    #expect(try run(scratch, arguments + ["rows.json"]) == ["j rendered"])
    try scratch.write("jobs.csv", "id,name,height,width\nk,x,12,30\n")
    #expect(try run(scratch, ["jobs.csv", "--template", "t2.mustache"], status: 1) == ["k failed"])
    try scratch.write("t2.mustache", "<p>{{name}}")
    #expect(try run(scratch, ["jobs.csv", "--template", "t2.mustache"]) == ["k rendered"])
    #expect(pngSize(try scratch.data("out/k.png")) == [30, 12], "known columns of jobs are options")
    try scratch.write("t3.mustache", "---\nattributes:\n  name: {type: string, required: true}\n---\n<p>{{name}} {{x}}")
    try scratch.write("given.json", "{\"name\":\"y\",\"x\":1}")
    #expect(try run(scratch, ["jobs.csv", "--template", "t3.mustache", "--data", "given.json"]) == ["k rendered"])
    #expect(pngSize(try scratch.data("out/k.png")) == [30, 12], "other columns are required attributes")
    let snippet = ["--template", "snippet", "--data", "-"]
    #expect(try run(scratch, snippet, input: "body,font-size\n<b>x</b>,20\n") == ["1 rendered"])
  }
}
