import Foundation
import Glibc
import Logging
import Testing

@testable import Offprint
@testable import OffprintRemote
@testable import OffprintService

/// A Python server that verifies and records webhooks.
struct WebhookReceiver {
  static let secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
  /// Another secret first, so that there are two signatures.
  static let keys = "next whsec_\(Data(repeating: 7, count: 32).base64EncodedString())\nmain \(secret)\n"

  private let server: PythonReceiver

  /// - Parameter statuses: Of the responses, in order; the last is repeated.
  init(_ statuses: [Int]) throws { server = try PythonReceiver("webhook-receiver.py", [Self.secret] + statuses.map { "\($0)" }) }

  struct Request {
    var isSigned: Bool
    var headers: [String: String]
    var path: String
    var body: [String: Any]
    var data: [String: Any] { body["data"] as? [String: Any] ?? [:] }
  }

  var requests: [Request] {
    server.requests.map {
      Request(
        isSigned: $0["signed"] as? Bool ?? false, headers: $0["headers"] as? [String: String] ?? [:], path: $0["path"] as? String ?? "",
        body: $0["body"] as? [String: Any] ?? [:])
    }
  }

  var port: Int { server.port }
  var url: String { "http://127.0.0.1:\(port)/hook?order=7" }
}

@Suite("Webhooks", .serialized, .enabled(if: PythonReceiver.python != nil, PythonReceiver.noPython))
struct WebhookTests {
  private func service(_ more: [String] = [], hosts: [String] = ["127.0.0.1"]) throws -> ServiceUnderTest {
    try ServiceUnderTest(
      ["--no-auth", "--webhook-keys", "webhooks"] + hosts.flatMap { ["--webhook-host", $0] } + more,
      files: ["webhooks": WebhookReceiver.keys])
  }

  private func job(_ receiver: WebhookReceiver, _ more: String = "") -> String {
    #"{"html":"<p>x","width":70,"id":"order-7","webhook":"\#(receiver.url)"\#(more)}"#
  }

