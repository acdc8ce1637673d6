import Foundation
import Glibc
import Testing

@Suite("Output files and results") struct OutputTests {
  private let arguments = ["render", "-", "--no-cache", "--width", "20", "-o"]
  private let html = Data("<p>x".utf8)

  @Test("A symbolic link stays one: its target is replaced, or created")
  func links() throws {
    let scratch = try Scratch()
    try scratch.write("old.png", "old")
    for (link, target) in [("a", "old.png"), ("b", "new.png")] {
      try FileManager.default.createSymbolicLink(atPath: scratch.path(link), withDestinationPath: target)
      #expect(try Program.run(arguments + [scratch.path(link)], input: html).status == 0)
      #expect(scratch.kind(link) == S_IFLNK)
      #expect(pngSize(try scratch.data(target)).first == 20)
    }
    #expect(scratch.names.sorted() == ["a", "b", "new.png", "old.png"])
  }

  @Test("A report or a merged PDF that is one of the inputs is refused, and nothing is changed")
  func ownInputs() throws {
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

  @Test("An image that would replace its page, data or style sheet is refused, also through a link")
  func ownSources() throws {
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

  @Test("A list with an output that is a page of any of its jobs, or the list itself, is refused before rendering")
  func ownPages() throws {
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

  @Test("A device stays a device and is written to, and a full one is 73")
  func devices() throws {
    let scratch = try Scratch()
    guard let null = scratch.device("null", minor: 3), let full = scratch.device("full", minor: 7) else { return }
    #expect(try Program.run(arguments + [null], input: html).status == 0)
    let outcome = try Program.run(arguments + [full], input: html)
    #expect(outcome.status == 73 && outcome.errors.contains("outputUnwritable"), "\(outcome.errors)")
    #expect(scratch.kind("null") == S_IFCHR && scratch.kind("full") == S_IFCHR)
    #expect(scratch.names.sorted() == ["full", "null"])
  }

  @Test("A named pipe stays one, and its reader gets the image")
  func pipes() throws {
    let scratch = try Scratch()
    let pipe = scratch.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let reader = open(pipe, O_RDWR)  // held open, so that neither side blocks
    defer { close(reader) }
    #expect(try Program.run(arguments + [pipe], input: html).status == 0)
    #expect(scratch.kind("pipe") == S_IFIFO)
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(reader, &bytes, bytes.count)
    #expect(pngSize(Data(bytes.prefix(max(0, count)))).first == 20)
  }

  @Test("A replaced file keeps its permissions, and a folder is refused")
  func files() throws {
    let scratch = try Scratch()
    let file = try scratch.write("o.png", "old")
    chmod(file, 0o600)
    #expect(try Program.run(arguments + [file], input: html).status == 0)
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    #expect(try Program.run(arguments + [scratch.url.path], input: html).status == 73)
  }

  @Test(
    "Every result that cannot be written to standard output is 73",
    arguments: [
      ["fonts"], ["fonts", "--json"], ["--help"], ["render", "--help"], ["help", "batch"], ["--version"], ["inspect", "-"],
      ["inspect", "-", "--dom"], ["inspect", "--batch", "-"], ["cache", "stats", "--cache", "none"],
      ["render", "-", "--no-cache", "-o", "-"],
      ["render", "-", "--no-cache", "-o", "x.png", "--json"], ["background", "red"], ["--generate-completion-script", "bash"],
      ["batch", "-", "--report", "-", "--no-cache"], ["warm", "-", "--cache", "c"],
    ])
  func fullStandardOutput(arguments: [String]) throws {
    let scratch = try Scratch()
    guard let full = scratch.device("full", minor: 7) else { return }
    let handle = try #require(FileHandle(forWritingAtPath: full))
    let input = arguments.contains("-") && !["render", "inspect"].contains(arguments[0]) || arguments.contains("--batch")
    let outcome = try Program.run(
      arguments, input: Data((input ? "{\"html\":\"x\"}" : "<p>x").utf8), folder: scratch.url, outputHandle: handle)
    #expect(outcome.status == 73)
    #expect(outcome.errors.contains("outputUnwritable"), "\(outcome.errors)")
  }

  @Test("No image is written to a terminal")
  func terminal() throws {
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    defer { close(master) }
    var (isLocked, number): (Int32, Int32) = (0, 0)
    // TIOCSPTLCK and TIOCGPTN: https://man7.org/linux/man-pages/man2/TIOCSPTLCK.2const.html
    guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else { return }
    let terminal = FileHandle(fileDescriptor: open("/dev/pts/\(number)", O_RDWR | O_NOCTTY), closeOnDealloc: true)
    for arguments in [["render", "-", "--no-cache"], ["render", "-", "--no-cache", "-o", "-"], ["background", "red"]] {
      let outcome = try Program.run(arguments, input: html, outputHandle: terminal)
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("-o FILE"), "\(outcome.errors)")
    }
    let text = try Program.run(["background", "red", "--format", "css"], outputHandle: terminal)
    #expect(text.status == 0)
  }

  @Test("Only files left by killed batches are removed by the next one")
  func leftovers() throws {
    let scratch = try Scratch()
    let dead = try Self.deadProcess()
    let alive = getpid()
    let picture = try Program.run(["background", "red"]).output
    try scratch.write("out/a.png.\(dead)-1.tmp", picture.prefix(30))
    try scratch.write("out/b.png.\(dead)-4294967295.tmp", Data())
    try scratch.write("out/c.\(dead)-7.tmp", picture)
    let kept: [(String, Data)] = [
      ("a.png.\(alive)-1.tmp", picture), ("a.png.\(dead)-1.tmp.bak", picture), ("notes.\(dead)-1.tmp", Data("text".utf8)),
      ("c.tmp", picture), ("\(dead)-1.tmp", picture), ("d.png.\(dead)-.tmp", picture), ("e.png.\(dead)-x1.tmp", picture),
    ]
    for (name, data) in kept { try scratch.write("out/\(name)", data) }
    let held = try scratch.write("out/held.png.\(dead)-2.tmp", picture)
    let descriptor = open(held, O_RDONLY)
    #expect(flock(descriptor, LOCK_EX) == 0)
    defer { close(descriptor) }
    let outcome = try Program.run(
      ["batch", "-", "--no-cache", "--output", scratch.path("out")], input: Data("{\"id\":\"x\",\"html\":\"x\"}".utf8))
    #expect(outcome.status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path("out"))
    #expect(names.sorted() == (kept.map(\.0) + ["x.png", "held.png.\(dead)-2.tmp"]).sorted())
  }

  /// The process ID of a process that has ended.
  private static func deadProcess() throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/true")
    try process.run()
    process.waitUntilExit()
    return process.processIdentifier
  }
}

extension Scratch {
  /// The type of the file with a name, such as `S_IFREG`.
  func kind(_ name: String) -> mode_t? {
    var status = stat()
    return lstat(path(name), &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// A memory device in this folder; nil if only root can create one. The machine's devices are never used.
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
