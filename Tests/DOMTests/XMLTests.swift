import OffprintCoreTypes
import OffprintDOM
import Testing

@Suite struct XMLTests {
  private func parse(_ xml: String) throws -> (Document, [Diagnostic]) {
    var log = DiagnosticLog()
    let document = try XMLDocumentParser.parse(Array(xml.utf8), diagnostics: &log)
    return (document, log.entries)
  }

  @Test("Names keep their case and namespaces, and values and text are decoded")
  func tree() throws {
    let (document, problems) = try parse(
      """
      <?xml version="1.0"?><?a b?><html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en"><p Title="&amp;&#169;é">a&lt;<![CDATA[<b>]]></p>\
      <s:svg xmlns:s="http://www.w3.org/2000/svg"/><!--c--><template><i/></template></html>
      """)
    #expect(problems.isEmpty && !document.isHTML && document.quirksMode == .noQuirks)
    #expect(
      document.html5libDump() == """
        | <?a b>
        | <html>
        |   xml lang="en"
        |   xmlns xmlns="http://www.w3.org/1999/xhtml"
        |   <p>
        |     Title="&©é"
        |     "a<<b>"
        |   <svg svg>
        |     xmlns s="http://www.w3.org/2000/svg"
        |   <!-- c -->
        |   <template>
        |     content
        |       <i>
        """)
  }

  @Test("XHTML doctypes define the named references of HTML, and others do not")
  func entities() throws {
    let doctype = "<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x\">"
    let (document, problems) = try parse(doctype + "<p t=\"&eacute;&lt;\">&nbsp;&copy;&amp;<![CDATA[&copy;]]></p>")
    #expect(problems.isEmpty)
    #expect(document.html5libDump().hasSuffix("| <p>\n|   t=\"é<\"\n|   \"\u{A0}©&&copy;\""))
    #expect(try parse("<p>&copy;</p>").1.map(\.code) == [.notWellFormed])
  }

  @Test("An error ends the tree and is reported with its position")
  func notWellFormed() throws {
    let (document, problems) = try parse("<a>\n<b>x</b>\n<c></d>\n</a>")
    #expect(document.html5libDump().hasPrefix("| <a>\n|   \"\n\"\n|   <b>\n|     \"x\""))
    #expect(problems.map(\.code) == [.notWellFormed])
    #expect(problems.first?.position?.line == 3)
  }

  @Test("A tag with too many attributes ends the tree instead of taking quadratic time")
  func manyAttributes() throws {
    let (document, problems) = try parse("<a>xyz<b " + (0..<100_000).map { "a\($0)='' " }.joined() + "/></a>")
    #expect(document.html5libDump() == "| <a>\n|   \"xyz\"")
    #expect(problems.map(\.code) == [.notWellFormed])
  }

  @Test("Entities declared in the page are not expanded")
  func entityBombs() throws {
    let (document, _) = try parse("<!DOCTYPE a [<!ENTITY b \"bbbb\"><!ENTITY c SYSTEM \"file:///etc/passwd\">]><a>&b;&c;</a>")
    #expect(!document.html5libDump().contains("bbbb") && !document.html5libDump().contains("root:"))
  }

  @Test("The declared encoding is used, and offsets refer to the source")
  func encodingAndOffsets() throws {
    var log = DiagnosticLog()
    let source = Array("<?xml version='1.0' encoding='koi8-r'?>\n<a>".utf8) + [0xC1] + Array("<b/></a>".utf8)
    let document = try XMLDocumentParser.parse(source, diagnostics: &log)
    #expect(document.textContent(of: document.documentElement) == Array("а".utf8))
    #expect(document.position(of: document.documentElement, in: source).line == 2)
  }

  @Test("Only a declaration with a namespaced root is detected as XML")
  func looksLikeXML() {
    #expect(XMLDocumentParser.looksLikeXML(Array("<?xml version='1.0'?><!-- a --><html xmlns='http://www.w3.org/1999/xhtml'>".utf8)))
    #expect(!XMLDocumentParser.looksLikeXML(Array("<?xml version='1.0'?><html><body>".utf8)))
    #expect(!XMLDocumentParser.looksLikeXML(Array("<html xmlns='http://www.w3.org/1999/xhtml'>".utf8)))
  }
}
