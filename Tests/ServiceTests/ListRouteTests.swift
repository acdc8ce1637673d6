import Foundation
import Testing

@Suite("Lists of jobs, and listings")
struct ListRouteTests {
  let service: ServiceUnderTest
  init() throws { service = try ServiceUnderTest() }

  private func lines(_ response: TestResponse) -> [[String: Any]] {
    response.text.split(separator: "\n").compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
  }

  @Test("A list gives one line per job: rendered, cached or failed")
  func batch() throws {
    let list = #"{"id":"a","html":"<p>a"}"# + "\n\n" + #"{"html":"<p>b"}"# + "\nnonsense\n" + #"{"id":"d","html":"x","output":"/tmp/x"}"#
    let response = try service.send("POST", "/batch", ["Content-Type": "application/x-ndjson"], body: Array(list.utf8))
    #expect(response.status == 200 && response.headers["content-type"] == "application/x-ndjson")
    let reports = lines(response)
    #expect(Set(reports.compactMap { $0["id"] as? String }) == ["a", "3", "4", "d"])
    #expect(reports.filter { $0["status"] as? String == "rendered" }.count == 2)
    let codes = reports.compactMap { ($0["error"] as? [String: Any])?["code"] as? String }
    #expect(Set(codes) == ["dataInvalid", "resourceRefused"])
    let url = try #require(reports.first { $0["id"] as? String == "a" }?["url"] as? String)
    #expect(try service.get(url).isPNG)
    let warm = lines(try service.send("POST", "/warm", ["Content-Type": "application/x-ndjson"], body: Array(list.utf8)))
    #expect(warm.last?["hits"] as? Int == 2 && warm.last?["failed"] as? Int == 2 && warm.count == 5)
  }

  @Test("Reports arrive while the list is still being sent")
  func streamed() throws {
    let connection = try service.connect()
    connection.write("POST /batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
    func send(_ line: String) { connection.write("\(String(line.utf8.count, radix: 16))\r\n\(line)\r\n") }
    send("{\"id\":\"first\",\"html\":\"<p>1\"}\n")
    #expect(try connection.readHead().status == 200)
    let first = try #require(try connection.chunk())
    #expect(String(decoding: first, as: UTF8.self).contains("\"first\""))
    send("{\"id\":\"second\",\"html\":\"<p>2\"}\n")
    #expect(String(decoding: try #require(try connection.chunk()), as: UTF8.self).contains("\"second\""))
    connection.write("0\r\n\r\n")
    #expect(try connection.chunk() == nil)
    // The connection remains usable.
    connection.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try connection.readResponse().status == 200)
  }

  @Test("A client that reads no reports is not read further, however long the reports are")
  func unreadReports() throws {
    let service = try ServiceUnderTest(["--no-auth", "--write-timeout", "60s"])
    let connection = try service.connect()
    connection.setSendTimeout(milliseconds: 4000)
    connection.write("POST /batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n")
    let line = "{\"id\":\"\(String(repeating: "x", count: 512 << 10))\"}\n"
    let chunk = Array("\(String(line.utf8.count, radix: 16))\r\n\(line)\r\n".utf8)
    var sent = 0
    while sent < 150, connection.write(chunk) { sent += 1 }
    #expect(sent < 150, "\(sent) reports of \(line.utf8.count) bytes are held")
  }

  @Test("Only the job of a line above the limit fails")
  func longLine() throws {
    let service = try ServiceUnderTest(["--no-auth", "--max-line", "1000"])
    let list = #"{"html":"\#(String(repeating: "x", count: 2000))"}"# + "\n" + #"{"html":"<p>b"}"# + "\n"
    let reports = lines(try service.send("POST", "/batch", ["Content-Type": "application/x-ndjson"], body: Array(list.utf8)))
    #expect(reports.count == 2)
    #expect(reports.compactMap { ($0["error"] as? [String: Any])?["code"] as? String } == ["limitExceeded"])
  }

