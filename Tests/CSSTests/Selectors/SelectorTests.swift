import OffprintCoreTypes
import OffprintDOM
import Testing

@testable import OffprintCSS

@Suite struct SelectorTests {
  private func document(_ html: String) throws -> Document {
    var diagnostics = DiagnosticLog()
    return try HTMLParser.parse(Array(html.utf8), options: HTMLParserOptions(), diagnostics: &diagnostics)
  }

  /// The ids of the elements that match.
  private func ids(_ selector: String, _ html: String) throws -> [String]? {
    let document = try document(html)
    return try StyleEngine.querySelector(selector, in: document).map { nodes in
      nodes.map { document.attribute(.id, of: $0).map { String(decoding: $0, as: UTF8.self) } ?? "-" }
    }
  }

  private static let list =
    "<!doctype html><ul><li id=a class='x y'><li id=b><p id=p>t</p><li id=c class=x><li id=d lang=en-GB title='one two'></ul>"

  @Test(
    "Selectors match as specified in Selectors 4",
    arguments: [
      ("li.x", "a c"), ("ul > .x.y", "a"), (".x + li", "b d"), (".x ~ li", "b c d"), ("li:nth-child(2n+1)", "a c"),
      ("li:nth-last-child(-n+2)", "c d"),
      ("li:nth-child(odd of .x)", "a"), ("li:nth-child(2 of .x)", "c"), ("li:not(.x, #d)", "b"), ("li:has(> p)", "b"),
      ("li:has(+ .x)", "b"),
      ("li:has(~ #d):is(.x, p)", "a c"), ("[title~=two]", "d"), ("[title^=one]", "d"), ("[TITLE$='WO' i]", "d"), ("[lang|=en]", "d"),
      (":lang(en)", "d"), ("li:lang(EN-gb)", "d"), ("li:lang(en-G)", ""),
      ("ul li p", "p"), ("#b > :only-child", "p"), ("li:first-child, li:last-of-type", "a d"), ("LI#a", "a"),
      (":where(#a, ::before)", "a"), ("li:empty", "a c d"), ("html body ul li:hover", ""), ("ul:has(p) > li:nth-child(3)", "c"),
    ])
  func matching(_ selector: String, _ expected: String) throws {
    #expect(try ids(selector, Self.list)?.joined(separator: " ") == expected)
  }

  @Test(
    "Invalid selectors are rejected",
    arguments: [
      "", "a,", "> a", "a >", "a::nonsense", ":nonsense", "a:not(", "#1", ".", "[x=]", "a:is(b)::before c", "p|a", ":nth-child(n of)",
      ":has(:)", "a b!",
    ])
  func invalid(_ selector: String) throws {
    #expect(try ids(selector, Self.list) == nil)
  }

  @Test("Classes and ids match case-insensitively only in quirks mode")
  func quirks() throws {
    #expect(try ids(".FOO", "<p id=a class=foo>") == ["a"])
    #expect(try ids(".FOO", "<!doctype html><p id=a class=foo>") == [])
  }

  @Test("States of form controls follow from their attributes")
  func states() throws {
    let html =
      "<!doctype html><fieldset disabled><input id=a></fieldset><input id=b required><input id=c type=checkbox checked><input id=d placeholder=x readonly>"
    #expect(try ids("input:disabled", html) == ["a"])
    #expect(try ids("input:required", html) == ["b"])
    #expect(try ids(":checked", html) == ["c"])
    #expect(try ids("input:placeholder-shown:read-only", html) == ["d"])
    let legends =
      "<!doctype html><fieldset disabled><legend><input id=a></legend><legend><input id=b></legend><fieldset><input id=c></fieldset></fieldset>"
    #expect(try ids("input:disabled", legends) == ["b", "c"])
  }

  @Test("The last radio button of a group with the attribute is checked; without any all are indeterminate")
  func radioButtons() throws {
    let html = """
      <!doctype html><form><input id=a type=radio name=x checked><input id=b type=RADIO name=x checked><input id=c type=radio name=y></form>
      <form id=f><input id=d type=radio name=x><input id=e type=radio checked></form><input id=g type=radio name=y form=f checked>
      <input id=h type=radio name=x><input id=i type=radio name=y form=nowhere required>
      """
    #expect(try ids(":checked", html) == ["b", "e", "g"])
    #expect(try ids("input:indeterminate", html) == ["c", "d", "h", "i"])
    #expect(try ids("input:invalid", html) == ["i"])
  }

  @Test("A drop-down box selects its first option that is not disabled, unless one has the attribute")
  func displayedOption() throws {
    let html =
      "<!doctype html><select><option id=a disabled><option id=b><option id=c></select><select><option id=d><option id=e selected></select>"
    #expect(try ids("option:checked", html) == ["b", "e"])
  }

  @Test(":is() and :not() have the specificity of their most specific alternative")
  func specificity() {
    let list = TokenList(Tokenizer.tokenize("a#b.c:not(#x, y):where(#z)::before, :is(.a, #b c) > d"))
    var parser = SelectorParser(list: list, names: NameInterner(table: .known), quirks: false, store: SelectorStore())
    let heads = parser.parseList(0..<list.count, mode: .normal, allowsPseudoElements: true)
    #expect(heads?.map(\.specificity.raw) == [Specificity(2, 1, 2).raw, Specificity(1, 0, 2).raw])
  }

  @Test("Deep combinators are matched in bounded time")
  func bounded() throws {
    let html = "<!doctype html>" + String(repeating: "<div>", count: 400) + "<p id=a>"
    let selector = String(repeating: "div ", count: 60) + "span p"
    #expect(try ids(selector, html) == [])
  }
}
