import OffprintCoreTypes
import Testing

@testable import OffprintDOM

@Suite("What a server says of a page's encoding")
struct TransportEncodingTests {
  @Test(
    "is read from the type's charset",
    arguments: [
      ("text/html; charset=utf-8", "utf-8"), ("text/html;CHARSET=\"Shift_JIS\"", "Shift_JIS"), ("text/html; a=b; charset = x ", "x"),
      ("text/html", nil), ("text/html; charset", nil), ("", nil), ("; charset=\"open", "open"),
    ] as [(String, String?)])
  func label(type: String, label: String?) { #expect(TransportEncoding.label(type) == label) }

  @Test("wins over what the page says, and loses to a byte order mark; one that nobody knows changes nothing")
  func applied() throws {
    let page = Array("<meta charset=utf-8>caf".utf8) + [0xE9]
    func text(_ bytes: [UInt8], _ type: String) throws -> String {
      String(decoding: try TransportEncoding.applied(bytes, contentType: type, limits: Limits()), as: UTF8.self)
    }
    #expect(try text(page, "text/html; charset=latin1") == "\u{FEFF}<meta charset=utf-8>café")
    #expect(try TransportEncoding.applied(page, contentType: "text/html; charset=nothing", limits: Limits()) == page)
    let marked = [0xEF, 0xBB, 0xBF] + page
    #expect(try TransportEncoding.applied(marked, contentType: "text/html; charset=latin1", limits: Limits()) == marked)
  }
}
