import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import Testing
import OffprintTypography

@testable import OffprintLayout

/// A page laid out 400 px wide with the bundled fonts, and the text on it.
private struct Page {
  let engine: LayoutEngine
  private(set) var words: [(text: String, rect: LayoutRect, fragment: Fragment)] = []

  private static let folder = String(#filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }) + "/Fonts"
  private static let registry = FontRegistry(folders: [folder])

  private struct Metrics: FontMetricsProvider {
    func metrics(for font: OffprintCSS.FontStyle) -> FontRelativeMetrics {
      FontRelativeMetrics(
        xHeight: font.size / 2, capHeight: font.size, zeroAdvance: font.size / 2, icAdvance: font.size, normalLineHeight: font.size)
    }
  }

  init(_ body: String, css: String = "") throws {
    let html = "<!DOCTYPE html><style>body{margin:0;width:400px;font:16px/20px 'Liberation Sans'}\(css)</style><body>" + body
    var log = DiagnosticLog()
    let document = try HTMLParser.parse(Array(html.utf8), options: HTMLParserOptions(), diagnostics: &log)
    let styled = try StyleEngine.style(
      document, options: StyleEngine.Options(media: MediaEnvironment(width: 400, height: 600)), fontMetrics: Metrics())
    engine = LayoutEngine(
      tree: try BoxTreeBuilder.build(styled, images: ImageStore()), fonts: FontContext(fonts: FontSet(registry: Self.registry)),
      viewport: LayoutSize(width: LayoutUnit(400), height: LayoutUnit(600)), deadline: .never)
    let fragments = try engine.layoutPage()
    visit(fragments.root, .zero, fragments)
  }

  private mutating func visit(_ id: FragmentID, _ origin: LayoutPoint, _ tree: FragmentTree) {
    let fragment = tree[id]
    if fragment.kind == .text, !fragment.isHiddenForPaint, fragment.payload >= 0 {
      let text = String(decoding: tree.texts[Int(fragment.payload)].text, as: UTF8.self)
      words.append((text, LayoutRect(origin: origin, size: fragment.size), fragment))
    }
    for link in tree.children(of: id) { visit(link.fragment, origin + link.offset, tree) }
  }

  func word(_ text: String) -> (rect: LayoutRect, fragment: Fragment)? {
    words.first { $0.text == text }.map { ($0.rect, $0.fragment) }
  }

  /// The words in large font size.
  var large: [String] { words.filter { $0.fragment.style.font.size == 32 }.map(\.text) }
}

@Suite struct FirstLetterTests {
  private let css = "div::first-letter{font-size:32px}"

  @Test(
    "The first letter includes adjacent punctuation, but not spaces around it",
    arguments: [
      ("  abc", "a"), ("«abc", "«a"), ("(a)bc", "(a)"), ("“'a'”,bc", "“'a'”,"), ("𐄀a𐄁b", "𐄀a𐄁"), ("e\u{301}b", "e\u{301}"),
    ])
  func punctuation(_ text: String, _ letter: String) throws {
    #expect(try Page("<div>\(text)</div>", css: css).large == [letter])
  }

  @Test(
    "The first letter is found in inline boxes, generated content and blocks, but not after breaks or atomic inlines",
    arguments: [
      ("<div><i> </i><b>ab</b></div>", ["a"]), ("<div><p>ab</p></div>", ["a"]), ("<div class=x>b</div>", ["c"]),
      ("<div><br>ab</div>", []), ("<div><span style='display:inline-block'>a</span>b</div>", []),
      ("<div style='display:flex'>ab</div>", []), ("<div><s style='float:left'>x</s>ab</div>", ["a"]),
    ])
  func place(_ html: String, _ letters: [String]) throws {
    #expect(try Page(html, css: css + ".x::before{content:'cd'}").large == letters)
  }

