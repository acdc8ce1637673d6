import Foundation
import Glibc
import Testing

private let page = "<body style='margin:0'><p style='margin:0;height:9px'>x</p>"

@Suite("Connections") struct ConnectionTests {
  @Test("An HTTP/1.1 request has one Host field, and an HTTP/1.0 request at most one")
  func hostFields() throws {
    let service = try ServiceUnderTest()
    for (head, status) in [
      ("GET /health/live HTTP/1.1\r\n", 400), ("GET /health/live HTTP/1.1\r\nHost: localhost\r\nhost: localhost\r\n", 400),
      ("GET /health/live HTTP/1.0\r\nHost: localhost\r\nHost: localhost\r\n", 400),
      ("GET /health/live HTTP/1.1\r\nHost: localhost\r\n", 200),
    ] {
      let connection = try service.connect()
      connection.write(head + "\r\n")
      #expect(try connection.readResponse().status == status, "\(head)")
    }
  }

  @Test("An invalid Host field is malformed, also for cached responses")
  func hostValues() throws {
    let service = try ServiceUnderTest(["--no-auth", "--accept-host", "*"])
    let target = "/render/snippet.png?body=hosts"
    for _ in 0..<3 { #expect(try service.get(target).status == 200) }
    for host in ["a b", "a/b", "a?b", "a@b", "a#b", "a\\b", "<a>", "a\"b"] {
      for target in [target, "/health/live"] {
        let connection = try service.connect()
        connection.write("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
        #expect(try connection.readResponse().code == "malformedRequest", "\(host) \(target)")
      }
    }
    for host in ["a.example:80", "[::1]:80", "a_b", ""] {
      let connection = try service.connect()
      connection.write("GET \(target) HTTP/1.1\r\nHost: \(host)\r\n\r\n")
      #expect(try connection.readResponse().status == 200, "\(host)")
    }
  }

  @Test("An HTTP/1.0 request with a transfer coding is malformed, and its expectation is ignored")
  func oldVersion() throws {
    let service = try ServiceUnderTest()
    let head = "POST /render HTTP/1.0\r\nHost: localhost\r\nContent-Type: text/html\r\nConnection: keep-alive\r\n"
    let coded = try service.connect()
    coded.write(head + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\nGET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let response = try coded.readResponse()
    #expect(response.code == "malformedRequest" && response.headers["connection"] == "close")
    #expect(coded.hasEnded())
    let expecting = try service.connect()
    expecting.write(head + "Content-Length: 1\r\nExpect: 100-continue\r\n\r\na")
    #expect(try expecting.readHead().status == 200)
  }

  @Test("A request after one in progress gets 100 Continue and the time for its body when it is its turn")
  func bodiesBehindOthers() throws {
    let service = try ServiceUnderTest()
    let slow = "<div style='width:3000px;height:3000px;filter:blur(40px);background:linear-gradient(red,blue)'></div>"
    func head(_ count: Int, _ more: String = "") -> String {
      "POST /render HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: \(count)\r\n\(more)\r\n"
    }
    let connection = try service.connect()
    connection.write(head(slow.utf8.count) + slow + head(4, "Expect: 100-continue\r\n"))
    let first = try connection.readHead()
    #expect(first.status == 200 && first.headers["offprint-size"] != nil, "the response to the earlier request comes first")
    #expect(try connection.body(first.headers).count > 0)
    #expect(try connection.readHead().status == 100)
    // Longer than the time limit for reading an unwanted body.
    usleep(2_500_000)
    connection.write("<p>x")
    #expect(try connection.readResponse().status == 200)
  }

  @Test("The time limit of a body begins when the requests before it are answered")
  func largeBodyBehindOthers() throws {
    let service = try ServiceUnderTest(["--no-auth", "--body-timeout", "500ms"])
    let slow = "<div style='width:3000px;height:3000px;filter:blur(40px);background:linear-gradient(red,blue)'></div>"
    // More than is read in advance.
    let large = "<p>x<!--\(String(repeating: "x", count: 3 << 20))-->"
    let connection = try service.connect()
    for page in [slow, large] {
      connection.write(
        "POST /render HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)")
    }
    #expect(try connection.readResponse().status == 200)
    #expect(try connection.readResponse().status == 200)
  }

  @Test("A slow reader gets the complete response")
  func slowReader() throws {
    let service = try ServiceUnderTest(["--no-auth", "--write-timeout", "1s"])
    let connection = try service.connect()
    connection.write(
      "POST /render?width=3000&height=3000&format=raw HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: 1\r\n\r\nx")
    let head = try connection.readHead()
    let count = try #require(head.headers["content-length"].flatMap { Int($0) })
    #expect(count == 36_000_000)
    for _ in 0..<36 {
      usleep(100_000)
      #expect(try connection.take(1_000_000).count == 1_000_000)
    }
  }

  @Test("Without authentication only loopback names, the own address and accepted names are answered")
  func rebinding() throws {
    let service = try ServiceUnderTest(["--no-auth", "--accept-host", "Render.Internal"])
    func status(_ host: String, _ method: String = "GET", _ path: String = "/cache/stats", _ more: String = "") throws -> Int {
      let connection = try service.connect()
      connection.write("\(method) \(path) HTTP/1.1\r\nHost: \(host)\r\nContent-Length: 0\r\n\(more)\r\n")
      return try connection.readResponse().status
    }
    for host in ["localhost", "LocalHost:80", "127.0.0.1:\(service.port)", "[::1]:1", "render.internal"] {
      #expect(try status(host) == 200, "\(host)")
    }
    for host in [
      "evil.example", "127.0.0.1.evil.example", "localhost.", "", "10.0.0.1", "evil.example:\(service.port)",
    ] {
      #expect(try status(host) == 421, "\(host)")
      #expect(try status(host, "DELETE", "/cache") == 421, "\(host)")
    }
    #expect(try status("localhost@evil.example") == 400)
    #expect(try status("localhost", "DELETE", "/cache", "Origin: http://evil.example\r\n") == 403)
    #expect(try status("localhost", "DELETE", "/cache", "Origin: null\r\n") == 403)
    #expect(try status("localhost", "DELETE", "/cache", "Origin: http://localhost\r\n") != 403)
  }

  @Test("Without authentication a page of another origin cannot write identifiers and tags, whatever its browser sends")
  func foreignPages() throws {
    let service = try ServiceUnderTest(["--no-auth", "--accept-host", "render.internal"])
    // Each request is for a different image, because cached responses do not write.
    var count = 0
    func status(_ host: String, _ query: String, _ more: String = "") throws -> Int {
      let connection = try service.connect()
      count += 1
      connection.write("GET /render/snippet.png?body=\(count)&\(query) HTTP/1.1\r\nHost: \(host)\r\n\(more)\r\n")
      return try connection.readResponse().status
    }
    for query in ["identifier=logo", "tag=news", "refresh=1"] {
      #expect(try status("localhost", query) == 200, "\(query)")
      #expect(try status("localhost", query, "Sec-Fetch-Site: cross-site\r\n") == 403, "\(query)")
      #expect(try status("render.internal", query) == 403, "\(query)")
    }
    #expect(try status("render.internal", "width=200") == 200)
  }

  @Test("A cached response is not sent for another host")
  func rememberedHits() throws {
    let service = try ServiceUnderTest()
    let target = "/render/snippet.png?body=hit"
    for _ in 0..<3 { #expect(try service.get(target).status == 200) }
    for line in ["", "X-Long-Way: 1\r\nContent-Length: 0\r\n"] {
      let connection = try service.connect()
      connection.write("GET \(target) HTTP/1.1\r\nHost: evil.example\r\n\(line)\r\n")
      #expect(try connection.readResponse().status == 421)
    }
  }

  @Test("A request with Upgrade is answered, and the connection closed instead of blocking later requests")
  func upgrade() throws {
    let service = try ServiceUnderTest()
    let connection = try service.connect()
    connection.write(
      "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n"
        + "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let response = try connection.readResponse()
    #expect(response.status == 200 && response.headers["connection"] == "close")
    #expect(throws: (any Error).self) { try connection.readResponse() }
  }

  @Test("CONNECT is refused, and the connection closed instead of hanging")
  func connect() throws {
    let service = try ServiceUnderTest()
    let connection = try service.connect()
    connection.write("CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\nGET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
    let response = try connection.readResponse()
    #expect(
      response.code == "methodNotAllowed" && response.headers["connection"] == "close"
        && response.headers["allow"]?.contains("GET") == true)
    #expect(connection.hasEnded())
  }

  @Test("A client that requests cached responses and reads nothing is not read further")
  func pipelinedHits() throws {
    let service = try ServiceUnderTest()
    let rendered = try service.post("/render?width=1000&height=1000", html: "<p>x")
    let target = "/i/\(try #require(rendered.headers["offprint-key"]))"
    for _ in 0..<2 { #expect(try service.get(target).status == 200) }
    let connection = try service.connect()
    connection.setSendTimeout(milliseconds: 1000)
    let requests = Array(
      String(repeating: "GET \(target) HTTP/1.1\r\nHost: localhost\r\nX-Fill: \(String(repeating: "a", count: 300))\r\n\r\n", count: 200)
        .utf8)
    var sent = 0
    while sent < 1000, connection.write(requests) { sent += 1 }
    // The amount that sockets buffer; without backpressure, 80 MB were read.
    #expect(sent < 500, "\(sent) times \(requests.count) bytes")
  }

  @Test("A body other than a list of jobs must arrive in time, whatever its media type")
  func slowBody() throws {
    let service = try ServiceUnderTest(["--no-auth", "--body-timeout", "300ms"])
    for (path, type) in [("/render", "text/html; ndjson"), ("/render", "application/x-ndjson"), ("/sign", "application/x-ndjson")] {
      let connection = try service.connect()
      connection.write("POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: \(type)\r\nContent-Length: 100\r\n\r\nabc")
      let status = try connection.readResponse().status
      #expect(status == 408 || status == 415, "\(path) \(type)")
    }
  }

  @Test("SIGHUP during startup does not end the service")
  func earlyReload() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-early-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = ServiceUnderTest.executable("offprint-server").path
    let leading = ["-c", "(for i in 1 2 3 4 5 6 7 8; do sleep 0.02; kill -HUP $$; done) & sleep 0.01; exec \"$0\" \"$@\"", program]
    let service = try ServiceUnderTest(folder: folder, program: "/bin/bash", leading: leading)
    #expect(try service.post("/render?width=20", html: page).status == 200)
  }

  @Test("Reloading under load loses no request and leaves no descriptor open")
  func reloads() async throws {
    let service = try ServiceUnderTest(["--no-auth", "--workers", "1"])
    func descriptors() -> Int { service.descriptorCount }
    service.signal(SIGHUP)
    #expect(service.eventually { service.logText.contains("generation\":\"1\"") || service.logText.contains("generation\":1") })
    usleep(500_000)
    let before = descriptors()
    let clients = (0..<2).map { client in
      Task.detached { () throws -> [Int] in
        try (0..<150).map { try service.post("/render?width=\(20 + client)", html: page + "\($0)").status }
      }
    }
    for _ in 0..<12 {
      service.signal(SIGHUP)
      try await Task.sleep(for: .milliseconds(250))
    }
    for client in clients { #expect(try await client.value.allSatisfy { $0 == 200 }) }
    #expect(service.eventually { descriptors() <= before + 6 }, "\(before) before, \(descriptors()) after")
  }

  @Test("Requests in progress at SIGTERM are answered")
  func drain() async throws {
    let service = try ServiceUnderTest(["--no-auth", "--workers", "2"])
    let clients = (0..<8).map { number in
      Task.detached { try service.post("/render?width=\(300 + number)", html: String(repeating: "<p>word ", count: 300)).status }
    }
    try await Task.sleep(for: .milliseconds(3))
    service.signal(SIGTERM)
    for client in clients { #expect(try await client.value == 200) }
    #expect(service.wait() == 0)
  }
}
