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

/// What is in the body, a line a node, without the indentation of the body's children.
func body(_ html: String) throws -> String {
  let lines = try dump("<!DOCTYPE html><body>" + html).split(separator: "\n", omittingEmptySubsequences: false)
  let start = lines.firstIndex(of: "|   <body>") ?? 0
  return lines[(start + 1)...].map { $0.dropFirst(6) }.joined(separator: "\n")
}

@Suite struct HTMLParserTests {
  @Test("missing html, head and body are added")
  func impliedElements() throws {
    #expect(try dump("<title>a</title>b") == "| <html>\n|   <head>\n|     <title>\n|       \"a\"\n|   <body>\n|     \"b\"")
    #expect(try dump("") == "| <html>\n|   <head>\n|   <body>")
  }

  @Test("misnested formatting is repaired by the adoption agency")
  func adoptionAgency() throws {
    #expect(try body("<b>1<p>2</b>3</p>") == "<b>\n  \"1\"\n<p>\n  <b>\n    \"2\"\n  \"3\"")
  }

  @Test("of equal formatting elements at most three are reopened")
  func noahsArk() throws {
    #expect(
      try body("<p><b><b><b><b><b></p>x") == "<p>\n  <b>\n    <b>\n      <b>\n        <b>\n          <b>\n<b>\n  <b>\n    <b>\n      \"x\"")
    #expect(try body("<p><i a=1 b=2><i b=2 a=1><i a=1 b=2><i b=2 a=1></p>x").hasSuffix("b=\"2\"\n      \"x\""))
  }

  @Test("what a table cannot hold goes before it")
  func fosterParenting() throws {
    #expect(try body("<table>a<tr>b<td>c") == "\"ab\"\n<table>\n  <tbody>\n    <tr>\n      <td>\n        \"c\"")
  }

  @Test("a table stays in its paragraph in quirks mode only")
  func quirksTable() throws {
    #expect(try body("<p><table>") == "<p>\n<table>")
    #expect(try dump("<p><table>").hasSuffix("<p>\n|       <table>"))
  }

  @Test(
    "the doctype decides the quirks mode",
    arguments: [
      ("<!DOCTYPE html>", QuirksMode.noQuirks), ("", .quirks), ("<!DOCTYPE svg>", .quirks),
      ("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\">", .quirks),
      ("<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \"http://www.w3.org/TR/html4/loose.dtd\">", .limitedQuirks),
    ])
  func quirksMode(doctype: String, mode: QuirksMode) throws { #expect(try parse(doctype + "x").quirksMode == mode) }

  @Test("templates keep their content in a fragment of its own")
  func template() throws {
    #expect(try body("<template><td>x</template>y") == "<template>\n  content\n    <td>\n      \"x\"\n\"y\"")
  }

  @Test("foreign elements get their names' and attributes' case back")
  func foreignContent() throws {
    let tree = try body("<svg viewbox='0 0 1 1' xlink:href=a><foreignobject><p>x</svg>")
    #expect(tree == "<svg svg>\n  viewBox=\"0 0 1 1\"\n  xlink href=\"a\"\n  <svg foreignObject>\n    <p>\n      \"x\"")
    #expect(try body("<svg><![CDATA[a<b]]></svg><![CDATA[c]]>") == "<svg svg>\n  \"a<b\"\n<!-- [CDATA[c]] -->")
  }

  @Test("a select shows a copy of its selected option")
  func selectedContent() throws {
    let tree = try body("<select><button><selectedcontent></button><option>a<option selected><b>c</b></select>")
    #expect(tree.hasPrefix("<select>\n  <button>\n    <selectedcontent>\n      <b>\n        \"c\"\n  <option>"))
  }

  @Test("scripting is off, so noscript has content")
  func noscript() throws { #expect(try body("<noscript><p>x") == "<noscript>\n  <p>\n    \"x\"") }

  @Test("a fragment is parsed in the context of its element")
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
    "character references are decoded by the standard's rules",
    arguments: [
      ("&amp;&lt;&copy", "&<©"), ("&notit; &notin;", "¬it; ∉"), ("&NotEqualTilde;", "≂̸"), ("&#65;&#x42;&#67", "ABC"),
      ("&#x80;&#0;&#xD800;&#x110000;&#99999999999999;", "€\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
      ("a & b &; &# &#x; &unknown;", "a & b &; &# &#x; &unknown;"),
    ])
  func references(source: String, text: String) throws { #expect(try body(source) == "\"\(text)\"") }

  @Test("in attributes a reference without semicolon is none before a letter or equals sign")
  func attributeReferences() throws {
    #expect(try body("<a href='?a=b&copy=1&lt;&amp'>") == "<a>\n  href=\"?a=b&copy=1<&\"")
  }

  @Test("attributes keep their order, repeated ones are dropped")
  func attributes() throws {
    let document = try parse("<p B=1 a='2' b=3 c a>")
    let paragraph = document.firstElementChild(of: document.body)
    let names = document.attributes(of: paragraph).map { document.names.string($0.name) }
    #expect(names == ["b", "a", "c"])
    #expect(document.attribute(.b, of: paragraph).map(Array.init) == Array("1".utf8))
    #expect(document.attribute(.href, of: paragraph) == nil)
  }

  @Test("a script ends at its own end tag, not at one in an escaped script")
  func scriptData() throws {
    #expect(try dump("<script><!--<script></script>--></script>x").contains("\"<!--<script></script>-->\"\n|   <body>\n|     \"x\""))
    #expect(try dump("<script>'</scripty>'</SCRIPT >x").contains("\"'</scripty>'\"\n|   <body>\n|     \"x\""))
  }

  @Test("line ends become line feeds, NULs vanish from text")
  func normalization() throws {
    #expect(try dump("a\r\nb\rc\nd\0e").hasSuffix("\"a\nb\nc\nde\""))
    #expect(try dump("<textarea>\r\n\nx\0</textarea>").hasSuffix("<textarea>\n|       \"\nx\u{FFFD}\""))
  }

  @Test("text pieced together from references and runs is whole, however it grows")
  func joinedText() throws {
    let table = "<table>" + String(repeating: "<tr title='&lt;'>a&amp;", count: 500)
    #expect(try body(table).hasPrefix("\"" + String(repeating: "a&", count: 500) + "\"\n<table>"))
  }
}
