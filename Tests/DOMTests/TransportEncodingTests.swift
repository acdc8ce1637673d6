import OffprintCoreTypes
import Testing

@testable import OffprintDOM

@Suite("The encoding in Content-Type")
struct TransportEncodingTests {
  @Test(
    "The encoding is parsed from the charset parameter",
    arguments: [
      ("text/html; charset=utf-8", "utf-8"), ("text/html;CHARSET=\"Shift_JIS\"", "Shift_JIS"), ("text/html; a=b; charset = x ", "x"),
      ("text/html", nil), ("text/html; charset", nil), ("", nil), ("; charset=\"open", "open"),
    ] as [(String, String?)])
  func label(type: String, label: String?) { #expect(TransportEncoding.label(type) == label) }

  @Test("The encoding overrides the declaration of the page, but not a byte order mark; unknown encodings are ignored")
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
