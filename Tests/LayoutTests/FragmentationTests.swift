import OffprintCoreTypes
import Testing

@testable import OffprintLayout

/// Expectations are Chromium's client rectangles; for a broken box, that of its last fragment.
@Suite("Fragmentation in columns")
struct FragmentationTests {
  private static let columns = "columns:2;column-gap:0;column-fill:auto;width:200px;height:100px"

  private func page(_ content: String) throws -> HTMLPage { try HTMLPage("<div style='\(Self.columns)'>\(content)</div>") }

  @Test("Tables break between and inside rows")
  func table() throws {
    let page = try page(
      """
      <div style="height:60px"></div><table style="border-spacing:0;width:100%"><tr><td id=a style="padding:0;height:30px"></td></tr>\
      <tr><td id=b style="padding:0;height:30px"></td></tr></table>
      """)
    #expect(page["a"] == [0, 60, 100, 30])
    #expect(page["b"] == [100, 0, 100, 20])
  }

  @Test("There is no break between a table's edge and its first row: the table moves to the next column")
  func tableEdge() throws {
    let page = try page(
      """
      <div style="height:80px"></div><table id=t style="border-spacing:2px;border:1px solid"><tr><td id=a style="padding:0">\
      <div style="contain:size;width:20px;height:30px"></div></td></tr></table>
      """)
    #expect(page["t"] == [100, 0, 26, 36])
    #expect(page["a"] == [103, 3, 20, 30])
  }

  @Test("The end edge of a box stays with its last child")
  func endEdge() throws {
    let page = try HTMLPage(
      """
      <div style='columns:2;column-gap:0;width:200px'><div id=a style='border:7px solid'>\
      <div style='contain:size;height:20px'></div></div></div>
      """)
    #expect(page["a"] == [0, 0, 100, 34])
  }

  @Test("Flex items break independently, and stretch to the row that fragmentation has grown")
  func flexRow() throws {
    let page = try page(
      """
      <div style="display:flex"><div id=a style="width:50px"><div style="contain:size;height:70px"></div>\
      <div id=c style="contain:size;height:40px"></div></div><div id=b style="width:50px"></div></div>
      """)
    #expect(page["a"] == [100, 0, 50, 40])
    #expect(page["b"] == [150, 0, 50, 40])
    #expect(page["c"] == [100, 0, 50, 40])
  }

  @Test("A grid breaks between rows if their items avoid breaks inside")
  func grid() throws {
    let page = try page(
      "<div style='display:grid'><div id=a style='height:70px'></div><div id=b style='height:40px;break-inside:avoid'></div></div>")
    #expect(page["a"] == [0, 0, 100, 70])
    #expect(page["b"] == [100, 0, 100, 40])
  }

  @Test("A float breaks in parallel to its flow")
  func float() throws {
    let page = try page("<div id=a style='float:left;width:40px;height:150px'></div><div id=b style='height:30px'></div>")
    #expect(page["a"] == [100, 0, 40, 50])
    #expect(page["b"] == [0, 0, 100, 30])
  }

  @Test("Nested columns continue in new rows in the next outer column")
  func nested() throws {
    let page = try page("<div style='height:60px'></div><div style='columns:2;column-gap:0'><div id=a style='height:120px'></div></div>")
    #expect(page["a"] == [150, 0, 50, 20])
  }

  @Test(
    "Columns without size, with endless contents or without own contents terminate",
    arguments: [
      "<style>*{column-width:calc(1lh * (sqrt(-1)))}</style><table><td style='height:2147483647px'></table>",
      "<style>*{columns:10px}</style><h1>x<legend>a b c d</legend></h1>",
      "<style>*{column-width:16px;zoom:120%}</style><ul><li>x<data style='writing-mode:sideways-lr'><b style='display:inline-block;height:80px'></b></data></li>abc</ul>",
      "<style>*{columns:3;height:0}</style><p>a<p>b<div style='column-span:all'>c</div><p>d",
    ])
  func hostile(html: String) throws {
    _ = try HTMLPage(html)
  }

  @Test("Balancing columns avoids breaks at avoided break points")
  func avoidedBreak() throws {
    let page = try HTMLPage(
      """
      <div style="columns:2;column-gap:0;width:200px"><div style="height:25px"></div><div style="height:50px"></div>\
      <div id=c style="height:25px;break-before:avoid"></div><div id=d style="height:50px"></div></div>
      """)
    #expect(page["c"] == [0, 75, 100, 25])
    #expect(page["d"] == [100, 0, 100, 50])
  }

  @Test("Absolutely positioned boxes break with their containing block")
  func positioned() throws {
    let page = try page(
      """
      <div style="position:relative;height:150px"><div id=a style="position:absolute;top:50px;width:30px;height:80px"></div></div>
      """)
    #expect(page["a"] == [100, 0, 30, 30])
  }

