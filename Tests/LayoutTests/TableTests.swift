import OffprintCoreTypes
import Testing

@testable import OffprintLayout

/// https://drafts.csswg.org/css-tables-3/
@Suite struct TableTests {
  @Test("In a fixed table a percentage is increased by the cell's paddings, and columns shrink proportionally")
  func fixedPercentages() throws {
    let page = try HTMLPage(
      "<table style='table-layout:fixed;width:100px;border-spacing:0'><tr><td id=a>"
        + "<td id=b style='width:50%;padding:0 25px'><td id=c></table>",
      css: "td{padding:0;height:10px}")
    #expect(page["a"]?[2] == 0)
    #expect(page["b"]?.prefix(3) == [0, 0, 100])
    #expect(page["c"]?[2] == 0)
  }

  @Test("A fixed table with a percentage width has an unlimited max-content size")
  func fixedContribution() throws {
    let page = try HTMLPage(
      "<div id=a style='float:left;max-width:250px'><table style='table-layout:fixed;width:100%'><tr><td>x</table></div>")
    #expect(page["a"]?[2] == 250)
  }

  @Test("The baseline of a table without lines is the lower edge of its first row's contents")
  func emptyBaseline() throws {
    let page = try HTMLPage(
      "<div style='line-height:0'><table id=t style='display:inline-table;border-spacing:0'><tr><td style='height:50px;padding:0'></table>"
        + "<i id=i style='display:inline-block;width:1px;height:20px'></i></div>")
    #expect(page["i"]?[1] == (page["t"]?[1]).map { $0 + 30 })
  }

  @Test("An orthogonal cell is as wide as its block size")
  func orthogonalCell() throws {
    let page = try HTMLPage(
      "<div id=c style='display:table-cell;writing-mode:vertical-rl;height:60px'>"
        + "<p style='margin:0;width:30px'></p><p style='margin:0;width:12px'></p></div>")
    #expect(page["c"]?.suffix(2) == [42, 60])
  }

  @Test("Spans beyond all limits terminate, also with collapsed borders")
  func limits() throws {
    let rows = String(repeating: "<tr><td colspan=1000 rowspan=65534>a" + String(repeating: "<td colspan=1000>b", count: 12), count: 500)
    let page = try HTMLPage("<table id=t style='border-collapse:collapse'>\(rows)</table>")
    #expect(page["t"] != nil)
    #expect(page.engine.diagnostics.entries.contains { $0.code.rawValue == "limitExceeded" })
  }

  @Test("Extreme lengths result in boxes")
  func extremes() throws {
    let page = try HTMLPage(
      "<div id=a style='width:1e9px;height:1e9px;float:left;shape-outside:circle()'></div><p id=b style='margin:-1e9px;padding:1e9px'>x</p>"
        + "<div id=c style='width:calc(1px*NaN);height:calc(infinity*1px)'></div><div id=d style='columns:10000'>x y</div>")
    for id in ["a", "b", "c", "d"] { #expect(page[id] != nil) }
  }
}
