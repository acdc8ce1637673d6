import OffprintCoreTypes
import Testing

@testable import OffprintLayout

/// https://drafts.csswg.org/css-shapes-1/
@Suite struct ShapeTests {
  private static let css = "body{line-height:0} .f{float:left;width:100px;height:100px} .b{display:inline-block;width:50px;height:20px}"

  private func lefts(_ style: String, boxes: Int = 5) throws -> [Double?] {
    let content = (0..<boxes).map { "<div class=b id=b\($0)></div><br>" }.joined()
    let page = try HTMLPage("<div class=f style='\(style)'></div>\(content)", css: Self.css)
    return (0..<boxes).map { page["b\($0)"]?[0] }
  }

  @Test("A line avoids the widest part of an adjacent circle")
  func circle() throws {
    // At 20 px from the top: 50 + sqrt(50² − 30²).
    #expect(try lefts("shape-outside:circle()") == [90, 98.984375, 100, 98.984375, 90])
  }

  @Test("The corners of a box shape are those of its border")
  func corners() throws {
    #expect(try lefts("shape-outside:border-box;border-radius:50%")[0] == 90)
    #expect(try lefts("shape-outside:border-box;border-radius:0 20px 0 0")[0] == 100)
    #expect(try lefts("shape-outside:inset(0 0 0 0 round 0 50px 0 0)") == [90, 98.984375, 100, 100, 100])
  }

  @Test("Rows of an image further below its float than the margin do not grow the shape")
  func rowsOutside() {
    let shape = RasterShape(top: 0, rows: [ClosedRange<Int>?](repeating: 3...5, count: 10))
    #expect(shape.grown(by: 2, from: 0, to: 1).rows == [1...7])
    #expect(shape.grown(by: 2, from: 20, to: 22).rows == [nil, nil])
  }

  @Test("A polygon's horizontal edges exclude nothing beyond them, and one without area nothing at all")
  func polygons() throws {
    #expect(try lefts("shape-outside:polygon(0 0, 40px 0, 40px 40px, 80px 40px, 80px 80px, 0 80px)") == [40, 40, 80, 80, 0])
    #expect(try lefts("shape-outside:polygon(0 0, 50px 50px, 100px 100px)") == [0, 0, 0, 0, 0])
  }

  @Test("shape-margin grows a shape on all sides, but not beyond the margin box")
  func margin() throws {
    #expect(try lefts("shape-outside:inset(40px 50px 40px 0);shape-margin:10px") == [0, 60, 60, 60, 0])
    #expect(try lefts("shape-outside:inset(0);shape-margin:10px")[2] == 100)
  }

  @Test("A gradient excludes the area with an alpha above the threshold")
  func gradient() throws {
    let half = "shape-outside:linear-gradient(to right, black 50%, transparent 50%)"
    #expect(try lefts(half) == [50, 50, 50, 50, 50])
    #expect(try lefts("shape-outside:linear-gradient(to right, black, transparent);shape-image-threshold:.75")[0] == 25)
  }

  @Test("Other floats avoid the margin box of a float, whatever its shape")
  func floats() throws {
    let page = try HTMLPage(
      "<div class=f style='shape-outside:circle(10px)'></div><div class=f id=second style='width:300px'></div>", css: Self.css)
    #expect(page["second"] == [100, 0, 300, 100])
  }

  @Test("In vertical text shapes rotate with the lines")
  func vertical() throws {
    let page = try HTMLPage(
      "<div style='writing-mode:vertical-rl;width:100px;height:200px;line-height:0'>"
        + "<div class=f style='shape-outside:inset(0 0 40px 50px)'></div>"
        + "<div class=b style='width:20px;height:50px' id=a></div><br><div class=b style='width:60px;height:50px' id=c></div></div>",
      css: Self.css)
    #expect(page["a"] == [80, 60, 20, 50])
    #expect(page["c"] == [20, 60, 60, 50])
  }
}

@Suite struct BoxGenerationTests {
  @Test("Children of display: contents in a flex container are its items")
  func contents() throws {
    let page = try HTMLPage(
      "<div style='display:flex'><p style='display:contents'><i id=a style='float:right'>x</i><b id=b>y</b></p></div>")
    #expect(page["a"]?[0] == 0)
    #expect(page["a"]?[3] == 20)
    #expect(page["b"]?[1] == 0)
  }

  @Test("Relative positioning of an inline box moves the blocks and floats in it")
  func blockInInline() throws {
    let page = try HTMLPage(
      "<span style='position:relative;left:30px'>a<div id=block style='height:10px'></div><b id=float style='float:left'></b>b</span>")
    #expect(page["block"] == [30, 20, 400, 10])
    #expect(page["float"]?[0] == 30)
  }

  @Test("The root element uses the writing mode of body")
  func principalWritingMode() throws {
    let page = try HTMLPage("<div id=a style='width:10px'></div>", css: "body{direction:rtl;width:100px}")
    #expect(page["a"]?[0] == 390)
  }

  @Test("A percentage in an orthogonal flow resolves against its available size")
  func orthogonal() throws {
    let page = try HTMLPage("<div style='writing-mode:vertical-lr'><div id=a style='writing-mode:horizontal-tb;width:50%'>x</div></div>")
    #expect(page["a"]?[2] == 200)
  }
}
