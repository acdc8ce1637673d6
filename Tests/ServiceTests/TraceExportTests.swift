import Foundation
import Glibc
import Logging
import Testing

@testable import Offprint
@testable import OffprintService

@Suite("Export of spans", .serialized) struct TraceExportTests {
  private func receiver(_ statuses: Int...) throws -> PythonReceiver { try PythonReceiver("trace-receiver.py", statuses.map { "\($0)" }) }

  private func spans(_ receiver: PythonReceiver) -> [[String: Any]] {
    receiver.requests.filter { $0["status"] as? Int == 200 }.flatMap { $0["spans"] as? [[String: Any]] ?? [] }
  }

  @Test(
    "Spans arrive at the collector in the form of OTLP, the last ones at shutdown",
    .enabled(if: PythonReceiver.python != nil, PythonReceiver.noPython))
  func exports() throws {
    let receiver = try receiver(200)
    let service = try ServiceUnderTest(
      ["--no-auth", "--otlp-endpoint", "http://127.0.0.1:\(receiver.port)/base"],
      environment: [
        "OTEL_EXPORTER_OTLP_HEADERS": "authorization=Bearer%20secret,x-team=a", "OTEL_SERVICE_NAME": "cards",
        "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment=test", "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1",
      ])
    let parent = ["traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"]
    #expect(try service.post("/render", html: "<p>private", parent).isPNG)
    #expect(try service.get("/none").status == 404)
    service.signal(SIGTERM)
    #expect(service.wait() == 0)
    let requests = receiver.requests, spans = spans(receiver)
    #expect(
      requests.allSatisfy { $0["path"] as? String == "/base/v1/traces" && ($0["problems"] as? [Any])?.isEmpty == true }, "\(requests)")
    let headers = requests.first?["headers"] as? [String: String]
    #expect(headers?["authorization"] == "Bearer secret" && headers?["x-team"] == "a" && headers?["content-type"] == "application/json")
    #expect(
      spans.count == 2 && spans.contains { $0["name"] as? String == "/render" && $0["parentSpanId"] as? String == "b7ad6b7169203331" })
    let resource = "\(requests.first?["resource"] ?? "")"
    #expect(resource.contains("cards") && resource.contains("deployment.environment") && resource.contains("service.version"))
    #expect(!"\(requests)".contains("private"))
  }

  @Test("A collector that is busy gets the batch again", .enabled(if: PythonReceiver.python != nil, PythonReceiver.noPython))
  func retries() throws {
    let receiver = try receiver(503, 200)
    let service = try ServiceUnderTest(
      ["--no-auth"], environment: ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:\(receiver.port)/own"])
    #expect(try service.post("/render", html: "<p>x").isPNG)
    #expect(service.eventually { spans(receiver).count == 1 })
    #expect(receiver.requests.allSatisfy { $0["path"] as? String == "/own" })
    #expect(try service.eventually { try service.get("/metrics").text.contains("offprint_spans_total{outcome=\"exported\"}") })
  }

  @Test("Spans beyond the queue are dropped and counted, and a collector that cannot be reached delays nothing")
  func bounded() async throws {
    var export = try #require(try TraceExport(endpoint: "http://127.0.0.1:1", [:]))
    export.seconds = 0.2
    let exporter = try SpanExporter(
      export, resource: TraceResource([:]), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let count = 3 * (SpanExporter.maximumWaiting + SpanExporter.batchSize)
    for _ in 0..<count { exporter.add(["name": "x"]) }
    await exporter.flush(seconds: 30)
    let figures = exporter.figures
    #expect(figures.exported == 0 && figures.dropped > 0 && figures.dropped + figures.failed == count, "\(figures)")
  }

  @Test("The standard variables configure the export, and the option takes precedence")
  func variables() throws {
    func url(_ endpoint: String?, _ variables: [String: String]) throws -> String? { try TraceExport(endpoint: endpoint, variables)?.url }
    let base = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"]
    #expect(try url(nil, [:]) == nil)
    #expect(try url(nil, base) == "http://c:4318/v1/traces")
    #expect(try url(nil, base.merging(["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://t/x"]) { $1 }) == "http://t/x")
    #expect(try url("https://o/", base) == "https://o/v1/traces")
    #expect(try url(nil, base.merging(["OTEL_SDK_DISABLED": "true"]) { $1 }) == nil)
    #expect(try url(nil, base.merging(["OTEL_TRACES_EXPORTER": "none"]) { $1 }) == nil)
    #expect(try TraceExport(endpoint: nil, base.merging(["OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"]) { $1 })?.problem != nil)
    #expect(try TraceExport(endpoint: nil, base.merging(["OTEL_EXPORTER_OTLP_TIMEOUT": "2500"]) { $1 })?.seconds == 2.5)
    #expect(throws: OffprintError.self) { try TraceExport(endpoint: nil, base.merging(["OTEL_EXPORTER_OTLP_TIMEOUT": "soon"]) { $1 }) }
    let error = #expect(throws: OffprintError.self) {
      try TraceExport(endpoint: nil, base.merging(["OTEL_EXPORTER_OTLP_HEADERS": "a=secret%0d%0ab: c"]) { $1 })
    }
    #expect(error?.message.contains("secret") == false)
  }
}
