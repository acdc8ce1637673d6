import OffprintCSS
import OffprintCoreTypes
import OffprintDOM
import Testing
import OffprintTypography

@testable import OffprintLayout

/// A page parsed from HTML, laid out 400 px wide with the bundled fonts. Measured text is in Liberation Sans, 16 px.
private struct Lines {
  let engine: LayoutEngine
  private(set) var words: [(text: String, rect: LayoutRect)] = []
  private(set) var boxes: [(name: String, rect: LayoutRect)] = []

  private static let folder = String(#filePath.split(separator: "/").dropLast(3).reduce(into: "") { $0 += "/" + $1 }) + "/Fonts"
  private static let registry = FontRegistry(folders: [folder])

  private struct Metrics: FontMetricsProvider {
    func metrics(for font: OffprintCSS.FontStyle) -> FontRelativeMetrics {
      FontRelativeMetrics(
        xHeight: font.size / 2, capHeight: font.size, zeroAdvance: font.size / 2, icAdvance: font.size, normalLineHeight: font.size)
    }
  }

  init(_ body: String, css: String = "") throws {
    let html =
      "<!DOCTYPE html><style>body{margin:0;width:400px;font:16px/20px 'Liberation Sans'}\(css)</style><body>" + body
    var log = DiagnosticLog()
    let document = try HTMLParser.parse(Array(html.utf8), options: HTMLParserOptions(), diagnostics: &log)
    let styled = try StyleEngine.style(
      document, options: StyleEngine.Options(media: MediaEnvironment(width: 400, height: 600)), fontMetrics: Metrics())
    let tree = try BoxTreeBuilder.build(styled, images: ImageStore())
    engine = LayoutEngine(
      tree: tree, fonts: FontContext(fonts: FontSet(registry: Self.registry)),
      viewport: LayoutSize(width: LayoutUnit(400), height: LayoutUnit(600)), deadline: .never)
    let fragments = try engine.layoutPage()
    visit(fragments.root, .zero, fragments)
  }

  private mutating func visit(_ id: FragmentID, _ origin: LayoutPoint, _ tree: FragmentTree) {
    let fragment = tree[id]
    let rect = LayoutRect(origin: origin, size: fragment.size)
    if fragment.kind == .text, !fragment.isHiddenForPaint, fragment.payload >= 0 {
      words.append((String(decoding: tree.texts[Int(fragment.payload)].text, as: UTF8.self), rect))
    } else if fragment.kind == .box, !engine.tree[fragment.box].node.isNone {
      let document = engine.tree.styled.document
      let name = document.names.string(document[engine.tree[fragment.box].node].name)
      boxes.append((name, rect))
    }
    for link in tree.children(of: id) { visit(link.fragment, origin + link.offset, tree) }
  }

  /// The text of each line from left to right, with lines ordered by the top of their fragments.
  var text: [String] {
    var lines: [Int32: [(text: String, rect: LayoutRect)]] = [:]
    for word in words { lines[word.rect.minY.raw, default: []].append(word) }
    return lines.keys.sorted().map { key in
      (lines[key] ?? []).sorted { $0.rect.minX < $1.rect.minX }.map(\.text).joined()
    }
  }

  func box(_ name: String, _ index: Int = 0) -> LayoutRect? {
    let found = boxes.filter { $0.name == name }
    return index < found.count ? found[index].rect : nil
  }
}

@Suite struct InlineTests {
  @Test("White space collapses across inline boxes and is removed at the ends of a block")
  func collapse() throws {
    let lines = try Lines("<div>  a <b> b</b>\n c  <i> </i></div>")
    #expect(lines.text == ["a b c"])
  }

  @Test("Lines break at spaces, which hang, and at forced breaks")
  func wrapping() throws {
    let lines = try Lines("<div style='width:60px'>aaaa bbbb cccc<br>d</div>")
    #expect(lines.text == ["aaaa", "bbbb", "cccc", "", "d"].filter { !$0.isEmpty })
    #expect(lines.box("div")?.size.height == LayoutUnit(80))
  }

  @Test("Preserved line feeds and tabs keep their space")
  func preserved() throws {
    let lines = try Lines("<pre style='margin:0;font:16px/20px Liberation Mono'>a\tb\nc</pre>")
    let b = try #require(lines.words.first { $0.text == "b" })
    #expect(abs(b.rect.minX.double - 8 * 9.6015625) < 0.1)
    #expect(lines.box("pre")?.size.height == LayoutUnit(40))
  }

