import Foundation
import Glibc
import Testing

@Suite("Output files and results") struct OutputTests {
  private let arguments = ["render", "-", "--no-cache", "--width", "20", "-o"]
  private let html = Data("<p>x".utf8)

  @Test("If the output is a symbolic link, its target is replaced or created, and the link remains")
  func links() throws {
    let scratch = try Scratch()
    try scratch.write("old.png", "old")
    for (link, target) in [("a", "old.png"), ("b", "new.png")] {
      try FileManager.default.createSymbolicLink(atPath: scratch.path(link), withDestinationPath: target)
      #expect(try Program.run(arguments + [scratch.path(link)], input: html).status == 0)
      #expect(scratch.fileType(link) == S_IFLNK)
      #expect(pngSize(try scratch.data(target)).first == 20)
    }
    #expect(scratch.names.sorted() == ["a", "b", "new.png", "old.png"])
  }

  @Test("A report or merged PDF that would overwrite an input is rejected, and no file changes")
  func overwritesInputs() throws {
    let scratch = try Scratch()
    let list = Data("{\"id\":\"a\",\"html\":\"<p>a\"}\n".utf8)
    let path = scratch.path("jobs.ndjson")
    for command in [
      ["batch", path, "--report", path, "--output", scratch.path("out")], ["warm", path, "--report", path],
      ["batch", path, "--format", "pdf", "--merge", path],
    ] {
      try list.write(to: URL(fileURLWithPath: path))
      #expect(try Program.run(command + ["--cache", scratch.path("cache")]).status == 64, "\(command)")
      #expect(try scratch.data("jobs.ndjson") == list)
    }
  }

  @Test("An output that would overwrite the page, its data or a style sheet is rejected, even through a symbolic link")
  func overwritesSources() throws {
    let scratch = try Scratch()
    for name in ["a.html", "d.json", "s.css"] { try scratch.write(name, "{}") }
    try FileManager.default.createSymbolicLink(atPath: scratch.path("link.png"), withDestinationPath: "a.html")
    let page = scratch.path("a.html")
    for command in [
      ["render", page, "-o", page], ["render", page, "-o", scratch.path("./a.html")], ["render", page, "-o", scratch.path("link.png")],
      ["render", page, "--template", "snippet", "--data", scratch.path("d.json"), "-o", scratch.path("d.json")],
      ["render", page, "--css", scratch.path("s.css"), "-o", scratch.path("s.css")], ["watch", page, "-o", page],
      ["background", page, "-o", page],
    ] {
      let outcome = try Program.run(command + (command[0] == "background" ? [] : ["--format", "png"]))
      #expect(outcome.status == 64 && outcome.errors.contains("would overwrite"), "\(command): \(outcome.errors)")
    }
    for name in ["a.html", "d.json", "s.css"] { #expect(try scratch.data(name) == Data("{}".utf8)) }
  }

  @Test("A batch is rejected before rendering if an output would overwrite an input page or the job list")
  func overwritesPages() throws {
    let scratch = try Scratch()
    try scratch.write("a.html", "a")
    try scratch.write("b.html", "b")
    for output in ["a.html", "b.html", "jobs.ndjson"] {
      let list = """
        {"id":"first","input":"\(scratch.path("a.html"))","output":"\(scratch.path("a.png"))"}
        {"id":"second","input":"\(scratch.path("b.html"))","output":"\(scratch.path("x/../" + output))"}
        """
      try scratch.write("jobs.ndjson", list)
      let outcome = try Program.run(["batch", scratch.path("jobs.ndjson"), "--no-cache", "--output", scratch.path("out")])
      #expect(outcome.status == 65 && outcome.errors.contains("Line 2: the output"), "\(output): \(outcome.errors)")
      #expect(try scratch.data("jobs.ndjson") == Data(list.utf8))
    }
    #expect(scratch.names.sorted() == ["a.html", "b.html", "jobs.ndjson"])
    #expect(try scratch.data("a.html") == Data("a".utf8))
  }

  @Test("Output to a device is written to the device; a full device exits with code 73", .enabled(if: Scratch.supportsDevices))
  func devices() throws {
    let scratch = try Scratch()
    let null = try #require(scratch.device("null", minor: 3)), full = try #require(scratch.device("full", minor: 7))
    #expect(try Program.run(arguments + [null], input: html).status == 0)
    let outcome = try Program.run(arguments + [full], input: html)
    #expect(outcome.status == 73 && outcome.errors.contains("outputUnwritable"), "\(outcome.errors)")
    #expect(scratch.fileType("null") == S_IFCHR && scratch.fileType("full") == S_IFCHR)
    #expect(scratch.names.sorted() == ["full", "null"])
  }

  @Test("Output to a named pipe is written to the pipe")
  func pipes() throws {
    let scratch = try Scratch()
    let pipe = scratch.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDWR)  // Opened for reading and writing, so that open() does not block.
    defer { close(reader) }
    #expect(try Program.run(arguments + [pipe], input: html).status == 0)
    #expect(scratch.fileType("pipe") == S_IFIFO)
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(reader, &bytes, bytes.count)
    #expect(pngSize(Data(bytes.prefix(max(0, count)))).first == 20)
  }

