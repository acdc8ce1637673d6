import OffprintCoreTypes
import Testing

@testable import OffprintLayout

@Suite("Table columns and collapsed borders") struct TablePartTests {
  private static let css = "table{border-spacing:2px;width:100px;table-layout:fixed} td{padding:0;height:10px}"

  @Test("Columns and column groups are as high as all rows and as wide as their cells")
  func columns() throws {
    let page = try HTMLPage(
      "<table><colgroup id=g><col id=a><col id=b></colgroup><col id=c><tr><td><td><td><tr><td><td><td></table>", css: Self.css)
    #expect(page["a"] == [2, 2, 30.65625, 22])
    #expect(page["g"]?[1...] == [2, (page["b"] ?? [0, 0, 0])[0] + (page["b"] ?? [0, 0, 0])[2] - 2, 22])
    #expect((page["c"] ?? [0])[0] > (page["b"] ?? [0])[0])
  }

  @Test("A collapsed column removes its width and its gap from the table, and its cells are not painted")
  func collapsedColumns() throws {
    let page = try HTMLPage(
      "<table id=t><col><col style='visibility:collapse'><col><tr><td id=a><td id=b>x<td id=c><tr><td><td id=d colspan=2></table>",
      css: "table{border-spacing:4px} td{padding:0;width:20px;height:20px}")
    #expect(page["t"] == [0, 0, 52, 52])
    #expect(page["b"] == [24, 4, 0, 20])
    #expect(page["c"] == [28, 4, 20, 20])
    #expect(page["d"] == [24, 28, 24, 20])
    let hidden = page.engine.fragments.fragments.filter { $0.isHiddenForPaint }
    #expect(hidden.count == 1 && hidden.allSatisfy { $0.isOmittedFromPaint })
  }

  @Test("At a crossing of collapsed borders of equal width, the border of the first box continues")
  func joints() throws {
    let page = try HTMLPage(
      "<table style='border-collapse:collapse'><tr><td style='border:4px solid blue'><td style='border:4px solid red'></table>",
      css: Self.css)
    let segments = try #require(page.engine.fragments.collapsedBorders.first).segments
    let top = segments.filter { $0.isHorizontal && $0.rect.minY == segments[0].rect.minY }
    #expect(top.count == 2 && top[0].rect.maxX == top[1].rect.minX)
    // The blue border extends across the crossing.
    let middle = segments.filter { !$0.isHorizontal }.map(\.rect.maxX).sorted()[1]
    #expect(top[0].rect.maxX == middle)
  }
}
