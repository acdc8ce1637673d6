import OffprintCoreTypes
import Testing

@testable import OffprintLayout

/// https://html.spec.whatwg.org/multipage/rendering.html#form-controls
@Suite struct FormControlTests {
  @Test("Controls have Chromium's sizes")
  func sizes() throws {
    let page = try HTMLPage(
      "<input id=field> <input id=check type=checkbox> <input id=range type=range> <button id=button></button>"
        + "<input id=wide size=40> <select id=menu></select> <textarea id=area rows=4></textarea> <input id=color type=color>",
      css: "*{font-family:'Liberation Sans'!important}")
    #expect(page["field"]?.suffix(2) == [177, 21])
    #expect(page["check"]?.suffix(2) == [13, 13])
    #expect(page["range"]?.suffix(2) == [129, 16])
    #expect(page["button"]?.suffix(2) == [16, 6])
    #expect(page["menu"]?.suffix(2) == [22, 19])
    #expect(page["area"]?[3] == 66)
    #expect(page["color"]?.suffix(2) == [50, 27])
    #expect((page["wide"]?[2] ?? 0) > 300)
  }

  @Test("A block-level control shrinks to fit; with a percentage size it is compressible")
  func widths() throws {
    let page = try HTMLPage(
      "<input id=a style='display:block'><button id=b style='display:block'>x</button>"
        + "<div style='width:min-content' id=c><input style='width:100%;padding:0;border:0'></div>")
    #expect((page["a"]?[2] ?? 400) < 300)
    #expect((page["b"]?[2] ?? 400) < 50)
    #expect(page["c"]?[2] == 0)
  }

  @Test("The contents of buttons and text fields are centered")
  func centring() throws {
    let page = try HTMLPage("<button style='height:100px;padding:0;border:0'><i id=a style='display:block;height:20px'></i></button>")
    #expect(page["a"]?[1] == 40)
  }

  @Test("A drop-down box is as wide as its widest option and as high as one line")
  func menu() throws {
    let page = try HTMLPage("<select id=a><option>x<option>a much longer option</select><select id=b><option>a much longer option</select>")
    #expect(page["a"]?[2] == page["b"]?[2])
    #expect(page["a"]?[3] == page["b"]?[3])
  }

  @Test("The top border of a fieldset is aligned with the center of its legend")
  func fieldset() throws {
    let page = try HTMLPage(
      "<fieldset id=f style='margin:0'><legend style='height:20px'>x</legend><p id=p style='margin:0'>y</p></fieldset>")
    #expect((page["p"]?[1] ?? 0) > 20)
    let legend = page.engine.fragments.fragments.last { $0.legend != nil }?.legend
    #expect(legend?.minY == .zero)
    #expect(legend?.size.height == LayoutUnit(20))
  }

  @Test(
    "An author background disables the native appearance of a button, whatever its color",
    arguments: [
      ("", 1.0), ("background:rgb(107,107,107)", 2), ("background:rgb(108,108,108)", 2), ("color:red", 1), ("border-radius:0", 2),
    ])
  func appearance(css: String, line: Double) throws {
    let page = try HTMLPage("<button id=a>x</button>", css: "button{\(css)}")
    let box = try #require(page.engine.fragments.fragments.map { page.engine.tree[$0.box] }.first { $0.control == .button })
    #expect(Double(box.style.border.width.top) == line)
  }
}
