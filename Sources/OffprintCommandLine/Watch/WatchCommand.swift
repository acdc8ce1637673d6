import ArgumentParser
import OffprintCoreTypes
import Glibc
import Offprint
import Synchronization

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Renders a page whenever it, its template, its data or its resources change.",
    discussion: """
      Errors and warnings are printed, and watching continues until Ctrl-C. The cache is not used. Terminals that support images (kitty, \
      iTerm2, sixel) also show the image; --terminal selects the protocol, or none.

      Examples:
        offprint watch card.html -o card.png --width 600
        offprint watch --template templates/card.mustache --data card.json -o card.png
      """)

  @Argument(help: ArgumentHelp("An HTML file. Optional with a Mustache --template.", valueName: "page")) var input: String?
  @Option(
    name: [.short, .customLong("output")], help: ArgumentHelp("The image file (default: the page's name with .png).", valueName: "file")
  )
  var output: String?
  @Option(name: .customLong("terminal"), help: "Terminal images: auto, kitty, iterm2, sixel or none (default: auto).")
  var terminal = TerminalChoice.auto
  @Flag(name: [.short, .customLong("quiet")], help: "Print only warnings about an incomplete image.") var quiet = false
  @Flag(name: .customLong("json"), help: "Print a line of JSON after each render; shows no terminal images.") var json = false
  @OptionGroup(title: "Page") var page: PageOptions
  @OptionGroup(title: "Engine") var fonts: FontOptions
  @OptionGroup(title: "Engine") var network: NetworkOptions

  mutating func validate() throws {
    if input == nil && page.template == nil { throw ValidationError("Specify the page to watch: a file.") }
    if input == "-" || page.data == "-" || page.template == "-" || page.css.contains("-") {
      throw ValidationError("Only files can be watched, not '-'.")
    }
    if output == "-" { throw ValidationError("watch renders repeatedly; specify a file with -o FILE.") }
    if json && terminal != .auto && terminal != .none { throw ValidationError("--json and --terminal exclude each other.") }
  }

  private var target: String { output ?? "\(Files.stem(input ?? page.template ?? "page")).\((page.encoding.format ?? .png).fileExtension)" }

  mutating func run() throws {
    try page.encoding.settle(output: target)
    // Terminals are sent PNG.
    if page.encoding.format ?? .png != .png {
      if ![.auto, .none].contains(terminal) {
        throw OffprintError(.usage, "Terminal images are PNG; --terminal excludes other formats.")
      }
      terminal = .none
    }
    let display = json ? nil : TerminalDisplay(terminal)
    if let input { try checkPresence(input) }
    try Files.checkOutput(target, inputs: page.inputs(input))
    let mask = Interruption.begin()
    var configuration = try network.apply(to: fonts.configuration)
    configuration.workers = 1
    let renderer = try Renderer(configuration)
    let watcher = FileWatcher()
    watcher.watch(named)
    var loaded: [String] = []
    while !Interruption.isAsked {
      watcher.watch(named + loaded)
      if let files = draw(renderer, display, mask) { loaded = files }
      watcher.watch((named + loaded).filter { $0 != Files.absolute(target) })
      waitForChange(watcher, mask)
    }
    // Exits at once, since a render in progress is no longer needed.
    Glibc.exit(0)
  }

  private func checkPresence(_ input: String) throws(OffprintError) {
    guard Files.isRegular(input) || access(input, F_OK) != 0 else {
      throw OffprintError(.inputUnreadable, "'\(input)' is not a regular file and cannot be watched.")
    }
    close(try Files.open(input))
  }

  /// The files that the command names, and the templates beside its template.
  private var named: [String] {
    var files = page.inputs(input)
    if let template = page.template, let file = (try? page.templates.path(of: template)) ?? nil {
      let folder = Files.folder(of: file)
      Files.names(in: folder) { name in
        if name.hasSuffix(".mustache") { files.append(folder + name) }
        return files.count < 1000
      }
    }
    return files.map(Files.absolute)
  }

  /// Waits until a file has changed, and then until it has been stable for a moment.
  private func waitForChange(_ watcher: FileWatcher, _ mask: sigset_t) {
    var mask = mask
    while !Interruption.isAsked && !watcher.hasChanged() { _ = watcher.wait(milliseconds: 2000, mask: &mask) }
    for _ in 0..<20 where !Interruption.isAsked {
      guard watcher.wait(milliseconds: 50, mask: &mask) else { return }
      _ = watcher.hasChanged()
    }
  }

  // MARK: Rendering

  /// - Returns: The files that the page loaded; nil if unknown.
  private func draw(_ renderer: Renderer, _ display: TerminalDisplay?, _ mask: sigset_t) -> [String]? {
    TemplateOptions.forget()
    do throws(OffprintError) {
      // Opening a pipe blocks until another process opens it for writing, and signals are blocked meanwhile.
      for file in named where !Files.isRegular(file) && access(file, F_OK) == 0 {
        throw OffprintError(.inputUnreadable, "'\(file)' is not a regular file and cannot be watched.")
      }
      var (request, notes) = try page.request(for: input, RendererConfiguration())
      try page.apply(to: &request)
      request.cachePolicy = .none
      guard let result = try Self.render(request, renderer, mask) else { return nil }
      Output.diagnostics(notes + result.diagnostics, quiet: quiet)
      try Files.write(result.image, to: target)
      try tell(result, display)
      return result.files
    } catch {
      if json { Output.line("{\"output\":\(JSONText.string(target)),\"status\":\"failed\",\"error\":\(error.json)}") }
      Output.error("offprint: \(error.sentence)")
      return nil
    }
  }

  private func tell(_ result: RenderResult, _ display: TerminalDisplay?) throws(OffprintError) {
    if json { return Output.line(result.json(output: target)) }
    try display?.show(result)
    if !quiet {
      let time = JSONText.number((result.milliseconds * 10).rounded() / 10)
      Output.error("\(target): \(result.width)×\(result.height), \(result.image.count) bytes, in \(time) ms")
    }
  }

  /// Waits for the render or an interruption; nil if interrupted.
  private static func render(_ request: RenderRequest, _ renderer: Renderer, _ mask: sigset_t) throws(OffprintError) -> RenderResult? {
    let answer = Answer()
    renderer.render(request) { answer.set($0) }
    var mask = mask
    while !Interruption.isAsked {
      if let result = answer.take(&mask) { return try result.get() }
    }
    return nil
  }

  /// A result from another thread that can be awaited together with signals.
  private final class Answer: Sendable {
    private let value = Mutex<Result<RenderResult, OffprintError>?>(nil)
    private let ends: (reader: Int32, writer: Int32)

    init() {
      var pair: [Int32] = [-1, -1]
      ends = pipe(&pair) == 0 ? (pair[0], pair[1]) : (-1, -1)
    }

    deinit {
      if ends.reader >= 0 { close(ends.reader) }
      if ends.writer >= 0 { close(ends.writer) }
    }

    func set(_ result: Result<RenderResult, OffprintError>) {
      value.withLock { $0 = result }
      _ = FileDescriptorIO.write([1], to: ends.writer)
    }

    /// Waits for a limited time.
    func take(_ mask: inout sigset_t) -> Result<RenderResult, OffprintError>? {
      if let known = value.withLock({ $0 }) { return known }
      _ = Interruption.wait(for: ends.reader, milliseconds: 500, mask: &mask)
      return value.withLock { $0 }
    }
  }
}
