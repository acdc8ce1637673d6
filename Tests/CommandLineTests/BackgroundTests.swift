import Foundation
import Testing

@Suite("background") struct BackgroundTests {
  private static let button = "<div style='width:90px;height:30px;border:2px solid #357;border-radius:8px;background:#bde'></div>"

  @Test("A color is written as 5 × 5 pixels without a message, and each scale as a separate file")
  func color() throws {
    let scratch = try Scratch()
    let plain = try Program.run(["background", "#336699"])
    #expect(pngSize(plain.output) == [5, 5] && plain.errors.isEmpty)
    #expect(try Program.run(["background", "#336699", "--scale", "1,3", "-o", scratch.path("b.png")]).status == 0)
    #expect(try scratch.data("b.png") == plain.output && pngSize(scratch.data("b@3x.png")) == [15, 15])
  }

  @Test("A page comes from a file, standard input or the option, and the verification is reported")
  func page() throws {
    let scratch = try Scratch()
    let file = try scratch.write("p.html", Self.button)
    let fromFile = try Program.run(["background", file])
    #expect(fromFile.status == 0 && fromFile.errors.contains("stretch exactly") || fromFile.errors.contains("stretches exactly"))
    #expect(pngSize(fromFile.output).first ?? 99 < 24)
    #expect(try Program.run(["background", "-"], input: Data(Self.button.utf8)).output == fromFile.output)
    #expect(try Program.run(["background", "--html", Self.button]).output == fromFile.output)
    let stretched = try Program.run(["background", "--html", Self.button, "--stretch", "300x100"])
    #expect(pngSize(stretched.output) == [300, 100])
    let inexact = try Program.run(["background", "--html", "<p style='background:linear-gradient(45deg,red,blue);height:20px'>", "--exact"])
    #expect(inexact.status == 2 && inexact.errors.contains("cannot be stretched"))
  }

  @Test("An element without contents is a box")
  func emptyElement() throws {
    let css = try Program.run(["background", "--html", "<div style='border-radius:9px;background:teal'>", "--format", "css"])
    #expect(css.status == 0 && css.text.contains("border-width: 9px 9px 9px 9px"), "\(css.errors)")
    let hidden = try Program.run(["background", "--html", "<div style='display:none'>"])
    #expect(hidden.status == 2 && hidden.errors.contains("hidden"), "\(hidden.errors)")
  }

  @Test("Formats are files and folders with the names that their programs expect")
  func formats() throws {
    let scratch = try Scratch()
    func run(_ options: [String]) throws { #expect(try Program.run(["background", "--html", Self.button] + options).status == 0) }
    try run(["--format", "imageset", "-o", scratch.path("Button.imageset")])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: scratch.path("Button.imageset")).sorted() == [
        "Button.png", "Button@2x.png", "Button@3x.png", "Contents.json",
      ])
    try run(["--format", "nine-patch", "--scale", "1,2", "-o", scratch.path("res")])
    #expect(scratch.exists("res/drawable-mdpi/background.9.png") && scratch.exists("res/drawable-xhdpi/background.9.png"))
    try run(["--format", "css", "--css-file", "--css-selector", ".b", "-o", scratch.path("b.css")])
    let css = String(decoding: try scratch.data("b.css"), as: UTF8.self)
    #expect(
      css.hasPrefix(".b {") && css.contains("url(\"b.png\")") && css.contains("image-rendering: pixelated") && scratch.exists("b.png"))
    let json = try Program.run(["background", "--html", Self.button, "--format", "json"]).json as? [String: Any]
    #expect((json?["images"] as? [Any])?.count == 1 && (json?["compared"] as? [Any])?.count == 3)
  }

  @Test(
    "Wrong usage is explained",
    arguments: [
      (["background"], 64, "Specify a color"), (["background", "no-colour"], 64, "neither a CSS color nor a file"),
      (["background", "none.html"], 66, "There is no file"), (["background", "red", "--html", "x"], 64, "Specify a color"),
      (["background", "red", "--scale", "9"], 64, "--scale"), (["background", "red", "--scale", "1,2"], 64, "require -o"),
      (["background", "red", "--cap-insets", "3,3,3,3"], 64, "the caps leave nothing to stretch"),
      (["background", "red", "--format", "imageset"], 64, "requires -o FOLDER"),
      (["background", "--html", "<p>", "--selector", "i"], 2, "'i'"),
    ])
  func wrong(_ arguments: [String], _ status: Int, _ words: String) throws {
    let outcome = try Program.run(arguments)
    #expect(outcome.status == Int32(status) && outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!outcome.errors.contains("("), "no Swift value: \(outcome.errors)")
  }
}
