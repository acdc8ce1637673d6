import OffprintCoreTypes
import OffprintDOM
import Testing

@testable import OffprintCSS

private struct TestMetrics: FontMetricsProvider {
  func metrics(for font: FontStyle) -> FontRelativeMetrics {
    FontRelativeMetrics(
      xHeight: font.size / 2, capHeight: font.size * 0.7, zeroAdvance: font.size / 2, icAdvance: font.size,
      normalLineHeight: font.size * 1.15)
  }
}

/// A styled page with elements indexed by their ids.
struct StyledPage {
  let styled: StyledDocument

  init(
    _ html: String, width: Double = 800, sheets: [String: String] = [:], containerSizes: [NodeID: (width: Float, height: Float)] = [:],
    time: AnimationTime = .start
  ) throws {
    var diagnostics = DiagnosticLog()
    let source = Array(html.utf8)
    let document = try HTMLParser.parse(source, options: HTMLParserOptions(), diagnostics: &diagnostics)
    var options = StyleEngine.Options(media: MediaEnvironment(width: width, height: 600))
    options.source = source
    options.containerSizes = containerSizes
    options.time = time
    styled = try StyleEngine.style(document, options: options, fontMetrics: TestMetrics()) { request in
      sheets[request.url].map { StyleSheetSource(bytes: Array($0.utf8), baseURL: request.url, name: request.url) }
    }
  }

  func node(_ id: String) throws -> NodeID { try #require(try StyleEngine.querySelector("#\(id)", in: styled.document)?.first) }
  func style(_ id: String) throws -> ComputedStyle { try styled.style(of: node(id)) }

  /// The background color in hexadecimal digits.
  func color(_ id: String) throws -> String {
    let (r, g, b, _) = try style(id).background.color.resolve(.black).rgba8
    return [r, g, b].map { String($0, radix: 16) }.map { $0.count == 1 ? "0" + $0 : $0 }.joined()
  }
}

@Suite struct CascadeTests {
  private func background(_ css: String, _ attributes: String = "", sheets: [String: String] = [:]) throws -> String {
    try StyledPage("<!doctype html><style>\(css)</style><body><p id=a class=c \(attributes)>", sheets: sheets).color("a")
  }

  private static let red = "ff0000", lime = "00ff00", blue = "0000ff"

  @Test(
    "Declarations win by importance, layer, specificity and order",
    arguments: [
      ("p{background:red} p{background:lime}", ""), ("#a{background:lime} p.c{background:red}", ""),
      ("p{background:lime!important} #a{background:red}", "style='background:red'"), ("#a{background:red}", "style='background:lime'"),
      ("@layer x{#a{background:red}} p{background:lime}", ""),
      ("@layer x,y; @layer y{p{background:lime}} @layer x{#a{background:red}}", ""),
      ("@layer x{p{background:lime!important}} #a{background:red!important}", ""),
      ("@layer x{p{background:lime} @layer z{#a{background:red}}}", ""),
      ("@layer x.y{p{background:red}} @layer x{@layer y{p{background:lime}}}", ""), (":where(#a){background:red} p{background:lime}", ""),
      ("@layer{p{background:red}} @layer{p{background:lime}}", ""), ("p{background:lime; background:nonsense}", ""),
      ("p{background:red} p{all:revert; background:lime}", ""), ("@layer x{p{background:lime}} p{background:revert-layer}", ""),
      ("p{background:red!important} @layer x{p{background:lime!important}}", "style='background:red'"),
    ])
  func order(_ css: String, _ attributes: String) throws {
    #expect(try background(css, attributes) == Self.lime)
  }

  @Test(
    "Conditional rules apply if their condition is true",
    arguments: [
      "@media (width:800px){p{background:lime}}", "@media print{p{background:red}} p:not(x){background:lime}",
      "@supports (display:grid) and (not (display:nonsense)){p{background:lime}}", "@supports selector(a:has(b)){p{background:lime}}",
      "p{background:lime} @supports (color:nonsense) or selector(:nonsense){p{background:red}}",
      "p{background:lime} @supports not (color:red){p{background:red}}", "body{--x: a b} @container style(--x: a b){p{background:lime}}",
      "p{background:lime} @container (min-width:1px){p{background:red}}",
      "body{container:n/inline-size;width:700px} @container n (width>600px){p{background:lime}}",
      "body{container-type:size;box-sizing:border-box;width:700px;height:9px;padding:1px} @container (width=698px) and (height=7px){p{background:lime}}",
      "@media screen{@supports (top:0){@layer x{p{background:lime}}}}",
    ])
  func conditions(_ css: String) throws {
    #expect(try background(css) == Self.lime)
  }

