import Foundation
import Glibc
import Testing

private let card = "<body style='margin:0;background:#336699'><p style='margin:0;width:60px;height:20px'>"

@Suite("Rendering routes")
struct RenderRouteTests {
  let service: ServiceUnderTest
  init() throws { service = try ServiceUnderTest(["--no-auth", "--client-concurrency", "100"]) }

  @Test("A page is rendered once and then served from the cache with the same tag")
  func hit() throws {
    let first = try service.post("/render?width=60", html: card)
    #expect(first.status == 200 && first.isPNG)
    #expect(first.headers["content-type"] == "image/png")
    #expect(first.headers["cache-status"] == "offprint; fwd=miss; stored")
    #expect(first.headers["offprint-size"] == "60x20")
    #expect(first.headers["offprint-diagnostics"] == "0")
    #expect(first.headers["server-timing"]?.contains("layout;dur=") == true)
    let second = try service.post("/render?width=60", html: card)
    #expect(second.headers["cache-status"] == "offprint; hit")
    #expect(second.body == first.body)
    #expect(second.headers["etag"] == first.headers["etag"] && first.headers["etag"] != nil)
    #expect(second.headers["offprint-key"] == first.headers["offprint-key"])
  }

  @Test("A JSON job has the fields of a batch job")
  func job() throws {
    let response = try service.post("/render", json: "{\"html\":\"\(card)\",\"width\":60,\"scale\":2,\"id\":7}")
    #expect(response.status == 200)
    #expect(response.headers["offprint-size"] == "120x40")
  }

