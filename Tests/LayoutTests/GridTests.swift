import OffprintCoreTypes
import Testing

@testable import OffprintLayout

@Suite("Grid containers")
struct GridTests {
  @Test("The contribution of an item spanning a max-content and a limited track goes to the first beyond the limit")
  func maxContentBeyondLimits() throws {
    let page = try HTMLPage(
      """
      <div style="display:inline-grid;grid-template-columns:max-content minmax(max-content,min-content)">
      <div id=a style="grid-column:span 2"><i style="float:left;width:40px;height:5px"></i><i style="float:left;width:40px;height:5px"></i></div>
      <div id=b></div><div id=c></div></div>
      """)
    #expect(page["b"]?[2] == 60)
    #expect(page["c"]?[2] == 20)
  }

  @Test("Flex factors with a sum below 1 leave free space in a container of definite size")
  func factorsBelowOne() throws {
    let page = try HTMLPage(
      "<div style='display:grid;width:100px;grid-template-columns:0.2fr 0.3fr'><i id=a></i><i id=b></i></div>")
    #expect(page["a"]?[2] == 20)
    #expect(page["b"]?[2] == 30)
  }

  @Test("Percentage margins of items do not enlarge their tracks")
  func percentageMargins() throws {
    let page = try HTMLPage(
      "<div style='display:inline-grid;grid-template-columns:40px max-content'><i></i><i id=a style='margin-left:25%'><b style='float:left;width:40px;height:5px'></b></i></div>"
    )
    #expect(page["a"]?[0] == 50)
    #expect(page["a"]?[2] == 30)
  }

  @Test("An absolutely positioned child without insets is aligned in its grid area")
  func staticPositionInArea() throws {
    let page = try HTMLPage(
      """
      <div style="position:relative;display:grid;width:200px;height:100px;padding:10px;grid:40px 40px/50px 60px">
      <i id=a style="position:absolute;width:10px;height:10px;grid-area:2/2/3/3;justify-self:end;align-self:center"></i>
      <i id=b style="position:absolute;width:10px;height:10px;justify-self:center"></i></div>
      """)
    #expect(page["a"] == [110, 65, 10, 10])
    #expect(page["b"] == [105, 0, 10, 10])
  }

  @Test("The end line of the first track is not the end of a gutter")
  func areasLeaveGuttersOut() throws {
    let page = try HTMLPage(
      """
      <div style="position:relative;display:grid;gap:20px;grid:40px 40px/50px 60px">
      <i id=a style="position:absolute;inset:0;grid-area:1/1/2/2"></i><i id=b style="position:absolute;inset:0;grid-area:2/2"></i></div>
      """)
    #expect(page["a"] == [0, 0, 50, 40])
    #expect(page["b"]?[0] == 70)
    #expect(page["b"]?[1] == 60)
  }

  @Test("Items of a subgrid size the parent's columns and are placed in them")
  func subgridColumns() throws {
    let page = try HTMLPage(
      """
      <div style="display:inline-grid;vertical-align:top;grid-template-columns:auto auto;column-gap:10px">
      <div style="display:grid;grid-column:span 2;grid-template-columns:subgrid;padding:0 5px">
      <i id=a style="width:60px;height:9px"></i><i id=b style="width:30px;height:9px"></i></div>
      <i id=c style="height:5px"></i><i id=d style="width:50px;height:5px"></i></div>
      """)
    #expect(page["a"] == [5, 0, 60, 9])
    #expect(page["b"] == [75, 0, 30, 9])
    #expect(page["c"]?[2] == 65)
    #expect(page["d"] == [75, 9, 50, 5])
  }

  @Test("A subgrid shares the parent's rows and their names")
  func subgridRows() throws {
    let page = try HTMLPage(
      """
      <div style="display:grid;grid-template-rows:[top] 20px [middle] 30px [bottom];grid-template-columns:100px 100px">
      <div style="grid-row:top/bottom;display:grid;grid-template-rows:subgrid"><i id=a style="grid-row:middle"></i></div></div>
      """)
    #expect(page["a"] == [0, 20, 100, 30])
  }

  @Test("Last baselines are aligned at the end of the row")
  func lastBaseline() throws {
    let page = try HTMLPage(
      """
      <div style="display:grid;grid-template-columns:50px 50px;align-items:last baseline">
      <div id=a>a<br>b</div><div id=b style="padding-bottom:10px">c</div></div>
      """)
    #expect(page["a"]?[1] == 0)
    #expect(page["b"]?[1] == 20)
  }

  @Test("Dense packing fills holes, sparse packing leaves them", arguments: [("row dense", 0.0), ("row", 20.0)])
  func packing(flow: String, y: Double) throws {
    let page = try HTMLPage(
      """
      <div style="display:grid;grid-template-columns:10px 10px 10px;grid-auto-rows:10px;grid-auto-flow:\(flow)">
      <i style="grid-column:span 2"></i><i style="grid-column:span 3"></i><i id=a></i></div>
      """)
    #expect(page["a"]?[1] == y)
  }

  @Test("Flexible rows take the size that a flexed column container provides")
  func flexedGrid() throws {
    let page = try HTMLPage(
      """
      <div style="display:flex;flex-direction:column;width:200px;min-height:200px">
      <div style="display:grid;grid:1fr/1fr;flex-grow:1"><div><div id=a style="height:100%"></div></div></div></div>
      """)
    #expect(page["a"] == [0, 0, 200, 200])
  }

  @Test(
    "Extreme numbers are clamped, and layout terminates",
    arguments: [
      "grid-template-columns:repeat(1000000000,1px)", "grid-template-columns:1e308fr 1fr", "grid-auto-rows:99999999999999999999px",
      "grid-template-rows:repeat(1000000000,[a] 1px [b] 2px)", "gap:-10px", "gap:calc(NaN * 1px)", "grid-auto-columns:calc(infinity * 1fr)",
      "grid-template-columns:repeat(auto-fill,0px)", "grid-template-columns:repeat(auto-fill,minmax(0,1e-30px))",
    ])
  func hostileContainers(style: String) throws {
    let page = try HTMLPage("<div id=g style='display:grid;\(style)'><i id=a></i><i></i></div>", deadline: Deadline(after: .seconds(10)))
    #expect(page["a"] != nil)
  }

  @Test(
    "Extreme lines and spans are clamped, and layout terminates",
    arguments: [
      "grid-row:2147483647", "grid-column:-2147483648", "grid-area:1/1/2147483647/2147483647", "grid-column:span 2147483647",
      "grid-row:99999999999999999999", "grid-column:x 2147483647", "grid-column:span x 2147483647/5", "order:-2147483648",
    ], ["row", "column dense"])
  func hostileItems(style: String, flow: String) throws {
    let page = try HTMLPage(
      "<div style='display:grid;grid-auto-flow:\(flow)'><i id=a style='\(style)'></i><i style='\(style)'></i><i id=b></i></div>",
      // Without clamping this would never terminate.
      deadline: Deadline(after: .seconds(300)))
    #expect(page["a"] != nil && page["b"] != nil)
  }

  @Test(
    "A clamped grid is reported",
    arguments: ["grid-template-columns:repeat(1000000,1px)'><i>", "'><i style='grid-row:2147483647'>"])
  func clampingIsReported(html: String) throws {
    let page = try HTMLPage("<div style='display:grid;\(html)</i></div>")
    #expect(page.engine.diagnostics.entries.contains { $0.code == "gridClamped" })
  }
}