  @Test(
    "Rules indexed by attribute values are found as their selectors compare them",
    arguments: [
      ("[data-x=a]", "data-x=a", true), ("[data-x=a]", "data-x=A", false), ("[data-x=a i]", "data-x=A", true),
      ("[DATA-X=a]", "data-x=a", true),
      ("[align=LEFT]", "align=left", true), ("[align=LEFT s]", "align=left", false), ("[data-x='']", "data-x", true),
      ("[data-x=a]", "", false),
      (":is([data-x=b],[data-x=a])", "data-x=a", true), ("[data-x=a][data-y=b]", "data-x=a data-y=c", false),
      ("[data-x=a]:not([data-y=b])", "data-x=a data-y=c", true),
      ("body [data-x=a], [data-x=c]", "data-x=c", true), ("[data-x='a b']", "data-x='a b'", true), ("[data-x=a]", "data-x='a b'", false),
    ])
  func attributeValues(_ selector: String, _ attributes: String, _ matches: Bool) throws {
    #expect(try background("\(selector){background:lime}", attributes) == (matches ? Self.lime : "000000"))
  }

  @Test(
    "Scoped rules match from a scoping root down to its limits, and the nearest root wins",
    arguments: [
      ("@scope (.x){p{background:lime}}", true), ("@scope (.z){p{background:lime}}", false), ("@scope (p){p{background:lime}}", false),
      ("@scope (p){:scope{background:lime}}", true), ("@scope (p){&{background:lime}}", true), ("@scope (p){background:lime}", true),
      ("@scope (.x) to (.y){p{background:lime}}", false), ("@scope (.x) to (.z){p{background:lime}}", true),
      ("@scope (.x) to (> .y){p{background:lime}}", false),
      ("@scope (.y) to (> .y){p{background:lime}}", true), ("@scope (.x) to (p){p{background:lime}}", false),
      ("@scope (.x) to (:scope > p){p{background:lime}}", true),
      ("@scope (body) to (:scope > p){p{background:lime}}", true), ("@scope (.y) to (:scope > p){p{background:lime}}", false),
      ("@scope (.x){> p{background:lime}}", false),
      ("@scope (.x){> .y > p{background:lime}}", true), ("@scope (.x){:scope .y p{background:lime}}", true),
      ("@scope (.x){.y{p{background:lime}}}", true),
      ("@scope (.y){p{background:lime}} @scope (.x){p{background:red}}", true),
      ("@scope (.y){p{background:red}} @scope (.x){p#a{background:lime}}", true),
      ("@scope (.y){p{background:lime}} p{background:red}", true), ("@scope (.y){:scope p{background:lime}} p{background:red}", true),
      ("@scope (.x){@scope (.y){p{background:lime}}}", true), ("@scope (.y){@scope (.x){p{background:lime}}}", false),
      ("@scope (.x) to (.y){@scope (.y){p{background:lime}}}", false),
      ("@scope (.x){@scope (:scope .y){p{background:lime}}}", true), ("@scope (.x, nonsense:x){p{background:lime}}", false),
      ("@scope (.x) nonsense{p{background:lime}}", false),
      ("@scope{p{background:lime}}", false), (".x{@scope (& .y){p{background:lime}}}", true),
      ("@scope (.x){@media screen{p{background:lime}}}", true),
      ("@scope (.x){:is(:scope > .y) > p{background:lime}}", true),
      ("@scope (.y){p:has(+ :scope){background:red} p{background:lime}}", true),
    ])
  func scopes(_ css: String, _ matches: Bool) throws {
    let page = try StyledPage("<!doctype html><style>\(css)</style><body><div class=x><div class=y><p id=a>")
    #expect(try page.color("a") == (matches ? Self.lime : "000000"))
  }

  @Test("The scoping root of a scope without a start is the parent of its style element")
  func implicitScope() throws {
    let page = try StyledPage(
      "<!doctype html><body><p id=a><div><style>@scope{p{background:lime} :scope{background:blue}}</style><p id=b></div>")
    #expect(try page.color("a") == "000000")
    #expect(try page.color("b") == Self.lime)
  }

