import Foundation
import Testing

@Suite("Every option of render") struct OptionTests {
  /// The options of a command, as described by the argument parser.
  static func options(of command: String) throws -> [[String]] {
    let dump = try Program.run([command, "--experimental-dump-help"]).json as? [String: Any]
    let arguments = (dump?["command"] as? [String: Any])?["arguments"] as? [[String: Any]] ?? []
    return arguments.filter { $0["kind"] as? String != "positional" }.map { argument in
      (argument["names"] as? [[String: String]] ?? []).compactMap { $0["kind"] == "long" ? $0["name"] : nil }
    }
  }

  /// Options of a run as a whole: `ListTests` checks that a job with such an option is an error.
  private static let ofTheRun: Set = [
    "cache", "fonts", "font-path", "system-fonts", "quiet", "json", "help", "version", "output", "templates", "cache-max-size",
    "cache-max-age", "config", "no-config", "print-config", "isolate", "tier", "tier-read-only",
    "worker-memory", "worker-renders", "allow-missing-layer", "allow-host",
  ]

  /// A value for each option, as JSON; limits take numbers.
  private static let values: [String: String] = [
    "identifier": "\"n\"", "width": "\"auto\"", "height": "20", "window-size": "\"30,20\"", "viewport-height": "700", "max-width": "90",
    "scale": "2",
    "device-scale-factor": "2", "zoom": "1.5", "background": "\"red\"", "transparent": "true", "omit-background": "true",
    "selector": "\"p\"", "clip": "\"0,0,5,5\"", "css": "\"s.css\"", "stylesheet": "[\"s.css\"]", "template": "\"snippet\"",
    "set": "{\"font-size\":9}", "data": "{\"a\":1}", "color-scheme": "\"dark\"", "media": "\"print\"",
    "media-feature": "[\"prefers-contrast=more\"]", "glyph-positions": "\"whole\"", "at": "\"1.5s\"", "animate": "true",
    "duration": "\"1s\"", "fps": "10",
    "loop": "\"forever\"", "poster": "\"end\"", "dither": "true",
    "page-size": "\"A5 landscape\"", "margin": "\"1cm 2cm\"",
    "base-url": "\".\"",
    "allow-files": "\".\"", "timeout": "\"60s\"", "strict": "true", "fail-on": "[\"textClipped\"]", "save-html": "\"html\"",
    "no-cache": "true", "refresh": "true",
    "max-depth": "600", "tag": "\"t\"", "format": "\"webp\"", "quality": "50", "lossless": "true", "progressive": "true",
    "compression": "\"fast\"", "icc": "\"p.icc\"",
  ]

  /// A Display P3 profile with a gamma.
  private static let profile = Data(
    base64Encoded: """
      AAABGAAAAAACEAAAbW50clJHQiBYWVogAAAAAAAAAAAAAAAAYWNzcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA
      AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGclhZWgAAAMwAAAAUZ1hZWgAAAOAAAAAUYlhZWgAAAPQAAAAUclRSQwAAAQgAAAAO
      Z1RSQwAAAQgAAAAOYlRSQwAAAQgAAAAOWFlaIAAAAAAAAIPfAAA9v////7tYWVogAAAAAAAASr8AALE3AAAKuVhZWiAAAAAAAAAoOAAAEQsAAMi5Y3VydgAA
      AAAAAAABAjMAAA==
      """, options: .ignoreUnknownCharacters)

  @Test("--profile converts colors to an ICC profile, and an invalid one is reported")
  func profiles() throws {
    let scratch = try Scratch()
    try #require(Self.profile).write(to: scratch.url.appendingPathComponent("p.icc"))
    try scratch.write("page.html", "<body style='background:#f00'>")
    func run(_ output: String, _ more: [String]) throws -> (status: Int32, errors: String, bytes: Data) {
      let arguments = ["render", "page.html", "-o", output, "--width", "20", "--height", "10", "--no-cache"] + more
      let outcome = try Program.run(arguments, folder: scratch.url)
      return (outcome.status, outcome.errors, (try? Data(contentsOf: scratch.url.appendingPathComponent(output))) ?? Data())
    }
    for output in ["a.png", "a.webp", "a.jpg"] {
      let plain = try run(output, []), profiled = try run(output, ["--icc", "p.icc"])
      #expect(plain.status == 0 && profiled.status == 0 && plain.bytes != profiled.bytes && profiled.bytes.count > plain.bytes.count)
    }
    #expect(try run("a.svg", []).bytes == run("a.svg", ["--icc", "p.icc"]).bytes)
    let wrong = try run("b.png", ["--icc", "page.html"]), missing = try run("b.png", ["--icc", "none.icc"])
    #expect(wrong.status == 65 && wrong.errors.contains("profileInvalid") && wrong.errors.contains("page.html"))
    #expect(missing.status == 66 && wrong.bytes.isEmpty && missing.bytes.isEmpty)
  }