  @Test("A webhook is signed, and sent again with the same id until its receiver accepts it")
  func retries() throws {
    let receiver = try WebhookReceiver([500, 500, 200]), service = try service()
    let asked = try service.post("/render", json: job(receiver))
    #expect(asked.status == 202)
    #expect(service.eventually { receiver.requests.count == 3 })
    let requests = receiver.requests
    #expect(requests.allSatisfy(\.isSigned) && Set(requests.map { $0.headers["webhook-id"] }).count == 1)
    #expect(requests.allSatisfy { $0.path == "/hook?order=7" && $0.headers["content-type"] == "application/json" })
    let last = try #require(requests.last)
    #expect(last.body["type"] as? String == "render.completed" && last.data["status"] as? String == "rendered")
    #expect(last.data["id"] as? String == "order-7" && last.data["width"] as? Int == 70 && last.data["error"] == nil)
    #expect(last.data["result"] as? String == asked.headers["location"])
    #expect(try service.get(try #require(last.data["result"] as? String)).isPNG)
    #expect(try service.get(try #require(last.data["url"] as? String)).isPNG)
    #expect(
      try service.eventually {
        let metrics = try service.get("/metrics").text
        return metrics.contains("offprint_webhooks_total{outcome=\"delivered\"} 1") && metrics.contains("offprint_webhook_retries_total 2")
          && metrics.contains("offprint_webhooks_waiting 0")
      })
    #expect(service.logText.contains("A webhook was delivered") && !service.logText.contains("/hook"))
  }

  @Test("The webhook of a failed render has the error, and that of return=url a signed URL")
  func outcomes() throws {
    let receiver = try WebhookReceiver([204])
    let service = try ServiceUnderTest(
      ["--tokens", "tokens", "--keys", "keys", "--webhook-keys", "webhooks", "--webhook-host", "127.0.0.1"],
      files: [
        "tokens": "me render 0123456789abcdef\n", "keys": "main 0123456789abcdef0123\n", "webhooks": WebhookReceiver.keys,
      ])
    let token = ["Authorization": "Bearer 0123456789abcdef"], target = receiver.url.replacing("?", with: "%3F").replacing("=", with: "%3D")
    #expect(try service.post("/render?selector=.none&webhook=\(target)", html: "<p>x", token).status == 202)
    #expect(service.eventually { receiver.requests.count == 1 })
    let failed = try #require(receiver.requests.first)
    let error = failed.data["error"] as? [String: Any]
    #expect(failed.isSigned && failed.body["type"] as? String == "render.failed" && failed.data["status"] as? String == "failed")
    #expect(error?["code"] as? String == "selectorUnmatched" && error?["status"] as? Int == 422)
    #expect(try service.post("/render?return=url&webhook=\(target)", html: "<p>x", token).status == 202)
    #expect(service.eventually { receiver.requests.count == 2 })
    let url = try #require(receiver.requests.last?.data["url"] as? String)
    #expect(url.contains("signature="))
    #expect(try service.get(url).isPNG)
  }

  @Test("Client errors and redirects are not retried or followed", arguments: [404, 302, 410])
  func givesUp(_ status: Int) throws {
    let receiver = try WebhookReceiver([status, 200]), service = try service()
    #expect(try service.post("/render", json: job(receiver)).status == 202)
    #expect(try service.eventually { try service.get("/metrics").text.contains("offprint_webhooks_total{outcome=\"failed\"} 1") })
    #expect(receiver.requests.map(\.path) == ["/hook?order=7"])
    #expect(service.logText.contains("status \(status)"))
  }

  @Test("A webhook to another host, a private address or an invalid URL is refused")
  func refusals() throws {
    let receiver = try WebhookReceiver([200])
    let service = try service(hosts: ["hooks.example", "*:\(receiver.port)"])
    for (url, code) in [
      ("https://other.example/", "resourceRefused"), ("ftp://hooks.example/", "dataInvalid"), ("https://a:b@hooks.example/", "dataInvalid"),
      ("/path", "dataInvalid"), ("https://hooks.example/\(String(repeating: "a", count: 2048))", "dataInvalid"),
    ] {
      #expect(try service.post("/render", json: #"{"html":"x","webhook":"\#(url)"}"#).code == code, "\(url)")
    }
    // Any name may be called, but no private IP address that is not named.
    #expect(try service.post("/render", json: job(receiver)).status == 202)
    #expect(try service.eventually { try service.get("/metrics").text.contains("offprint_webhooks_total{outcome=\"failed\"} 1") })
    #expect(receiver.requests.isEmpty)
    #expect(try service.send("PUT", "/i/name", ["Content-Type": "application/json"], body: Array(job(receiver).utf8)).code == "usage")
    let without = try ServiceUnderTest()
    #expect(try without.post("/render", json: job(receiver)).code == "resourceRefused")
  }

  @Test("At shutdown, webhooks are delivered at once, and those that cannot be are reported")
  func drains() throws {
    let receiver = try WebhookReceiver([503, 503, 200]), service = try service()
    #expect(try service.post("/render", json: job(receiver)).status == 202)
    #expect(service.eventually { !receiver.requests.isEmpty })
    service.signal(SIGTERM)
    #expect(service.wait() == 0)
    #expect(receiver.requests.count == 3 && service.logText.contains("A webhook was delivered"))

    let broken = try WebhookReceiver([500]), other = try self.service(["--drain-timeout", "1s"])
    #expect(try other.post("/render", json: job(broken)).status == 202)
    #expect(other.eventually { !broken.requests.isEmpty })
    other.signal(SIGTERM)
    #expect(other.wait() == 0)
    #expect(other.logText.contains("were not delivered before the service ended"))
  }

  @Test("A service without valid webhook keys does not start")
  func keys() {
    for (file, part) in [
      (nil, "--webhook-keys"), ("", "no secret"), ("a whsec_c2hvcnQ=\n", "Line 1"), ("a secretsecretsecretsecretsecret\n", "Line 1"),
    ] as [(String?, String)] {
      let failure = #expect(throws: ServiceUnderTest.Failure.self) {
        try ServiceUnderTest(
          ["--no-auth", "--webhook-host", "hooks.example"] + (file == nil ? [] : ["--webhook-keys", "webhooks"]),
          files: ["webhooks": file ?? ""])
      }
      let text = failure?.description ?? ""
      #expect(text.contains(part) && !text.contains("c2hvcnQ") && !text.contains("secretsecret"), "\(text)")
    }
  }

  @Test("Network errors, server errors, 408 and 429 are retried")
  func verdicts() {
    func retryAfter(_ outcome: HTTPPoster.Outcome) -> Int? {
      if case .retried(_, let seconds) = WebhookVerdict(outcome) { seconds ?? 0 } else { nil }
    }
    for status in [408, 429, 500, 503] { #expect(retryAfter(.answered(status: status, retryAfter: 7)) == 7) }
    for status in [302, 400, 404, 410] { #expect(retryAfter(.answered(status: status, retryAfter: 7)) == nil) }
    #expect(retryAfter(.unreachable("refused")) == 0 && retryAfter(.refused("private")) == nil)
    #expect(WebhookVerdict(.answered(status: 204, retryAfter: nil)) == .delivered(204))
  }

  @Test("Pauses grow exponentially with jitter, are at least Retry-After, and never longer than five minutes")
  func pauses() {
    for tries in 1...6 {
      let full = Double(1 << (tries - 1))
      for _ in 0..<20 { #expect((full / 2...full).contains(Backoff.seconds(tries, nil))) }
    }
    #expect(Backoff.seconds(1, 30) == 30)
    #expect(Backoff.seconds(1, .max) == 300)
    #expect((150...300).contains(Backoff.seconds(.max, nil)))
  }

  @Test("A full queue refuses requests before they are rendered")
  func bounded() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-keys-\(UUID().uuidString)")
    try Data(WebhookReceiver.keys.utf8).write(to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    var settings = ServiceSettings()
    settings.webhookHosts = ["hooks.example"]
    settings.webhookKeysFile = folder.path
    let queue = try WebhookQueue(settings, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, registry: PrometheusRegistry())
    var tickets: [WebhookQueue.Ticket] = []
    let error = #expect(throws: ServiceError.self) { while tickets.count < 100_000 { tickets.append(try queue.reserve()) } }
    #expect(error?.code == .overloaded && queue.waitingCount == tickets.count)
    tickets.removeLast()
    tickets.append(try queue.reserve())
    tickets = []
    #expect(queue.waitingCount == 0)
  }
}
