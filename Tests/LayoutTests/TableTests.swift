import Testing

@testable import Layout

@Suite struct TableTests {
  @Test("A box as wide as its content gives a fixed table of a percentage all the room there is, an automatic one only what it needs")
  func fixedPercentageTable() throws {
    let page = try HTMLPage(
      """
      <div style="display:inline-block;max-width:300px" id=fixed><table style="width:100%;table-layout:fixed"><td>a</table></div>
      <div style="display:inline-block;max-width:300px" id=automatic><table style="width:100%"><td style="padding:0 10px;width:20px">a</table></div>
      """, css: "table{border-spacing:0}")
    #expect(page["fixed"]?[2] == 300)
    #expect(page["automatic"]?[2] == 40)
  }
}
