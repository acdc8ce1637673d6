import Logging
import Offprint
import OffprintObservability
import Synchronization
import Testing

private final class Lines: Sendable {
  private let state = Mutex<[String]>([])
  func add(_ line: String) { state.withLock { $0.append(line) } }
  var all: [String] { state.withLock { $0 } }
}

private struct LineHandler: LogHandler {
  let lines: Lines
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }
  func log(event: LogEvent) {
    lines.add(
      "\(event.level) \(event.message) \(event.metadata?["outcome"]?.description ?? "") \(event.metadata?["code"]?.description ?? "")")
  }
}

@Suite("Logs and reports")
struct ObservabilityTests {
  @Test("Every render is reported once, and logged by its outcome")
  func logged() async throws {
    let lines = Lines(), reports = Lines()
    let renderer = try Renderer.alone {
      $0.observer = { reports.add("\($0.outcome.rawValue) \($0.width)x\($0.height) \($0.error?.code.rawValue ?? "-")") }
      $0.observe(logger: Logger(label: "test") { _ in LineHandler(lines: lines) }, metrics: nil)
    }
    var request = RenderRequest(html: "<body style='margin:0'><div style='height:27px'>")
    request.width = .px(9)
    _ = try await renderer.render(request)
    request.selector = "#none"
    await #expect(throws: OffprintError.self) { try await renderer.render(request) }
    request.selector = nil
    request.html += Array("<img src=nowhere>".utf8)
    request.height = .px(7)
    _ = try await renderer.render(request)
    #expect(reports.all == ["rendered 9x27 -", "failed 0x0 selectorUnmatched", "rendered 9x7 -"])
    #expect(lines.all.map { $0.split(separator: " ").first ?? "" } == ["debug", "warning", "notice"])
    #expect(lines.all[1].hasSuffix("failed selectorUnmatched"))
  }
}