  @Test("Fonts, templates, backgrounds and the cache are listed")
  func listings() throws {
    let faces = try service.get("/fonts").jsonArray
    #expect(faces.contains { $0["family"] as? String == "Liberation Sans" })
    #expect(faces.allSatisfy { $0["file"] == nil && $0["licence"] is String && $0["instances"] is [Any] && $0["outlines"] is String })
    #expect(try service.get("/templates").jsonArray.contains { $0["name"] as? String == "snippet" })
    let attributes = try service.get("/templates").jsonArray.first { $0["name"] as? String == "snippet" }?["attributes"] as? [[String: Any]]
    #expect(attributes?.contains { $0["name"] as? String == "font-size" } == true)
    let background = try service.get("/background/%23336699.png?stretch=32x4")
    #expect(background.isPNG && background.headers["etag"] != nil)
    #expect(try service.get("/background/336699.png?stretch=32x4").body == background.body)
    #expect(try service.get("/background/nonsense.png").code == "usage")
    #expect(try service.get("/background/red.png?size=9999x9").code == "usage")
    #expect(try service.get("/background/red.png?pixel=9,9").code == "usage")
    _ = try service.post("/render?identifier=one&tag=t", html: "<p>one")
    #expect(try service.get("/cache/stats").json["entries"] as? Int == 1)
    let list = try service.get("/cache/list?search=one&sort=-size").jsonArray
    #expect((list.first?["identifiers"] as? [String]) == ["one"] && (list.first?["tags"] as? [String]) == ["t"])
    #expect(try service.get("/cache/list?group=tag").jsonArray.first?["value"] as? String == "t")
    for query in ["where=%28", "sort=none", "group=none", "limit=0"] {
      #expect(try service.get("/cache/list?\(query)").code == "usage", "\(query)")
    }
    #expect(try service.send("DELETE", "/cache").code == "usage")
    #expect(try service.send("DELETE", "/cache?where=tag%20%3D%20t").json["entries"] as? Int == 1)
  }

  @Test("Spans are written as OTLP JSON, as children of the caller's span")
  func spans() throws {
    let service = try ServiceUnderTest(["--no-auth", "--trace-file", "spans"])
    _ = try service.post("/render", html: "<p>secret", ["traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"])
    let file = service.folder.appendingPathComponent("spans")
    #expect(service.eventually { (try? String(contentsOf: file, encoding: .utf8))?.contains("/render") == true })
    let text = try String(contentsOf: file, encoding: .utf8)
    let line = try JSONSerialization.jsonObject(with: Data(text.split(separator: "\n")[0].utf8)) as? [String: Any]
    #expect(line?["resourceSpans"] != nil)
    #expect(
      text.contains("0af7651916cd43dd8448eb211c80319c") && text.contains("\"parentSpanId\":\"b7ad6b7169203331\"")
        && !text.contains("secret"))
  }

  @Test("The API description names every route, and Prometheus metrics are available")
  func operations() throws {
    let contract = try service.get("/openapi.json").json
    #expect(contract["openapi"] as? String == "3.1.0")
    let paths = try #require(contract["paths"] as? [String: [String: Any]])
    for path in ["/render", "/render/{template}.{format}", "/i/{name}", "/tags/{tag}", "/batch", "/warm", "/cache/list", "/metrics"] {
      #expect(paths[path] != nil, "\(path)")
    }
    _ = try service.post("/render", html: "<p>x")
    let figures = try service.get("/metrics").text
    // The second is the metric's first name.
    for name in ["images", "pictures"] { #expect(figures.contains("offprint_\(name)_total{cache=\"miss\"} 1")) }
    for name in ["image", "picture"] { #expect(figures.contains("offprint_\(name)_bytes_count 1")) }
    #expect(figures.contains("offprint_stage_duration_seconds_bucket{stage=\"layout\",le=\"+Inf\"} 1"))
    #expect(figures.contains("offprint_requests_total{route=\"/render\",method=\"POST\",status=\"200\"} 1"))
    #expect(try service.get("/health/ready").status == 200)
  }
}
