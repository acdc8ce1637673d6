import Testing

@testable import Offprint

/// https://www.rfc-editor.org/rfc/rfc8259
@Suite("JSON")
struct JSONValueTests {
  @Test(
    "Numbers are read as the grammar has them",
    arguments: [("0", 0.0), ("-0.5", -0.5), ("12", 12), ("1e3", 1000), ("2.5E-1", 0.25), ("1E+2", 100)])
  func numbers(text: String, value: Double) {
    #expect(JSONValue(parsing: Array(text.utf8)) == .number(value))
  }

  @Test(
    "What is nearly JSON is refused",
    arguments: [
      "01", "+1", ".5", "1.", "1e", "--1", "1e+-2", "1e999", "-", "[1,]", "{\"a\":1,}", "{a:1}", "'a'", "[1 2]", "\"\\x\"", "nul", "",
    ])
  func refused(text: String) {
    #expect(JSONValue(parsing: Array(text.utf8)) == nil)
  }

  @Test("What is written is read again", arguments: ["[1,-2.5,true,null]", "{\"a\":{\"b\":\"\\u0001\\n\\\"ü\"}}", "\"😀\""])
  func roundTrip(text: String) throws {
    #expect(try #require(JSONValue(parsing: Array(text.utf8))).text == text)
  }
}
