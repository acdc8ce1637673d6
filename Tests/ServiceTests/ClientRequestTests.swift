import Foundation
import Testing

@testable import Offprint
@testable import OffprintService

/// What clients of other services send: formats by preference, other origins, files with a page, URLs instead of images.
@Suite("Requests as clients send them", .serialized) struct ClientRequestTests {
  private func multipart(_ parts: [(name: String, file: String?, type: String?, text: String)]) -> (type: String, body: [UInt8]) {
    let boundary = "boundary-\(UUID().uuidString)"
    var body = ""
    for part in parts {
      body += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"\(part.file.map { "; filename=\"\($0)\"" } ?? "")\r\n"
      if let type = part.type { body += "Content-Type: \(type)\r\n" }
      body += "\r\n\(part.text)\r\n"
    }
    return ("multipart/form-data; boundary=\(boundary)", Array((body + "--\(boundary)--\r\n").utf8))
  }

  @Test("Accept selects the format by quality, and responses that depend on it have Vary, hits too")
  func accept() throws {
    let service = try ServiceUnderTest()
    let browser = ["Accept": "image/avif;q=0.5,image/webp,image/apng,image/svg+xml;q=0.9,image/*;q=0.8,*/*;q=0.1"]
    for status in ["offprint; fwd=miss; stored", "offprint; hit"] {
      let response = try service.get("/render/snippet?body=x", browser)
      #expect(response.headers["content-type"] == "image/webp" && response.headers["vary"] == "Accept")
      #expect(response.headers["cache-status"] == status)
    }
    #expect(try service.get("/render/snippet?body=x").headers["content-type"] == "image/png")
    #expect(try service.get("/render/snippet?body=x", ["Accept": "text/css"]).code == "notAcceptable")
    #expect(try service.post("/render", html: "<p>x", browser).headers["vary"] == "Accept")
    // A format that the request names is not negotiated.
    #expect(try service.post("/render?format=jpeg", html: "<p>x", browser).headers["vary"] == nil)
    #expect(try service.get("/render/snippet.png?body=x", browser).headers["vary"] == nil)
  }

  @Test("Pages of allowed origins may read responses, and no others")
  func origins() throws {
    let service = try ServiceUnderTest(["--no-auth", "--cors-origin", "https://app.example"])
    let own = ["Origin": "https://app.example"], other = ["Origin": "https://evil.example"]
    let preflight = ["Access-Control-Request-Method": "POST"]
    let asked = try service.send("OPTIONS", "/render", preflight.merging(own) { $1 })
    #expect(asked.status == 204 && asked.headers["access-control-allow-origin"] == "https://app.example")
    #expect(asked.headers["access-control-allow-methods"]?.contains("POST") == true)
    let refused = try service.send("OPTIONS", "/render", preflight.merging(other) { $1 })
    #expect(refused.headers["access-control-allow-origin"] == nil)
    #expect(try service.post("/render", html: "<p>x", own).headers["access-control-allow-origin"] == "https://app.example")
    #expect(try service.post("/render", html: "<p>x", other).code == "forbidden")
    // Hits that are answered from memory, too.
    for _ in 0..<3 {
      let hit = try service.get("/render/snippet.png?body=x", own)
      #expect(hit.headers["access-control-allow-origin"] == "https://app.example" && hit.headers["vary"] == "Origin")
      let plain = try service.get("/render/snippet.png?body=x")
      #expect(plain.headers["access-control-allow-origin"] == nil && plain.headers["vary"] == "Origin")
      #expect(try service.get("/render/snippet.png?body=x", other).headers["access-control-allow-origin"] == nil)
    }
    let open = try ServiceUnderTest(["--no-auth", "--cors-origin", "*"])
    for _ in 0..<3 { #expect(try open.get("/render/snippet.png?body=x", other).headers["access-control-allow-origin"] == "*") }
    let closed = try ServiceUnderTest()
    #expect(try closed.send("OPTIONS", "/render", preflight.merging(own) { $1 }).code == "forbidden")
    #expect(try closed.get("/render/snippet.png?body=x", own).headers["vary"] == nil)
  }

  @Test("A response can be the signed URL of the image")
  func returnsURL() throws {
    let service = try ServiceUnderTest(
      ["--tokens", "tokens", "--keys", "keys"],
      files: ["tokens": "me render 0123456789abcdef\n", "keys": "main 0123456789abcdef0123\n"])
    let token = ["Authorization": "Bearer 0123456789abcdef"]
    let response = try service.post("/render?return=url&expires=30d", html: "<p>x", token)
    let url = try #require(response.json["url"] as? String)
    #expect(response.status == 200 && url.contains("signature=") && url.contains("expires="))
    #expect(try service.get(url).isPNG)
    #expect(try service.get(url.replacing("expires=", with: "expires=1")).code == "signatureInvalid")
    #expect(try service.post("/render?return=url&no-cache=true", html: "<p>x", token).code == "usage")
    #expect(try service.post("/render?return=nothing", html: "<p>x", token).code == "dataInvalid")
    for expires in ["\"30d\"", "3600"] {
      let signed = try service.post("/sign", json: "{\"url\":\"/render/snippet.png?body=x\",\"expires\":\(expires)}", token)
      #expect(try service.get(try #require(signed.json["url"] as? String)).isPNG)
    }
  }

  @Test("With Prefer: respond-async the response is the URL of the result, which its client alone can read")
  func async() throws {
    let service = try ServiceUnderTest(
      ["--tokens", "tokens"], files: ["tokens": "me render 0123456789abcdef-a\nyou render 0123456789abcdef-b\n"])
    let mine = ["Authorization": "Bearer 0123456789abcdef-a"], yours = ["Authorization": "Bearer 0123456789abcdef-b"]
    let asked = try service.post("/render?width=70", html: "<p>x", mine.merging(["Prefer": "wait=5, respond-async"]) { $1 })
    let url = try #require(asked.headers["location"])
    #expect(asked.status == 202 && asked.headers["preference-applied"] == "respond-async")
    #expect(try service.eventually { try service.get(url, mine).status == 200 })
    let image = try service.get(url, mine)
    #expect(image.isPNG && image.headers["offprint-size"]?.hasPrefix("70x") == true)
    #expect(try service.get(url, yours).code == "notFound")
    let failing = try service.post("/render?selector=.none", html: "<p>x", mine.merging(["Prefer": "respond-async"]) { $1 })
    let failed = try #require(failing.headers["location"])
    #expect(try service.eventually { try service.get(failed, mine).code == "selectorUnmatched" })
  }

  @Test("Pages that need scripts are refused on request of the service or the client")
  func scripts() throws {
    let page = "<div id=app></div><script src=app.js></script>",
      job = #"{"html":"<script src=app.js></script>","fail-on":["scriptIgnored"]}"#
    let open = try ServiceUnderTest()
    #expect(try open.post("/render", html: page).headers["offprint-diagnostics"] == "1")
    for response in [
      try open.post("/render?fail-on=scriptIgnored", html: page),
      try open.post("/render?fail-on=textClipped&fail-on=scriptIgnored", html: page),
      try open.post("/render", json: job),
    ] {
      #expect(response.status == 422 && response.code == "scriptIgnored", "\(response.text)")
    }
    #expect(try open.post("/render?fail-on=scripts", html: page).code == "dataInvalid")
    let strict = try ServiceUnderTest(["--no-auth", "--fail-on", "scriptIgnored"])
    for _ in 0..<2 { #expect(try strict.post("/render", html: page).code == "scriptIgnored") }
    #expect(try strict.post("/render", html: "<p>text<script>x</script>").isPNG)
    let failure = #expect(throws: ServiceUnderTest.Failure.self) { try ServiceUnderTest(["--no-auth", "--fail-on", "scripts"]) }
    #expect(failure?.description.contains("--fail-on") == true)
  }

  @Test("A page can be uploaded with its style sheets and images, and the same upload is in the cache")
  func uploads() throws {
    let service = try ServiceUnderTest()
    let dot = "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='40'><circle r='20' cx='20' cy='20' fill='red'/></svg>"
    let page = "<link rel=stylesheet href=style.css><body style='margin:0'><img src='img/a%20dot.svg'>"
    func send(_ files: [(String, String?, String)], _ fields: [(String, String)] = [("width", "40")]) throws -> TestResponse {
      let (type, body) = multipart(files.map { ("files", $0.0, $0.1, $0.2) } + fields.map { ($0.0, nil, nil, $0.1) })
      return try service.send("POST", "/render", ["Content-Type": type], body: body)
    }
    let all = [
      ("index.html", "text/html", page), ("style.css", "application/octet-stream", "img{display:block}"),
      ("img/a dot.svg", "image/svg+xml", dot),
    ]
    let first = try send(all)
    #expect(first.status == 200 && first.headers["offprint-size"] == "40x40" && first.headers["offprint-diagnostics"] == "0")
    #expect(try send(all).headers["cache-status"] == "offprint; hit")
    // Other files with the same names are other images.
    let other = try send([all[0], all[1], ("img/a dot.svg", "image/svg+xml", dot.replacing("red", with: "blue"))])
    #expect(other.status == 200 && other.body != first.body)
    let without = try send([all[0]])
    #expect(without.headers["offprint-diagnostics"]?.hasSuffix("degraded") == true)
    let strict = try send([all[0]], [("strict", "true")]).text
    #expect(
      strict.contains("\\\"style.css\\\" cannot be loaded: it was not uploaded with the page") && !strict.contains(".invalid"), "\(strict)")
    let (type, body) = multipart([("files", "index.html", "text/html", page)])
    let report = try service.send("POST", "/render?report=json", ["Content-Type": type], body: body).text
    #expect(
      report.contains("\\\"img/a dot.svg\\\" cannot") && report.contains("resourceMissing") && !report.contains(".invalid"), "\(report)")
    #expect(try send([("a.html", nil, "<p>a")], [("widht", "40")]).json["detail"].debugDescription.contains("width"))
    #expect(try send([("style.css", nil, "p{}")]).code == "dataInvalid")
    #expect(try send([all[0], ("../x.css", nil, "p{}")]).code == "dataInvalid")
    #expect(try send([all[0], all[1], all[1]]).code == "dataInvalid")
    for (type, body) in [
      ("multipart/form-data", "--a--"), ("multipart/form-data; boundary=a", "x"), ("multipart/form-data; boundary=a", "--a\r\n\r\nx"),
      ("multipart/form-data; boundary=a", "--a\r\nContent-Disposition: form-data; name=x\r\n\r\nx"),
    ] {
      #expect(try service.send("POST", "/render", ["Content-Type": type], body: Array(body.utf8)).code == "malformedRequest", "\(body)")
    }
    // A page cannot load what another request uploads.
    let base = Uploads().keep([.init(name: "dot.svg", bytes: Array(dot.utf8), type: nil)])
    #expect(try service.post("/render", html: "<img src='\(base)dot.svg'>").headers["offprint-diagnostics"]?.hasSuffix("degraded") == true)
  }

  @Test("A page can be given by its URL on an allowed host, and on no other")
  func pageURL() throws {
    let pages = try ServiceUnderTest()
    let host = "127.0.0.1:\(pages.port)"
    let service = try ServiceUnderTest(["--no-auth", "--allow-host", host])
    let body = "{\"url\":\"http://\(host)/page.css\",\"width\":50}"
    // A style sheet is text, and any page will do.
    #expect(try service.post("/render", json: body).status == 200)
    #expect(try service.post("/render", json: body).headers["cache-status"] == "offprint; hit")
    #expect(try service.post("/render", json: "{\"url\":\"http://\(host)/none\"}").code == "inputNotFound")
    #expect(try service.post("/render", json: "{\"url\":\"http://127.0.0.2:\(pages.port)/\"}").code == "resourceRefused")
    #expect(try service.post("/render", json: "{\"url\":\"file:///etc/passwd\"}").code == "dataInvalid")
    #expect(try service.post("/render", json: "{\"url\":\"http://\(host)/\",\"html\":\"x\"}").code == "dataInvalid")
    #expect(try pages.post("/render", json: body).code == "resourceRefused")
  }

  @Test("The error message lists all unknown fields with similar names, and missing fields")
  func unknownFields() throws {
    let service = try ServiceUnderTest()
    let detail = "\(try service.post("/render", json: "{\"widht\":3,\"qualty\":4,\"zzz\":5}").json["detail"] ?? "")"
    for part in ["no fields \"qualty\" (did you mean \"quality\"?), \"widht\" (did you mean \"width\"?) and \"zzz\".", "\"html\""] {
      #expect(detail.contains(part), "\(detail)")
    }
    let query = "\(try service.post("/render?colour-scheme=dark", html: "x").json["detail"] ?? "")"
    #expect(query.contains("did you mean \"color-scheme\""), "\(query)")
  }

  @Test("An error about a template's URL names the nearest attribute, and the missing ones")
  func unknownAttributes() throws {
    let service = try ServiceUnderTest()
    func detail(_ query: String) throws -> String { "\(try service.get("/render/card.png?\(query)").json["detail"] ?? "")" }
    let both = try detail("titel=Hi")
    #expect(both.contains("\"titel\"; did you mean \"title\"?") && both.contains("The template 'card' requires \"title\"."), "\(both)")
    let far = try detail("title=Hi&zzzzz=1")
    #expect(
      far.contains("\"zzzzz\".") && far.contains("The attributes of 'card' are title, layout,") && !far.contains("requires"), "\(far)")
  }

  @Test("Parameters that select the response accept only their own values, and the error names the attribute's parameter")
  func responseParameters() throws {
    let service = try ServiceUnderTest()
    for (name, value) in [("image", "photo.png"), ("report", "xml"), ("return", "file")] {
      for response in [
        try service.get("/render/card.png?title=Hi&\(name)=\(value)"), try service.post("/render?\(name)=\(value)", html: "x"),
        try service.post("/render?\(name)=\(value)", json: "{\"html\":\"x\"}"),
      ] {
        #expect(response.status == 400 && response.code == "dataInvalid" && response.text.contains("set.\(name)="), "\(response.text)")
      }
    }
    #expect(try service.post("/render?report=json&image=base64", html: "x").json["image"] is String)
    #expect(try service.get("/render/card.png?title=Hi&set.image=none.png").headers["offprint-diagnostics"]?.hasSuffix("degraded") == true)
  }

  @Test("A client that accepts only JSON gets a response in JSON, and an error that names it instead of an image")
  func acceptsJSON() throws {
    let service = try ServiceUnderTest()
    let json = ["Accept": "application/json"]
    #expect(try service.post("/render?return=url", html: "<p>a", json).json["url"] is String)
    #expect(try service.post("/render", html: "<p>b", json.merging(["Prefer": "respond-async"]) { $1 }).status == 202)
    #expect(try service.post("/render?report=json", html: "<p>a", json).status == 200)
    let image = try service.post("/render", html: "<p>a", json)
    #expect(image.status == 406 && image.text.contains("report=json") && image.text.contains("Accept"), "\(image.text)")
    #expect(try service.post("/render?return=url", html: "<p>a", ["Accept": "text/css"]).code == "notAcceptable")
    let both = try service.post("/render?return=url", html: "<p>c", ["Accept": "application/json, image/webp"])
    #expect(try service.get("\(both.json["url"] ?? "")").headers["content-type"] == "image/webp")
  }

  @Test("Every error code is documented, and every metric has a description")
  func documented() throws {
    let page = try String(
      contentsOf: URL(fileURLWithPath: #filePath).appendingPathComponent("../../../docs/service.md").standardized, encoding: .utf8)
    for code in ServiceError.Code.allCases.map(\.rawValue) + OffprintError.Code.allCases.map(\.rawValue) {
      #expect(page.contains("`\(code)`"), "\(code) is not in docs/service.md")
    }
    let service = try ServiceUnderTest()
    _ = try service.post("/render", html: "<p>x")
    let lines = try service.get("/metrics").text.split(separator: "\n")
    let names = lines.filter { $0.hasPrefix("# TYPE offprint_") }.map { $0.split(separator: " ")[2].dropFirst("offprint_".count) }
    #expect(names.count > 10 && lines.filter { $0.hasPrefix("# HELP") }.count == names.count)
    for name in names { #expect(page.contains("`\(name)`") || page.contains("`\(name){"), "offprint_\(name) is not in docs/service.md") }
  }
}