  @Test("A word too long for the line overflows, unless it may break anywhere")
  func overflowWrap() throws {
    #expect(try Lines("<div style='width:30px'>aaaaaaaa b</div>").text == ["aaaaaaaa", "b"])
    let broken = try Lines("<div style='width:30px;overflow-wrap:anywhere'>aaaaaaaa b</div>").text
    #expect(broken.first == "aaa")
    #expect(broken.joined() == "aaaaaaaab")
  }

  @Test("Lines do not break inside nowrap, but after it")
  func nowrap() throws {
    let lines = try Lines("<div style='width:60px'><span style='white-space:nowrap'>aaaa bbbb</span> cc</div>")
    #expect(lines.text == ["aaaa bbbb", "cc"])
  }

  @Test("A hyphen is inserted only where a word breaks at a soft hyphen")
  func softHyphen() throws {
    let lines = try Lines("<div style='width:50px'>aaaa&shy;bbbb</div><div><span>aa&shy;bb</span></div>")
    let first = try #require(lines.words.first)
    let whole = try Lines("<div><span>aaaa</span></div>")
    #expect(first.rect.size.width > (whole.box("span")?.size.width ?? .max))
    #expect(lines.box("span")?.size.width == whole.box("span")?.size.width)
  }

  @Test("Floats shorten adjacent lines, and lines below have the full width")
  func floats() throws {
    let lines = try Lines("<div style='width:100px'><b style='float:left;width:60px;height:20px'></b>aaaa bbbb cc</div>")
    #expect(lines.words.first?.rect.minX == LayoutUnit(60))
    #expect(lines.words.last?.rect.minX == .zero)
    #expect(lines.text == ["aaaa", "bbbb cc"])
  }

  @Test("A float in the middle of a line is placed next to it if it fits, otherwise below")
  func floatInLine() throws {
    let fits = try Lines("<div style='width:100px'>aa <b style='float:right;width:40px;height:5px'></b></div>")
    #expect(fits.box("b")?.origin == LayoutPoint(x: LayoutUnit(60)))
    let below = try Lines("<div style='width:100px'>aaaaaaaa <b style='float:right;width:60px;height:5px'></b>b</div>")
    #expect(below.box("b")?.minY == LayoutUnit(20))
  }

  @Test("Inline boxes have edges only at their ends, or on each line with box-decoration-break: clone")
  func edges() throws {
    let css = "span{padding:0 7px;border:1px solid}"
    let sliced = try Lines("<div style='width:60px'><span>aaaa bbbb</span></div>", css: css)
    #expect(sliced.boxes.filter { $0.name == "span" }.count == 2)
    #expect(sliced.words.map(\.rect.minX) == [LayoutUnit(8), .zero])
    let cloned = try Lines("<div style='width:60px'><span>aaaa bbbb</span></div>", css: css + "span{box-decoration-break:clone}")
    #expect(cloned.words.map(\.rect.minX) == [LayoutUnit(8), LayoutUnit(8)])
  }

  @Test("Inline boxes are aligned by their baselines, and vertical-align moves them")
  func verticalAlign() throws {
    let lines = try Lines(
      """
      <div><b></b>x</div><div style='line-height:40px'><b style='vertical-align:top'></b><b style='vertical-align:bottom'></b>\
      <b style='vertical-align:5px'></b>x</div>
      """, css: "b{display:inline-block;width:5px;height:10px}")
    // At 16 px the ascent is 13 and the descent 4. Of the leading of 3 px in a line of 20 px, 1 px is above.
    #expect(lines.box("b", 0)?.maxY == LayoutUnit(14))
    let top = try #require(lines.box("div", 1)).minY
    #expect(lines.box("b", 1)?.minY == top)
    #expect(lines.box("b", 2)?.maxY == top + LayoutUnit(40))
    #expect(lines.box("b", 3)?.maxY == top + LayoutUnit(11 + 13 - 5))
  }

