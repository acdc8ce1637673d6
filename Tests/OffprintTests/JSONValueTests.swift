import Testing

@testable import Offprint

/// https://www.rfc-editor.org/rfc/rfc8259
@Suite("JSON")
struct JSONValueTests {
  @Test(
    "Numbers are parsed according to the grammar",
    arguments: [("0", 0.0), ("-0.5", -0.5), ("12", 12), ("1e3", 1000), ("2.5E-1", 0.25), ("1E+2", 100)])
  func numbers(text: String, value: Double) {
    #expect(JSONValue(parsing: Array(text.utf8)) == .number(value))
  }

  @Test(
    "Almost valid JSON is rejected",
    arguments: [
      "01", "+1", ".5", "1.", "1e", "--1", "1e+-2", "1e999", "-", "[1,]", "{\"a\":1,}", "{a:1}", "'a'", "[1 2]", "\"\\x\"", "nul", "",
    ])
  func refused(text: String) {
    #expect(JSONValue(parsing: Array(text.utf8)) == nil)
  }

  @Test("A repeated member is an error that names it, even if the spellings are only canonically equivalent")
  func repeated() {
    for (text, name) in [("{\"a\":1,\"a\":1}", "a"), ("[{\"x\":{\"\\u0061\":1,\"a\":2}}]", "a"), ("{\"\u{E9}\":1,\"e\u{301}\":2}", "é")] {
      #expect(throws: JSONError.duplicateMember(name)) { try JSONValue(checking: Array(text.utf8)) }
    }
    #expect(JSONValue(parsing: Array("[{\"a\":1},{\"a\":2}]".utf8)) != nil)
  }

  @Test(
    "A decimal number is not hexadecimal, infinite or NaN",
    arguments: ["0x5", "0x1p3", "inf", "-infinity", "nan", "1e999", "", "e5", " 1", "1 "])
  func decimal(text: String) {
    #expect(JSONValue(decimal: text) == nil)
  }

  @Test("Written JSON is parsed to the same value", arguments: ["[1,-2.5,true,null]", "{\"a\":{\"b\":\"\\u0001\\n\\\"ü\"}}", "\"😀\""])
  func roundTrip(text: String) throws {
    #expect(try #require(JSONValue(parsing: Array(text.utf8))).text == text)
  }
}
