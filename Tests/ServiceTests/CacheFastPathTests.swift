import Foundation
import Testing

@testable import OffprintService

@Suite("The fast path for cached responses") struct CacheFastPathTests {
  private func parse(_ text: String) -> FastPathRequest? { Array(text.utf8).withUnsafeBytes { FastPathRequest($0) } }

  @Test("A complete GET or HEAD request without a body is parsed, and fields that need the HTTP pipeline are recognized")
  func completeHeads() throws {
    let get = try #require(
      parse("GET /i/abc?x=1 HTTP/1.1\r\nHost: a\r\nUser-Agent: b c\r\nX-Request-Id: id-1\r\nConnection: Keep-Alive\r\n\r\n"))
    #expect(get.target == "/i/abc?x=1" && !get.isHead && get.requestID == "id-1" && !get.needsPipeline)
    #expect(parse("HEAD /a HTTP/1.1\r\nhost:a\r\n\r\n")?.isHead == true)
    #expect(parse("GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: a b\r\n\r\n")?.requestID == nil)
    for field in ["Range: bytes=0-1", "Authorization: Bearer x", "If-None-Match: \"a\"", "RANGE: x"] {
      #expect(parse("GET /a HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n")?.needsPipeline == true, "\(field)")
    }
  }

  @Test(
    "Incomplete, pipelined and malformed requests, and those with a body, fall through to the HTTP pipeline",
    arguments: [
      "GET /a HTTP/1.1\r\nHost: a\r\n", "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET /b HTTP/1.1\r\n\r\n", "GET /a HTTP/1.0\r\nHost: a\r\n\r\n",
      "POST /a HTTP/1.1\r\nHost: a\r\n\r\n", "GET /a HTTP/1.1\r\n\r\n\r\n", "GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "GET /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "GET /a HTTP/1.1\r\nHost: a\r\nUpgrade: h2c\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost : a\r\n\r\n", "GET /a HTTP/1.1\r\n Host: a\r\n\r\n", "GET /a HTTP/1.1\nHost: a\n\r\n\r\n",
      "GET  /a HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /a HTTP/1.1\r\nHost: a\r\nX: b\rc\r\n\r\n", "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /a\u{0} HTTP/1.1\r\nHost: a\r\n\r\n",
      "ET /a HTTP/1.1\r\nHost: a\r\n\r\n", "",
    ])
  func others(text: String) { #expect(parse(text) == nil) }
}

@Suite("A cached image", .serialized) struct CachedImageTests {
  @Test("The fast path and the HTTP pipeline send the same response to a cached image, even for requests on one connection")
  func sameResponse() throws {
    let service = try ServiceUnderTest()
    let rendered = try service.post("/render?width=200", html: "<h1>cached")
    let target = "/i/\(try #require(rendered.headers["offprint-key"]))"
    _ = try service.get(target)
    let connection = try service.connect()
    func get(_ fields: String = "", _ path: String) throws -> TestResponse {
      connection.write("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
      return try connection.readResponse()
    }
    let fast = try get("X-Request-Id: mine\r\n", target)
    #expect(fast.status == 200 && fast.body == rendered.body && fast.headers["x-request-id"] == "mine")
    // A request with `Authorization` needs the HTTP pipeline.
    let pipelined = try get("Authorization: Bearer none\r\n", target)
    #expect(pipelined.status == 200 && pipelined.body == rendered.body)
    let differing = Set(["x-request-id", "date", "cache-control"])
    for name in Set(fast.headers.keys).union(pipelined.headers.keys).subtracting(differing) {
      #expect(fast.headers[name] == pipelined.headers[name], "\(name)")
    }
    #expect(try get("Range: bytes=0-3\r\n", target).status == 206)
    #expect(try get("If-None-Match: \(try #require(fast.headers["etag"]))\r\n", target).status == 304)
    #expect(try get("", "/nothing").status == 404)
    #expect(try get("", target).body == rendered.body)
    // Two pipelined requests.
    connection.write("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\nGET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try [connection.readResponse().status, connection.readResponse().status] == [404, 200])
  }

  @Test("The rest of a split request that looks like a request of its own is not answered from the cache")
  func splitRequest() throws {
    let service = try ServiceUnderTest()
    let rendered = try service.post("/render?width=200", html: "<h1>cached")
    let target = "/i/\(try #require(rendered.headers["offprint-key"]))"
    for _ in 0..<2 { #expect(try service.get(target).status == 200) }
    for first in ["", "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"] {
      let connection = try service.connect()
      if !first.isEmpty {
        connection.write(first)
        _ = try connection.readResponse()
      }
      connection.write("GET /nothing HTTP/1.1\r\nX-Note: ")
      usleep(200_000)
      connection.write("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(try connection.readResponse().status == 404)
      connection.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(try connection.readResponse().status == 200)
    }
  }
}