  @Test("A replaced file keeps its permissions; a folder as output is rejected")
  func files() throws {
    let scratch = try Scratch()
    let file = try scratch.write("o.png", "old")
    chmod(file, 0o600)
    #expect(try Program.run(arguments + [file], input: html).status == 0)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    #expect(try Program.run(arguments + [scratch.url.path], input: html).status == 73)
  }

  @Test(
    "Every command exits with code 73 if standard output cannot be written", .enabled(if: Scratch.supportsDevices),
    arguments: [
      ["fonts"], ["fonts", "--json"], ["--help"], ["render", "--help"], ["help", "batch"], ["--version"], ["inspect", "-"],
      ["inspect", "-", "--dom"], ["inspect", "--batch", "-"], ["cache", "stats", "--cache", "none"],
      ["render", "-", "--no-cache", "-o", "-"],
      ["render", "-", "--no-cache", "-o", "x.png", "--json"], ["background", "red"], ["--generate-completion-script", "bash"],
      ["batch", "-", "--report", "-", "--no-cache"], ["warm", "-", "--cache", "c"],
    ])
  func fullStandardOutput(arguments: [String]) throws {
    let scratch = try Scratch()
    let full = try #require(scratch.device("full", minor: 7))
    let handle = try #require(FileHandle(forWritingAtPath: full))
    let input = arguments.contains("-") && !["render", "inspect"].contains(arguments[0]) || arguments.contains("--batch")
    let outcome = try Program.run(
      arguments, input: Data((input ? "{\"html\":\"x\"}" : "<p>x").utf8), folder: scratch.url, outputHandle: handle)
    #expect(outcome.status == 73)
    #expect(outcome.errors.contains("outputUnwritable"), "\(outcome.errors)")
  }

  @Test(
    "A command whose text is no longer read ends without a message",
    arguments: [["fonts"], ["--help"], ["batch", "-", "--dry-run", "--no-cache"]])
  func closedPipe(arguments: [String]) throws {
    let pipe = Pipe(), list = Data((1...9).map { "{\"html\":\"\($0)\"}" }.joined(separator: "\n").utf8)
    try pipe.fileHandleForReading.close()
    let outcome = try Program.run(
      arguments + (arguments[0] == "batch" ? ["--progress", "none"] : []), input: list, outputHandle: pipe.fileHandleForWriting)
    #expect(outcome.status == 73 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test("Binary images are not written to a terminal, but CSS text is")
  func terminal() throws {
    let terminal = try #require(PseudoTerminal())
    for arguments in [["render", "-", "--no-cache"], ["render", "-", "--no-cache", "-o", "-"], ["background", "red"]] {
      let outcome = try Program.run(arguments, input: html, outputHandle: terminal.handle)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("-o FILE"), "\(outcome.errors)")
    }
    let text = try Program.run(["background", "red", "--format", "css"], outputHandle: terminal.handle)
    #expect(text.status == 0)
  }

  @Test("A batch removes temporary files of killed batches, and no other files")
  func temporaryFiles() throws {
    let scratch = try Scratch()
    let dead = try Self.exitedProcessID()
    let alive = getpid()
    let image = try Program.run(["background", "red"]).output
    try scratch.write("out/a.png.\(dead)-1.tmp", image.prefix(30))
    try scratch.write("out/b.png.\(dead)-4294967295.tmp", Data())
    try scratch.write("out/c.\(dead)-7.tmp", image)
    let unrelated: [(String, Data)] = [
      ("a.png.\(alive)-1.tmp", image), ("a.png.\(dead)-1.tmp.bak", image), ("notes.\(dead)-1.tmp", Data("text".utf8)),
      ("c.tmp", image), ("\(dead)-1.tmp", image), ("d.png.\(dead)-.tmp", image), ("e.png.\(dead)-x1.tmp", image),
    ]
    for (name, data) in unrelated { try scratch.write("out/\(name)", data) }
    let held = try scratch.write("out/held.png.\(dead)-2.tmp", image)
    let descriptor = open(held, O_RDONLY)
    #expect(flock(descriptor, LOCK_EX) == 0)
    defer { close(descriptor) }
    let outcome = try Program.run(
      ["batch", "-", "--no-cache", "--output", scratch.path("out")], input: Data("{\"id\":\"x\",\"html\":\"x\"}".utf8))
    #expect(outcome.status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("out"))
    #expect(names.sorted() == (unrelated.map(\.0) + ["x.png", "held.png.\(dead)-2.tmp"]).sorted())
  }

  /// The process ID of a process that has ended.
  private static func exitedProcessID() throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/true")
    try process.run()
    process.waitUntilExit()
    return process.processIdentifier
  }
}

extension Scratch {
  /// The type of the file with a name, such as `S_IFREG`.
  func fileType(_ name: String) -> mode_t? {
    var status = stat()
    return lstat(path(name), &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Whether this process has the privilege to create and open devices.
  static var supportsDevices: Bool { (try? Scratch())?.device("probe", minor: 3) != nil }

  /// Creates a memory device (minor number 3: null, 7: full) in this folder, so that tests never write to those in /dev. Returns nil without
  /// the privilege to create or open devices.
  func device(_ name: String, minor: UInt) -> String? {
    let path = path(name)
    guard mknod(path, S_IFCHR | 0o666, dev_t(1 << 8 | minor)) == 0 else { return nil }
    let descriptor = open(path, O_WRONLY)
    guard descriptor >= 0 else {
      unlink(path)
      return nil
    }
    close(descriptor)
    return path
  }
}
