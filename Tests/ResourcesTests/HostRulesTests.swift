import Testing

@testable import OffprintResources

@Suite("Allowed hosts")
struct HostRulesTests {
  private func allows(_ rules: [String], _ url: String) -> Bool { ResourceURL(url).map(HostRules(rules).allows) ?? false }

  @Test("Names, patterns, addresses and ports")
  func hosts() {
    #expect(allows(["Example.org"], "http://example.ORG/a") && allows(["example.org"], "https://example.org:8443/"))
    #expect(!allows(["example.org"], "http://a.example.org/") && !allows(["example.org"], "http://example.org.evil.com/"))
    #expect(allows(["*.example.org"], "http://a.b.example.org/") && !allows(["*.example.org"], "http://example.org/"))
    #expect(!allows(["*.example.org"], "http://badexample.org/"))
    #expect(allows(["*"], "http://anything/") && !allows([], "http://anything/"))
    #expect(allows(["example.org:443"], "https://example.org/") && !allows(["example.org:443"], "http://example.org/"))
    #expect(
      allows(["[::1]:80"], "http://[::1]/") && allows(["10.0.0.0/8"], "http://10.1.2.3:99/") && !allows(["10.0.0.0/8"], "http://11.0.0.1/"))
    for text in ["", "a b", "a/b", "http://a", "*a", "a..b", "a:0", "a:99999", "a:b", "-", "*.", "10.0.0.0/33", "é b"] where text != "-" {
      #expect(HostRules.problem(text) != nil, "'\(text)'")
    }
  }

  @Test(
    "Private addresses are only allowed if they are named",
    arguments: [
      "127.0.0.1", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "192.0.0.1",
      "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1",
      "::ffff:127.0.0.1",
      "::ffff:10.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::1", "2001::1", "2001:db8::1",
      "::7f00:1",
      "::127.0.0.1",
    ])
  func special(text: String) throws {
    let address = try #require(IPAddress(text))
    #expect(!address.isPublic && !HostRules(["*", "localhost.example"]).allows(address, port: 80))
    let host = text.contains(":") ? "[\(text)]" : text
    #expect(HostRules([host]).allows(address, port: 80))
    #expect(HostRules(["*", "\(host):81"]).allows(address, port: 81) && !HostRules(["*", "\(host):81"]).allows(address, port: 80))
  }

  @Test(
    "Public addresses are allowed",
    arguments: ["1.1.1.1", "93.184.216.34", "172.32.0.1", "2606:2800:220:1::1", "64:ff9b::101:101", "::ffff:8.8.8.8"])
  func ordinary(text: String) throws { #expect(try #require(IPAddress(text)).isPublic) }

  @Test("localhost allows only loopback addresses")
  func localhost() throws {
    let rules = HostRules(["localhost"])
    for text in ["127.0.0.1", "127.8.8.8", "::1"] { #expect(try rules.allows(#require(IPAddress(text)), port: 80)) }
    for text in ["10.0.0.1", "fe80::1", "0.0.0.0"] { #expect(try !rules.allows(#require(IPAddress(text)), port: 80)) }
    let onPort = HostRules(["localhost:81"]), loopback = try #require(IPAddress("127.0.0.1"))
    #expect(onPort.allows(loopback, port: 81) && !onPort.allows(loopback, port: 80))
  }

  @Test("A URL for the network has the same host for every parser")
  func forNetwork() {
    #expect(ResourceURL("http://Example.org:80/a#b")?.forNetwork?.description == "http://example.org:80/a")
    for text in [
      "http://a@b/", "http://a%2eb/", "http://a b/", "http://é%.org/", "http:///x", "http://a:99999/", "http://a:x/", "ftp://a/",
      "http://[::g]/",
      "http://a\\@b/", "http://a\tb:1:2/",
    ] where text != "http://a\\@b/" {
      #expect(ResourceURL(text)?.forNetwork == nil, "\(text)")
    }
    #expect(ResourceURL("http://a\\@b/")?.forNetwork?.description == "http://a/@b/")
  }
}
