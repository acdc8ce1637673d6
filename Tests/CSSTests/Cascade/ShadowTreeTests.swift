import OffprintCoreTypes
import OffprintDOM
import Testing

@testable import OffprintCSS

@Suite("Styles in shadow trees")
struct ShadowTreeTests {
  private static let red = Color(red: 1, green: 0, blue: 0), blue = Color(red: 0, green: 0, blue: 1)

  private func color(_ id: String, _ html: String) throws -> Color {
    // The page must outlive its styles.
    let page = try StyledPage(html)
    return try withExtendedLifetime(page) { try style(id, page).text.color }
  }

  /// The color of an element in any tree.
  private func style(_ id: String, _ page: StyledPage) throws -> ComputedStyle {
    let document = page.styled.document
    let node = document.nodes.indices.lazy.map { NodeID($0) }.first { document.attribute(.id, of: $0).map { Array($0) } == Array(id.utf8) }
    return page.styled.style(of: try #require(node))
  }

  @Test("Rules and ids do not cross tree boundaries; inherited values do")
  func borders() throws {
    let html = """
      <style>p{color:#f00}#h{color:#00f}</style><p id=d></p>
      <div id=h><template shadowrootmode=open><style>p{opacity:.5}#d{color:#0f0}</style><p id=s>x</p><slot></slot></template><p id=l></p></div>
      """
    #expect(try color("s", html) == Self.blue)
    #expect(try color("d", html) == Self.red)
    let page = try StyledPage(html)
    #expect(try style("l", page).effects.opacity == 1)
  }

  @Test(
    "Selectors of a shadow tree that match its host, and those that do not",
    arguments: [
      (":host", true), (":host(.x)", true), (":host(.y)", false), (":host(div#a)", true), (":host-context(section)", true),
      (":host-context(.none)", false), (":host:has(b)", true), (":host:has(u)", false), (":is(:host,b)", true),
      (":host:not(:host(.y))", true),
      ("div", false), ("*", false), ("#a", false), ("section :host", false), (":host.x", false), (":root", false),
    ])
  func host(selector: String, matches: Bool) throws {
    let html =
      "<section><div id=a class=x><template shadowrootmode=open><style>\(selector){color:#f00}</style><b></b></template></div></section>"
    #expect(try color("a", html) == (matches ? Self.red : .black))
  }

  @Test(
    "The host is an ancestor of the elements in its tree",
    arguments: [(":host p", true), (":host>p", true), (":host(.x)>p", true), (":host(.y) p", false), ("div>p", false), ("*>p", false)])
  func aboveTree(selector: String, matches: Bool) throws {
    let html = "<div class=x><template shadowrootmode=open><style>\(selector){color:#f00}</style><p id=a></p></template></div>"
    #expect(try color("a", html) == (matches ? Self.red : .black))
  }

  @Test(
    "::slotted() matches in the tree of the slot, also through nested slots",
    arguments: [
      ("::slotted(p)", true), ("slot[name=s]::slotted(*)", true), (".no::slotted(p)", false), ("::slotted(.y)", false), ("p", false),
      ("::slotted(p.x)", true), ("section ::slotted(p)", true),
    ])
  func slotted(selector: String, matches: Bool) throws {
    let style = "<style>\(selector){color:#f00}</style>"
    let html =
      "<div><template shadowrootmode=open>\(style)<section><slot name=s></slot></section></template><p slot=s class=x id=a></p></div>"
    #expect(try color("a", html) == (matches ? Self.red : .black))
    let nested = """
      <div><template shadowrootmode=open><x-i><template shadowrootmode=open>\(style)<section><slot name=s></slot></section></template>\
      <slot slot=s></slot></x-i></template><p class=x id=a></p></div>
      """
    #expect(try color("a", nested) == (matches ? Self.red : .black))
  }

  @Test(
    "::part() matches by part names from the outer tree, and exported ones from further outside",
    arguments: [
      ("x-o::part(q)", true), ("x-o::part(p)", false), ("x-o::part(q two)", false), ("x-i::part(p)", false), ("::part(q)", true),
      ("x-o::part(q):first-child", false),
    ])
  func parts(selector: String, matches: Bool) throws {
    let html = """
      <style>\(selector){color:#f00}</style><x-o><template shadowrootmode=open><x-i exportparts="p: q"><template shadowrootmode=open>\
      <b part="p one" id=a></b></template></x-i></template></x-o>
      """
    #expect(try color("a", html) == (matches ? Self.red : .black))
  }

  @Test("Outer trees win, for important declarations inner trees; a style attribute belongs to the element's tree")
  func order() throws {
    func page(_ outer: String, _ inner: String, _ attribute: String = "") -> String {
      "<style>div{\(outer)}</style><div id=a style='\(attribute)'><template shadowrootmode=open><style>:host{\(inner)}</style></template></div>"
    }
    #expect(try color("a", page("color:#f00", "color:#00f")) == Self.red)
    #expect(try color("a", page("color:#f00!important", "color:#00f!important")) == Self.blue)
    #expect(try color("a", page("", "color:#00f", "color:#f00")) == Self.red)
    #expect(try color("a", page("", "color:#00f!important", "color:#f00")) == Self.blue)
    #expect(try color("a", page("color:#f00", "color:#00f!important", "color:#0f0")) == Self.blue)
  }

  @Test("Slotted elements inherit from their slot")
  func inheritance() throws {
    let html = "<div><template shadowrootmode=open><p style='color:#f00'><slot></slot></p></template><b id=a></b></div>"
    #expect(try color("a", html) == Self.red)
  }

  @Test("Trees with the same style sheet have separate hosts")
  func sharedSheets() throws {
    let tree = "<template shadowrootmode=open><style>:host(.x) p{color:#f00}</style>"
    let html = "<div class=x>\(tree)<p id=a></p></template></div><div>\(tree)<p id=b></p></template></div>"
    #expect(try color("a", html) == Self.red)
    #expect(try color("b", html) == .black)
  }
}
