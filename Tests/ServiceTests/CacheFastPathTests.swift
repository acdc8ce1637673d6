import Foundation
import Testing

@testable import OffprintService

@Suite("Requests answered before HTTP parsing") struct HitShortcutTests {
  private func plain(_ text: String) -> PlainRequest? { Array(text.utf8).withUnsafeBytes { PlainRequest($0) } }

  @Test("A single complete plain request head is recognized")
  func plainHeads() throws {
    let get = try #require(
      plain("GET /i/abc?x=1 HTTP/1.1\r\nHost: a\r\nUser-Agent: b c\r\nX-Request-Id: id-1\r\nConnection: Keep-Alive\r\n\r\n"))
    #expect(get.target == "/i/abc?x=1" && !get.isHead && get.requestID == "id-1" && !get.needsMore)
    #expect(plain("HEAD /a HTTP/1.1\r\nhost:a\r\n\r\n")?.isHead == true)
    #expect(plain("GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: a b\r\n\r\n")?.requestID == nil)
    for field in ["Range: bytes=0-1", "Authorization: Bearer x", "If-None-Match: \"a\"", "RANGE: x"] {
      #expect(plain("GET /a HTTP/1.1\r\nHost: a\r\n\(field)\r\n\r\n")?.needsMore == true, "\(field)")
    }
  }

  @Test(
    "Anything more or less than one request is not recognized",
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
  func others(text: String) { #expect(plain(text) == nil) }
}

@Suite("A cached image", .serialized) struct CachedImageTests {
  @Test("A cached image has the same head before and after HTTP parsing, also mixed with other requests on a connection")
  func sameAnswer() throws {
    let service = try ServiceUnderTest()
    let drawn = try service.post("/render?width=200", html: "<h1>kept")
    let target = "/i/\(try #require(drawn.headers["offprint-key"]))"
    _ = try service.get(target)
    let connection = try service.connect()
    func ask(_ fields: String = "", _ path: String) throws -> TestResponse {
      connection.write("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
      return try connection.answer()
    }
    // A range needs the HTTP pipeline; without one the request is answered from the response cache.
    let quick = try ask("X-Request-Id: mine\r\n", target)
    #expect(quick.status == 200 && quick.body == drawn.body && quick.headers["x-request-id"] == "mine")
    let slow = try ask("Authorization: Bearer none\r\n", target)
    #expect(slow.status == 200 && slow.body == drawn.body)
    let differing = Set(["x-request-id", "date", "cache-control"])
    for name in Set(quick.headers.keys).union(slow.headers.keys).subtracting(differing) {
      #expect(quick.headers[name] == slow.headers[name], "\(name)")
    }
    #expect(try ask("Range: bytes=0-3\r\n", target).status == 206)
    #expect(try ask("If-None-Match: \(try #require(quick.headers["etag"]))\r\n", target).status == 304)
    #expect(try ask("", "/nothing").status == 404)
    #expect(try ask("", target).body == drawn.body)
    // Two requests at once.
    connection.write("GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\nGET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try [connection.answer().status, connection.answer().status] == [404, 200])
  }

  @Test("A field that looks like a request is not answered from the cache")
  func splitRequest() throws {
    let service = try ServiceUnderTest()
    let drawn = try service.post("/render?width=200", html: "<h1>kept")
    let target = "/i/\(try #require(drawn.headers["offprint-key"]))"
    for _ in 0..<2 { #expect(try service.get(target).status == 200) }
    for first in ["", "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"] {
      let connection = try service.connect()
      if !first.isEmpty {
        connection.write(first)
        _ = try connection.answer()
      }
      connection.write("GET /nothing HTTP/1.1\r\nX-Note: ")
      usleep(200_000)
      connection.write("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(try connection.answer().status == 404)
      connection.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(try connection.answer().status == 200)
    }
  }
}
