import Foundation
import Testing

@Suite("offprint render") struct RenderTests {
  @Test("A page is rendered as a PNG with the requested width and the height of its contents")
  func rendersPage() throws {
    let scratch = try Scratch()
    let input = try scratch.write("page.html", page)
    let outcome = try Program.run(["render", input, "-o", scratch.path("out.png"), "--width", "300", "--no-cache"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let size = pngSize(try scratch.data("out.png"))
    #expect(size.first == 300)
    #expect(size.last ?? 0 > 100)
  }

  @Test("The scale multiplies both sides of the image")
  func scales() throws {
    let input = Data("<body style='margin:0'><div style='height:50px;background:red'></div>".utf8)
    let outcome = try Program.run(["render", "-", "--no-cache", "--width", "40", "--scale", "2.5"], input: input)
    #expect(pngSize(outcome.output) == [100, 125])
  }

  @Test("With --width auto the page is as narrow as its contents")
  func shrinksToFit() throws {
    let input = Data("<!DOCTYPE html><body style='margin:0'><div style='width:123px;height:7px'></div>".utf8)
    let outcome = try Program.run(["render", "-", "--no-cache", "--width", "auto"], input: input)
    #expect(pngSize(outcome.output) == [123, 7])
  }

  @Test("--selector crops to an element and --clip to a rectangle; an unmatched selector exits with code 2, an invalid one with 64")
  func crops() throws {
    let input = Data("<body style='margin:0'><p>x<div id=a style='margin:9px;width:31px;height:17px'></div>".utf8)
    #expect(pngSize(try Program.run(["render", "-", "--no-cache", "--selector", "#a"], input: input).output) == [31, 17])
    #expect(pngSize(try Program.run(["render", "-", "--no-cache", "--clip", "5,5,20,10"], input: input).output) == [20, 10])
    #expect(try Program.run(["render", "-", "--no-cache", "--selector", "#b"], input: input).status == 2)
    #expect(try Program.run(["render", "-", "--no-cache", "--selector", "p["], input: input).status == 64)
  }

  @Test("The second render comes from the cache and has the same bytes")
  func caches() throws {
    let scratch = try Scratch()
    let input = try scratch.write("page.html", page)
    let arguments = ["render", input, "--cache", scratch.path("cache"), "--json"]
    let first = try Program.run(arguments + ["-o", scratch.path("1.png")]),
      second = try Program.run(arguments + ["-o", scratch.path("2.png")])
    #expect((first.json as? [String: Any])?["status"] as? String == "rendered")
    #expect((second.json as? [String: Any])?["status"] as? String == "cached")
    #expect(try scratch.data("1.png") == scratch.data("2.png"))
    let third = try Program.run(["render", input, "--cache", scratch.path("cache"), "--json", "--refresh", "-o", scratch.path("3.png")])
    #expect((third.json as? [String: Any])?["status"] as? String == "rendered")
  }

  @Test("Changing an image of the page causes a cache miss")
  func dependsOnImages() throws {
    let scratch = try Scratch()
    let background = try Program.run(["background", "red"]).output
    try scratch.write("a.png", background)
    let input = try scratch.write("page.html", "<img src=a.png width=50 height=50>")
    func status() throws -> String? {
      let outcome = try Program.run(["render", input, "--cache", scratch.path("cache"), "--json", "-o", scratch.path("o.png")])
      return (outcome.json as? [String: Any])?["status"] as? String
    }
    #expect(try status() == "rendered")
    #expect(try status() == "cached")
    try scratch.write("a.png", try Program.run(["background", "blue", "--size", "9x9"]).output)
    #expect(try status() == "rendered")
  }

  @Test("Output is byte-identical across processes, locales, time zones, working folders and numbers of workers")
  func isDeterministic() throws {
    let scratch = try Scratch()
    let input = try scratch.write("page.html", page)
    let first = try Program.run(["render", input, "-o", "-", "--no-cache"]).output
    #expect(!first.isEmpty)
    for environment in [["LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8"], ["TZ": "Asia/Tokyo"], ["LC_ALL": "tr_TR"]] {
      #expect(try Program.run(["render", input, "-o", "-", "--no-cache"], environment: environment).output == first)
    }
    #expect(try Program.run(["render", input, "-o", "-", "--no-cache"], folder: URL(fileURLWithPath: "/")).output == first)
    let jobs = (0..<8).map { "{\"id\":\"\($0)\",\"input\":\"\(input)\"}" }.joined(separator: "\n")
    for workers in ["1", "2"] {
      let list = try scratch.write("jobs.ndjson", jobs)
      let outcome = try Program.run(["batch", list, "--output", scratch.path("w\(workers)"), "--jobs", workers, "--no-cache"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      for job in 0..<8 { #expect(try scratch.data("w\(workers)/\(job).png") == first) }
    }
  }

  @Test("The scale selects an image from srcset, its density sets its size, and only the selected image is a dependency")
  func responsiveImages() throws {
    let scratch = try Scratch()
    try scratch.write("a.png", try Program.run(["background", "red", "--size", "30x20"]).output)
    try scratch.write("b.png", try Program.run(["background", "blue", "--size", "60x40"]).output)
    let input = try scratch.write(
      "page.html", "<!DOCTYPE html><body style='margin:0'><img style='display:block' src=a.png srcset='b.png 2x'>")
    func render(_ scale: String) throws -> [String: Any]? {
      let arguments = [
        "render", input, "--width", "auto", "--scale", scale, "--cache", scratch.path("cache"), "--json", "-o", scratch.path("o.png"),
      ]
      return try Program.run(arguments).json as? [String: Any]
    }
    for scale in ["1", "2"] {
      let result = try render(scale)
      #expect(result?["width"] as? Int == (scale == "1" ? 30 : 60) && result?["height"] as? Int == (scale == "1" ? 20 : 40))
    }
    try scratch.write("b.png", Data("none".utf8))
    #expect(try render("1")?["status"] as? String == "cached")
    #expect(try render("2")?["status"] as? String == "rendered")
  }

  @Test("The snippet template applies its attributes and rejects unknown and invalid ones")
  func snippet() throws {
    let body = Data("<b>Hello</b>".utf8)
    let plain = try Program.run(["render", "-", "--template", "snippet", "--no-cache"], input: body)
    #expect(pngSize(plain.output).first == 300)
    let wide = try Program.run(
      ["render", "-", "--template", "snippet", "--set", "width=150", "--set", "font-size=7", "--no-cache"], input: body)
    #expect(pngSize(wide.output).first == 150)
    let unknown = try Program.run(["render", "-", "--template", "snippet", "--set", "colour=red", "--no-cache"], input: body)
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("'colour'"))
    let invalid = try Program.run(["render", "-", "--template", "snippet", "--set", "text-color=red;}", "--no-cache"], input: body)
    #expect(invalid.status == 64)
  }

  @Test("A Mustache template gets its values from --data and --set, and escapes them")
  func mustache() throws {
    let scratch = try Scratch()
    let template = try scratch.write("t.mustache", "<p>{{name}}</p>{{#items}}<i>{{.}}</i>{{/items}}")
    let data = try scratch.write("d.json", "{\"items\":[\"a\",\"b\"]}")
    let outcome = try Program.run(
      ["render", "-", "--template", template, "--data", data, "--set", "name=<x>", "--save-html", scratch.path("html"), "--no-cache"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let saved = try FileManager.default.contentsOfDirectory(atPath: scratch.path("html")).first ?? ""
    #expect(String(decoding: try scratch.data("html/\(saved)"), as: UTF8.self) == "<p>&lt;x&gt;</p><i>a</i><i>b</i>")
  }
}