  @Test("A tree of elements with styles and utility classes is a page")
  func tree() throws {
    let tree = #"{"type":"div","props":{"tw":"bg-red-500","style":{"width":60,"height":20,"display":"flex"},"children":"Hi"}}"#
    let response = try service.post("/render", json: "{\"tree\":\(tree),\"width\":60,\"background\":\"white\"}")
    #expect(response.status == 200 && response.isPNG)
    #expect(response.headers["offprint-size"] == "60x20")
    let both = try service.post("/render", json: "{\"html\":\"x\",\"tree\":\(tree)}")
    #expect(both.status == 400 && both.code == "dataInvalid", "Two pages for one image.")
    let wrong = try service.post("/render", json: #"{"tree":{"type":7}}"#)
    #expect(wrong.status == 400)
  }

  @Test("With report=json the response describes the image, and contains it on request")
  func report() throws {
    let response = try service.post("/render?report=json&image=base64&width=60", html: card + "<img src=missing.png>")
    #expect(response.status == 200)
    #expect(response.json["width"] as? Int == 60)
    #expect(response.json["isDegraded"] as? Bool == true)
    #expect((response.json["diagnostics"] as? [[String: Any]])?.first?["code"] as? String != nil)
    let image = try #require((response.json["image"] as? String).flatMap { Data(base64Encoded: $0) })
    #expect(image.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test("Missing glyphs are reported, not cached, and an error in strict mode")
  func missingText() throws {
    let response = try service.post("/render?width=60", html: "<p>中")
    #expect(response.status == 200 && response.headers["offprint-diagnostics"] == "1; degraded")
    #expect(response.headers["cache-control"] == "no-store")
    let report = try service.post("/render?width=60&report=json", html: "<p>中")
    let reported = report.json["diagnostics"] as? [[String: Any]]
    #expect(reported?.first?["code"] as? String == "missingGlyph")
    let strict = try service.post("/render?width=60&strict=true", html: "<p>中")
    #expect(strict.status == 422 && strict.code == "missingGlyph")
    #expect((strict.json["detail"] as? String)?.contains("fonts-noto-cjk") == true)
  }

  @Test("A page cannot name files or hosts")
  func closed() throws {
    let response = try service.post("/render?report=json", html: "<img src='file:///etc/hostname'><img src='http://127.0.0.1:1/x.png'>")
    #expect(response.json["isDegraded"] as? Bool == true)
    for name in ["input", "allow-files", "base-url", "save-html", "output"] {
      let refused = try service.post("/render", json: #"{"html":"x","\#(name)":"/etc"}"#)
      #expect(refused.status == 403 && refused.code == "resourceRefused", "\(name)")
    }
  }

  @Test(
    "Every error has its status and code",
    arguments: [
      ("{", 400, "dataInvalid"), ("[]", 400, "dataInvalid"), ("{}", 400, "dataInvalid"), (#"{"html":"x","width":-1}"#, 400, "dataInvalid"),
      (#"{"html":"x","nonsense":1}"#, 400, "dataInvalid"), (#"{"html":"x","width":60000}"#, 413, "limitExceeded"),
      (#"{"html":"x","scale":9}"#, 413, "limitExceeded"), (#"{"html":"x","width":16000,"height":16000}"#, 413, "limitExceeded"),
      (#"{"template":"none"}"#, 404, "templateUnknown"), (#"{"template":"snippet","set":{"no":1}}"#, 400, "templateAttributeUnknown"),
      (##"{"html":"x","selector":"#none"}"##, 422, "selectorUnmatched"), (#"{"html":"x","selector":"]"}"#, 400, "selectorInvalid"),
      (#"{"html":"x","selector":"p","clip":"0,0,1,1"}"#, 400, "dataInvalid"),
      (#"{"html":"<p>x","max-nodes":1}"#, 413, "limitExceeded"),
    ])
  func refusals(job: String, status: Int, code: String) throws {
    let response = try service.post("/render", json: job)
    #expect(response.status == status && response.code == code, "\(response.text)")
    #expect(
      response.json["status"] as? Int == status && response.json["detail"] as? String != nil && response.json["title"] as? String != nil)
    #expect(response.json["requestId"] as? String == response.headers["x-request-id"])
  }

  @Test("An identifier that looks like a key is rejected everywhere, and never replaces the image of that key", arguments: [true, false])
  func keyShapedNames(isUppercase: Bool) throws {
    let victim = try service.post("/render?width=60", html: "<p>victim")
    let text = try #require(victim.headers["offprint-key"])
    let key = isUppercase ? text.uppercased() : text
    let job = #"{"html":"<p>other","identifier":"\#(key)"}"#
    var responses = [
      try service.post("/render?identifier=\(key)", html: "<p>other"), try service.post("/render", json: job),
      try service.send("PUT", "/i/\(key)", ["Content-Type": "text/html"], body: Array("<p>other".utf8)),
      try service.get("/render/snippet.png?body=x&identifier=\(key)"),
      try service.get("/render/snippet.png?body=x&identifier=\(key)", ["If-None-Match": "*"]),
      try service.post("/render?no-cache=true&identifier=\(key)", html: "<p>other"),
    ]
    responses.append(try service.post("/render?identifier=\(String(repeating: "x", count: 513))", html: "<p>other"))
    for response in responses { #expect(response.status == 400 && response.code == "identifierInvalid", "\(response.text)") }
    let list = try service.send("POST", "/batch", ["Content-Type": "application/x-ndjson"], body: Array(job.utf8))
    #expect(list.text.contains("\"identifierInvalid\""))
    #expect(try service.get("/i/\(key)").body == victim.body)
    #expect(try service.send("DELETE", "/i/\(text)").status == 204)
    #expect(try service.get("/i/\(key)").status == 404)
    let named = try service.send("PUT", "/i/card", ["Content-Type": "text/html"], body: Array("<p>card".utf8))
    #expect(named.status == 200)
    #expect(try service.get("/i/card").headers["cache-control"] == "no-cache")
  }

  @Test("A parameter with a single value must not be repeated, even under another name")
  func repeatedParameters() throws {
    for query in [
      "body=A&body=B", "body=A&set.body=B", "body=A&width=100&width=200", "body=A&scale=1&zoom=2", "body=A&report=json&report=x",
      "body=A&identifier=a&identifier=b", "body=A&transparent=true&omit-background=false",
    ] {
      let response = try service.get("/render/snippet.png?\(query)")
      #expect(response.status == 400 && response.code == "parameterRepeated", "\(query): \(response.text)")
    }
    #expect(try service.post("/render?width=1&width=2", html: "x").code == "parameterRepeated")
    #expect(try service.post("/render?width=1&width=2", json: #"{"html":"x"}"#).code == "parameterRepeated")
    #expect(try service.post("/render", json: #"{"html":"x","scale":1,"zoom":2}"#).code == "parameterRepeated")
    #expect(try service.get("/cache/list?limit=1&limit=2").code == "parameterRepeated")
    #expect(try service.get("/background/red.png?size=5x5&size=6x6").code == "parameterRepeated")
  }

  @Test("Style sheets and tags can be repeated, in a URL and beside a job, and style sheets keep their order")
  func listedParameters() throws {
    func color(_ query: String) throws -> [UInt8] { try service.post("/render?width=20&\(query)", html: "<p>x").body }
    let red = try color("css=p%7Bcolor:blue%7D&css=p%7Bcolor:red%7D"), blue = try color("css=p%7Bcolor:red%7D&css=p%7Bcolor:blue%7D")
    #expect(red != blue)
    #expect(try color("css=p%7Bcolor:red%7D&tag=a&tag=b&media-feature=hover=none&media-feature=pointer=none") == red)
    let job = try service.post("/render?css=p%7Bcolor:blue%7D&css=p%7Bcolor:red%7D&tag=a&tag=b", json: #"{"html":"<p>x","width":20}"#)
    #expect(job.body == red, "\(job.text)")
    // The meaning of a URL does not depend on the order of parameters with different names.
    #expect(try color("background=red&transparent=true") == color("transparent=true&background=red"))
  }

  @Test("The URL and the job must not contradict each other, and lists have a limit")
  func contradictions() throws {
    func code(_ method: String, _ target: String, _ job: String) throws -> String? {
      try service.send(method, target, ["Content-Type": "application/json"], body: Array(job.utf8)).code
    }
    #expect(try code("POST", "/render?identifier=a", #"{"html":"x","identifier":"b"}"#) == "parameterRepeated")
    #expect(try code("POST", "/render?width=20", #"{"html":"x","width":30}"#) == "parameterRepeated")
    #expect(try code("POST", "/render?css=a%7B%7D", #"{"html":"x","css":["b{}"]}"#) == "parameterRepeated")
    #expect(try code("PUT", "/i/agreed", #"{"html":"x","identifier":"other"}"#) == "parameterRepeated")
    #expect(try code("PUT", "/i/agreed?identifier=other", #"{"html":"x"}"#) == "parameterRepeated")
    #expect(try code("PUT", "/i/agreed", #"{"html":"x","identifier":"agreed"}"#) == nil)
    #expect(try code("POST", "/render?identifier=a&width=20", #"{"html":"x","identifier":"a","width":20}"#) == nil)
    #expect(try service.post("/render?html=y", html: "x").code == "parameterRepeated")
    #expect(try service.post("/render?html=x", html: "x").status == 200)
    let sheets = Array(repeating: #""p{}""#, count: 33).joined(separator: ",")
    #expect(try code("POST", "/render", #"{"html":"x","css":[\#(sheets)]}"#) == "dataInvalid")
    let repeated = Array(repeating: "css=p%7B%7D", count: 33).joined(separator: "&")
    #expect(try service.post("/render?\(repeated)", html: "x").code == "dataInvalid")
  }

  @Test("A body with a content coding is refused, naming what is accepted")
  func contentEncoding() throws {
    for target in ["/render", "/sign", "/batch"] {
      let response = try service.post(target, html: "x", ["Content-Encoding": "gzip"])
      #expect(response.status == 415 && response.code == "unsupportedContentEncoding" && response.headers["accept-encoding"] == "identity")
    }
    #expect(try service.post("/render", html: "x", ["Content-Encoding": "identity"]).status == 200)
  }

  @Test("Images run no scripts when opened as documents, and raw pixels are never mistaken for a file")
  func imageHeaders() throws {
    let svg = try service.post("/render?format=svg", html: "<p>x")
    let kept = try service.get("/i/\(svg.headers["offprint-key"] ?? "")")
    let again = try service.get("/i/\(svg.headers["offprint-key"] ?? "")")
    for response in [svg, kept, again, try service.get("/background/red.png"), try service.get("/render/snippet.png?body=csp")] {
      let policy = response.headers["content-security-policy"] ?? ""
      #expect(
        policy.hasPrefix("default-src 'none'") && policy.hasSuffix("sandbox") && response.headers["x-content-type-options"] == "nosniff")
    }
    // Red, green, blue and alpha of one pixel that read "%PDF".
    let raw = try service.post("/render?format=raw&width=2&height=1&transparent=1", html: "<body style='margin:0;background:#ffd8ff'>")
    #expect(raw.body.starts(with: [0xFF, 0xD8, 0xFF]) && raw.headers["content-type"] == "application/octet-stream")
    for _ in 0..<2 {
      let kept = try service.get("/i/\(raw.headers["offprint-key"] ?? "")")
      #expect(kept.body == raw.body && kept.headers["content-type"] == "application/octet-stream")
    }
    #expect(
      try service.post("/render?format=raw", html: "x", ["Accept": "application/octet-stream"]).headers["content-type"]
        == "application/octet-stream")
  }

  @Test("Stretchable backgrounds have the limits of pages")
  func backgroundLimits() throws {
    let small = try ServiceUnderTest(["--no-auth", "--max-pixels", "1000000"])
    #expect(try small.get("/background/red.png?stretch=2000x2000").code == "limitExceeded")
    #expect(try small.get("/background/red.png?stretch=1000x1000").status == 200)
  }

  @Test("Unsupported features are refused with specific codes")
  func negotiation() throws {
    #expect(try service.post("/render", html: "x", ["Accept": "image/heic"]).code == "notAcceptable")
    #expect(try service.post("/render", html: "x", ["Accept": "application/pdf"]).headers["content-type"] == "application/pdf")
    #expect(try service.post("/render?format=svg", html: "x").headers["content-type"] == "image/svg+xml")
    #expect(try service.post("/render", html: "x", ["Accept": "image/webp"]).headers["content-type"] == "image/webp")
    #expect(try service.post("/render?format=jpeg&quality=60", html: "x").headers["content-type"] == "image/jpeg")
    #expect(try service.post("/render", html: "x", ["Accept": "image/avif,image/png;q=0.5"]).status == 200)
    #expect(try service.post("/render", html: "x", ["Accept": "image/png;q=0,*/*"]).headers["content-type"] == "image/webp")
    #expect(try service.post("/render", html: "x", ["Content-Type": "image/png"]).code == "unsupportedMediaType")
    #expect(try service.get("/render").code == "methodNotAllowed")
    #expect(try service.get("/render").headers["allow"] == "POST")
    #expect(try service.get("/none").code == "notFound")
    #expect(try service.get("/%zz").code == "malformedRequest")
    #expect(try service.get("/render/snippet.heic?body=x").status == 404)
    #expect(try service.get("/render/snippet.webp?body=x").headers["content-type"] == "image/webp")
    #expect(try service.get("/render/snippet.pdf?body=x").headers["content-type"] == "application/pdf")
  }

  @Test("A template is rendered by its URL, with conditions, ranges and HEAD")
  func address() throws {
    let target = "/render/snippet.png?body=%3Cb%3EHi%3C/b%3E&text-color=%23cc0000&width=120"
    let whole = try service.get(target)
    #expect(whole.status == 200 && whole.isPNG)
    #expect(whole.headers["offprint-size"]?.hasPrefix("120x") == true)
    #expect(whole.headers["cache-control"] == "public, max-age=86400")
    let tag = try #require(whole.headers["etag"])
    for condition in [tag, "\"x\", \(tag)", "W/\(tag)", "*"] {
      let response = try service.get(target, ["If-None-Match": condition])
      #expect(response.status == 304 && response.headers["etag"] == tag && response.body.isEmpty)
    }
    #expect(try service.get(target, ["If-None-Match": "\"other\""]).status == 200)
    let head = try service.send("HEAD", target)
    #expect(head.status == 200 && head.headers["content-length"] == "\(whole.body.count)")
    let part = try service.get(target, ["Range": "bytes=1-3"])
    #expect(part.status == 206 && part.body == Array(whole.body[1...3]))
    #expect(part.headers["content-range"] == "bytes 1-3/\(whole.body.count)")
    #expect(try service.get(target, ["Range": "bytes=-4"]).body == whole.body.suffix(4))
    #expect(try service.get(target, ["Range": "bytes=1-3", "If-Range": "\"x\""]).status == 200)
    let outside = try service.get(target, ["Range": "bytes=999999-"])
    #expect(outside.status == 416 && outside.code == "rangeNotSatisfiable")
    for odd in ["bytes=3-1", "bytes=a-", "lines=1-2", "bytes=0-1,4-5", "bytes=-"] {
      #expect(try service.get(target, ["Range": odd]).status == 200, "\(odd)")
    }
  }

  @Test("If-Match is checked whenever an image is read, written or removed, and If-None-Match when one is written")
  func expectations() throws {
    let target = "/render/snippet.png?body=expected"
    let tag = try #require(try service.get(target).headers["etag"])
    // The later responses are cached.
    for _ in 0..<3 {
      for condition in [tag, "\"x\", \(tag)", "*"] {
        #expect(try service.get(target, ["If-Match": condition]).status == 200, "\(condition)")
      }
      for condition in ["\"x\"", "W/\(tag)", ""] {
        let response = try service.get(target, ["If-Match": condition])
        #expect(response.status == 412 && response.code == "preconditionFailed", "\(condition)")
        #expect(try service.get(target, ["If-Match": condition, "If-None-Match": tag]).status == 412, "\(condition)")
      }
    }
    func put(_ html: String, _ headers: [String: String]) throws -> Int {
      try service.send("PUT", "/i/expected", headers.merging(["Content-Type": "text/html"]) { $1 }, body: Array(html.utf8)).status
    }
    #expect(try put("a", ["If-Match": "*"]) == 412)
    #expect(try put("a", ["If-None-Match": "*"]) == 200)
    let first = try #require(try service.get("/i/expected").headers["etag"])
    #expect(try put("b", ["If-None-Match": "*"]) == 412)
    #expect(try put("b", ["If-Match": "\"x\""]) == 412)
    #expect(try put("b", ["If-Match": first]) == 200)
    #expect(try service.send("DELETE", "/i/expected", ["If-Match": first]).status == 412)
    #expect(try service.send("DELETE", "/i/expected", ["If-Match": "*"]).status == 204)
  }

  @Test("A cached response to a URL is reported as a cache hit until the cache is cleared")
  func remembered() throws {
    let target = "/render/snippet.png?body=remembered"
    let first = try service.get(target)
    let connection = try service.connect()
    func ask(_ method: String, _ more: String = "") throws -> TestResponse {
      connection.write("\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: mine\r\n\(more)\r\n")
      return try connection.readResponse(isHead: method == "HEAD")
    }
    let second = try ask("GET")
    #expect(second.body == first.body && second.headers["cache-status"] == "offprint; hit" && second.headers["x-request-id"] == "mine")
    for name in ["etag", "offprint-key", "offprint-size", "content-type", "cache-control", "x-content-type-options", "content-length"] {
      #expect(second.headers[name] == first.headers[name], "\(name)")
    }
    #expect(second.headers["date"]?.hasSuffix(" GMT") == true)
    #expect(try ask("HEAD").headers["content-length"] == "\(first.body.count)")
    let tag = try #require(first.headers["etag"])
    #expect(try ask("GET", "If-None-Match: \(tag)\r\n").status == 304)
    #expect(try ask("GET", "Range: bytes=0-3\r\n").body.count == 4)
    // Several requests at once, including cached ones, are answered in order.
    let other = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let known = "GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    connection.write(known + other + known + known + other)
    #expect(try (0..<5).map { _ in try connection.readResponse().isPNG } == [true, false, true, true, false])
    #expect(try service.send("DELETE", "/i/\(first.headers["offprint-key"] ?? "")").status == 204)
    #expect(try ask("GET").headers["cache-status"] == "offprint; fwd=miss; stored")
  }

  @Test("A client that has the image gets 304 without reading the image, also from a new process")
  func unread() throws {
    let first = try ServiceUnderTest(["--no-auth", "--cache", service.folder.appendingPathComponent("shared").path])
    let target = "/render/snippet.png?body=unread"
    let tag = try #require(try first.get(target).headers["etag"])
    first.signal(SIGTERM)
    #expect(first.wait() == 0)
    let objects = service.folder.appendingPathComponent("shared/objects")
    let files = FileManager.default.enumerator(at: objects, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
    let images = files.filter { $0.pathExtension == "png" }
    #expect(images.count == 1)
    for image in images { try FileManager.default.removeItem(at: image) }
    let second = try ServiceUnderTest(["--no-auth", "--cache", service.folder.appendingPathComponent("shared").path])
    #expect(try second.get(target, ["If-None-Match": tag]).status == 304)
    #expect(try second.get(target, ["If-None-Match": "\"other\""]).status == 200)
  }

  @Test("An image can be named, and removed by identifier, key and tag")
  func names() throws {
    #expect(try service.get("/i/a%2Fb%20c").code == "notFound")
    let put = try service.send("PUT", "/i/a%2Fb%20c?tag=news", ["Content-Type": "text/html"], body: Array(card.utf8))
    #expect(put.status == 200)
    let key = try #require(put.headers["offprint-key"])
    let named = try service.get("/i/a%2Fb%20c")
    #expect(named.body == put.body && named.headers["offprint-key"] == key && named.headers["cache-control"] == "no-cache")
    let keyed = try service.get("/i/\(key)")
    #expect(keyed.body == put.body && keyed.headers["cache-control"]?.contains("immutable") == true)
    #expect(try service.get("/i/\(key)", ["If-None-Match": try #require(keyed.headers["etag"])]).status == 304)
    #expect(try service.send("DELETE", "/tags/news").json["entries"] as? Int == 1)
    #expect(try service.get("/i/\(key)").status == 404)
    // It is not in memory either.
    #expect(
      try service.send("PUT", "/i/x", ["Content-Type": "text/html"], body: Array(card.utf8)).headers["cache-status"]
        == "offprint; fwd=miss; stored")
    #expect(try service.send("DELETE", "/i/x").status == 204)
    #expect(try service.send("DELETE", "/i/x").code == "notFound")
    #expect(try service.send("PUT", "/i/\(key)", ["Content-Type": "text/html"], body: Array(card.utf8)).code == "identifierInvalid")
  }

  @Test("Concurrent requests for the same page render it once")
  func collapsed() async throws {
    let page = card + String(repeating: "<p>A paragraph of some words that take a while.</p>", count: 400)
    let service = service
    let statuses = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<12 {
        group.addTask {
          try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              continuation.resume(with: Result { try service.post("/render", html: page).headers["cache-status"] ?? "none" })
            }
          }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.filter { $0 == "offprint; fwd=miss; stored" }.count == 1, "\(statuses)")
    #expect(statuses.allSatisfy { $0.contains("hit") || $0.contains("fwd=miss") })
  }

  @Test("Requests with canonically equivalent texts get separate images")
  func equivalentTexts() async throws {
    let service = service
    let filler = String(repeating: "words that take a while ", count: 400)
    let keys = try await withThrowingTaskGroup(of: String.self) { group in
      for letter in ["\u{212B}", "\u{C5}"] {
        group.addTask {
          try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
              let job = "{\"template\":\"snippet\",\"set\":{\"body\":\"\(letter) \(filler)\"}}"
              continuation.resume(with: Result { try service.post("/render", json: job).headers["offprint-key"] ?? "none" })
            }
          }
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(keys.count == 2)
  }
}
