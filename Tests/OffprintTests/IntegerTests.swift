import Testing

@testable import Offprint

@Suite("Large integers") struct IntegerTests {
  @Test("Large integers keep all digits on the page", arguments: ["123456789012345678", "-9007199254740993", "18446744073709551615", "0"])
  func digits(number: String) throws {
    #expect(JSONValue(parsing: Array("{\"order\":\(number)}".utf8))?["order"]?.text == number)
    #expect(JSONValue(decimal: number)?.text == number)
  }

  @Test("Large integers that differ in their last digit are different values")
  func lastDigit() {
    let values = ["123456789012345678", "123456789012345679"].map { JSONValue(parsing: Array("[\($0)]".utf8)) }
    #expect(values[0] != nil && values[0] != values[1])
  }

  @Test("A number beyond the range of Double has its own message")
  func outOfRange() {
    #expect(throws: JSONError.numberOutOfRange("1E400")) { try JSONValue(checking: Array("{\"a\":1E400}".utf8)) }
    #expect(JSONError.numberOutOfRange("1E400").predicate.contains("1E400"))
    #expect(throws: JSONError.malformed) { try JSONValue(checking: Array("{\"a\":1E}".utf8)) }
  }

  @Test("Different large integers in a page's data give different keys")
  func keys() throws {
    let renderer = try Renderer.alone()
    defer { renderer.shutdown() }
    func image(_ order: String) throws -> [UInt8] {
      var request = RenderRequest(html: "")
      request.template = try Template(source: "<p>{{order}}", name: "t")
      request.data = Array("{\"order\":\(order)}".utf8)
      return try renderer.renderAndWait(request).image
    }
    #expect(try image("123456789012345678") != image("123456789012345679"))
  }
}
