import Foundation
import Glibc
import Testing

/// A page that takes as long as the time limit allows.
private let slow =
  "<style>" + (0..<60).map { "div:nth-child(\($0 + 2)n) > div { width: calc(1px * \($0)) }" }.joined() + "</style>"
  + String(
    repeating: "<div style='display:grid;grid-template-columns:repeat(40,auto)'>" + String(repeating: "<div>word ", count: 60) + "</div>",
    count: 300)

@Suite("Limits of a connection")
struct LoadTests {
  @Test("Data that is not HTTP gets an error, and does not end the service")
  func malformed() throws {
    let service = try ServiceUnderTest()
    let texts = [
      "\u{1}\u{2}\u{3}\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
      "POST /render HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
      "POST /render HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
      "POST /render HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "GET /health/live HTTP/1.1\r\nHost: localhost\r\nX: \(String(repeating: "a", count: 200_000))\r\n\r\n",
    ]
    for text in texts {
      let connection = try service.connect()
      connection.write(text)
      let response = String(decoding: connection.rest(), as: UTF8.self)
      #expect(response.hasPrefix("HTTP/1.1 4"), "\(text.prefix(60)): \(response.prefix(100))")
      #expect(response.contains("\"code\":"), "\(text.prefix(60)): \(response.prefix(300))")
    }
    #expect(try service.get("/health/live").status == 200)
  }

  @Test("A body above the limit is rejected with or without Content-Length, and the connection of an endless one is closed")
  func bodies() throws {
    let service = try ServiceUnderTest(["--no-auth", "--max-body", "10000"])
    let sized = try service.connect()
    sized.write("POST /render HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: 99999999\r\n\r\n")
    #expect(try sized.readResponse().code == "limitExceeded")
    let chunked = try service.connect()
    chunked.write("POST /render HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n")
    let piece = "2000\r\n" + String(repeating: "x", count: 0x2000) + "\r\n"
    for _ in 0..<3 { chunked.write(piece) }
    #expect(try chunked.readResponse().code == "limitExceeded")
    var sent = 0
    // 32 MiB after the error response, and the contents of socket buffers.
    while sent < 10_000, chunked.write(Array(piece.utf8)) { sent += 1 }
    #expect(sent < 10_000, "the service stops reading an endless body")
    // For a route that takes no body.
    let ignored = try service.connect()
    ignored.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
    sent = 0
    while sent < 10_000, ignored.write(Array(piece.utf8)) { sent += 1 }
    #expect(sent < 10_000)
  }

