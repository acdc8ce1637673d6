import Foundation
import Testing

@Suite("Bad input gives an exit code and a message, or an image") struct BadInputTests {
  @Test("The exit code is 66 for a missing file, 65 for a folder, 64 for an invalid option and 73 for an unwritable output")
  func exitCodes() throws {
    let scratch = try Scratch()
    let input = try scratch.write("page.html", page)
    #expect(try Program.run(["render", scratch.path("none.html"), "--no-cache"]).status == 66)
    #expect(try Program.run(["render", scratch.url.path, "--no-cache"]).status == 65)
    #expect(try Program.run(["render", input, "--width", "-5"]).status == 64)
    #expect(try Program.run(["render", input, "--no-such-option"]).status == 64)
    #expect(try Program.run(["render", input, "--no-cache", "-o", scratch.path("no/such/folder.png")]).status == 73)
    #expect(try Program.run(["render", input, "--no-cache", "--fonts", scratch.path("nowhere"), "-o", "-"]).status == 66)
  }

  @Test("No input read as a page traps", arguments: ["empty", "rubbish", "deep", "wide", "nul", "unclosed"])
  func neverTraps(kind: String) throws {
    let html: Data =
      switch kind {
      case "empty": Data()
      case "rubbish": Data((0..<20_000).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ ($0 >> 3)) })
      case "deep": Data(String(repeating: "<div>", count: 100_000).utf8)
      case "wide": Data(String(repeating: "<p>x", count: 1_000).utf8)
      case "nul": Data([0x3C, 0x70, 0, 0x3E, 0, 0xFF, 0xFE, 0xED, 0xA0, 0x80])
      default: Data("<div style=\"width:calc(1px*(((((\" class='".utf8)
      }
    let outcome = try Program.run(["render", "-", "--no-cache", "--height", "600", "--timeout", "60s"], input: html)
    #expect(outcome.status == 0, "\(outcome.status) \(outcome.errors.prefix(300))")
    #expect(!pngSize(outcome.output).isEmpty)
  }

  @Test("Five MiB of tags exceed a limit, which is named")
  func tooLarge() throws {
    let outcome = try Program.run(["render", "-", "--no-cache"], input: Data(String(repeating: "<div>", count: 1 << 20).utf8))
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("inputBytes"))
  }

  @Test("A truncated image is rendered as far as possible, with a diagnostic, and never cached; with --strict it is an error")
  func truncatedImage() throws {
    let scratch = try Scratch()
    let png = try Program.run(["background", "red", "--stretch", "100x100"]).output
    try scratch.write("a.png", png.prefix(png.count / 2))
    let input = try scratch.write("page.html", "<img src=a.png><img src=missing.png><img src=missing.png>")
    let arguments = ["render", input, "--cache", scratch.path("cache"), "--json", "-o", scratch.path("o.png")]
    let outcome = try Program.run(arguments)
    #expect(outcome.status == 0)
    #expect(outcome.errors.split(separator: "\n").count { $0.contains("missing.png") } == 1, "the missing image is reported once")
    #expect((try Program.run(arguments).json as? [String: Any])?["status"] as? String == "rendered")
    let strict = try Program.run(arguments + ["--strict"])
    #expect(strict.status == 65)
    #expect(strict.errors.contains("resourceDamaged"))
    let missing = try scratch.write("missing.html", "<img src=missing.png>")
    #expect(try Program.run(["render", missing, "--strict", "--no-cache", "-o", scratch.path("o.png")]).status == 66)
  }

  @Test("An invalid SVG is named, and the image without it is never cached")
  func brokenSVG() throws {
    let scratch = try Scratch()
    try scratch.write("a.svg", "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><rect width='5'")
    let input = try scratch.write("page.html", "<p>text</p><img src=a.svg>")
    let arguments = ["render", input, "--cache", scratch.path("cache"), "--json", "-o", scratch.path("o.png")]
    #expect(try Program.run(arguments).errors.contains("imageDamaged"))
    #expect((try Program.run(arguments).json as? [String: Any])?["status"] as? String == "rendered")
  }

  @Test("A file outside the input's folder is refused")
  func refusesOtherFolders() throws {
    let scratch = try Scratch()
    let input = try scratch.write("page.html", "<img src=/etc/hostname><link rel=stylesheet href=../../../etc/passwd>")
    let outcome = try Program.run(["render", input, "--no-cache", "--strict", "-o", scratch.path("o.png")])
    #expect(outcome.status == 77)
    #expect(outcome.errors.contains("resourceRefused"))
  }

  @Test("A cache folder that cannot be created or used is a warning, and the image is rendered")
  func unusableCache() throws {
    let scratch = try Scratch()
    let input = try scratch.write("page.html", page)
    try scratch.write("file", "in the way")
    let outcome = try Program.run(["render", input, "--cache", scratch.path("file/cache"), "-o", scratch.path("o.png")])
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("cacheUnusable"))
    #expect(scratch.exists("o.png"))
    #expect(try Program.run(["cache", "stats", "--cache", scratch.path("file/cache")]).status == 74)
  }

  @Test("A full disk leaves no partial files, and the next run works")
  func fullDisk() throws {
    let scratch = try Scratch()
    let mount = scratch.path("small")
    try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
    let mounted = Process()
    mounted.executableURL = URL(fileURLWithPath: "/bin/mount")
    mounted.arguments = ["-t", "tmpfs", "-o", "size=16k", "tmpfs", mount]
    mounted.standardError = FileHandle.nullDevice
    try mounted.run()
    mounted.waitUntilExit()
    guard mounted.terminationStatus == 0 else { return }  // only root can mount
    defer {
      let unmount = Process()
      unmount.executableURL = URL(fileURLWithPath: "/bin/umount")
      unmount.arguments = ["-l", mount]
      try? unmount.run()
      unmount.waitUntilExit()
    }
    let input = try scratch.write("page.html", page + String(repeating: "<p style='color:#358'>lorem <b>ipsum</b>", count: 200))
    let full = try Program.run(["render", input, "-o", "\(mount)/o.png", "--no-cache"])
    #expect(full.status == 73)
    #expect(try FileManager.default.contentsOfDirectory(atPath: mount).isEmpty)
    let cached = try Program.run(["render", input, "-o", scratch.path("o.png"), "--cache", "\(mount)/cache"])
    #expect(cached.status == 0, "\(cached.errors)")
    #expect(cached.errors.contains("cacheUnusable"))
    #expect(try Program.run(["render", input, "-o", scratch.path("o.png"), "--cache", scratch.path("cache")]).status == 0)
  }

  @Test("A font that cannot be read is named, and the page is rendered without it")
  func unreadableFont() throws {
    let scratch = try Scratch()
    try scratch.write("broken.ttf", "this is no font")
    let input = try scratch.write("page.html", page)
    let outcome = try Program.run(["render", input, "--no-cache", "--fonts", scratch.url.path, "-o", scratch.path("o.png")])
    #expect(outcome.status == 0)
    #expect(outcome.errors.contains("broken.ttf"))
  }
}
