import Foundation
import Testing

/// A run with its expected exit code and error. `FOLDER` in an argument is a folder with `page.html`, `text` and `picture.png`.
struct ErrorCase: Sendable, CustomTestStringConvertible {
  var arguments: [String]
  var input = "<p>x"
  var status: Int32
  var code: String
  /// A part of the message.
  var says = ""
  var testDescription: String { arguments.joined(separator: " ").prefix(80) + " → \(status)" }
}

@Suite("Errors have one sentence, a code and the documented exit code") struct ExitCodeTests {
  private static let long = "#" + String(repeating: "a", count: 40_000)

  /// An identifier that looks like the key of an image.
  private static let key = String(repeating: "0123abcd", count: 8)

  static let cases: [ErrorCase] = [
    // 64: wrong usage
    ErrorCase(arguments: ["render", "-", "--widht", "3"], status: 64, code: "usage", says: "--width"),
    ErrorCase(arguments: ["render", "-", "--width", "-5"], status: 64, code: "usage"),
    ErrorCase(arguments: ["render", "-", "--scale", "17"], status: 64, code: "usage", says: "--scale"),
    ErrorCase(arguments: ["render", "-", "--timeout", "soon"], status: 64, code: "usage"),
    ErrorCase(arguments: ["render", "-", "--selector", "a", "--clip", "0,0,1,1"], status: 64, code: "usage"),
    ErrorCase(arguments: ["render", "-", "--base-url", "FOLDER/text"], status: 64, code: "usage", says: "--base-url"),
    ErrorCase(arguments: ["render", "-", "--allow-files", "FOLDER/text"], status: 64, code: "usage", says: "--allow-files"),
    ErrorCase(arguments: ["render", "-", "--template", "none", "--no-cache"], status: 64, code: "templateUnknown"),
    ErrorCase(
      arguments: ["render", "-", "--no-cache", "--template", "snippet", "--set", "x=1"], status: 64, code: "templateAttributeUnknown"),
    ErrorCase(arguments: ["render", "-", "--no-cache", "--selector", "p["], status: 64, code: "selectorInvalid"),
    ErrorCase(arguments: ["render", "-", "--clip", long], status: 64, code: "usage"),
    ErrorCase(arguments: ["background", "no-colour"], status: 64, code: "usage"),
    ErrorCase(arguments: ["background", "red", "--cap-insets", "3,3,3,3"], status: 64, code: "usage"),
    ErrorCase(arguments: ["warm", "-", "--no-cache"], status: 64, code: "usage"),
    ErrorCase(arguments: ["no-command"], status: 64, code: "usage"),
    // 65: bad input
    ErrorCase(arguments: ["render", "FOLDER", "--no-cache"], status: 65, code: "inputIsFolder"),
    ErrorCase(arguments: ["render", "FOLDER/picture.png", "--no-cache"], status: 65, code: "dataInvalid", says: "PNG"),
    ErrorCase(arguments: ["inspect", "FOLDER/picture.png"], status: 65, code: "dataInvalid", says: "PNG"),
    ErrorCase(
      arguments: ["render", "-", "--no-cache", "--template", "FOLDER/text", "--data", "FOLDER/text"], status: 65, code: "dataInvalid"),
    ErrorCase(arguments: ["render", "-", "--no-cache", "--template", "FOLDER/broken.mustache"], status: 65, code: "templateInvalid"),
    ErrorCase(arguments: ["batch", "-"], input: "{\"id\":1,\"html\":\"\"}\n{\"id\":1,\"html\":\"\"}", status: 65, code: "dataInvalid"),
    ErrorCase(arguments: ["render", "-", "--no-cache", "--identifier", key], status: 65, code: "identifierInvalid"),
    ErrorCase(arguments: ["render", "-", "--no-cache", "--identifier", key.uppercased()], status: 65, code: "identifierInvalid"),
    ErrorCase(
      arguments: ["render", "-", "--no-cache", "--fail-on", "scriptIgnored"], input: "<script src=a.js></script>", status: 65,
      code: "scriptIgnored", says: "Scripts are not run"),
    ErrorCase(arguments: ["render", "-", "--no-cache", "--fail-on", "scripts"], status: 64, code: "usage", says: "--fail-on"),
    // 66: not found
    ErrorCase(arguments: ["render", "FOLDER/none.html", "--no-cache"], status: 66, code: "inputNotFound"),
    ErrorCase(arguments: ["render", "-", "--no-cache", "--css", "FOLDER/none.css"], status: 66, code: "inputNotFound"),
    ErrorCase(
      arguments: ["render", "-", "--no-cache", "--base-url", "FOLDER/none"], status: 66, code: "inputNotFound", says: "--base-url"),
    ErrorCase(arguments: ["render", "-", "--no-cache", "--fonts", "FOLDER/none"], status: 66, code: "inputNotFound"),
    ErrorCase(arguments: ["fonts", "--family", "No Such Family"], status: 66, code: "inputNotFound"),
    // 69: limits
    ErrorCase(arguments: ["render", "-", "--no-cache", "--max-nodes", "2"], status: 69, code: "limitExceeded", says: "--max-nodes"),
    // 73: outputs
    ErrorCase(arguments: ["render", "-", "--no-cache", "-o", "FOLDER/no/such/o.png"], status: 73, code: "outputUnwritable"),
    ErrorCase(arguments: ["render", "-", "--no-cache", "-o", "FOLDER"], status: 73, code: "outputUnwritable"),
    ErrorCase(arguments: ["batch", "-", "--output", "FOLDER/text"], input: "{\"html\":\"\"}", status: 73, code: "outputUnwritable"),
    ErrorCase(arguments: ["batch", "-", "--report", "FOLDER/no/r"], input: "", status: 73, code: "outputUnwritable"),
    // 74: caches
    ErrorCase(arguments: ["cache", "stats", "--cache", "FOLDER"], status: 74, code: "cacheUnusable", says: "is not a cache"),
    ErrorCase(arguments: ["cache", "clear", "--cache", "FOLDER"], status: 74, code: "cacheUnusable", says: "is not a cache"),
    ErrorCase(arguments: ["cache", "clear", "--cache", "FOLDER/text"], status: 74, code: "cacheUnusable"),
    // 75: time
    ErrorCase(
      arguments: ["render", "-", "--no-cache", "--timeout", "500ms"], input: String(repeating: "<p>word <b>bold</b> word", count: 20_000),
      status: 75, code: "timedOut", says: "0.5 s"),
    // 77: refused
    ErrorCase(arguments: ["render", "-", "--no-cache", "--strict"], input: "<img src=/etc/hostname>", status: 77, code: "resourceRefused"),
    ErrorCase(
      arguments: ["render", "-", "--no-cache", "--strict", "--base-url", "FOLDER"], input: "<img src=picture.png>", status: 77,
      code: "resourceRefused"),
    // 2: the render
    ErrorCase(arguments: ["render", "-", "--no-cache", "--selector", long], status: 2, code: "selectorUnmatched"),
    ErrorCase(arguments: ["inspect", "-", "--computed", long], status: 2, code: "selectorUnmatched"),
  ]

