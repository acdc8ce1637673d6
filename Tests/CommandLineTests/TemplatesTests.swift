import Foundation
import Testing

@Suite("templates, and render with templates") struct TemplatesTests {
  @Test("The list has every template with its attributes and defaults, as text, names or JSON")
  func list() throws {
    let names = try Program.run(["templates", "list", "--names"]).text.split(separator: "\n").map(String.init)
    #expect(names == ["badge", "card", "certificate", "countdown", "label", "loader", "receipt", "snippet", "ticket"])
    let text = try Program.run(["templates"]).text
    #expect(text.contains("corner-radius") && text.contains("= 8px") && text.contains("required"))
    let json = try Program.run(["templates", "--json"]).lines
    #expect(json.map { $0["name"] as? String } == names)
    let attributes = json.first { $0["name"] as? String == "label" }?["attributes"] as? [[String: Any]]
    let radius = attributes?.first { $0["name"] as? String == "corner-radius" }
    #expect(radius?["type"] as? String == "length" && radius?["default"] as? String == "8px" && radius?["maximum"] as? Double == 1000)
  }

  @Test("The source that show prints is a template that renders the same image")
  func show() throws {
    let scratch = try Scratch()
    let source = try Program.run(["templates", "show", "badge", "--source"]).output
    let file = try scratch.write("own.mustache", source)
    func draw(_ template: String) throws -> Data {
      try Program.run(["render", "--template", template, "--set", "message=ok", "-o", "-", "--no-cache"]).output
    }
    #expect(try !draw("badge").isEmpty && draw("badge") == draw(file))
    let attributes = try Program.run(["templates", "show", "badge"]).text
    #expect(attributes.hasPrefix("badge: ") && attributes.contains("label-color") && !attributes.contains("<style>"), "\(attributes)")
    #expect(
      try (Program.run(["templates", "show", "badge", "--json"]).json as? [String: Any])?["source"] as? String
        == String(decoding: source, as: UTF8.self))
    let unknown = try Program.run(["templates", "show", "none"])
    #expect(unknown.status == 64 && unknown.errors.contains("templateUnknown"))
  }

  @Test("A folder of templates is found by the option and by the environment, with its partials and images")
  func folder() throws {
    let scratch = try Scratch()
    try scratch.write(
      "t/hello.mustache",
      "---\nattributes:\n  name: {type: string, required: true, example: you}\n---\n<body style='margin:0'><img src=p.svg>{{> _who}}")
    try scratch.write("t/_who.mustache", "<p>{{name}}")
    try scratch.write("t/p.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='7' height='7'/>")
    let render = ["render", "--template", "hello", "--set", "name=x", "--no-cache", "--strict", "-o", "-"]
    let byOption = try Program.run(render + ["--templates", scratch.path("t")])
    #expect(byOption.status == 0 && pngSize(byOption.output).count == 2, "\(byOption.errors)")
    #expect(try Program.run(render, environment: ["OFFPRINT_TEMPLATES": scratch.path("t")]).output == byOption.output)
    let specimen = try Program.run(["templates", "specimen", scratch.path("out"), "hello", "--templates", scratch.path("t"), "--no-cache"])
    #expect(specimen.status == 0 && scratch.exists("out/hello.png"), "\(specimen.errors)")
    #expect(try Program.run(render + ["--templates", scratch.path("none")]).status == 66)
    let jobs = try scratch.write("jobs.ndjson", "{\"id\":\"a\",\"template\":\"hello\",\"data\":{\"name\":\"x\"},\"strict\":true}\n")
    let batch = try Program.run(["batch", jobs, "--output", scratch.path("b"), "--templates", scratch.path("t"), "--no-cache"])
    #expect(batch.status == 0 && scratch.exists("b/a.png"), "\(batch.errors)")
  }

  @Test("Control characters are escaped when templates are listed and described, but not in their source")
  func controls() throws {
    let scratch = try Scratch()
    let attributes = "attributes:\n  name: {type: string, description: \"c\u{1B}[2J\"}"
    let source = "---\ndescription: a\u{1B}]0;b\u{7}\n\(attributes)\n---\n<p>\t{{name}}\u{1B}[8m\n"
    try scratch.write("t/hello.mustache", source)
    let folder = ["--templates", scratch.path("t")]
    for command in [["templates", "list"], ["templates", "show", "hello"]] {
      let outcome = try Program.run(command + folder)
      #expect(outcome.status == 0 && outcome.text.contains("\\u{1B}"), "\(outcome.errors)")
      #expect(!outcome.output.contains(0x1B) && !outcome.output.contains(0x07))
    }
    #expect(try Program.run(["templates", "show", "hello", "--source"] + folder).text == source)
  }

  @Test(
    "A table as the data of one page is an error that names batch",
    arguments: [("r.csv", "a,b\n1,2\n"), ("r.ndjson", "{}\n{}\n"), ("r", "[{}]")])
  func table(name: String, text: String) throws {
    let scratch = try Scratch()
    try scratch.write("t.mustache", "<p>x")
    try scratch.write(name, text)
    let outcome = try Program.run(["render", "--template", "t.mustache", "--data", name, "-o", "t.png"], folder: scratch.url)
    #expect(outcome.status == 65 && outcome.errors.contains("'offprint batch --template t.mustache --data \(name)'"), "\(outcome.errors)")
  }

  @Test("specimen renders one of each, complete")
  func specimen() throws {
    let scratch = try Scratch()
    let outcome = try Program.run(["templates", "specimen", scratch.path("s"), "--no-cache"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(pngSize(try scratch.data("s/card.png")) == [1200, 630])
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch.path("s")).count == 9)
    #expect(!outcome.errors.contains("offprint:"))
  }

  @Test("A template sets the size, options of render override it, and errors name the attribute")
  func render() throws {
    func size(_ options: [String]) throws -> [Int] {
      pngSize(try Program.run(["render", "--template", "card", "--set", "title=x", "-o", "-", "--no-cache"] + options).output)
    }
    #expect(try size([]) == [1200, 630])
    #expect(try size(["--width", "600"]) == [600, 630])
    #expect(try size(["--clip", "0,0,10,20"]) == [10, 20])
    for (options, name) in [
      ([], "'title'"), (["--set", "titel=x"], "'titel'"), (["--set", "title=x", "--set", "accent-color=x;"], "'accent-color'"),
    ] {
      let outcome = try Program.run(["render", "--template", "card", "-o", "-", "--no-cache"] + options)
      #expect(outcome.status == 64 && outcome.errors.contains(name), "\(outcome.errors)")
    }
  }
}
