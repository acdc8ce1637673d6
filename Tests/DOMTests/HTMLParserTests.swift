import OffprintCoreTypes
import OffprintDOM
import Testing

/// The dump of a page, without the lines every page has.
func dump(_ html: String, _ change: (inout HTMLParserOptions) -> Void = { _ in }) throws -> String {
  try parse(html, change).html5libDump()
}

func parse(_ html: String, _ change: (inout HTMLParserOptions) -> Void = { _ in }) throws -> Document {
  var options = HTMLParserOptions(encodingLabel: "utf-8")
  change(&options)
  var log = DiagnosticLog()
  return try HTMLParser.parse(Array(html.utf8), options: options, diagnostics: &log)
}

/// The contents of the body, one node per line, without the indentation of the body's children.
func body(_ html: String) throws -> String {
  let lines = try dump("<!DOCTYPE html><body>" + html).split(separator: "\n", omittingEmptySubsequences: false)
  let start = lines.firstIndex(of: "|   <body>") ?? 0
  return lines[(start + 1)...].map { $0.dropFirst(6) }.joined(separator: "\n")
}

@Suite struct HTMLParserTests {
  @Test("Missing html, head and body elements are added")
  func impliedElements() throws {
    #expect(try dump("<title>a</title>b") == "| <html>\n|   <head>\n|     <title>\n|       \"a\"\n|   <body>\n|     \"b\"")
    #expect(try dump("") == "| <html>\n|   <head>\n|   <body>")
  }

  @Test("Misnested formatting elements are repaired by the adoption agency algorithm")
  func adoptionAgency() throws {
    #expect(try body("<b>1<p>2</b>3</p>") == "<b>\n  \"1\"\n<p>\n  <b>\n    \"2\"\n  \"3\"")
  }

