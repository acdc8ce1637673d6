import Foundation
import Testing

@testable import OffprintRemote
@testable import OffprintResources

private let redirectTargets: [String] = [
  "http://192.168.0.1/", "http://10.1.2.3/", "http://172.16.0.1/", "http://169.254.169.254/latest/meta-data/", "http://100.64.0.1/",
  "http://[::1]/", "http://[::]/", "http://[fe80::1]/", "http://[fd00::1]/", "http://[::ffff:10.0.0.1]/", "http://[::ffff:a00:1]/",
  "http://[64:ff9b::a00:1]/", "http://[2002:a00:1::]/", "http://localhost/", "http://LOCALHOST./", "http://0/", "http://0.0.0.0/",
  "http://167772161/", "http://0x0a000001/", "http://012.0.0.1/", "http://10.1/", "http://127.0.0.2/", "http://224.0.0.1/",
  "http://255.255.255.255/", "http://198.18.0.1/", "http://192.0.2.1/", "file:///etc/passwd", "ftp://127.0.0.1/",
  "gopher://127.0.0.1/x",
  "dict://127.0.0.1/", "data:text/css,a", "javascript:alert(1)", "ldap://127.0.0.1/", "smb://127.0.0.1/", "http://user@127.0.0.1/",
  "http://user:password@127.0.0.1/", "http://127.0.0.1@example.org/", "http://127.0.0.1%2eexample.org/", "http://example.org:0/",
  "http://example.org:99999/", "http://example.org:x/", "http://exa mple.org/", "http://exa%00mple.org/", "http:///",
  "http://a..b/", "http://[1.2.3.4]/", "http://[::1/", "http://①②⑦.0.0.2/", "http://127。0。0。2/",
]

/// A hundred attacks by servers, names and addresses.
@Suite("Hostile servers, names and addresses", .enabled(if: Programs.find("python3") != nil))
struct TrapTests {
  /// Shared by all cases; ends with this process, whose pipe it reads.
  private nonisolated(unsafe) static let shared = Result { try TrapServer() }
  private let server: TrapServer
  init() throws { server = try Self.shared.get() }

  private func code(_ url: String, hosts: [String] = ["127.0.0.1"], timeout: Duration = .seconds(20), limit: Int = 1 << 20) throws -> String
  {
    let resources = try HTTPResources(hosts: hosts, timeout: timeout)
    guard let url = ResourceURL(url) else { return "none" }
    do throws(ResourceError) {
      _ = try resources.load(url, limit: limit, deadline: .never, allows: nil)
      return "loaded"
    } catch {
      #expect(error.message.utf8.count < 700 && error.message.hasSuffix("."), "\(error.message)")
      return error.code.rawValue
    }
  }

  @Test("Redirects to private addresses, other schemes and invalid URLs are refused", arguments: redirectTargets)
  func redirects(target: String) throws {
    let encoded = target.addingPercentEncoding(withAllowedCharacters: .ascii) ?? target
    for hosts in [["127.0.0.1"], ["127.0.0.1", "*"]] where hosts.count == 1 || !target.contains("example") {
      #expect(try code(server.url("/to?\(encoded)"), hosts: hosts) == "resourceRefused", "\(target) \(hosts)")
    }
  }

  @Test(
    "Spellings of this machine and its network are refused where all public names are allowed",
    arguments: [
      "localhost", "2130706433", "0x7f.1", "0", "127.1", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]",
      "[2002:7f00:1::]",
      "0177.0.0.1", "127.0.0.1.", "0.0.0.0", "[::]", "①②⑦.⓪.⓪.①", "127。0。0。1", "%31%32%37.0.0.1", "0x7f000001", "017700000001", "127.0.1",
    ])
  func addresses(host: String) throws {
    #expect(try code(server.url("/a.png", host: host), hosts: ["*"]) == "resourceRefused")
  }

  @Test(
    "Endless, compressed, damaged and contradictory responses end with a code",
    arguments: [
      ("/endless", "limitExceeded"), ("/chunks", "limitExceeded"), ("/chunks?small", "limitExceeded"), ("/bomb", "limitExceeded"),
      ("/bomb2", "limitExceeded"), ("/deflate-bomb", "limitExceeded"), ("/short", "resourceUnreadable"),
      ("/broken-gzip", "resourceUnreadable"), ("/heads?100", "resourceRefused"), ("/nonsense", "resourceUnreadable"),
      ("/loop", "resourceRefused"), ("/error?204", "resourceUnreadable"), ("/error?206", "resourceUnreadable"),
      ("/error?304", "resourceUnreadable"), ("/error?401", "resourceUnreadable"), ("/error?407", "resourceUnreadable"),
      ("/error?410", "resourceMissing"), ("/error?418", "resourceUnreadable"), ("/error?500", "resourceUnreadable"),
      ("/error?600", "resourceUnreadable"), ("/raw?", "resourceUnreadable"), ("/raw?HTTP/1.1", "resourceUnreadable"),
      ("/raw?HTTP/1.1%20999%20X%0d%0a%0d%0a", "resourceUnreadable"), ("/raw?HTTP/9.9%20200%20OK%0d%0a%0d%0a", "resourceUnreadable"),
      ("/raw?SSH-2.0-OpenSSH%0d%0a", "resourceUnreadable"), ("/raw?220%20ftp%0d%0a", "resourceUnreadable"),
      ("/raw?HTTP/1.1%20200%20OK%0d%0aContent-Length:%20-5%0d%0a%0d%0aabc", "resourceUnreadable"),
      ("/raw?HTTP/1.1%20200%20OK%0d%0aTransfer-Encoding:%20chunked%0d%0a%0d%0aZZ%0d%0a", "resourceUnreadable"),
      ("/raw?HTTP/1.1%20200%20OK%0d%0aTransfer-Encoding:%20chunked%0d%0a%0d%0aFFFFFFFFFFFFFFFFFF%0d%0aa", "resourceUnreadable"),
      ("/raw?HTTP/1.1%20301%20X%0d%0aContent-Length:%200%0d%0a%0d%0a", "resourceUnreadable"),
      ("/raw?HTTP/1.1%20301%20X%0d%0aLocation:%20%0d%0aContent-Length:%200%0d%0a%0d%0a", "resourceUnreadable"),
    ])
  func answers(path: String, expected: String) throws {
    let found = try code(server.url(path), limit: 1 << 18)
    #expect(found == expected || (expected == "resourceUnreadable" && found == "resourceRefused"), "\(found)")
  }

  @Test(
    "Slow servers time out",
    arguments: ["/slow", "/silent", "/slow-head", "/hang?HTTP", "/hang?HTTP/1.1%20200%20OK%0d%0a", "/hang?HTTP/1.1%20100%20X%0d%0a%0d%0a"])
  func time(path: String) throws {
    #expect(try code(server.url(path), timeout: .milliseconds(300)) == "resourceUnreadable")
  }
}

extension CharacterSet {
  fileprivate static let ascii = CharacterSet(charactersIn: "\u{21}"..."\u{7e}")
}
