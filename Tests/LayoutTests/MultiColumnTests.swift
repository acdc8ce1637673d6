import OffprintCoreTypes
import Testing

@testable import OffprintLayout

@Suite("Multi-column containers")
struct MultiColumnTests {
  @Test("Content is distributed over columns of equal height")
  func balances() throws {
    let page = try HTMLPage(
      "<div id=m style='columns:2;column-gap:0;width:200px;orphans:1;widows:1'><p id=a style='margin:0'>a<br>b<br>c</p><p id=b style='margin:0'>d</p></div>"
    )
    #expect(page["m"]?[3] == 40)
    #expect(page["b"] == [100, 20, 100, 20])
  }

  @Test("column-fill: auto fills columns sequentially")
  func fills() throws {
    let page = try HTMLPage(
      "<div style='columns:3;column-gap:0;width:300px;height:60px;column-fill:auto'><i id=a style='display:block;height:50px'></i><i id=b style='display:block;height:30px;break-inside:avoid'></i></div>"
    )
    #expect(page["a"] == [0, 0, 100, 50])
    #expect(page["b"] == [100, 0, 100, 30])
  }

  @Test("A spanner splits the block that contains it")
  func nestedSpanner() throws {
    let page = try HTMLPage(
      """
      <div style="columns:2;column-gap:20px;width:220px"><div><i id=a style="display:block;height:20px;break-inside:avoid"></i>
      <h1 id=s style="column-span:all;margin:5px 0;height:10px"></h1><i id=b style="display:block;height:30px;break-inside:avoid"></i></div></div>
      """)
    #expect(page["a"] == [0, 0, 100, 20])
    #expect(page["s"] == [0, 25, 220, 10])
    #expect(page["b"] == [0, 40, 100, 30])
  }

  @Test("A break after a last child is a break after its parent")
  func breakAfterLastChild() throws {
    let page = try HTMLPage(
      "<div style='columns:2;column-gap:0;width:200px'><div><i style='display:block;height:10px;break-after:column'></i></div><i id=b style='display:block;height:5px'></i></div>"
    )
    #expect(page["b"]?[0] == 100)
    #expect(page["b"]?[1] == 0)
  }

  @Test("In vertical writing modes columns are stacked vertically")
  func vertical() throws {
    let page = try HTMLPage(
      """
      <div style="writing-mode:vertical-rl;columns:2;column-gap:0;height:200px;width:max-content"><i id=a style="display:block;width:30px;break-inside:avoid"></i>
      <i id=b style="display:block;width:30px;break-inside:avoid"></i></div>
      """)
    #expect(page["a"] == [0, 0, 30, 100])
    #expect(page["b"] == [0, 100, 30, 100])
  }

  @Test("Columns are recorded for their rules, from the first to the last with content")
  func columnsOfRules() throws {
    let page = try HTMLPage("<div style='columns:3;column-gap:10px;width:320px'><i style='display:block;height:20px'></i></div>")
    #expect(page.engine.fragments.columns.first?.count == 3)
    #expect(page.engine.fragments.columns.first?.last?.minX == LayoutUnit(220))
  }
}
