import Foundation
import Glibc
import Testing

@testable import Offprint

private let keys = "# rotated\nnew 0123456789abcdef-new\nold 0123456789abcdef-old\n"
private let tokens = """
  renderer render token-that-renders-0001
  other render token-that-renders-0002
  administrator admin,render token-that-manages-01

  """

@Suite("Authorization")
struct AccessTests {
  private func start(_ more: [String] = []) throws -> ServiceUnderTest {
    let service = try ServiceUnderTest(["--keys", "keys", "--tokens", "tokens"] + more, files: ["keys": keys, "tokens": tokens])
    return service
  }
  private func bearer(_ secret: String) -> [String: String] { ["Authorization": "Bearer \(secret)"] }

  @Test("Writing needs a token, and administration a token with that scope")
  func scopes() throws {
    let service = try start()
    let none = try service.post("/render", html: "x")
    #expect(none.status == 401 && none.code == "unauthorized" && none.headers["www-authenticate"] == "Bearer realm=\"offprint\"")
    #expect(try service.post("/render", html: "x", bearer("wrong")).headers["www-authenticate"]?.contains("invalid_token") == true)
    #expect(try service.post("/render", html: "x", ["Authorization": "Basic eDp5"]).status == 401)
    #expect(try service.post("/render", html: "x", bearer("token-that-renders-0001")).status == 200)
    #expect(try service.get("/cache/stats", bearer("token-that-renders-0001")).code == "forbidden")
    #expect(try service.get("/cache/stats", bearer("token-that-manages-01")).status == 200)
    #expect(try service.get("/metrics").status == 401)
    #expect(try service.get("/health/live").status == 200)
  }

