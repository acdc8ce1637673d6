import Foundation
import Testing

/// Short URLs of presets, which `offprint.toml` defines.
@Suite("Presets", .serialized) struct PresetTests {
  private static let settings = """
    [serve.preset.card]
    template = "card"
    width = 300
    format = "webp"
    max-age = "1h"
    stale-while-revalidate = "1d"
    set = { color = "teal" }

    [serve.preset.safe]
    template = "card"
    selector = ".optional"
    fallback = "fallback.svg"
    fallback-status = 404
    fallback-max-age = "30s"

    [serve.preset.bare]
    template = "card"
    selector = ".optional"
    error-max-age = "7s"

    """
  private static let template = """
    ---
    attributes:
      title: {type: string, default: "None"}
      color: {type: string, default: "black"}
    ---
    <h1 style="color:{{color}}">{{title}}</h1>
    """
  private static let files = [
    "offprint.toml": settings, "templates/card.mustache": template, "keys": "main 0123456789abcdef0123\n",
    "tokens": "me render 0123456789abcdef\n",
    "fallback.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'/>",
  ]
  private let token = ["Authorization": "Bearer 0123456789abcdef"]

  private func service(_ more: [String] = []) throws -> ServiceUnderTest {
    try ServiceUnderTest(["--keys", "keys", "--tokens", "tokens", "--templates", "templates"] + more, files: Self.files)
  }

  private func url(_ service: ServiceUnderTest, _ body: String) throws -> String {
    try #require(try service.post("/sign", json: body, token).json["url"] as? String)
  }

