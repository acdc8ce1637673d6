import Foundation
import Glibc
import Testing

@testable import Offprint

private let keys = "first 0123456789abcdef-first\nsecond 0123456789abcdef-second\n"
private let tokens = "renderer render token-that-renders-0001\n"

/// Sends the same request in three ways: answered from the cache before HTTP parsing, after it, or by its route.
private final class Asker {
  private let service: ServiceUnderTest
  private var kept: RawConnection?

  init(_ service: ServiceUnderTest) { self.service = service }

  /// In one piece, on a persistent connection.
  func quickly(_ head: String, isHead: Bool) throws -> TestResponse {
    let connection = try kept ?? service.connect()
    kept = connection
    connection.write(head + "\r\n")
    let response = try connection.readResponse(isHead: isHead)
    // A malformed request and HTTP/1.0 end the connection.
    if response.status == 400 || head.contains("HTTP/1.0") { kept = nil }
    return response
  }

  /// In two pieces.
  func inPieces(_ head: String, isHead: Bool) throws -> TestResponse {
    let connection = try service.connect()
    connection.write(head)
    usleep(5000)
    connection.write("\r\n")
    return try connection.readResponse(isHead: isHead)
  }

  /// With a field that only changes how it is processed.
  func byRoute(_ head: String, isHead: Bool) throws -> TestResponse {
    let connection = try service.connect()
    connection.write(head + "Content-Length: 0\r\n\r\n")
    return try connection.readResponse(isHead: isHead)
  }
}

@Suite("A cached response") struct ResponseCacheTests {
  /// Fields that may differ between the responses, for example depending on how they were produced.
  private static let own = Set(["date", "x-request-id", "server-timing"])

  private func fields(_ response: TestResponse) -> [String: String] {
    var fields = response.headers.filter { !Self.own.contains($0.key) }
    // The remaining time of a URL that expires soon decreases every second.
    if fields["cache-control"]?.wholeMatch(of: /public, max-age=\d{1,3}/) != nil { fields["cache-control"] = "soon" }
    return fields
  }

  /// - Parameter targets: Each is requested in many forms.
  private func compare(_ service: ServiceUnderTest, _ targets: [String], rounds: Int) throws {
    let asker = Asker(service)
    var random = SplitMix(state: 20_260)
    let versions = ["HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0"]
    let extra = [
      "Accept: image/png\r\n", "accept:*/*\r\n", "X-Request-Id: mine-1\r\n", "X-Request-Id: not harmless\r\n", "User-Agent:\t a \t\r\n",
      "If-None-Match: \"none\"\r\n", "If-None-Match: *\r\n", "If-Range: \"x\"\r\n", "Range: bytes=2-9\r\n", "Range: bytes=999999999-\r\n",
      "Connection: keep-alive\r\n", "Cookie: a=b\r\n", "Authorization: Bearer wrong-token-000000\r\n", "Accept: text/plain\r\n",
      "X-Empty:\r\n",
      "Host: twice\r\n", "X-Note: GET /i/x HTTP/1.1\r\n",
    ]
    for _ in 0..<rounds {
      let isHead = random.next() % 5 == 0
      var head = "\(isHead ? "HEAD" : "GET") \(targets[random.below(targets.count)]) \(versions[random.below(versions.count)])\r\n"
      let chosen = (0..<random.below(4)).map { _ in extra[random.below(extra.count)] }
      let host = random.below(chosen.count + 1)
      for index in 0...chosen.count {
        if index == host { head += "Host: localhost\r\n" }
        if index < chosen.count { head += chosen[index] }
      }
      let responses = [
        try asker.quickly(head, isHead: isHead), try asker.inPieces(head, isHead: isHead), try asker.byRoute(head, isHead: isHead),
      ]
      for (way, response) in zip(["in pieces", "by its route"], responses.dropFirst()) {
        #expect(responses[0].status == response.status && responses[0].code == response.code, "\(way): \(head)")
        if response.code == nil { #expect(responses[0].body == response.body, "\(way): \(head)") }
        if response.code == nil, !head.contains("HTTP/1.0") { #expect(fields(responses[0]) == fields(response), "\(way): \(head)") }
      }
      if head.contains("Id: mine-1"), responses[0].status < 400 { #expect(responses.allSatisfy { $0.headers["x-request-id"] == "mine-1" }) }
    }
  }

  @Test("A cached response equals that of its route, for small and large images and any other fields of a request")
  func open() throws {
    let service = try ServiceUnderTest(["--no-auth", "--log-level", "info"])
    var targets = ["/i/none", "/nothing", "/render/snippet.png?body=Hello&width=200", "/render/snippet.png?body=%ff"]
    for html in ["<h1>kept", "<div style='width:900px;height:900px;background:conic-gradient(red,blue,lime,red)'>"] {
      let rendered = try service.post("/render?width=900&compression=fast", html: html)
      #expect(rendered.status == 200)
      targets.append("/i/\(try #require(rendered.headers["offprint-key"]))")
    }
    for target in targets { _ = try service.get(target) }
    try compare(service, targets, rounds: 250)
    #expect(service.logText.components(separatedBy: "offprint; hit; memory").count > 100, "the fast path and the response cache were used")
  }

  @Test("A cached response needs a valid signature, and responses without one are not cached")
  func signed() throws {
    let service = try ServiceUnderTest(["--keys", "keys", "--tokens", "tokens"], files: ["keys": keys, "tokens": tokens])
    let signer = try AddressSigner(file: keys)
    let now = Int(time(nil))
    let good = try signer.sign("/render/snippet.png?body=Hi&width=200")
    let targets = [
      good, try signer.sign("/render/snippet.png?body=Hi&width=200", expires: now + 10_000_000),
      try signer.sign("/render/snippet.png?body=Hi&width=200", expires: now + 100),
      try signer.sign("/render/snippet.png?body=a", expires: now - 1),
      good.replacingOccurrences(of: "Hi", with: "Ho"), good + "&width=300", "/render/snippet.png?body=Hi&width=200", good + "#x",
    ]
    for target in targets { _ = try service.get(target) }
    try compare(service, targets, rounds: 150)
    // A response to a client with a token must not be sent to others without one.
    let rendered = try service.post("/render", html: "mine", ["Authorization": "Bearer token-that-renders-0001"])
    let target = "/i/\(try #require(rendered.headers["offprint-key"]))"
    for _ in 0..<2 { #expect(try service.get(target, ["Authorization": "Bearer token-that-renders-0001"]).status == 200) }
    #expect(try Asker(service).quickly("GET \(target) HTTP/1.1\r\nHost: localhost\r\n", isHead: false).code == "signatureMissing")
  }

  @Test("A cached response is removed with its image")
  func forgotten() throws {
    let service = try ServiceUnderTest()
    let asker = Asker(service)
    let rendered = try service.post("/render", html: "gone soon")
    let target = "/i/\(try #require(rendered.headers["offprint-key"]))"
    for _ in 0..<3 { #expect(try asker.quickly("GET \(target) HTTP/1.1\r\nHost: localhost\r\n", isHead: false).status == 200) }
    #expect(try service.send("DELETE", target).status == 204)
    #expect(try asker.quickly("GET \(target) HTTP/1.1\r\nHost: localhost\r\n", isHead: false).status == 404)
  }
}

/// https://prng.di.unimi.it/splitmix64.c
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func below(_ count: Int) -> Int { count > 0 ? Int(next() % UInt64(count)) : 0 }
}
