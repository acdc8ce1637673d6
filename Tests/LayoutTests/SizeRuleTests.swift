import Testing

@testable import OffprintLayout

/// Expected numbers are Chromium's.
@Suite("calc-size(), scrollbar gutters and containing blocks") struct SizeRuleTests {
  @Test("calc-size() computes with the size of its basis")
  func calcSize() throws {
    let page = try HTMLPage(
      """
      <div id=a style='width:calc-size(max-content, size + 20px)'><i></i></div>
      <div id=b style='height:calc-size(auto, size * 2 + 5px)'><i></i></div>
      <div id=c style='width:calc-size(50%, size + 10px)'></div><div id=d style='width:calc-size(any, 30px)'></div>
      """, css: "i{display:block;width:50px;height:10px}")
    #expect(page["a"] == [0, 0, 70, 10])
    #expect(page["b"] == [0, 10, 400, 25])
    #expect(page["c"] == [0, 35, 210, 0])
    #expect(page["d"] == [0, 35, 30, 0])
  }

  @Test("A stable gutter reserves space in scroll containers, with both-edges on both sides")
  func gutter() throws {
    let page = try HTMLPage(
      """
      <div style='overflow:auto;scrollbar-gutter:stable;width:100px'><p id=b></p></div>
      <div style='overflow:hidden;scrollbar-gutter:stable both-edges;scrollbar-width:thin;width:100px;position:relative;height:10px'>
      <p id=c></p><div id=d style='position:absolute;inset:0'></div></div><div style='scrollbar-gutter:stable'><p id=e></p></div>
      """, css: "p{margin:0;height:10px}")
    #expect(page["b"] == [0, 0, 85, 10])
    #expect(page["c"] == [10, 10, 80, 10])
    #expect(page["d"] == [10, 10, 80, 10])
    #expect(page["e"] == [0, 20, 400, 10])
  }

  @Test("The gutter of the root element applies to the viewport")
  func rootGutter() throws {
    let page = try HTMLPage("<p id=b></p>", css: "html{scrollbar-gutter:stable} p{margin:0;height:10px}")
    #expect(page["b"] == [0, 0, 385, 10])
  }

  @Test("A range with a percentage width is compressible, one with a percentage maximum is not, and grids stretch it")
  func ranges() throws {
    let page = try HTMLPage(
      """
      <div id=a style='display:inline-grid;grid:auto/min-content'><input type=range style='width:50%;margin:0'></div>
      <div id=b style='display:inline-grid;grid:auto/min-content'><input type=range style='max-width:50%;margin:0'></div>
      <div style='display:grid;grid:auto/30px'><input type=range id=c style='margin:0;min-width:0'></div>
      """)
    #expect(page["a"]?[2] == 0)
    #expect(page["b"]?[2] == 129)
    #expect(page["c"]?[2] == 30)
  }

  @Test("The available width of an absolutely positioned table is limited by its containing block")
  func tables() throws {
    let page = try HTMLPage(
      """
      <div style='position:relative;width:100px;margin-left:100px'><div style='margin-left:-100px'>
      <table id=a style='position:absolute;border-spacing:0'><td><i></i> <i></i> <i></i></table></div></div>
      """, css: "i{display:inline-block;width:40px}")
    #expect(page["a"]?[2] == 100)
  }

  @Test("The maximum height of a grid does not limit its rows")
  func grids() throws {
    let page = try HTMLPage(
      "<div style='display:grid;max-height:10px'><div id=a style='min-height:0'><p></p></div></div>", css: "p{margin:0;height:20px}")
    #expect(page["a"] == [0, 0, 400, 20])
  }

  @Test("A list of suggestions makes a range higher, with or without marks")
  func marks() throws {
    let page = try HTMLPage(
      "<datalist id=l><option value=50></datalist><input type=range list=l id=a><input type=range list=no id=b>", css: "input{margin:0}")
    #expect(page["a"]?[3] == 22)
    #expect(page["b"]?[3] == 16)
  }
}