  @Test("Superscripts increase the line height only as far as needed")
  func superscript() throws {
    let lines = try Lines("<div>x<sup style='font-size:16px;line-height:20px'>2</sup></div>")
    // A third of the parent's font size plus one pixel.
    let raise = LayoutUnit(16) / 3 + LayoutUnit(1)
    #expect(lines.box("div")?.size.height == LayoutUnit(20) + raise)
  }

  @Test("Text alignment follows direction and keyword; the last line of justified text is not expanded")
  func alignment() throws {
    let lines = try Lines(
      """
      <div style='text-align:right'><b>a</b></div><div style='text-align:center'><b>a</b></div><div dir=rtl><b>a</b></div>\
      <div style='text-align:justify;width:70px'>aa aa <i>aa</i> aa</div>
      """)
    #expect(lines.box("b", 0)?.maxX == LayoutUnit(400))
    #expect(abs((lines.box("b", 1)?.minX.double ?? 0) - 195.55) < 0.1)
    #expect(lines.box("b", 2)?.maxX == LayoutUnit(400))
    #expect(lines.box("i")?.maxX == LayoutUnit(70))
    #expect(lines.words.last?.rect.minX == .zero)
  }

  @Test("Right-to-left text is reordered visually, and a box around both directions is split")
  func bidi() throws {
    let lines = try Lines("<div>abc <b>אבג def</b></div>")
    #expect(lines.text == ["abc אבג def"])
    let rtl = try Lines("<div dir=rtl>אב <b>cd</b> גד</div>")
    let b = try #require(rtl.box("b"))
    let first = try #require(rtl.words.first { $0.text.hasPrefix("א") }), last = try #require(rtl.words.first { $0.text.hasSuffix("ד") })
    #expect(last.rect.maxX <= b.minX && b.maxX <= first.rect.minX)
  }

  @Test("An ellipsis replaces the text that does not fit")
  func ellipsis() throws {
    let lines = try Lines("<div style='width:60px;overflow:hidden;white-space:nowrap;text-overflow:ellipsis'>aaaa bbbb</div>")
    #expect(lines.text.first?.hasSuffix("…") == true)
    #expect((lines.words.last?.rect.maxX ?? .max) <= LayoutUnit(60))
  }

  @Test("Shrink-to-fit blocks are as wide as their longest line, or as narrow as their longest word")
  func intrinsicSizes() throws {
    let lines = try Lines(
      "<div style='float:left'>aaaa <i>bb</i></div><div style='width:min-content'>a <i>bbb</i>b</div>", css: "div{clear:both}")
    #expect(abs((lines.box("div", 0)?.size.width.double ?? 0) - (6 * 8.8984375 + 4.4453125)) < 0.1)
    #expect(abs((lines.box("div", 1)?.size.width.double ?? 0) - 4 * 8.8984375) < 0.1)
  }

  @Test("Absolutely positioned boxes have a static position: in the line if inline-level, below it if block-level")
  func staticPosition() throws {
    let lines = try Lines(
      "<div>aa<b style='position:absolute'>b</b></div><div>aa<i style='position:absolute;display:block'>b</i></div>")
    #expect(abs((lines.box("b")?.minX.double ?? 0) - 2 * 8.8984375) < 0.1)
    #expect(lines.box("i")?.origin == LayoutPoint(x: .zero, y: LayoutUnit(40)))
  }

  @Test("Relative positioning moves an inline box with its text only")
  func relative() throws {
    let lines = try Lines("<div>a<b style='position:relative;left:5px;top:3px'>b</b>c</div>")
    let plain = try Lines("<div>a<b>b</b>c</div>")
    #expect(lines.box("b")?.origin == plain.box("b").map { $0.origin + LayoutPoint(x: LayoutUnit(5), y: LayoutUnit(3)) })
    #expect(lines.words.last?.rect == plain.words.last?.rect)
  }

  @Test("Balanced lines have similar lengths and the same number")
  func balance() throws {
    let text = "aa aa aa aa aa aa aa aa"
    let plain = try Lines("<div style='width:130px'>\(text)</div>").text
    let balanced = try Lines("<div style='width:130px;text-wrap:balance'>\(text)</div>").text
    #expect(balanced.count == plain.count)
    func spread(_ lines: [String]) -> Int { (lines.map(\.count).max() ?? 0) - (lines.map(\.count).min() ?? 0) }
    #expect(spread(balanced) < spread(plain))
  }
}