  @Test("Silent clients, slow senders and stalled readers are disconnected")
  func slowClients() throws {
    let service = try ServiceUnderTest(["--no-auth", "--idle-timeout", "300ms", "--body-timeout", "300ms", "--write-timeout", "300ms"])
    let silent = try service.connect()
    #expect(silent.rest().isEmpty)
    let head = try service.connect()
    head.write("GET /health/live HTTP/1.1\r\nX: ")
    _ = head.rest()
    let body = try service.connect()
    body.write("POST /render HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: 100\r\n\r\nabc")
    #expect(try body.readResponse().code == "requestTimedOut")
    // Requests more than the sockets buffer, and reads none of it.
    let reader = try service.connect()
    let request = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for _ in 0..<2000 { reader.write(request) }
    #expect(
      try service.eventually { try service.get("/metrics").text.contains("offprint_refused_connections_total{code=\"slowReader\"} 1") })
    #expect(try service.get("/health/live").status == 200)
  }

  @Test("Requests of a connection are answered in order, and 100 Continue is sent on request")
  func pipelined() throws {
    let service = try ServiceUnderTest()
    let connection = try service.connect()
    connection.write(
      "POST /render?width=50 HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\n<p>xGET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\nGET /none HTTP/1.1\r\nHost: localhost\r\n\r\n"
    )
    #expect(try connection.readResponse().headers["offprint-size"]?.hasPrefix("50x") == true)
    #expect(try connection.readResponse().status == 200)
    #expect(try connection.readResponse().status == 404)
    connection.write(
      "POST /render HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
    #expect(try connection.readHead().status == 100)
    connection.write("<p>x")
    #expect(try connection.readResponse().status == 200)
  }

  @Test("A render that takes too long, or whose client disconnects, is canceled")
  func deadlines() throws {
    let service = try ServiceUnderTest(["--no-auth", "--workers", "1", "--timeout", "60s", "--request-timeout", "300ms"])
    let late = try service.post("/render", html: slow)
    #expect(late.status == 504 && late.code == "timedOut")
    #expect(try service.post("/render?timeout=1ms", html: slow + "x").code == "timedOut")
    // The worker is available again.
    #expect(try service.eventually { try service.post("/render", html: "<p>quick").status == 200 })
    let gone = try ServiceUnderTest(["--no-auth", "--workers", "1", "--timeout", "300s", "--request-timeout", "300s"])
    do {
      let connection = try gone.connect()
      connection.write(
        "POST /render HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: \(slow.utf8.count)\r\n\r\n\(slow)")
      #expect(try gone.eventually { try gone.get("/metrics").text.contains("offprint_flights 1.0") })
    }
    #expect(
      try gone.eventually { try gone.get("/metrics").text.contains("offprint_renders_total{outcome=\"failed\",code=\"cancelled\"} 1") })
  }

  @Test("The concurrent requests of a client and the queue are limited")
  func bounds() throws {
    let service = try ServiceUnderTest(
      ["--no-auth", "--workers", "1", "--client-concurrency", "3", "--queue", "1", "--timeout", "300s", "--request-timeout", "300s"])
    func ask(_ page: String) throws -> RawConnection {
      let connection = try service.connect()
      connection.write(
        "POST /render HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)")
      return connection
    }
    let hit = "<p>known"
    #expect(try service.post("/render", html: hit).status == 200)
    let first = try ask(slow + "1")
    #expect(try service.eventually { try service.get("/metrics").text.contains("offprint_flights 1.0") })
    // One request in the queue, and one more than the queue can hold.
    let second = try ask(slow + "2")
    #expect(try service.eventually { try service.get("/metrics").text.contains("offprint_queue_length 1.0") })
    let full = try service.post("/render", html: slow + "3")
    #expect(full.status == 503 && full.code == "queueFull" && full.headers["retry-after"] != nil)
    #expect(try service.get("/health/ready").code == "overloaded")
    // Cache hits do not wait.
    #expect(try service.post("/render", html: hit).headers["cache-status"] == "offprint; hit")
    withExtendedLifetime((first, second)) {}
    let busy = try ServiceUnderTest([
      "--no-auth", "--workers", "1", "--client-concurrency", "1", "--timeout", "300s", "--request-timeout", "300s", "--open-metrics",
    ])
    let one = try busy.connect()
    one.write("POST /render HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: \(slow.utf8.count)\r\n\r\n\(slow)")
    #expect(try busy.eventually { try busy.get("/metrics").text.contains("offprint_flights 1.0") })
    #expect(try busy.post("/render", html: hit).code == "tooManyRequests")
    #expect(try busy.post("/render", html: hit).headers["retry-after"] == "1")
    withExtendedLifetime(one) {}
  }

  @Test("SIGTERM finishes requests in progress and exits with 0")
  func drain() throws {
    let service = try ServiceUnderTest([
      "--no-auth", "--drain-delay", "400ms", "--timeout", "300s", "--request-timeout", "300s", "--drain-timeout", "300s",
    ])
    let connection = try service.connect()
    let page = String(repeating: "<p>some words</p>", count: 200)
    connection.write(
      "POST /render HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)")
    service.signal(SIGTERM)
    #expect(try service.eventually { try service.get("/health/ready").code == "shuttingDown" })
    #expect(try connection.readResponse().status == 200)
    #expect(service.wait() == 0)
  }

  @Test("Logs are JSON, name the request, and contain nothing of the page or its URL")
  func logs() throws {
    let service = try ServiceUnderTest()
    let id = "abc-DEF_1.2"
    let response = try service.post("/render?identifier=secret-name", html: "<p>secret-body", ["X-Request-Id": id])
    #expect(response.headers["x-request-id"] == id)
    let odd = try service.post("/render", html: "x", ["X-Request-Id": "a\u{1b}[31mb\"c"])
    #expect(odd.headers["x-request-id"]?.contains("31m") != true)
    #expect(service.eventually { service.logText.contains("\"request\":\"\(id)\"") })
    for line in service.logText.split(separator: "\n") {
      let record = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(record?["time"] != nil && record?["level"] != nil && record?["message"] != nil)
    }
    #expect(!service.logText.contains("secret") && !service.logText.contains("31m"))
  }
}
