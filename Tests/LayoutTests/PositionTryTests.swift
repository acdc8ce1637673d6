import OffprintCSS
import Testing

@testable import OffprintLayout

/// Expected numbers are Chromium's.
@Suite("Position fallbacks of anchor-positioned boxes") struct PositionTryTests {
  private static let css = """
    .c{position:relative;width:180px;height:110px}
    #p{position:absolute;margin:0;left:10px;top:80px;width:40px;height:20px;anchor-name:--a}
    #a{position:absolute;position-anchor:--a;width:60px;height:30px}
    @position-try --r{position-area:right;width:20px}
    """

  private func place(_ style: String, css: String = "") throws -> [Double]? {
    try HTMLPage("<div class=c><p id=p></p><div id=a style='\(style)'></div></div>", css: Self.css + css)["a"]
  }

  @Test("A box that does not fit below its anchor is placed above it")
  func flips() throws {
    #expect(try place("position-area:bottom;position-try:flip-block") == [0, 50, 60, 30])
    #expect(try place("position-area:bottom;position-try:flip-inline") == [0, 80, 60, 30])
  }

  @Test("A @position-try rule sets position and size")
  func rules() throws {
    #expect(try place("position-area:bottom;position-try:--r") == [50, 75, 20, 30])
    #expect(try place("position-area:bottom;position-try:--none, --r") == [50, 75, 20, 30])
  }

  @Test("flip-start swaps the axes, including sizes")
  func transposes() throws {
    let css = ".c{height:150px} #p{top:100px} #a{width:30px;height:40px}"
    #expect(try place("position-area:bottom span-right;position-try:flip-start", css: css) == [50, 100, 40, 30])
  }

  @Test("position-try-order prefers the position with the most space")
  func orders() throws {
    let css = "#p{left:60px;top:40px} #a{width:30px;height:20px}"
    #expect(try place("position-area:left;position-try:most-width right, top", css: css) == [65, 20, 30, 20])
  }

  @Test("With no-overflow a box without space is hidden, otherwise it is not")
  func hides() throws {
    func opacity(_ visibility: String) throws -> Float? {
      let page = try HTMLPage(
        "<div class=c><p id=p></p><div id=a style='position-area:bottom;position-visibility:\(visibility)'></div></div>", css: Self.css)
      return page.engine.fragments.fragments.last { $0.style.box.positionArea != nil }?.style.effects.opacity
    }
    #expect(try opacity("no-overflow") == 0)
    #expect(try opacity("always") == 1)
  }

  @Test("Boxes with the same rule are positioned and hidden independently, without changing the document's styles")
  func sharesStyles() throws {
    let page = try HTMLPage(
      """
      <div class=c><p class=p style='top:80px'></p><div class=a id=up></div></div>
      <div class=c><p class=p style='top:0'></p><div class=a id=down></div></div>
      <div class=c><p class=p style='top:20px;height:70px'></p><div class=a id=none></div></div>
      """,
      css: """
        .c{position:relative;width:180px;height:110px} .p{position:absolute;margin:0;left:10px;width:40px;height:20px;anchor-name:--a}
        .c{anchor-scope:--a}
        .a{position:absolute;position-anchor:--a;width:60px;height:30px;position-area:bottom;position-try:flip-block;
           position-visibility:no-overflow}
        """)
    #expect(page["up"] == [0, 50, 60, 30] && page["down"] == [0, 130, 60, 30])
    let tree = page.engine.tree, boxes = tree.boxes.indices.filter { !tree.boxes[$0].style.box.positionTry.fallbacks.isEmpty }
    #expect(boxes.map { tree.boxes[$0].style.effects.opacity } == [1, 1, 0])
    let styles = boxes.compactMap { tree.styled.style(of: tree.boxes[$0].node) }
    #expect(styles.count == 3 && styles.allSatisfy { $0.effects.opacity == 1 && $0.box.positionArea == styles[0].box.positionArea })
  }

  @Test("An aligned box that overflows is shifted into its containing block, unless alignment is unsafe")
  func movesBack() throws {
    let page = try HTMLPage(
      """
      <div class=b><div id=a style='left:70px;right:0;justify-self:center'></div>
      <div id=b style='left:30px;right:30px;justify-self:unsafe end;width:80px'></div>
      <div id=d style='left:30px;right:30px;justify-self:center;width:140px'></div></div>
      """, css: ".b{position:relative;width:100px;height:50px} .b div{position:absolute;width:60px;height:20px}")
    #expect(page["a"] == [40, 0, 60, 20])
    #expect(page["b"] == [-10, 0, 80, 20])
    #expect(page["d"] == [0, 0, 140, 20])
  }
}
