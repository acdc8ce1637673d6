import Testing

@testable import OffprintLayout

@Suite struct ReplacedTests {
  @Test("A frame with only a height keeps its width; a canvas keeps its ratio")
  func frames() throws {
    let page = try HTMLPage(
      "<iframe id=frame></iframe><canvas id=canvas></canvas>", css: "iframe,canvas{height:50px;border:0;display:block}")
    #expect(page["frame"] == [0, 0, 300, 50])
    #expect(page["canvas"] == [0, 50, 100, 50])
  }
}
