import Testing

@testable import OffprintLayout

@Suite struct FloatMeasureTests {
  @Test("The max-content size of a box with floats is its widest line with the floats next to it, not those of other lines")
  func widestLine() throws {
    let page = try HTMLPage(
      """
      <div id=box style="float:left"><i style="float:left;width:50px"></i><b></b><br><b></b><i style="float:right;width:30px"></i></div>
      """, css: "b{display:inline-block;width:100px;height:10px}")
    #expect(page["box"]?[2] == 150)
  }
}