  @Test("A short URL has the preset's options, and the cache headers of the preset")
  func short() throws {
    let service = try service()
    let url = try url(service, #"{"preset":"card","set":{"title":"A & B / C?"},"format":"png"}"#)
    #expect(url.hasPrefix("/p/card/") && url.hasSuffix(".png") && url.utf8.count < 70)
    let response = try service.get(url)
    #expect(response.isPNG && response.headers["offprint-size"]?.hasPrefix("300x") == true, "\(response.text)")
    #expect(response.headers["cache-control"] == "public, max-age=3600, stale-while-revalidate=86400")
    for _ in 0..<3 { #expect(try service.get(url).body == response.body) }
    #expect(try service.get(url, ["If-None-Match": response.headers["etag"] ?? ""]).status == 304)
    // The preset's format without an extension.
    #expect(try service.get(self.url(service, #"{"preset":"card","set":{"title":"x"}}"#)).headers["content-type"] == "image/webp")
    #expect(try service.get(self.url(service, #"{"preset":"card"}"#)).status == 200)
  }

  @Test("Parameters of a short URL are attributes with and without the prefix set.")
  func prefixedAttributes() throws {
    let service = try service()
    func get(_ attributes: String) throws -> TestResponse {
      try service.get(url(service, "{\"url\":\"/p/card/-/\(attributes).png\"}"))
    }
    let plain = try get("title=Hello")
    #expect(try plain.isPNG && get("set.title=Hello").body == plain.body)
    #expect(try get("set.title=Hello&title=Hello").code == "parameterRepeated")
    #expect(try get("set.titel=Hello").code == "templateAttributeUnknown")
  }

  @Test("A preset may leave the required attributes of its template to its URLs")
  func requiredAttributes() throws {
    // The built-in card requires a title.
    let files = Self.files.merging(["offprint.toml": "[serve.preset.social]\ntemplate = \"card\"\n"]) { $1 }
    let service = try ServiceUnderTest(["--keys", "keys", "--tokens", "tokens"], files: files)
    #expect(try service.get(url(service, #"{"preset":"social","set":{"title":"Hello"},"format":"png"}"#)).isPNG)
    #expect(try service.get(url(service, #"{"preset":"social","format":"png"}"#)).code == "templateAttributeMissing")
  }

  @Test("A changed URL, an expired one and an unknown preset are refused")
  func refused() throws {
    let service = try service()
    let url = try url(service, #"{"preset":"card","set":{"title":"Hello"},"format":"png","expires":"1h"}"#)
    #expect(try service.get(url).isPNG)
    #expect(try service.get(self.url(service, #"{"preset":"card","set":{"title":"x"},"expires":"1s"}"#)).status == 200)
    let brief = try self.url(service, #"{"preset":"card","set":{"title":"brief"},"format":"png","expires":"2s"}"#)
    #expect(try service.get(brief).isPNG)
    #expect(try service.eventually { try service.get(brief).code == "signatureExpired" })
    for changed in [
      url.replacing("Hello", with: "Hullo"), url.replacing(".png", with: ".webp"), url.replacing("/card/", with: "/safe/"),
      url.replacing("expires=", with: "expires=9"),
    ] { #expect(try service.get(changed).code == "signatureInvalid", "\(changed)") }
    #expect(try service.get("/p/card/-/title=x.png").code == "signatureInvalid")
    #expect(try service.get("/p/none/-/title=x.png", token).code == "notFound")
    #expect(try service.get("/p/card/-/titel=x.png", token).code == "templateAttributeUnknown")
    #expect(try service.get("/p/card/-/width=x.png", token).code == "templateAttributeUnknown")
    #expect(try service.get("/p/card/-/title=%zz.png", token).status == 400)
    #expect(try service.post("/sign", json: #"{"preset":"none"}"#, token).code == "notFound")
  }

  @Test("offprint sign and POST /sign sign the short URL of a preset")
  func commandSigns() throws {
    let service = try service()
    func sign(_ arguments: [String]) throws -> (status: Int32, text: String) {
      let process = Process(), output = Pipe()
      process.executableURL = ServiceUnderTest.executable("offprint")
      process.arguments = ["sign"] + arguments
      process.currentDirectoryURL = service.folder
      process.environment = ProcessInfo.processInfo.environment.merging(["OFFPRINT_KEYS": "keys"]) { $1 }
      (process.standardOutput, process.standardError) = (output, FileHandle.nullDevice)
      try process.run()
      let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    let origin = "http://127.0.0.1:\(service.port)"
    for (path, more, type) in [
      ("/p/card/-/title=A%26B.png", [], "image/png"), ("/p/card/-/-", [], "image/webp"),
      ("/p/card/old-signature/title=Hello&color=red.jpg", ["--expires", "1h"], "image/jpeg"),
    ] {
      let outcome = try sign([origin + path] + more)
      #expect(outcome.status == 0 && outcome.text.hasPrefix("\(origin)/p/card/"), "\(outcome.text)")
      #expect(outcome.text.contains("expires=") == !more.isEmpty)
      let response = try service.get(String(outcome.text.dropFirst(origin.utf8.count)))
      #expect(response.status == 200 && response.headers["content-type"] == type, "\(outcome.text): \(response.text.prefix(200))")
    }
    let posted = try url(service, #"{"url":"/p/card/-/title=A%26B.png"}"#)
    #expect(try sign(["/p/card/-/title=A%26B.png"]).text == posted)
    #expect(try url(service, #"{"preset":"card","set":{"title":"A&B"},"format":"png"}"#) == posted)
    for wrong in [["/p/card/-/title=x.png?y=1"], ["/p/card/title=x.png"], ["/p/card/-/%zz.png"], ["/p/card/-/-", "--writes-name"]] {
      #expect(try sign(wrong).status == 64, "\(wrong)")
    }
  }

  @Test("An image that cannot be rendered is replaced by the fallback, or fails with a short max-age")
  func fallback() throws {
    let service = try service()
    let response = try service.get(url(service, #"{"preset":"safe","format":"png"}"#))
    #expect(response.status == 404 && response.headers["content-type"] == "image/svg+xml" && response.text.hasPrefix("<svg"))
    #expect(response.headers["cache-control"] == "public, max-age=30" && response.headers["offprint-error"] == "selectorUnmatched")
    let failed = try service.get(url(service, #"{"preset":"bare","format":"png"}"#))
    #expect(failed.code == "selectorUnmatched" && failed.headers["cache-control"] == "public, max-age=7")
    #expect(try service.get("/p/bare/-/title=x.png").headers["cache-control"] == "no-store")
  }

  @Test("With presets, --presets-only renders nothing else")
  func only() throws {
    let service = try service(["--presets-only"])
    #expect(try service.get(url(service, #"{"preset":"card","format":"png"}"#)).isPNG)
    #expect(try service.post("/render", html: "<p>", token).code == "resourceRefused")
    #expect(try service.get("/render/card.png?title=x", token).code == "resourceRefused")
  }

  @Test("A preset that no request could have fails the start with its line or name")
  func invalid() throws {
    for (text, part) in [
      ("[serve.preset.a]\ntemplate = \"none\"\n", "'a'"), ("[serve.preset.a]\nwidth = 3\n", "template"),
      ("[serve.preset.a]\ntemplate = \"card\"\nwidht = 3\n", "did you mean 'width'"), ("[serve.presets.a]\nwidth = 3\n", "presets"),
      ("[serve.preset.a]\ntemplate = \"card\"\nwidth = \"wide\"\n", "width"),
      ("[serve.preset.a]\ntemplate = \"card\"\nfallback = \"none.png\"\n", "none.png"),
      ("[serve.preset.a]\ntemplate = \"card\"\nmax-age = \"soon\"\n", "max-age"),
    ] {
      let failure = #expect(throws: ServiceUnderTest.Failure.self, "\(text)") {
        try ServiceUnderTest(
          ["--no-auth", "--templates", "templates"], files: ["offprint.toml": text, "templates/card.mustache": Self.template])
      }
      #expect(failure?.description.contains(part) == true, "\(failure?.description ?? "")")
    }
  }

  @Test("Errors of signed URLs have a max-age if the service is configured so")
  func errors() throws {
    let service = try service(["--error-max-age", "5s", "--stale-while-revalidate", "1m"])
    let url = try url(service, #"{"url":"/render/card.png?selector=.none"}"#)
    #expect(try service.get(url).headers["cache-control"] == "public, max-age=5")
    let good = try self.url(service, #"{"url":"/render/card.png?title=x"}"#)
    #expect(try service.get(good).headers["cache-control"] == "public, max-age=86400, stale-while-revalidate=60")
  }
}
