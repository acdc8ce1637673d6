import OffprintCoreTypes
import OffprintDOM
import Testing

@testable import OffprintCSS

@Suite("@page rules")
struct PageRuleTests {
  @Test("Page sizes are names, lengths and orientations")
  func sizes() {
    #expect(PageRule.Size(text: "letter") == .px(width: 816, height: 1056))
    #expect(PageRule.Size(text: "Letter landscape") == .px(width: 1056, height: 816))
    #expect(PageRule.Size(text: "landscape legal") == .px(width: 1344, height: 816))
    #expect(PageRule.Size(text: "landscape") == .orientation(.landscape))
    #expect(PageRule.Size(text: "2in") == .px(width: 192, height: 192))
    #expect(PageRule.Size(text: "300px 4in") == .px(width: 300, height: 384))
    #expect(PageRule.Size(text: "auto") == .auto)
    for wrong in ["", "A4 A5", "10", "0", "-1cm", "1cm 2cm 3cm", "A4 10cm", "10%", "wide", "1cm auto"] {
      #expect(PageRule.Size(text: wrong) == nil, "\(wrong)")
    }
  }

  @Test("Page margins are one to four lengths")
  func margins() {
    #expect(PageRule.Margin.all(text: "1in") == Array(repeating: .px(96), count: 4))
    #expect(PageRule.Margin.all(text: "0 10%") == [.px(0), .percentage(10), .px(0), .percentage(10)])
    #expect(PageRule.Margin.all(text: "1px 2px 3px 4px") == [.px(1), .px(2), .px(3), .px(4)])
    for wrong in ["", "5", "1px 2px 3px 4px 5px", "thick", "1px,2px"] { #expect(PageRule.Margin.all(text: wrong) == nil, "\(wrong)") }
  }

  @Test("Declarations after a margin box without semicolon apply, as do names and pseudo-classes")
  func marginBoxes() throws {
    let html = """
      <style>@page { @top-left { content: "a" } margin: 10px; @nowhere { content: "b" } size: A5 }
      @page wide:left { margin: 20px }</style>
      """
    var diagnostics = DiagnosticLog()
    let document = try HTMLParser.parse(Array(html.utf8), options: HTMLParserOptions(), diagnostics: &diagnostics)
    let rules = try StyleEngine.style(
      document, options: StyleEngine.Options(media: MediaEnvironment(width: 100, height: 100)), fontMetrics: FixedMetrics()
    ).pageRules
    #expect(rules.count == 2 && rules.first?.boxes.keys.map { $0 } == [.topLeft])
    #expect(PageStyle(rules, [.left]).margins == Array(repeating: .px(10), count: 4))
    #expect(PageStyle(rules, [.left], name: "wide").margins == Array(repeating: .px(20), count: 4))
    #expect(PageStyle(rules, [.right], name: "wide").margins == Array(repeating: .px(10), count: 4))
    #expect(PageStyle(rules, []).size == PageRule.Size(text: "A5"))
  }
}