  @Test(
    "Nested rules",
    arguments: [
      "body{p{background:lime}}", "body{& > .c{background:lime}}", "body{> p{background:lime}}", ".c{body &{background:lime}}",
      "p{background:red; &.c{background:lime}}", "p{background:red; @media screen{background:lime}}",
      "p{&:hover{color:red} background:lime}",
      "#x,p{& {background:lime}} p:not(.z){background:red}", "html{body{p{background:lime}}}",
      "p{background:red; @layer x{color:red} .c&{background:lime}}",
    ])
  func nesting(_ css: String) throws {
    #expect(try background(css) == Self.lime)
  }

  @Test(
    "Only invalid parts are dropped",
    arguments: [
      "p{color:red;;background:lime", "@nonsense x{p{background:red}} p{background:lime}", "p{*zoom:1;background:lime}",
      "p{foo;background:lime}",
      "p{background:lime;x{background:red;}}", "}p{background:red} p{background:lime}",
      "p{background:lime;foo:bar{color:red}}", "<!-- p{background:lime} -->", "a:nonsense, p{background:red} p{background:lime}",
      "p{--x:{a:b};background:lime}",
      "@charset \"utf-8\"; p{background:lime}", "p{background/**/:/**/lime}",
    ])
  func recovery(_ css: String) throws {
    #expect(try background(css) == Self.lime)
  }

  @Test("Imported style sheets are ordered at their import, in their layer")
  func imports() throws {
    let sheets = [
      "a.css": "@import 'b.css'; p{background:lime}", "b.css": "p{background:red} @import 'c.css';", "c.css": "#a{background:red}",
    ]
    #expect(try background("@import 'a.css';", sheets: sheets) == Self.lime)
    #expect(try background("@import url(c.css) layer(x); p{background:lime}", sheets: sheets) == Self.lime)
    #expect(try background("@import url(c.css) print; p{background:lime}", sheets: sheets) == Self.lime)
    #expect(try background("@import 'loop.css'; p{background:lime}", sheets: ["loop.css": "@import 'loop.css'; p{color:red}"]) == Self.lime)
    #expect(try background("@import 'd.css'; #a{color:red} p{background:lime}", sheets: ["d.css": "div{background:red}"]) == Self.lime)
  }

  @Test("Linked style sheets and style elements apply in document order if their media match")
  func links() throws {
    let html =
      "<!doctype html><link rel=stylesheet href=x><style media=print>p{background:red}</style><link rel='alternate stylesheet' href=y><p id=a>"
    #expect(try StyledPage(html, sheets: ["x": "p{background:lime}", "y": "p{background:red}"]).color("a") == Self.lime)
  }

  @Test("The user agent style sheet has no errors, and uses only known names")
  func userAgent() {
    for sheet in [UserAgentSheet.standardSheet, UserAgentSheet.commonSheet, UserAgentSheet.quirksSheet] {
      #expect(sheet.problems.map(\.description) == [])
      #expect(sheet.namesBeyondKnown == 0)
    }
    #expect(UserAgentSheet.rareNames.allSatisfy { NameTable.known.lookup(Array($0.utf8)[...]) != nil })
  }

  @Test(
    "Omitting the rules for lists, tables and controls does not change the style of other elements",
    arguments: [
      "", "hidden", "dir=rtl", "dir=auto", "title=t", "href=x", "open", "popover", "type=hidden", "sizes=auto", "multiple", "disabled",
    ])
  func sparedRules(attribute: String) throws {
    let names = (0..<UInt32(NameTable.known.count)).map { NameTable.known.string(Name(raw: $0)) }
    for name in names where name.utf8.allSatisfy({ $0 >= 0x61 && $0 <= 0x7A || $0 >= 0x31 && $0 <= 0x36 }) && !name.isEmpty {
      let pair = "<\(name) \(attribute)><\(name) id=a \(attribute)>"
      let page = try StyledPage("<!doctype html><body>\(pair)"), whole = try StyledPage("<!doctype html><hr><body>\(pair)")
      guard let node = try StyleEngine.querySelector("#a", in: page.styled.document)?.first,
        let other = try StyleEngine.querySelector("#a", in: whole.styled.document)?.first
      else { continue }
      let style = page.styled.style(of: node), expected = whole.styled.style(of: other)
      #expect(style.box == expected.box && style.text == expected.text && style.font == expected.font, "\(name) \(attribute)")
      #expect(style.border == expected.border && style.background == expected.background, "\(name) \(attribute)")
      #expect(style.effects == expected.effects && style.content == expected.content, "\(name) \(attribute)")
    }
  }

