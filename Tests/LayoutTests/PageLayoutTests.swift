import OffprintCSS
import OffprintCoreTypes
import Testing

@testable import OffprintLayout

@Suite("Pages") struct PageLayoutTests {
  private static let areas = PageAreas(PageAreas.Sizes(first: LayoutUnit(100), even: LayoutUnit(100), odd: LayoutUnit(100)))

  private func page(_ body: String, css: String = "", _ areas: PageAreas = areas) throws -> HTMLPage {
    try HTMLPage(body, css: "*{margin:0}i{display:block;height:40px}" + css, pages: areas)
  }

  @Test("A box continues on the next page with its remaining content")
  func brokenBoxes() throws {
    let page = try page("<i></i><div id=a style='height:130px'></div><i id=b></i>")
    #expect(page.fragments["a"] == [[0, 40, 400, 60], [0, 100, 400, 70]])
    #expect(page.fragments["b"] == [[0, 170, 400, 30], [0, 200, 400, 10]])
    #expect(page.engine.pageExtents.map(\.end.double) == [100, 200, 300])
  }

  @Test("Content that cannot be broken and is taller than a page extends into the following pages")
  func monolithicOverflow() throws {
    let page = try page("<i></i><svg id=a style='display:block;width:9px;height:250px'></svg><i id=b></i>")
    #expect(page.fragments["a"] == [[0, 100, 9, 250]])
    #expect(page["b"] == [0, 350, 400, 40])
    #expect(page.engine.pageExtents.count == 4)
  }

  @Test("Scroll containers are broken on pages")
  func scrollContainers() throws {
    let page = try page("<i></i><div id=a style='overflow:hidden'><i></i><i id=b></i></div>")
    #expect(page.fragments["a"] == [[0, 40, 400, 60], [0, 100, 400, 20]])
    #expect(page["b"] == [0, 100, 400, 20])
  }

  @Test("First, even and odd pages have different heights")
  func heights() throws {
    let areas = PageAreas(PageAreas.Sizes(first: LayoutUnit(40), even: LayoutUnit(80), odd: LayoutUnit(120)))
    let page = try page("<i></i><i></i><i></i><i id=a></i><i></i><i></i><i id=b></i>", areas)
    #expect(page.engine.pageExtents.map(\.end.double) == [40, 120, 240, 320])
    #expect(page["a"] == [0, 120, 400, 40] && page["b"] == [0, 240, 400, 40])
  }

  @Test("Boxes with different page names are separated by a page break, and named pages have their own size")
  func names() throws {
    let narrow = PageAreas.Sizes(first: LayoutUnit(50), even: LayoutUnit(50), odd: LayoutUnit(50))
    let areas = PageAreas(Self.areas.sizes, named: [ByteString("n"): narrow])
    let page = try page("<i></i><div style='page:n'><i id=a></i><i id=b></i></div><i id=c></i>", areas)
    #expect(page.engine.pageExtents.map(\.end.double) == [100, 150, 200, 300])
    #expect([page["a"], page["b"], page["c"]].map { $0?[1] } == [100, 150, 200])
    #expect(page.engine.pageExtents.map(\.name) == [nil, ByteString("n"), ByteString("n"), nil])
  }

  @Test("A break to a left page after a left page leaves a blank page")
  func blankPages() throws {
    let page = try page("<i></i><i style='break-before:left'></i><i id=a style='break-before:left'></i>")
    #expect(page.engine.pageExtents.map(\.isBlank) == [false, false, true, false])
    #expect(page["a"] == [0, 300, 400, 40])
  }

  @Test("margin-trim also trims the start margin of the first box on a page")
  func marginTrim() throws {
    let page = try page("<div style='display:flow-root;margin-trim:block-start'><div style='margin:9px'><i id=a></i></div></div>")
    #expect(page["a"] == [9, 0, 382, 40])
  }

  @Test("Fixed boxes are repeated on each page, at the edges of the page area")
  func fixed() throws {
    let page = try page("<b id=a style='position:fixed;bottom:0;height:9px;width:9px'></b><i></i><i></i><i></i>")
    #expect(page.fragments["a"] == [[0, 91, 9, 9], [0, 191, 9, 9]])
  }

  @Test("The containing block of absolutely positioned boxes is the first page, and they continue on additional pages")
  func absolute() throws {
    let css = "b{position:absolute;width:9px}"
    let page = try page("<b id=a style='bottom:0;height:9px'></b><b id=b style='top:190px;height:20px'></b><i></i>", css: css)
    #expect(page.fragments["a"] == [[0, 291, 9, 9]], "The initial containing block is as tall as the viewport.")
    #expect(page.fragments["b"] == [[0, 190, 9, 10], [0, 200, 9, 10]])
  }

  @Test("Table headers and footers are repeated on each page, and the last footer is not repeated after the table")
  func tables() throws {
    let rows = String(repeating: "<tr><td><i style='height:20px'></i>", count: 7)
    let page = try page(
      "<table style='border-spacing:0'><thead id=h><tr><td><i style='height:20px'></i><tfoot id=f><tr><td><i style='height:20px'></i><tbody>\(rows)</table>",
      css: "td{padding:0}")
    #expect(page.fragments["h"]?.map { $0[1] } == [0, 100, 200])
    #expect(page.fragments["f"]?.map { $0[1] } == [80, 180, 240])
  }

  @Test("The number of pages is limited")
  func limits() throws {
    #expect(throws: LimitExceeded.self) { try page("<div style='height:600000px'></div>") }
  }
}
