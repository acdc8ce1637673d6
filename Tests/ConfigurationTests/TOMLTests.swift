import OffprintConfiguration
import Testing

@Suite("TOML") struct TOMLTests {
  private func entries(_ text: String) throws -> [String] {
    try ConfigurationFile(path: "f", text: Array(text.utf8)).entries.map { entry in
      "\((entry.table + [entry.name]).joined(separator: "."))=\(entry.value.texts.joined(separator: ","))@\(entry.line)"
    }
  }

  @Test(
    "Values are parsed according to TOML 1.0",
    arguments: [
      ("a = 1_000", "1000"), ("a = +0", "0"), ("a = -17", "-17"), ("a = 0xDEAD_beef", "3735928559"), ("a = 0o17", "15"), ("a = 0b101", "5"),
      ("a = 3.5e2", "350"), ("a = -0.25", "-0.25"), ("a = 1e3", "1000"), ("a = true", "true"),
      ("a = \"x\\ty\\u00e9\\U0001F600\"", "x\tyé😀"),
      ("a = 'c:\\x'", "c:\\x"), ("a = \"\"\"\nx\\\n   y\"\"\"", "xy"), ("a = '''\nx\r\ny'''", "x\r\ny"), ("a = \"\"\"\"q\"\"\"\"", "\"q\""),
      ("a = [ 1, # one\n 2,\n]", "1,2"), ("a = { b = 1, \"c d\" = 'x' }", "b=1,c d=x"), ("a = \"\" # empty", ""), ("a = []", ""),
    ])
  func values(text: String, value: String) throws { #expect(try entries(text) == ["a=\(value)@1"]) }

  @Test("Tables and dotted keys are paths, and each key has its line number")
  func tables() throws {
    #expect(
      try entries("a.b = 1\r\n\r\n[ x . 'y z' ]\r\nk = \"\"\"\n\n\"\"\"\r\nl = 2\n[x]\nm = 3\n[x.n]\n") == [
        "a.b=1@1", "x.y z.k=\n@4", "x.y z.l=2@7", "x.m=3@9",
      ])
  }

  @Test("A table with many keys is read in linear time")
  func manyKeys() throws {
    let members = (0..<100_000).map { "k\($0) = 1" }.joined(separator: ", ")
    let start = ContinuousClock.now
    #expect(try entries("a = {\(members)}").count == 1)
    #expect(ContinuousClock.now - start < .seconds(20))
    #expect(throws: ConfigurationError.self) { try entries("a = {\(members), k7 = 2}") }
  }

  @Test(
    "Invalid syntax is rejected with its line number",
    arguments: [
      "a", "a =", "= 1", "a = 01", "a = 1__0", "a = _1", "a = 1_", "a = .5", "a = 5.", "a = 1.e2", "a = 0x", "a = +0x1", "a = True",
      "a = x", "a = \"x",
      "a = \"\\x\"", "a = \"\\ud800\"", "a = 'x\ny'", "a = \"x\u{1}\"", "a = 1 b = 2", "[a", "[a]\n[a]", "a = 1\na = 2", "a = 1\n[a]",
      "[a.b]\n[a]\nb = 1",
      "[[a]]", "a = [1 2]", "a = {b = 1, b = 2}", "a = {b = 1", "[]", "a.b = 1\n[a]", "a = 1979-05-27", "a = 07:32:00", "# \u{1}",
      "a = \"\"\"x", "a = 9223372036854775808",
      "a = \(String(repeating: "[", count: 200))", "a\u{0} = 1", "é = 1",
    ])
  func wrong(text: String) {
    let error = #expect(throws: ConfigurationError.self) { try entries(text) }
    #expect(error?.line != nil)
  }

  @Test("Invalid UTF-8 is rejected")
  func bytes() {
    #expect(throws: ConfigurationError.self) { try ConfigurationFile(path: "f", text: [0x61, 0x3D, 0x22, 0xFF, 0x22]) }
    var state: UInt64 = 7
    let alphabet = Array("ab=.[]{}\"'\\#,1_0x-+eE\n\r\t tu".utf8)
    for _ in 0..<20_000 {
      let text = (0..<Int(state % 24)).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return alphabet[Int(state >> 33) % alphabet.count]
      }
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      _ = try? ConfigurationFile(path: "f", text: text)
    }
  }
}