  @Test("Each case gives the exit code, code and message in the table", arguments: cases)
  func ends(_ wanted: ErrorCase) throws {
    let scratch = try Scratch()
    try scratch.write("page.html", page)
    try scratch.write("text", "just text")
    try scratch.write("broken.mustache", "{{#a}}x{{/b}}")
    try scratch.write("picture.png", try Program.run(["background", "red"]).output)
    let arguments = wanted.arguments.map { $0.replacingOccurrences(of: "FOLDER", with: scratch.url.path) }
    let outcome = try Program.run(arguments, input: Data(wanted.input.utf8), folder: scratch.url)
    #expect(outcome.status == wanted.status, "\(outcome.errors.prefix(500))")
    #expect(outcome.output.isEmpty)
    let lines = outcome.errors.split(separator: "\n")
    let sentence = try #require(lines.last { $0.hasPrefix("offprint: \(wanted.code): ") }, "\(outcome.errors.prefix(500))")
    #expect(
      lines.count == 1 && sentence.utf8.count < 700 && (wanted.says.isEmpty || sentence.contains(wanted.says)),
      "\(outcome.errors.prefix(500))")
    #expect(!sentence.contains("Error(") && !sentence.contains("Optional("), "the message contains no Swift value")
  }

  @Test("A page that is empty or not text is rendered with a diagnostic")
  func oddPages() throws {
    for (input, code) in [("", "inputEmpty"), (" \n", "inputEmpty"), ("<p>\u{1}\u{2}", "inputBinary")] {
      let outcome = try Program.run(["render", "-", "--no-cache", "-o", "-"], input: Data(input.utf8))
      #expect(outcome.status == 0 && !pngSize(outcome.output).isEmpty)
      #expect(outcome.errors.contains(code), "\(outcome.errors)")
    }
    let text = try Program.run(["render", "-", "--no-cache", "-o", "-"], input: Data("GIF89a and wOFF are formats".utf8))
    #expect(text.status == 0 && text.errors.isEmpty)
    let list = Data("{\"id\":\"e\",\"html\":\"\",\"width\":20}".utf8)
    let scratch = try Scratch()
    let batch = try Program.run(["batch", "-", "--no-cache", "--output", scratch.path("out")], input: list)
    #expect(batch.status == 0 && batch.errors.contains("inputEmpty: [e]"), "\(batch.errors)")
  }

  @Test("A byte order mark before data and templates is ignored")
  func byteOrderMark() throws {
    let scratch = try Scratch()
    let template = try scratch.write("t.mustache", "\u{FEFF}<p>{{name}}")
    let data = try scratch.write("d.json", "\u{FEFF}{\"name\":\"Ada\"}")
    let outcome = try Program.run(
      ["render", "--template", template, "--data", data, "--no-cache", "-o", "-", "--save-html", scratch.path("html")])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let saved = try FileManager.default.contentsOfDirectory(atPath: scratch.path("html")).first ?? ""
    #expect(try scratch.data("html/\(saved)") == Data("<p>Ada".utf8))
  }

  @Test("Standard input may read no files unless allowed, wherever it is started")
  func standardInput() throws {
    let scratch = try Scratch()
    try scratch.write("a.png", try Program.run(["background", "red"]).output)
    func status(_ options: [String]) throws -> Int32 {
      let arguments = ["render", "-", "--no-cache", "--strict", "-o", "-"] + options
      return try Program.run(arguments, input: Data("<img src=a.png>".utf8), folder: scratch.url).status
    }
    #expect(try status([]) == 77)
    #expect(try status(["--base-url", "."]) == 77)
    #expect(try status(["--allow-files", "."]) == 0)
    #expect(try status(["--base-url", ".", "--allow-files", scratch.url.path]) == 0)
  }

  @Test("The cache commands create no cache, and clear follows no link to one")
  func caches() throws {
    let scratch = try Scratch()
    #expect(try Program.run(["cache", "clear", "--cache", scratch.path("none")]).status == 0)
    for command in ["stats", "list"] {
      let outcome = try Program.run(["cache", command, "--cache", scratch.path("none")])
      #expect(outcome.status == 0 && outcome.errors.contains("There is no cache in '\(scratch.path("none"))'."), "\(outcome.errors)")
    }
    let verify = try Program.run(["cache", "verify", "--cache", scratch.path("none")])
    #expect(verify.status == 74 && verify.errors.split(separator: "\n").count == 1, "\(verify.errors)")
    #expect(scratch.names.isEmpty)
    let jobs = Data("{\"html\":\"x\"}".utf8)
    #expect(try Program.run(["warm", "-", "--cache", scratch.path("c")], input: jobs).status == 0)
    try FileManager.default.createSymbolicLink(atPath: scratch.path("l"), withDestinationPath: "c")
    for link in ["l", "l/"] {
      let outcome = try Program.run(["cache", "clear", "--cache", scratch.path(link)])
      #expect(outcome.status == 74 && outcome.errors.contains(scratch.path("c")), "\(outcome.errors)")
    }
    #expect(try Program.run(["cache", "list", "--cache", scratch.path("l")]).text.split(separator: "\n").count == 1)
    #expect(try Program.run(["cache", "clear", "--cache", scratch.path("c")]).status == 0)
  }

  @Test("cache clear does not touch a folder that only resembles a cache")
  func foreignFolder() throws {
    let scratch = try Scratch()
    try scratch.write("r/objects/ab/cdef", "not ours")
    try scratch.write("r/HEAD", "ref")
    let outcome = try Program.run(["cache", "clear", "--cache", scratch.path("r")])
    #expect(outcome.status == 74)
    #expect(try scratch.data("r/objects/ab/cdef") == Data("not ours".utf8))
  }
}
