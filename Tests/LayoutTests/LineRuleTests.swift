import Testing

@testable import OffprintLayout

/// Expected numbers are Chromium's.
@Suite("First lines, last lines and line ends") struct LineRuleTests {
  @Test("text-box-trim propagates through blocks, but not through edges")
  func trim() throws {
    let page = try HTMLPage(
      "<div id=a><div id=b><p id=c>x</p></div><section id=d><p id=e>x</p></section></div>",
      css: """
        div{text-box:trim-both cap alphabetic} #b,section,p{text-box-trim:none} section{padding-bottom:1px}
        p{margin:0;font:10px/30px Liberation Sans}
        """)
    #expect(page["c"] == [0, 0, 400, 19.875])
    #expect(page["e"] == [0, 19.875, 400, 30])
  }

  @Test("Lines may break on both sides of an atomic inline, whatever the adjacent characters")
  func atomics() throws {
    let page = try HTMLPage(
      "<p id=a><i></i>.</p><p id=b>x<span><i></i></span></p><p id=c style='white-space:nowrap'><i></i>.</p>",
      css: "p{width:0;margin:0} i{display:inline-block;width:5px;height:5px} span{unicode-bidi:isolate}")
    #expect(page["a"] == [0, 0, 0, 40])
    #expect(page["b"] == [0, 40, 0, 40])
    #expect(page["c"] == [0, 80, 0, 20])
  }

  @Test("Lines after a block have no first-line indent, also in intrinsic sizes")
  func indent() throws {
    let page = try HTMLPage("<div id=a style='float:left;text-indent:20px'><p></p>x</div>", css: "p{margin:0}")
    #expect(page["a"] == [0, 0, 8, 20])
  }

  @Test("Only the first line has the text-transform of ::first-line, which affects where it breaks")
  func firstLine() throws {
    let page = try HTMLPage("<p id=a>aa aa aa aa</p>", css: "p{width:60px;margin:0} p::first-line{text-transform:uppercase}")
    let texts = page.engine.fragments.texts.map { String(decoding: $0.text, as: UTF8.self).trimmingPrefix(" ") }
    #expect(texts.contains { $0.hasPrefix("AA AA") })
    #expect(texts.contains { $0.hasPrefix("aa") })
  }
}
