import Glibc
import Offprint
import Synchronization

/// One line of a job list.
struct JobLine: Sendable {
  var number: Int
  var text: [UInt8]
}

enum JobList {
  static func read(_ path: String) throws(OffprintError) -> [JobLine] {
    let bytes = try Files.read(path, limit: 1 << 30)
    return bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated().compactMap { number, line in
      line.allSatisfy { $0 <= 0x20 } ? nil : JobLine(number: number + 1, text: Array(line))
    }
  }
}

/// A job: what to draw and where to.
struct Job {
  var id: String
  var request: RenderRequest
  var output: String?

  /// - Throws: `dataInvalid` for a line that is no job, and what reading its files throws.
  init(_ line: JobLine, page: PageOptions, policy: CachePolicy) throws(OffprintError) {
    guard let value = JSONValue(parsing: line.text), case .object(let fields) = value else {
      throw OffprintError(.dataInvalid, "Line \(line.number) is not a JSON object.")
    }
    id = Job.identifier(value) ?? String(line.number)
    if let input = value["input"]?.string {
      request = RenderRequest(input: input, bytes: try Files.read(input))
    } else {
      guard value["html"]?.string != nil || value["template"]?.string != nil || page.template != nil else {
        throw OffprintError(.dataInvalid, "Line \(line.number) has neither \"input\", \"html\" nor \"template\".")
      }
      request = RenderRequest(input: "-", bytes: Array((value["html"]?.string ?? "").utf8))
      request.sourceName = id
    }
    try page.apply(to: &request)
    request.cachePolicy = policy
    for name in fields.keys.sorted() { try Job.apply(name, fields[name] ?? .null, to: &self.request, line: line.number) }
    if case .builtIn(SnippetDefaults.name)? = request.template, page.width == nil, value["width"] == nil {
      request.width = SnippetDefaults.width(request.attributes)
    }
    output = value["output"]?.string
  }

  static func identifier(_ value: JSONValue) -> String? {
    switch value["id"] {
    case .string(let text)?: text
    case .number(let number)?: JSONText.number(number)
    default: nil
    }
  }

  /// One field by the name of `render`'s option.
  private static func apply(_ name: String, _ value: JSONValue, to request: inout RenderRequest, line: Int) throws(OffprintError) {
    func invalid(_ expected: String) -> OffprintError {
      OffprintError(.dataInvalid, "Line \(line): \"\(name)\" must be \(expected).")
    }
    func text() throws(OffprintError) -> String {
      switch value {
      case .string(let text): return text
      case .number(let number): return JSONText.number(number)
      default: throw invalid("a string")
      }
    }
    switch name {
    case "id", "input", "html", "output": return
    case "identifier": request.identifier = try text()
    case "width", "height":
      guard let length = PageLength(argument: try text()) else { throw invalid("a number of px above 0 or \"auto\"") }
      if name == "width" { request.width = length } else { request.height = length }
    case "max-width":
      guard let number = value.number, number > 0, number <= 65_535 else { throw invalid("a number of px above 0") }
      request.maxWidth = number
    case "scale", "device-scale-factor", "zoom":
      guard let number = Double(try text()), number > 0, number <= 16 else { throw invalid("a number above 0 and at most 16") }
      request.scale = number
    case "background":
      guard let color = Renderer.color(try text()) else { throw invalid("a CSS colour or \"transparent\"") }
      request.background = color
    case "transparent", "omit-background":
      guard let flag = value.bool else { throw invalid("true or false") }
      if flag { request.background = .transparent }
    case "selector": request.selector = try text()
    case "clip":
      guard let clip = RenderRequest.Clip(argument: try text()) else { throw invalid("\"x,y,w,h\"") }
      request.clip = clip
    case "css", "stylesheet":
      let files: [JSONValue] = if case .array(let values) = value { values } else { [value] }
      for file in files {
        guard let path = file.string else { throw invalid("a file name or a list of them") }
        request.styleSheets.append(.init(name: path, css: try Files.read(path)))
      }
    case "template": request.template = try PageOptions.template(try text())
    case "set":
      guard case .object(let values) = value else { throw invalid("an object") }
      for (key, value) in values {
        request.attributes[key] = value.string ?? value.number.map { JSONText.number($0) } ?? value.bool.map { "\($0)" } ?? ""
      }
    case "data":
      if let path = value.string { request.data = try Files.read(path) } else { request.data = Array(value.text.utf8) }
    case "color-scheme":
      guard let scheme = RenderRequest.ColorScheme(rawValue: try text()) else { throw invalid("\"light\" or \"dark\"") }
      request.colorScheme = scheme
    case "media":
      guard let media = RenderRequest.Media(rawValue: try text()) else { throw invalid("\"screen\" or \"print\"") }
      request.media = media
    case "base-url":
      let folder = try text()
      request.basePath = Files.absolute(folder.hasSuffix("/") ? folder : folder + "/")
    case "allow-files":
      let folders: [JSONValue] = if case .array(let values) = value { values } else { [value] }
      request.allowedFolders = folders.compactMap(\.string).map(Files.absolute)
      guard request.allowedFolders.count == folders.count else { throw invalid("a folder or a list of them") }
    case "save-html": request.saveHTMLFolder = try text()
    case "timeout":
      guard let seconds = Seconds(argument: try text()) else { throw invalid("a time as \"5s\" or \"500ms\"") }
      request.limits.seconds = seconds.value
    case "strict":
      guard let flag = value.bool else { throw invalid("true or false") }
      request.isStrict = flag
    default: throw OffprintError(.dataInvalid, "Line \(line): there is no option \"\(name)\".")
    }
  }
}