  @Test("Every option works in a job by its name, and a wrong value is reported")
  func inJobs() throws {
    let scratch = try Scratch()
    try #require(Self.profile).write(to: scratch.url.appendingPathComponent("p.icc"))
    try scratch.write("s.css", "p{color:red}")
    let names = try Self.options(of: "render").flatMap(\.self).filter { !Self.ofTheRun.contains($0) }
    #expect(names.count > 30)
    var list: [String] = []
    for name in names {
      let value = try #require(Self.values[name] ?? (name.hasPrefix("max-") ? "60000" : nil), "no value for \(name)")
      let more = name == "set" || name == "data" ? ",\"template\":\"snippet\"" : ""
      list.append("{\"id\":\"\(name)\",\"html\":\"<p>x\"\(more),\"\(name)\":\(value)}")
      list.append("{\"id\":\"wrong \(name)\",\"html\":\"<p>x\",\"\(name)\":null}")
    }
    let arguments = ["batch", "-", "--report", "-", "--keep-going", "--cache", "cache", "--output", "out"]
    let outcome = try Program.run(arguments, input: Data(list.joined(separator: "\n").utf8), folder: scratch.url)
    #expect(outcome.lines.count == names.count * 2, "\(outcome.errors)")
    for line in outcome.lines {
      let id = line["id"] as? String ?? ""
      let error = line["error"] as? [String: String]
      if id.hasPrefix("wrong ") {
        #expect(error?["code"] == "dataInvalid" && error?["message"]?.contains("\"\(id.dropFirst(6))\" must be") == true, "\(id): \(line)")
      } else {
        #expect(line["status"] as? String != "failed", "\(id): \(error ?? [:])")
      }
    }
  }

  @Test("Every limit option belongs to a field of Limits, and each field has one")
  func limits() throws {
    let source = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../Sources/CoreTypes/Limits.swift").standardized
    let fields = try String(contentsOf: source, encoding: .utf8).split(separator: "\n").compactMap { line -> String? in
      let words = line.split(separator: " ")
      return words.count > 3 && words.starts(with: ["public", "var"]) && words[3] == "=" ? String(words[2]) : nil
    }
    #expect(fields.count > 8)
    let names = Set(try Self.options(of: "render").flatMap(\.self))
    for field in fields where field != "seconds" {
      let name = "max-" + field.map { $0.isUppercase ? "-\($0.lowercased())" : "\($0)" }.joined()
      #expect(names.contains(name), "Limits.\(field) has no --\(name)")
    }
  }

  @Test(
    "Every limit is enforced, and the message names its option",
    arguments: [
      ("--max-input-bytes", "100", String(repeating: "x", count: 200)), ("--max-nodes", "50", String(repeating: "<p>x", count: 100)),
      ("--max-image-side", "100", String(repeating: "<p>x", count: 20)), ("--max-image-pixels", "1000", "<p>x"),
    ])
  func limitsHold(option: String, value: String, html: String) throws {
    let outcome = try Program.run(
      ["render", "-", "--no-cache", "-o", "-", "--width", "90", option, value], input: Data(html.utf8))
    #expect(outcome.status == 69, "\(outcome.errors)")
    #expect(outcome.errors.contains(option), "\(outcome.errors)")
    #expect(try Program.run(["render", "-", "--no-cache", "-o", "-", option, "0"], input: Data(html.utf8)).status == 64)
  }

  @Test("The former names of the limits of an image are still accepted", arguments: ["side", "pixels"])
  func firstNames(limit: String) throws {
    let page = String(repeating: "<p>x", count: 20)
    let outcome = try Program.run(
      ["render", "-", "--no-cache", "-o", "-", "--width", "90", "--max-picture-\(limit)", "100"], input: Data(page.utf8))
    #expect(outcome.status == 69 && outcome.errors.contains("--max-image-\(limit)"), "\(outcome.errors)")
    let job = Data("{\"html\":\"x\",\"width\":90,\"max-picture-\(limit)\":100}".utf8)
    #expect(try Program.run(["batch", "-", "--no-cache", "--dry-run"], input: job).status == 0)
  }

  @Test("An unknown option is reported before the errors that its value causes, with the nearest name")
  func unknownOption() throws {
    let arguments = ["render", "a.html", "-o", "a.png"]
    let outcome = try Program.run(arguments + ["--viewpoint", "3x3"])
    #expect(outcome.status == 64 && outcome.errors.contains("Unknown option '--viewpoint'"), "\(outcome.errors)")
    let near = try Program.run(arguments + ["--widht", "3"]).errors
    #expect(near.contains("Did you mean '--width'? See 'offprint render --help'"), "\(near)")
    #expect(try Program.run(["render", "a.html", "b.png", "-o", "a.png"]).errors.contains("specified twice"))
  }

  @Test("Every limit accepts units")
  func units() throws {
    let html = Data(String(repeating: "x", count: 3000).utf8)
    for (value, status) in [("2kib", 69), ("3k", 0), ("0.004M", 0), ("1MiB", 0), ("3x", 64)] {
      #expect(try Program.run(["render", "-", "--no-cache", "-o", "-", "--max-input-bytes", value], input: html).status == Int32(status))
    }
  }
}