  @Test("At most three equal formatting elements are reconstructed")
  func noahsArk() throws {
    #expect(
      try body("<p><b><b><b><b><b></p>x") == "<p>\n  <b>\n    <b>\n      <b>\n        <b>\n          <b>\n<b>\n  <b>\n    <b>\n      \"x\"")
    #expect(try body("<p><i a=1 b=2><i b=2 a=1><i a=1 b=2><i b=2 a=1></p>x").hasSuffix("b=\"2\"\n      \"x\""))
  }

  @Test("Content that is invalid in a table is foster-parented before it")
  func fosterParenting() throws {
    #expect(try body("<table>a<tr>b<td>c") == "\"ab\"\n<table>\n  <tbody>\n    <tr>\n      <td>\n        \"c\"")
  }

  @Test("A table stays in its paragraph only in quirks mode")
  func quirksTable() throws {
    #expect(try body("<p><table>") == "<p>\n<table>")
    #expect(try dump("<p><table>").hasSuffix("<p>\n|       <table>"))
  }

  @Test(
    "The doctype determines the quirks mode",
    arguments: [
      ("<!DOCTYPE html>", QuirksMode.noQuirks), ("", .quirks), ("<!DOCTYPE svg>", .quirks),
      ("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">", .quirks),
      ("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \"http://www.w3.org/TR/html4/loose.dtd\">", .limitedQuirks),
    ])
  func quirksMode(doctype: String, mode: QuirksMode) throws { #expect(try parse(doctype + "x").quirksMode == mode) }

  @Test("The contents of templates are in a separate fragment")
  func template() throws {
    #expect(try body("<template><td>x</template>y") == "<template>\n  content\n    <td>\n      \"x\"\n\"y\"")
  }

  @Test("The case of foreign element and attribute names is adjusted")
  func foreignContent() throws {
    let tree = try body("<svg viewbox='0 0 1 1' xlink:href=a><foreignobject><p>x</svg>")
    #expect(tree == "<svg svg>\n  viewBox=\"0 0 1 1\"\n  xlink href=\"a\"\n  <svg foreignObject>\n    <p>\n      \"x\"")
    #expect(try body("<svg><![CDATA[a<b]]></svg><![CDATA[c]]>") == "<svg svg>\n  \"a<b\"\n<!-- [CDATA[c]] -->")
  }

  @Test("A selectedcontent element has a copy of the selected option")
  func selectedContent() throws {
    let tree = try body("<select><button><selectedcontent></button><option>a<option selected><b>c</b></select>")
    #expect(tree.hasPrefix("<select>\n  <button>\n    <selectedcontent>\n      <b>\n        \"c\"\n  <option>"))
  }

  @Test("Scripting is disabled, so noscript elements have content")
  func noscript() throws { #expect(try body("<noscript><p>x") == "<noscript>\n  <p>\n    \"x\"") }

  @Test("A fragment is parsed in the context of its element")
  func fragment() throws {
    var log = DiagnosticLog()
    let inBody = try HTMLParser.parseFragment(Array("<td>a</td><p>b".utf8), diagnostics: &log)
    #expect(inBody.html5libDump() == "| \"a\"\n| <p>\n|   \"b\"")
    let inRow = try HTMLParser.parseFragment(Array("<td>a</td>".utf8), context: .tr, diagnostics: &log)
    #expect(inRow.html5libDump() == "| <td>\n|   \"a\"")
    let inTitle = try HTMLParser.parseFragment(Array("<b>&amp;".utf8), context: .title, diagnostics: &log)
    #expect(inTitle.html5libDump() == "| \"<b>&\"")
  }
}

@Suite struct HTMLTokenizerTests {
  @Test(
    "Character references are decoded by the HTML standard's rules",
    arguments: [
      ("&amp;&lt;&copy", "&<©"), ("&notit; &notin;", "¬it; ∉"), ("&NotEqualTilde;", "≂̸"), ("&#65;&#x42;&#67", "ABC"),
      ("&#x80;&#0;&#xD800;&#x110000;&#99999999999999;", "€\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      ("a & b &; &# &#x; &unknown;", "a & b &; &# &#x; &unknown;"),
    ])
  func references(source: String, text: String) throws { #expect(try body(source) == "\"\(text)\"") }

  @Test("In attributes, a reference without a semicolon is literal before a letter or an equals sign")
  func attributeReferences() throws {
    #expect(try body("<a href='?a=b&copy=1&lt;&amp'>") == "<a>\n  href=\"?a=b&copy=1<&\"")
  }

  @Test("Attributes keep their order, and repeated ones are dropped")
  func attributes() throws {
    let document = try parse("<p B=1 a='2' b=3 c a>")
    let paragraph = document.firstElementChild(of: document.body)
    let names = document.attributes(of: paragraph).map { document.names.string($0.name) }
    #expect(names == ["b", "a", "c"])
    #expect(document.attribute(.b, of: paragraph).map(Array.init) == Array("1".utf8))
    #expect(document.attribute(.href, of: paragraph) == nil)
  }

  @Test("A script ends at its own end tag, not at one in an escaped script")
  func scriptData() throws {
    #expect(try dump("<script><!--<script></script>--></script>x").contains("\"<!--<script></script>-->\"\n|   <body>\n|     \"x\""))
    #expect(try dump("<script>'</scripty>'</SCRIPT >x").contains("\"'</scripty>'\"\n|   <body>\n|     \"x\""))
  }

  @Test("Line ends are normalized to line feeds, and NULs are removed from text")
  func normalization() throws {
    #expect(try dump("a\r\nb\rc\nd\0e").hasSuffix("\"a\nb\nc\nde\""))
    #expect(try dump("<textarea>\r\n\nx\0</textarea>").hasSuffix("<textarea>\n|       \"\nx\u{FFFD}\""))
  }

  @Test("Text that consists of references and runs is one complete node")
  func joinedText() throws {
    let table = "<table>" + String(repeating: "<tr title='&lt;'>a&amp;", count: 500)
    #expect(try body(table).hasPrefix("\"" + String(repeating: "a&", count: 500) + "\"\n<table>"))
  }
}