struct Tally: Sendable {
  var rendered = 0
  var cached = 0
  var failed = 0
  var bytes = 0
}

/// Runs a list of jobs on the renderer's workers.
final class JobRunner: Sendable {
  enum Destination: Sendable {
    case folder(String)
    case nowhere
  }
  private struct State {
    var tally = Tally()
    var next = 0
    var stops = false
    var error: OffprintError?
  }

  private let page: PageOptions
  private let engine: EngineOptions
  private let options: JobOptions
  private let destination: Destination
  private let reporter: Reporter
  private let state = Mutex(State())

  init(page: PageOptions, engine: EngineOptions, options: JobOptions, destination: Destination, reporter: Reporter) {
    self.page = page; self.engine = engine; self.options = options; self.destination = destination; self.reporter = reporter
  }

  func run(_ lines: [JobLine]) throws(OffprintError) -> Tally {
    let shard = options.shard ?? Shard.fromEnvironment
    let lines = shard.map { shard in lines.enumerated().filter { shard.takes($0.offset) }.map(\.element) } ?? lines
    let workers = min(options.workers ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), max(1, lines.count))
    let renderer = try Renderer(engine.configuration(workers: workers))
    defer { renderer.shutdown(isExiting: true) }
    let progress = Progress(total: lines.count)
    let isDone = Semaphore()
    for _ in 0..<workers { next(lines, renderer, progress, isDone) }
    for _ in 0..<workers { isDone.wait() }
    progress.finish()
    return state.withLock { $0.tally }
  }

  /// Takes the next job; each worker's completion takes another, so that no more are under way than there are workers.
  private func next(_ lines: [JobLine], _ renderer: Renderer, _ progress: Progress, _ isDone: Semaphore) {
    let index = state.withLock { state in
      defer { state.next += 1 }
      return state.stops ? lines.count : state.next
    }
    guard index < lines.count else { return isDone.signal() }
    let line = lines[index]
    let start = ContinuousClock.now
    let job: Job
    do {
      job = try Job(line, page: page, policy: engine.policy)
    } catch {
      let id = JSONValue(parsing: line.text).flatMap(Job.identifier) ?? String(line.number)
      fail(id, error, since: start)
      progress.step()
      return renderer.perform { self.next(lines, renderer, progress, isDone) }
    }
    renderer.render(job.request) { result in
      self.finish(job, result, since: start)
      progress.step()
      self.next(lines, renderer, progress, isDone)
    }
  }

  private func finish(_ job: Job, _ result: Result<RenderResult, OffprintError>, since start: ContinuousClock.Instant) {
    do {
      let result = try result.get()
      let output = try write(result, job)
      Output.diagnostics(result.diagnostics.map { $0.inJob(job.id) }, quiet: true)
      state.withLock { state in
        if result.wasCached { state.tally.cached += 1 } else { state.tally.rendered += 1 }
        state.tally.bytes += result.image.count
      }
      reporter.report(
        id: job.id, status: result.wasCached ? "cached" : "rendered",
        fields:
          "\(output.map { ",\"output\":\(JSONText.string($0))" } ?? ""),\"width\":\(result.width),\"height\":\(result.height),\"bytes\":\(result.image.count)",
        since: start)
    } catch {
      fail(job.id, error, since: start)
    }
  }

  private func write(_ result: RenderResult, _ job: Job) throws(OffprintError) -> String? {
    guard case .folder(let folder) = destination else { return nil }
    let path = job.output ?? "\(folder)/\(Job.fileName(job.id)).png"
    if job.output == nil && mkdir(folder, 0o755) != 0 && errno != EEXIST {
      throw OffprintError(.outputUnwritable, "The folder '\(folder)' cannot be made: \(String(cString: strerror(errno))).")
    }
    try Files.write(result.image, to: path)
    return path
  }

  private func fail(_ id: String, _ error: OffprintError, since start: ContinuousClock.Instant) {
    state.withLock { state in
      state.tally.failed += 1
      if !options.keepGoing { state.stops = true }
    }
    if !reporter.isActive { Output.error("offprint: \(id): \(error)") }
    reporter.report(
      id: id, status: "failed",
      fields: ",\"error\":{\"code\":\(JSONText.string(error.code.rawValue)),\"message\":\(JSONText.string(error.message))}", since: start)
  }
}

extension Job {
  /// An id as a file name: path separators and control characters become `_`.
  static func fileName(_ id: String) -> String {
    let name = String(id.map { $0 == "/" || $0 == "\0" || ($0.asciiValue ?? 32) < 32 ? "_" : $0 }.prefix(200))
    return name.isEmpty || name == "." || name == ".." ? "_" : name
  }
}

extension Diagnostic {
  func inJob(_ id: String) -> Diagnostic {
    var diagnostic = self
    diagnostic.message = "[\(id)] \(message)"
    return diagnostic
  }
}
