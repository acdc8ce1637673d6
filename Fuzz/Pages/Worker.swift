@preconcurrency import Glibc
import Offprint

/// Renders pages from standard input one at a time, and prints a line for each: number, outcome, milliseconds, and peak memory in KiB.
///
/// Input: `seed N` for a generated page, or `page N OPTIONS LENGTH` followed by that many bytes of HTML.
struct Worker {
  let renderer: Renderer
  let seconds: Double
  /// Whether each page is rendered twice, which must produce the same bytes.
  let rendersTwice: Bool
  let isSVG: Bool

  init(seconds: Double, rendersTwice: Bool, isSVG: Bool) throws {
    CrashReport.install()
    var limit = rlimit(rlim_cur: 6 << 30, rlim_max: 6 << 30)
    setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    limit = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    var configuration = RendererConfiguration()
    configuration.cacheFolder = nil
    configuration.workers = 1
    renderer = try Renderer(configuration)
    self.seconds = seconds
    self.rendersTwice = rendersTwice
    self.isSVG = isSVG
    renderer.perform { CrashReport.giveStack() }
  }

  func run() {
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count > 1, let number = UInt64(words[1]) else { return }
      if words[0] == "seed" {
        let page = PageGenerator.page(seed: number, isSVG: isSVG)
        answer(number, Array(page.html.utf8), page.options)
      } else if words.count == 4, let length = Int(words[3]) {
        answer(number, readBytes(length), String(words[2]))
      }
    }
  }

  private func readBytes(_ length: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: length)
    let read = bytes.withUnsafeMutableBytes { fread($0.baseAddress, 1, length, stdin) }
    return Array(bytes.prefix(read))
  }

  private func answer(_ number: UInt64, _ html: [UInt8], _ options: String) {
    Memory.resetPeak()
    let start = ContinuousClock.now
    let outcome = render(html, options)
    let elapsed = ContinuousClock.now - start
    let milliseconds = elapsed.components.seconds * 1000 + elapsed.components.attoseconds / 1_000_000_000_000_000
    print("\(number) \(outcome) \(milliseconds) \(Memory.peakKiB())")
    fflush(nil)
  }

  private func render(_ html: [UInt8], _ options: String) -> String {
    let request = Self.request(html, options, seconds)
    do {
      let first = try renderer.renderAndWait(request)
      guard rendersTwice else { return "ok" }
      let second = try renderer.renderAndWait(request)
      return first.image == second.image ? "ok" : "differs"
    } catch {
      return error.code.rawValue
    }
  }

  static func request(_ html: [UInt8], _ options: String, _ seconds: Double) -> RenderRequest {
    let fields = options.split(separator: ",").map { Double($0) ?? 0 }
    var request = RenderRequest(html: html)
    if fields.count == 5 {
      request.width = fields[0] > 0 ? .px(fields[0]) : .auto
      request.height = fields[1] > 0 ? .px(fields[1]) : .auto
      request.scale = fields[2]
      request.colorScheme = fields[3] > 0 ? .dark : .light
      request.media = fields[4] > 0 ? .print : .screen
    }
    if html.starts(with: Array("<html xmlns".utf8)) { request.sourceName = "page.xhtml" }
    if let fonts = Folders.fonts {
      request.basePath = fonts + "/"
      request.allowedFolders = [fonts]
    }
    request.cachePolicy = .none
    request.limits.seconds = seconds
    return request
  }
}

enum Memory {
  /// https://www.kernel.org/doc/html/latest/filesystems/proc.html: writing 5 resets the peak of resident memory.
  static func resetPeak() {
    let file = Glibc.open("/proc/self/clear_refs", O_WRONLY)
    guard file >= 0 else { return }
    _ = write(file, "5", 1)
    Glibc.close(file)
  }

  static func peakKiB() -> Int { field("VmHWM:", of: "/proc/self/status") }
  static func residentKiB(_ process: pid_t) -> Int { field("VmRSS:", of: "/proc/\(process)/status") }

  private static func field(_ name: String, of path: String) -> Int {
    let line = Folders.read(path).split(separator: "\n").first { $0.hasPrefix(name) }
    return line.flatMap { Int($0.dropFirst(name.count).split { $0 == " " || $0 == "\t" }[0]) } ?? 0
  }
}
