import Glibc
import Testing

@Suite("Hostile requests") struct HostileRequestTests {
  @Test("Clients that leave before their response, and HEAD requests, do not occupy a slot")
  func admission() throws {
    let service = try ServiceUnderTest(["--no-auth", "--client-concurrency", "2"])
    let job = "{\"html\":\"<p>x\"}\n"
    let list = "POST /batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: "
    for _ in 0..<20 {
      for body in ["\(job.utf8.count)\r\n\r\n\(job)", "400\r\n\r\n\(job)"] {
        let connection = try service.connect()
        connection.endWithReset()
        connection.write(list + body)
        usleep(2000)
      }
    }
    for _ in 0..<4 {
      let connection = try service.connect()
      connection.write("HEAD /cache/list HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
      _ = try? connection.readResponse()
    }
    #expect(service.eventually { (try? service.get("/cache/stats").status) == 200 })
  }

  @Test("Pages of other origins cannot move an identifier, not even with an image")
  func namesOfOtherOrigins() throws {
    let service = try ServiceUnderTest()
    func status(_ field: String, _ query: String = "&identifier=logo") throws -> Int {
      let connection = try service.connect()
      connection.write("GET /render/snippet.png?body=x\(query) HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n")
      return try connection.readResponse().status
    }
    for field in ["Sec-Fetch-Site: cross-site\r\n", "Sec-Fetch-Site: same-site\r\n", "Origin: http://evil.example\r\n", "Origin: null\r\n"]
    {
      #expect(try status(field) == 403, "\(field)")
      #expect(try status(field, "") == 200, "\(field)")
    }
    for field in ["Sec-Fetch-Site: none\r\n", "Sec-Fetch-Site: same-origin\r\n", "Origin: http://localhost\r\n", ""] {
      #expect(try status(field) == 200, "\(field)")
    }
  }

  @Test("Connections end after requests that ask for it, cached or not, and later requests are not answered")
  func connectionClose() throws {
    let service = try ServiceUnderTest()
    let next = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    for target in ["/render/snippet.png?body=keep", "/health/live"] {
      for line in ["1.0\r\n", "1.1\r\nConnection: Close\r\n", "1.1\r\nConnection: close, te\r\n", "1.1\r\nConnection: te, close\r\n"] {
        for _ in 0..<2 {
          let connection = try service.connect()
          connection.write("GET \(target) HTTP/\(line)Host: localhost\r\n\r\n" + next)
          let response = try connection.readResponse()
          #expect(response.status == 200 && response.headers["connection"] == "close", "\(target) \(line)")
          #expect(connection.hasEnded(), "\(target) \(line)")
        }
      }
    }
  }

  @Test("A malformed request after others is rejected after their responses")
  func malformedBehind() throws {
    let service = try ServiceUnderTest()
    let body = String(repeating: "<p>word ", count: 400)
    for bad in ["GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET /x HTTP/1.1\r\n\r\n", "garbage\r\n\r\n"] {
      let connection = try service.connect()
      let good =
        "POST /render?width=400 HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      connection.write(good + body + bad)
      #expect(try connection.readResponse().status == 200, "\(bad)")
      #expect(try connection.readResponse().status == 400, "\(bad)")
      #expect(connection.hasEnded(), "\(bad)")
    }
  }

  @Test("Expiry times at the limits of integers are parsed")
  func expiryTimes() throws {
    let service = try ServiceUnderTest()
    for (expires, age) in [("-9223372036854775808", "0"), ("9223372036854775807", "86400"), ("99999999999999999999", "86400"), ("0", "0")] {
      let response = try service.get("/render/snippet.png?body=x&expires=\(expires)")
      #expect(response.headers["cache-control"] == "public, max-age=\(age)", "\(expires)")
    }
  }

  @Test("The host of a target in absolute form takes precedence over the Host field")
  func absoluteForm() throws {
    let service = try ServiceUnderTest()
    for (host, status) in [("localhost", 200), ("localhost:1", 200), ("evil.example", 421)] {
      let connection = try service.connect()
      connection.write("GET http://\(host)/cache/stats HTTP/1.1\r\nHost: localhost\r\n\r\n")
      #expect(try connection.readResponse().status == status, "\(host)")
    }
  }

  @Test("Transfer codings other than chunked are refused")
  func transferCodings() throws {
    let service = try ServiceUnderTest()
    for (coding, status) in [("chunked", 200), ("Chunked", 200), ("gzip, chunked", 400), ("identity, chunked", 400), ("identity", 400)] {
      let connection = try service.connect()
      let head = "POST /render?width=20 HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nTransfer-Encoding: \(coding)\r\n\r\n"
      connection.write(head + "5\r\n<p>hi\r\n0\r\n\r\n")
      #expect(try connection.readResponse().status == status, "\(coding)")
    }
  }
}