  @Test("A first letter is transformed by its own style")
  func transform() throws {
    let page = try Page("<div>ab</div>", css: "div::first-letter{text-transform:uppercase}")
    #expect(page.words.map(\.text) == ["A", "b"])
  }

  @Test("The first line of a block is also that of the blocks around it")
  func nestedFirstLine() throws {
    let page = try Page("<div><p>a<br>b</p><p>c</p></div>", css: "div::first-line{font-size:32px}")
    #expect(page.large.filter { !$0.isEmpty && $0 != "\n" } == ["a"])
  }
}

@Suite struct EastAsianTextTests {
  @Test("A ruby annotation is centered over its base, and does not change the line's height if there is space")
  func ruby() throws {
    let page = try Page("<div style='line-height:60px'><ruby>mmmm<rt>i</rt></ruby></div>")
    let base = try #require(page.word("mmmm")), annotation = try #require(page.word("i"))
    #expect(annotation.rect.maxY <= base.rect.minY + LayoutUnit(3))
    let middles = ((annotation.rect.minX + annotation.rect.maxX) / 2, (base.rect.minX + base.rect.maxX) / 2)
    #expect(abs(middles.0.double - middles.1.double) < 0.1)
  }

  @Test("A line with a small line height is extended for annotations and emphasis marks")
  func room() throws {
    let plain = try #require(try Page("<div style='line-height:1'>m</div>").word("m"))
    let ruby = try #require(try Page("<div style='line-height:1'><ruby>m<rt>i</rt></ruby></div>").word("m"))
    let marked = try #require(try Page("<div style='line-height:1;text-emphasis:circle'>m</div>").word("m"))
    #expect(ruby.rect.minY > plain.rect.minY + LayoutUnit(6))
    #expect(marked.rect.minY > plain.rect.minY + LayoutUnit(6))
  }

  @Test("Emphasis marks are placed over letters, not over spaces and punctuation")
  func marks() throws {
    let page = try Page("<div style='text-emphasis:dot'>a b, c</div>")
    let fragment = try #require(page.words.first).fragment
    #expect(page.engine.fragments.texts[Int(fragment.payload)].emphasisCenters.count == 3)
  }

  @Test("Combined text takes one em of a vertical line")
  func combined() throws {
    let page = try Page("<div style='writing-mode:vertical-rl'>a<b style='text-combine-upright:all;font-weight:400'>2024</b>c</div>")
    let first = try #require(page.word("a")), last = try #require(page.word("c"))
    #expect(last.rect.minY == first.rect.maxY + LayoutUnit(16))
  }
}

@Suite struct TextTransformTests {
  private func text(_ html: String, _ transform: String, language: String = "en") throws -> String {
    try Page("<div lang=\(language) style='text-transform:\(transform)'>\(html)</div>").words.map(\.text).joined()
  }

  @Test(
    "Words are capitalized at word boundaries, across inline boxes",
    arguments: [
      ("hello o'brien", "Hello O'brien"), ("a<b>bc d</b>e", "Abc De"), ("mother-in-law", "Mother-In-Law"),
      ("3d _x e.g. (a", "3d _x E.G. (A"),
    ])
  func capitalize(_ html: String, _ result: String) throws {
    #expect(try text(html, "capitalize") == result)
  }

  @Test(
    "Case mappings depend on the language",
    arguments: [
      ("i", "uppercase", "tr", "İ"), ("Iİ", "lowercase", "tr", "ıi"), ("ijsland", "capitalize", "nl", "IJsland"),
      ("άυλος ή μαΐου", "uppercase", "el", "ΑΫΛΟΣ Ή ΜΑΪΟΥ"), ("ΑΣ ΣΑ", "lowercase", "el", "ας σα"),
      ("Ì", "lowercase", "lt", "i\u{307}\u{300}"),
    ])
  func languages(_ html: String, _ transform: String, _ language: String, _ result: String) throws {
    #expect(try text(html, transform, language: language) == result)
  }
}