  @Test("HTML elements have Chromium's default styles")
  func defaults() throws {
    let page = try StyledPage(
      "<!doctype html><body id=body><h1 id=h>x</h1><ul><li id=l><b id=b><a id=x href=#>y</a></b></ul><table><tr><th id=th>z</table><input id=i><script id=s></script><p hidden id=hid>"
    )
    #expect(try page.style("body").box.margin.top == .value(.length(8)))
    #expect(try page.style("h").font.size == 32)
    #expect(try page.style("h").box.margin.top == .value(.length(32 * 0.67)))
    #expect(try page.style("l").box.display == .listItem)
    #expect(try page.style("b").font.weight == 700)
    #expect(try page.style("x").text.color == Color(r: 0, g: 0, b: 0xEE))
    #expect(try page.style("th").text.textAlign == .center)
    #expect(try page.style("i").box.display == .inlineBlock)
    #expect(try page.style("s").box.display == .none)
    #expect(try page.style("hid").box.display == .none)
  }

  @Test("Container queries use the sizes from layout")
  func containers() throws {
    let html =
      "<!doctype html><style>div{container-type:inline-size} @container (width<=300px){p{background:lime}}</style><div id=d><p id=a>"
    let page = try StyledPage(html)
    #expect(try !page.styled.queryContainers.isEmpty && page.color("a") == "000000")
    #expect(try StyledPage(html, containerSizes: [page.node("d"): (300, 10)]).color("a") == Self.lime)
  }

  @Test("Container units are relative to the nearest container with that axis, otherwise to the viewport")
  func containerUnits() throws {
    let html = """
      <!doctype html><style>#d{container-type:size} #e{container-type:inline-size} b,p{width:10cqw;height:10cqh;top:10cqmin}</style>
      <p id=a></p><div id=d><p id=b></p><div id=e><b id=c></b><b id=f></b></div></div>
      """
    let page = try StyledPage(html)
    let sized = try StyledPage(html, containerSizes: [page.node("d"): (400, 200), page.node("e"): (50, 30)])
    func sizes(_ id: String) throws -> [SizeValue] { [try sized.style(id).box.width, try sized.style(id).box.height] }
    #expect(try sizes("a") == [.value(.length(80)), .value(.length(60))])
    #expect(try sizes("b") == [.value(.length(40)), .value(.length(20))])
    #expect(try sizes("c") == [.value(.length(5)), .value(.length(20))])
    #expect(try sized.style("c").box.inset.top == .value(.length(5)))
    #expect(try sized.style("f") != sized.style("a"))
  }

