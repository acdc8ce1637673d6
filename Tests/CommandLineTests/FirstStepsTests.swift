import Foundation
import Testing

@Suite("First steps")
struct FirstStepsTests {
  @Test("Messages about refused files and hosts name the option that allows them")
  func refusals() throws {
    let scratch = try Scratch()
    try scratch.write("elsewhere/a.png", "x")
    try scratch.write("page/in.html", "<img src='../elsewhere/a.png'><img src='https://example.org/b.png'>")
    let outcome = try Program.run(["render", "page/in.html", "-o", "out.png", "--no-cache"], folder: scratch.url)
    #expect(outcome.errors.contains("--allow-files \(scratch.url.resolvingSymlinksInPath().path)/elsewhere"), "\(outcome.errors)")
    #expect(outcome.errors.contains("--allow-host example.org"), "\(outcome.errors)")
  }

  @Test("A font is added by its file, found by pages, and removed by its name")
  func ownFont() throws {
    let scratch = try Scratch()
    let fonts = try #require(try Program.run(["fonts", "--json"]).json as? [[String: Any]])
    let source = try #require(fonts.compactMap { $0["file"] as? String }.first { $0.hasSuffix("LiberationMono-Bold.ttf") })
    let environment = ["OFFPRINT_USER_FONTS": scratch.path("fonts")]
    try FileManager.default.copyItem(atPath: source, toPath: scratch.path("Mine.ttf"))
    let added = try Program.run(["fonts", "add", "Mine.ttf"], environment: environment, folder: scratch.url)
    #expect(added.status == 0 && added.text.contains("Mine.ttf"), "\(added.errors)")
    // The bundled font with the same bytes is used.
    func listsFont() throws -> Bool { try Program.run(["fonts", "--duplicates"], environment: environment).text.contains("own/Mine.ttf") }
    #expect(try listsFont())
    #expect(try Program.run(["fonts", "remove", "Mine.ttf"], environment: environment).status == 0)
    #expect(try Program.run(["fonts", "remove", "Mine.ttf"], environment: environment).status == 66)
    #expect(try !listsFont())
  }

  @Test("A file that is not a font, or only for @font-face, is not added")
  func noFont() throws {
    let scratch = try Scratch()
    let environment = ["OFFPRINT_USER_FONTS": scratch.path("fonts")]
    try scratch.write("text.ttf", "not a font")
    try scratch.write("web.woff2", "wOF2 and more")
    for (file, status) in [("text.ttf", 65), ("web.woff2", 65), ("missing.ttf", 66)] as [(String, Int32)] {
      let outcome = try Program.run(["fonts", "add", file], environment: environment, folder: scratch.url)
      #expect(outcome.status == status, "\(file): \(outcome.errors)")
    }
    #expect(!scratch.exists("fonts/own/text.ttf"))
  }

  @Test("On a terminal, the location of the cache is printed once")
  func newCache() throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/script") else { return }
    let scratch = try Scratch()
    try scratch.write("a.html", "<p>x")
    func run(_ options: String) throws -> String {
      let process = Process(), output = Pipe()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/script")
      process.arguments = ["-qec", "env -u OFFPRINT_CACHE '\(Program.url.path)' render a.html -o a.png \(options)", "/dev/null"]
      process.currentDirectoryURL = scratch.url
      process.standardOutput = output
      process.standardInput = FileHandle.nullDevice
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return text
    }
    #expect(try !run("--no-cache").contains("./cache"))
    #expect(try run("").contains("./cache"))
    #expect(try !run("").contains("./cache"))
  }
}