  @Test("If orphans and widows conflict, as many lines move to the next column as orphans allows")
  func orphansBeforeWidows() throws {
    let page = try HTMLPage(
      """
      <div style="columns:3;column-gap:0;column-fill:auto;width:300px;height:80px;orphans:3;widows:3">1<br>2<br>3<br>4<br>5<br>6<br>\
      <span id=a>7</span><br><span id=b>8</span><br>9</div>
      """)
    #expect(page["a"]?[0] == 100)
    #expect(page["b"]?[0] == 200)
  }

  @Test("A monolithic box overflows its column, as does the box that it ends")
  func unbreakable() throws {
    let page = try HTMLPage(
      """
      <div style="columns:3;column-gap:0;column-fill:auto;width:300px;height:100px"><div id=a>\
      <div style="contain:size;height:150px"></div></div><div id=b style="height:20px"></div></div>
      """)
    #expect(page["a"] == [0, 0, 100, 150])
    #expect(page["b"] == [100, 0, 100, 20])
  }

  @Test("Triple-nested columns are laid out in bounded time")
  func deeplyNested() throws {
    let open = String(repeating: "<div style='columns:2;height:auto'>x<br>y<br>z", count: 8)
    let page = try HTMLPage("<div id=a>" + open + String(repeating: "</div>", count: 8) + "</div>", deadline: .never)
    #expect(page.engine.columnLayouts < 200_000)
    #expect((page["a"]?[3] ?? 0) > 0)
  }

  @Test("A break before a box counts with its own appeal if breaks inside the box are worse")
  func breakBeforeAvoided() throws {
    let page = try HTMLPage(
      """
      <div id=m style='columns:3;column-gap:0;width:300px'><div style='contain:size;height:20px'></div>\
      <div id=a style='break-before:avoid;padding-top:16px'><div id=b style='contain:size;height:20px'></div></div></div>
      """)
    #expect(page["m"] == [0, 0, 300, 56])
    #expect(page["a"] == [0, 20, 100, 36])
  }

  @Test("A spanner in a box that avoids breaks leaves the preceding columns unbalanced")
  func avoidedSpanner() throws {
    let page = try HTMLPage(
      """
      <div id=m style='columns:2;column-gap:0;width:200px'><div id=a style='height:40px'></div>\
      <div style='break-inside:avoid'><div id=s style='column-span:all;height:10px'></div></div></div>
      """)
    #expect(page["m"] == [0, 0, 200, 50])
    #expect(page["s"] == [0, 40, 200, 10])
  }

  @Test("A box with a maximum size that fits keeps its first child")
  func keptStart() throws {
    let page = try HTMLPage(
      """
      <div style='columns:3;column-gap:0;width:300px'><div style='contain:size;height:20px'></div>\
      <div id=a style='max-height:0'><div id=b style='contain:size;height:20px'></div></div></div>
      """)
    #expect(page["a"] == [0, 20, 100, 0])
    #expect(page["b"] == [0, 20, 100, 20])
  }

  @Test("The margin before a forced break takes space in the flow")
  func marginBeforeBreak() throws {
    let page = try HTMLPage(
      """
      <div id=m style='columns:3;column-gap:0;width:300px'><div style='margin:5px 0;height:80px'></div>\
      <div style='break-before:column'></div></div>
      """)
    #expect(page["m"] == [0, 0, 300, 45])
  }

  @Test("A box with a specified size ends after the spanner in it")
  func fixedSizeAroundSpanner() throws {
    let page = try HTMLPage(
      """
      <div style='columns:2;column-gap:0;width:200px'><div style='height:30px'><div style='height:60px'></div>\
      <div id=s style='column-span:all;height:10px'></div></div><div id=b style='height:10px'></div></div>
      """)
    #expect(page["s"] == [0, 30, 200, 10])
    #expect(page["b"] == [100, 40, 100, 5])
  }

  @Test("Table headers that avoid breaks repeat in each fragment")
  func repeatedHeader() throws {
    let page = try page(
      """
      <table style='border-spacing:0;width:100%'><thead style='break-inside:avoid'><tr><td id=h style='padding:0;height:20px'></thead>\
      <tbody><tr><td id=a style='padding:0;height:70px'><tr style='break-inside:avoid'><td id=b style='padding:0;height:30px'></table>
      """)
    #expect(page["h"] == [100, 0, 100, 20])
    #expect(page["a"] == [0, 20, 100, 70])
    #expect(page["b"] == [100, 20, 100, 30])
  }

  @Test("A flex line moves to the next column as a whole if an item in it avoids breaks")
  func flexLine() throws {
    let page = try page(
      """
      <div style='display:flex;flex-wrap:wrap;align-content:start'><div style='width:50px;height:30px'></div><div style='width:50px'></div>\
      <div id=a style='width:50px;height:80px'></div><div id=b style='width:50px;break-inside:avoid'></div></div>
      """)
    #expect(page["a"] == [100, 0, 50, 80])
    #expect(page["b"] == [150, 0, 50, 80])
  }
}