  @Test("Each axis of a container query needs containment in that axis")
  func containerAxes() throws {
    func color(_ condition: String, _ type: String) throws -> String {
      let html = "<!doctype html><style>div{\(type)} @container \(condition){p{background:lime}}</style><div id=d><p id=a>"
      let page = try StyledPage(html)
      return try StyledPage(html, containerSizes: [page.node("d"): (300, 100)]).color("a")
    }
    let inline = "container-type:inline-size", both = "container-type:size", vertical = inline + ";writing-mode:vertical-rl"
    for (condition, type) in [
      ("(width > 200px)", inline), ("(inline-size: 300px)", inline), ("(height: 100px)", both), ("(block-size: 100px)", both),
      ("(aspect-ratio > 2/1)", both), ("(orientation: landscape)", both), ("(inline-size: 100px)", vertical),
      ("(height = 100px)", vertical),
      ("not (width < 10px)", inline), ("(100px < width < 301px) and (width)", inline),
    ] { #expect(try color(condition, type) == Self.lime, "\(condition)") }
    for (condition, type) in [
      ("(height: 100px)", inline), ("(width > 200px)", vertical), ("(orientation: landscape)", inline), ("(width > 200px)", ""),
      ("(unknown)", both), ("not (unknown)", both),
    ] { #expect(try color(condition, type) != Self.lime, "\(condition)") }
  }

  @Test("Style sheets are decoded by their byte order mark, @charset, or the encoding of the reference")
  func encodings() throws {
    func color(_ sheet: [UInt8], link: String = "", _ name: String = "\u{e4}\u{30a2}") throws -> String {
      var diagnostics = DiagnosticLog()
      let document = try HTMLParser.parse(
        Array("<!doctype html><meta charset=utf-8><link rel=stylesheet href=s \(link)><p id=a class='\(name)'>".utf8),
        diagnostics: &diagnostics)
      let styled = try StyleEngine.style(
        document, options: StyleEngine.Options(media: MediaEnvironment(width: 800, height: 600)), fontMetrics: TestMetrics()
      ) { _ in StyleSheetSource(bytes: sheet) }
      let node = try #require(try StyleEngine.querySelector("#a", in: document)?.first)
      return styled.style(of: node).background.color == .color(Color(r: 0, g: 255, b: 0)) ? Self.lime : ""
    }
    func rule(_ name: [UInt8]) -> [UInt8] { Array(".".utf8) + name + Array("{background:lime}".utf8) }
    #expect(try color(rule([0xE4]), link: "charset=latin1", "\u{e4}") == Self.lime)
    #expect(try color(Array("@charset \"shift-JIS\";".utf8) + rule([0x83, 0x41]), "\u{30a2}") == Self.lime)
    #expect(try color(Array("@charset \"Big5\";".utf8) + rule([0xAC, 0x50]), "\u{661f}") == Self.lime)
    #expect(try color(Array("@charset 'latin1';".utf8) + rule([0xE4]), "\u{e4}") == "")
    #expect(try color([0xEF, 0xBB, 0xBF] + Array("@charset \"latin1\";".utf8) + rule([0xC3, 0xA4]), "\u{e4}") == Self.lime)
    #expect(try color([0xFF, 0xFE] + rule([0xE4]).flatMap { [$0, 0] }, "\u{e4}") == Self.lime)
    #expect(try color(Array("@charset \"utf-16\";".utf8) + rule([0xC3, 0xA4]), "\u{e4}") == Self.lime)
  }

  @Test("@supports and declarations check the fallbacks of var()")
  func fallbacks() throws {
    for value in ["var(--b,!)", "var(--b,;)", "var(--b,!important)", "var(--b) !important !important", "env(x,!)"] {
      #expect(try background("@supports not (--a:\(value)){p{background:lime}}") == Self.lime, "\(value)")
      #expect(try background("@supports (background:\(value)){p{background:red}}") == "000000", "\(value)")
    }
    #expect(try background("@supports (--a:var(--b,{;!})) and (--a:) and (--a: x ! important){p{background:lime}}") == Self.lime)
    #expect(try background("p{--a:lime;--a:var(--b,;);background:var(--a)}") == Self.lime)
  }

  @Test("Presentational attributes have lower precedence than all author rules")
  func hints() throws {
    let page = try StyledPage(
      """
      <!doctype html><style>#c{background:red}</style><table id=t width=50% cellpadding=3 border=2 bgcolor=chucknorris align=center><tr>
      <td id=d width=100 align=center valign=top nowrap><td id=c bgcolor=lime></table><img id=i width=10 height=20 hspace=4><font id=f size=+1 color=#0f0 face='A, b'>
      <ol start=5 id=o><li id=l value=9></ol>
      """)
    #expect(try page.style("t").box.width == .value(.percentage(50)))
    #expect(try page.color("t") == "c00000")
    #expect(try page.style("t").border.width.top == 2)
    #expect(try page.style("t").box.margin.left == .auto)
    #expect(try page.style("d").box.padding.left == .length(3))
    #expect(try page.style("d").text.textAlign == .webkitCenter)
    #expect(try page.style("d").box.verticalAlign == .top)
    #expect(try page.style("d").text.textWrapMode == .nowrap)
    #expect(try page.color("c") == Self.red)
    #expect(try page.style("i").box.aspectRatio == BoxStyle.AspectRatio(ratio: 0.5, auto: true))
    #expect(try page.style("i").box.margin.right == .value(.length(4)))
    #expect(try page.style("f").font.size == 18)
    #expect(try page.style("f").text.color == Color(r: 0, g: 255, b: 0))
    #expect(try page.style("o").content.counterReset == [CounterChange(name: "list-item", value: 4)])
    #expect(try page.style("l").content.counterSet == [CounterChange(name: "list-item", value: 9)])
  }

  @Test("Pseudo-elements have a style if their content generates a box")
  func pseudoElements() throws {
    let page = try StyledPage(
      "<!doctype html><style>p::before{content:'x';color:lime} p:after{color:red} q{} li::marker{color:lime} p::first-letter{color:lime}</style><p id=a><li id=l><q id=q>"
    )
    let a = try page.node("a"), l = try page.node("l"), q = try page.node("q")
    #expect(page.styled.style(of: a, .before)?.text.color == Color(r: 0, g: 255, b: 0))
    #expect(page.styled.style(of: a, .after) == nil)
    #expect(page.styled.style(of: l, .marker)?.text.color == Color(r: 0, g: 255, b: 0))
    #expect(page.styled.style(of: a, .marker) == nil)
    #expect(page.styled.style(of: a, .firstLetter) != nil)
    #expect(page.styled.style(of: q, .before) != nil)
  }

  @Test("Elements with the same matches and parent share a style")
  func sharing() throws {
    let page = try StyledPage(
      "<!doctype html><style>i{color:red}</style><p><i id=a></i><i id=b></i><i id=c style='color:red'></i><b><i id=d></i></b>")
    #expect(try page.style("a") == page.style("b"))
    #expect(try page.style("a") != page.style("c"))
    #expect(try page.style("a") != page.style("d"))
  }

  @Test("Problems are reported with line and column")
  func diagnostics() throws {
    let page = try StyledPage(
      "<!doctype html>\n<style>\np { color: red;\n  colour: blue }\na::nonsense { top: 0 }\n</style><p id=a style='xx:y'>")
    let places = page.styled.diagnostics.entries.map { "\($0.code.rawValue) \($0.position?.line ?? 0):\($0.position?.column ?? 0)" }
    #expect(places == ["css.unknown-property 4:3", "css.invalid-selector 5:1", "css.unknown-property 6:9"])
  }

  @Test("Rules beyond the limit are ignored, and the render is degraded")
  func limit() throws {
    var diagnostics = DiagnosticLog()
    let html = "<!doctype html><style>p{background:lime} p{background:red}</style><p id=a>"
    let document = try HTMLParser.parse(Array(html.utf8), options: HTMLParserOptions(), diagnostics: &diagnostics)
    var options = StyleEngine.Options(media: MediaEnvironment(width: 800, height: 600))
    options.limits.styleRules = 1
    let styled = try StyleEngine.style(document, options: options, fontMetrics: TestMetrics())
    #expect(styled.diagnostics.isDegraded)
    let node = try #require(try StyleEngine.querySelector("#a", in: document)?.first)
    #expect(styled.style(of: node).background.color == .color(Color(r: 0, g: 255, b: 0)))
  }

  @Test("@font-face, @property and @counter-style rules are collected")
  func descriptors() throws {
    let page = try StyledPage(
      """
      <!doctype html><style>@font-face{font-family:"My Font";src:local(x y),url(a.woff2) format("woff2");font-weight:200 700;unicode-range:U+26,U+4??}
      @counter-style k{system:cyclic;symbols:"a" "b";suffix:") "} @property --w{syntax:"<length>";inherits:false;initial-value:7px}
      p{width:var(--w)}</style><p id=a>
      """)
    let face = try #require(page.styled.fontFaces.first)
    #expect(face.family == "My Font")
    #expect(face.sources == [.local("x y"), .url("a.woff2", format: "woff2")])
    #expect(face.weight == 200...700)
    #expect(face.unicodeRange == [0x26...0x26, 0x400...0x4FF])
    #expect(page.styled.counterStyles.first?.symbols == [.text("a"), .text("b")])
    #expect(try page.style("a").box.width == .value(.length(7)))
  }

  @Test("Arbitrary bytes are parsed in bounded time")
  func anything() throws {
    let pieces = [
      "{", "}", "(", ")", "[", "]", ":", ";", "@media ", "&", "a", "::before", "!important", "\\", "'", "\"", "url(", "/*", "\n", "--x:",
      ",", "@layer", "\u{0}", "%", "1e9", ">",
    ]
    var state: UInt64 = 42
    for _ in 0..<300 {
      var css = ""
      for _ in 0..<60 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        css += pieces[Int(state >> 33) % pieces.count]
      }
      _ = try StyledPage("<!doctype html><style>\(css)</style><p id=a style=\"color:red\">")
    }
    _ = try StyledPage("<!doctype html><style>\(String(repeating: "a{", count: 20000))</style><p>")
    _ = try StyledPage("<!doctype html><style>\(String(repeating: ":is(", count: 20000))</style><p>")
    _ = try StyledPage("<!doctype html><style>@media \(String(repeating: "(", count: 20000)){}</style><p>")
  }
}
