import OffprintCoreTypes
import OffprintDOM
import Testing

@Suite struct EncodingTests {
  private func text(_ bytes: [UInt8], label: String? = nil) throws -> (text: String, encoding: String) {
    var log = DiagnosticLog()
    let document = try HTMLParser.parse(bytes, options: HTMLParserOptions(encodingLabel: label), diagnostics: &log)
    return (String(decoding: document.textContent(of: document.body), as: UTF8.self), document.encoding)
  }

  @Test("A page without a declared encoding is UTF-8 if valid, otherwise windows-1252")
  func defaults() throws {
    #expect(try text(Array("é".utf8)) == ("é", "UTF-8"))
    #expect(try text([0x80, 0xE9, 0x81]) == ("€é\u{81}", "windows-1252"))
  }

  @Test("A byte order mark overrides the transport, and the transport overrides a meta element")
  func precedence() throws {
    #expect(try text([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], label: "koi8-r") == ("é", "UTF-8"))
    #expect(try text(Array("<meta charset=utf-8>".utf8) + [0xC1], label: " KOI8-R ") == ("а", "KOI8-R"))
    #expect(try text([0xFF, 0xFE, 0x61, 0, 0x3C, 0xD8, 0, 0xDF]).text == "a🌀")
  }

  @Test(
    "Meta elements declare the encoding",
    arguments: [
      ("<!-- <meta charset=koi8-r> --><meta charset='windows-1251'>", "windows-1251"),
      ("<meta content='text/html; charset=shift_jis' http-equiv=Content-Type>", "Shift_JIS"),
      ("<meta content='text/html; charset=shift_jis'>", "windows-1252"), ("<meta charset=utf-16le>", "UTF-8"),
      ("<p title='<meta charset=gbk>'>", "windows-1252"),
    ])
  func metaPrescan(source: String, encoding: String) throws { #expect(try text(Array(source.utf8) + [0xFF]).encoding == encoding) }

  @Test("Legacy encodings are converted, and undefined bytes become U+FFFD")
  func legacy() throws {
    #expect(try text([0x83, 0x65, 0x83, 0x58, 0x83, 0x67, 0xFF, 0x61], label: "sjis").text == "テスト\u{FFFD}a")
    #expect(try text([0xC4, 0xE3, 0xBA, 0xC3], label: "gb2312") == ("你好", "GBK"))
  }

  @Test("Maximal subparts of invalid UTF-8 are replaced")
  func maximalSubparts() throws {
    let bytes: [UInt8] = [0x61, 0xF1, 0x80, 0x80, 0xE1, 0x80, 0xC2, 0x62, 0x80, 0xC0, 0xAF, 0xED, 0xA0, 0x80]
    #expect(try text(bytes, label: "utf-8").text == "a\u{FFFD}\u{FFFD}\u{FFFD}b" + String(repeating: "\u{FFFD}", count: 6))
  }

  @Test("Nodes have source offsets that include line ends and the byte order mark")
  func sourceOffsets() throws {
    let source: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("<!DOCTYPE html>\r\n<p>a\r\n\r\n  <b>x".utf8)
    var log = DiagnosticLog()
    let document = try HTMLParser.parse(source, diagnostics: &log)
    let paragraph = document.firstElementChild(of: document.body)
    let bold = document.firstElementChild(of: paragraph)
    #expect(source[Int(document[bold].sourceOffset)...].starts(with: "<b>".utf8))
    #expect(document.position(of: bold, in: source) == SourcePosition(line: 4, column: 3))
  }
}