  @Test("A line of the tokens without valid scopes is an error that shows the syntax")
  func invalidScopes() throws {
    for line in ["a both 0123456789abcdef0", "a render admin 0123456789abcdef0", "a 0123456789abcdef0"] {
      let failure = #expect(throws: ServiceUnderTest.Failure.self) {
        try ServiceUnderTest(["--tokens", "tokens"], files: ["tokens": line])
      }
      #expect(failure?.description.contains("'render', 'admin' or 'render,admin'") == true, "\(line)")
    }
  }

  @Test("Responses by key that need a token or an expiring signature are not cached by others")
  func keysBehindAuthentication() throws {
    let service = try start()
    let signer = try AddressSigner(file: keys)
    let put = try service.post("/render", html: "<p>key", bearer("token-that-renders-0001"))
    let path = "/i/\(try #require(put.headers["offprint-key"]))"
    let expiring = try service.get(try signer.sign(path, expires: Int(time(nil)) + 100))
    let control = try #require(expiring.headers["cache-control"])
    #expect(expiring.status == 200 && !control.contains("immutable") && (Int(control.split(separator: "=").last ?? "") ?? .max) <= 100)
    #expect(try service.get(path, bearer("token-that-renders-0001")).headers["cache-control"]?.hasPrefix("private") == true)
    #expect(try service.get(try signer.sign(path)).headers["cache-control"]?.contains("immutable") == true)
  }

  @Test("Open routes and signed URLs ignore credentials meant for others")
  func foreignCredentials() throws {
    let service = try start()
    let signed = try AddressSigner(file: keys).sign("/render/snippet.png?body=a")
    for value in ["Basic dXNlcjpwYXNz", "Bearer stale"] {
      for path in ["/health/live", "/openapi.json", signed] {
        #expect(try service.get(path, ["Authorization": value]).status == 200, "\(value) \(path)")
      }
      #expect(try service.get("/render/snippet.png?body=a", ["Authorization": value]).status == 401)
    }
  }

  @Test("A failed render does not reserve an identifier")
  func failedClaims() throws {
    let service = try start()
    let failed = try service.post("/render?selector=.none&identifier=free", html: "<p>x", bearer("token-that-renders-0001"))
    #expect(failed.status == 422)
    #expect(try service.post("/render?identifier=free", html: "<p>x", bearer("token-that-renders-0002")).status == 200)
  }

  @Test("A failed render does not take an identifier from its owner")
  func ownedClaims() throws {
    let service = try start()
    let (renderer, other) = (bearer("token-that-renders-0001"), bearer("token-that-renders-0002"))
    #expect(try service.post("/render?identifier=mine", html: "<p>x", renderer).status == 200)
    for query in ["no-cache=true", "refresh=true", ""] {
      #expect(try service.post("/render?selector=.none&identifier=mine&\(query)", html: "<p>y", renderer).status == 422)
      #expect([403, 422].contains(try service.post("/render?selector=.none&identifier=mine&\(query)", html: "<p>z", other).status))
      #expect(try service.post("/render?identifier=mine", html: "<p>z", other).code == "forbidden", "\(query)")
    }
  }

  @Test("A signed URL is answered, and no part of it can be altered")
  func signatures() throws {
    let service = try start()
    let signer = try AddressSigner(file: keys)
    let now = Int(time(nil))
    let signed = try signer.sign("/render/snippet.png?body=Hi+you&font-size=20", expires: now + 100)
    let response = try service.get(signed)
    #expect(response.status == 200 && response.isPNG)
    #expect(
      response.headers["cache-control"]?.hasPrefix("public, max-age=") == true
        && response.headers["cache-control"] != "public, max-age=86400")
    #expect(try service.get("/render/snippet.png?body=Hi").code == "signatureMissing")
    #expect(try service.get(signed.replacingOccurrences(of: "font-size=20", with: "font-size=21")).code == "signatureInvalid")
    #expect(try service.get(signed + "&font-family=serif").code == "signatureInvalid")
    #expect(try service.get(signed + "&expires=9").code == "signatureInvalid")
    #expect(try service.get(signed.replacingOccurrences(of: "key=new", with: "key=gone")).code == "signatureInvalid")
    #expect(try service.get(try signer.sign("/render/snippet.png?body=a", expires: now - 1)).code == "signatureExpired")
    #expect(try service.get(try signer.sign("/render/snippet.png?body=a", keyName: "old")).status == 200)
    let post = try service.send("POST", try signer.sign("/render"), ["Content-Type": "text/html"], body: [120])
    #expect(post.status == 401, "a signature does not authorize POST")
  }

  @Test("Reading a signed URL writes an identifier only if the signature permits it")
  func replay() throws {
    let service = try start()
    let signer = try AddressSigner(file: keys)
    let plain = try signer.sign("/render/snippet.png?body=Hi&identifier=moved")
    #expect(try service.get(plain).code == "forbidden")
    #expect(try service.get(plain + "&writes=name").code == "signatureInvalid")
    #expect(try service.get(try signer.sign("/render/snippet.png?body=Hi&identifier=moved", writesName: true)).status == 200)
    #expect(try service.get(try signer.sign("/i/moved")).status == 200)
  }

  @Test("An identifier belongs to the token that wrote it first, and an administrator may write it too")
  func ownership() throws {
    let service = try start()
    let (renderer, other) = (bearer("token-that-renders-0001"), bearer("token-that-renders-0002"))
    let administrator = bearer("token-that-manages-01")
    func put(_ name: String, _ headers: [String: String]) throws -> Int {
      try service.send("PUT", "/i/\(name)?width=20", headers.merging(["Content-Type": "text/html"]) { $1 }, body: [120]).status
    }
    #expect(try put("logo", renderer) == 200)
    #expect(try put("logo", other) == 403)
    #expect(try service.post("/render?width=20&identifier=logo", html: "y", other).code == "forbidden")
    let list = try service.send(
      "POST", "/batch", other.merging(["Content-Type": "application/x-ndjson"]) { $1 },
      body: Array("{\"html\":\"z\",\"identifier\":\"logo\"}\n".utf8))
    #expect(list.status == 200 && list.text.contains("forbidden"))
    #expect(try put("logo", administrator) == 200)
    #expect(try put("logo", other) == 403, "the identifier still belongs to the first token")
    #expect(try put("logo", renderer) == 200)
    #expect(try service.send("DELETE", "/i/logo", administrator).status == 204)
    #expect(try put("logo", other) == 200, "the identifier is available again")
  }

  @Test("An identifier written by a signed URL belongs to the token that requested the signature, or to the key")
  func signedOwnership() throws {
    let service = try start()
    let (renderer, other) = (bearer("token-that-renders-0001"), bearer("token-that-renders-0002"))
    func sign(_ body: String, _ headers: [String: String]) throws -> String {
      let job = "{\"url\":\"/render/snippet.png?body=\(body)&identifier=mine\",\"writes\":\"name\"}"
      let response = try service.post("/sign", json: job, headers)
      return try #require(try JSONValue.members(response.body, of: "The response")["url"]?.string)
    }
    #expect(try service.get(try sign("a", renderer)).status == 200)
    #expect(try service.post("/render?width=20&identifier=mine", html: "y", renderer).status == 200)
    #expect(try service.get(try sign("b", other)).code == "forbidden")
    #expect(
      try service.get(AddressSigner(file: keys).sign("/render/snippet.png?body=c&identifier=mine", writesName: true)).code == "forbidden")
  }

  @Test("A format that contradicts the extension in the URL is an error")
  func contradiction() throws {
    let service = try start()
    let signer = try AddressSigner(file: keys)
    #expect(try service.get(try signer.sign("/render/snippet.png?body=Hi&format=webp")).code == "dataInvalid")
    #expect(try service.get(try signer.sign("/render/snippet.png?body=Hi&format=png")).status == 200)
    #expect(try service.get(try signer.sign("/render/snippet.jpg?body=Hi&format=jpeg")).status == 200)
  }

  @Test("Token and key files with Windows line ends work")
  func windowsFiles() throws {
    let service = try ServiceUnderTest(
      ["--keys", "keys", "--tokens", "tokens"],
      files: ["keys": keys.replacingOccurrences(of: "\n", with: "\r\n"), "tokens": tokens.replacingOccurrences(of: "\n", with: "\r\n")])
    #expect(try service.post("/render", html: "x", bearer("token-that-renders-0001")).status == 200)
    #expect(try service.get(try AddressSigner(file: keys).sign("/render/snippet.png?body=x")).status == 200)
  }

  @Test("The order of different parameters and the percent-encoding of a signed URL do not matter")
  func canonical() throws {
    let signer = try AddressSigner(file: keys)
    let signed = try signer.sign("https://a.example/render/snippet.png?b=2&a=%C3%A4%20x#part")
    let parameters = try #require(signed.split(separator: "?").last)
    let query = try #require(QueryItems(parameters))
    var shuffled = query
    shuffled.items.reverse()
    try signer.verify(path: "/render/snippet%2Epng", shuffled, now: 0)
    #expect(signed.hasPrefix("https://a.example/render/snippet.png?b=2&a=%C3%A4%20x&key=new&signature="))
  }

  @Test("A signature covers the order of parameters with the same name")
  func repeatedNames() throws {
    let signer = try AddressSigner(file: keys)
    let signed = try signer.sign("/render/snippet.png?body=x&css=b&css=a&tag=z")
    let parameters = try #require(signed.split(separator: "?").last)
    let query = try #require(QueryItems(parameters))
    try signer.verify(path: "/render/snippet.png", query, now: 0)
    var swapped = query
    swapped.items.swapAt(1, 2)
    #expect(throws: AddressSigner.Refusal.wrongSignature) { try signer.verify(path: "/render/snippet.png", swapped, now: 0) }
    var moved = query
    moved.items.append(moved.items.remove(at: 0))
    try signer.verify(path: "/render/snippet.png", moved, now: 0)
  }

  @Test("The service signs URLs for clients that may render")
  func signRoute() throws {
    let service = try start()
    let response = try service.post("/sign", json: #"{"url":"/render/snippet.png?body=x","expires":60}"#, bearer("token-that-renders-0001"))
    #expect(try service.get(try #require(response.json["url"] as? String)).isPNG)
    #expect(try service.post("/sign", json: #"{"url":"/x"}"#).status == 401)
  }

  @Test("SIGHUP rereads keys, tokens and templates, and keeps the old ones if the new ones are invalid")
  func reload() throws {
    let service = try ServiceUnderTest(
      ["--tokens", "tokens", "--templates", "t"], files: ["tokens": tokens, "t/hello.mustache": "<p>{{name}}"])
    let folder = service.folder
    #expect(try service.get("/render/hello.png?name=x", bearer("token-that-renders-0001")).status == 200)
    try "fresh render token-that-is-fresh-1\n".write(to: folder.appendingPathComponent("tokens"), atomically: true, encoding: .utf8)
    try "<b>{{name}}".write(to: folder.appendingPathComponent("t/bye.mustache"), atomically: true, encoding: .utf8)
    service.signal(SIGHUP)
    #expect(try service.eventually { try service.get("/render/bye.png?name=x", bearer("token-that-is-fresh-1")).status == 200 })
    #expect(try service.get("/templates", bearer("token-that-renders-0001")).status == 401)
    try "broken".write(to: folder.appendingPathComponent("tokens"), atomically: true, encoding: .utf8)
    service.signal(SIGHUP)
    #expect(service.eventually { service.logText.contains("Nothing was reloaded") })
    #expect(try service.get("/templates", bearer("token-that-is-fresh-1")).status == 200)
    #expect(!service.logText.contains("token-that"))
  }

  @Test("With presets only, only the service's templates and their attributes are rendered")
  func presets() throws {
    let service = try ServiceUnderTest(
      ["--no-auth", "--presets-only", "--templates", "t"],
      files: ["t/tile.mustache": "---\npage: {width: 320}\nattributes:\n  title: {type: string}\n---\n<p>{{title}}"])
    #expect(try service.post("/render", html: "x").code == "resourceRefused")
    #expect(try service.post("/render", json: #"{"template":"tile","set":{"title":"x"},"width":900}"#).code == "resourceRefused")
    #expect(try service.get("/render/tile.png?title=x&width=900").code == "resourceRefused")
    let response = try service.get("/render/tile.png?title=x")
    #expect(response.status == 200 && response.headers["offprint-size"]?.hasPrefix("320x") == true)
    #expect(try service.post("/render", json: #"{"template":"tile","set":{"title":"x"}}"#).body == response.body)
  }
}
