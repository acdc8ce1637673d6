import OffprintCoreTypes
import Testing

@testable import OffprintLayout

/// Layout of an image of 300 px height, of which the contents below are left out.
@Suite("Leaving out contents below the image")
struct CutoffTests {
  private static let lines = (0..<200).map { "<p id=p\($0)>Line \($0)</p>" }.joined()

  private func isLaidOut(_ id: String, _ body: String, css: String = "") throws -> Bool {
    try HTMLPage(body, css: css, stopsBelowViewport: true)[id] != nil
  }

  @Test("Blocks, list items, rows of tables and rows of grids below the image are not laid out")
  func stops() throws {
    let rows = (0..<200).map { "<tr id=p\($0)><td>a<td>b" }.joined()
    let items = (0..<200).map { "<li id=p\($0)>a<ul><li>b<li>c</ul>" }.joined()
    let pages = [
      Self.lines, "<main><div><section>\(Self.lines)</section></div></main>", "<table>\(rows)</table>",
      "<table style='border-collapse:collapse'><thead><tr><td>x<tbody>\(rows)</table>", "<ul>\(items)</ul>",
      "<div style='display:grid;grid-template-columns:1fr auto'>\(Self.lines)</div>",
    ]
    for page in pages {
      #expect(try isLaidOut("p4", page))
      #expect(try !isLaidOut("p199", page), "\(page.prefix(60))")
    }
  }

  @Test("The visible part has the same positions as in the complete layout")
  func keepsPositions() throws {
    let page = "<ul>" + (0..<100).map { "<li id=a\($0)><b>x</b> y<ul><li id=b\($0)>z</ul>" }.joined() + "</ul>"
    let part = try HTMLPage(page, stopsBelowViewport: true), whole = try HTMLPage(page)
    #expect(part.fragments.count < 60)
    for id in part.fragments.keys where part[id]?[1] ?? .infinity < 300 { #expect(part[id] == whole[id], "\(id)") }
  }

  @Test(
    "All is laid out if anything below could reach into the image",
    arguments: [
      "position:absolute;top:0", "position:fixed;top:0", "position:absolute;bottom:0", "position:sticky;bottom:0",
      "position:relative;top:-50%",
      "margin-top:-100000px", "margin-top:calc(10px - 100%)", "position:relative;top:-100000px", "transform:translateY(-3000px)",
      "translate:0 -3000px", "filter:drop-shadow(0 -3000px red)", "mix-blend-mode:multiply", "box-shadow:0 -100000px red",
      "display:flex;height:10px;align-items:center", "display:flex;height:10px;flex-direction:column-reverse", "-webkit-box-reflect:above",
      "border:1px solid;border-image:linear-gradient(red,red) 1/1/3000px", "container-type:inline-size", "initial-letter:9 1",
    ])
  func laysOutAll(_ style: String) throws {
    #expect(try isLaidOut("p199", Self.lines + "<div id=last style='\(style)'>Last</div>"))
  }

  @Test("All is laid out if the containing block of a box is an inline box with parts above it")
  func splitsInlines() throws {
    let target = "<i id=last style='position:absolute;top:0'>x</i>"
    #expect(try isLaidOut("last", "<span style='position:relative'>a\(Self.lines)\(target)</span>"))
    #expect(try !isLaidOut("last", Self.lines + "<p><span style='position:relative'>a<b>\(target)</b></span>"))
  }

  @Test(
    "All is laid out if the part in the image depends on the height of a box around it",
    arguments: [
      "background:linear-gradient(red,blue)", "border-left:3px dashed", "border-radius:9%", "opacity:.5",
      "overflow:auto", "columns:2", "display:flow-root;clip-path:inset(10%)", "writing-mode:vertical-rl",
      "display:grid;grid-auto-rows:1fr", "display:grid;min-height:99999px", "display:grid;align-content:center;height:900px",
      "display:flex;flex-direction:column", "mask:linear-gradient(red,blue)",
    ])
  func dependsOnHeight(_ style: String) throws {
    #expect(try isLaidOut("p199", "<div style='\(style)'>\(Self.lines)</div>"))
  }

  @Test("Shadows, rounded corners and clipping of a box around the contents do not require its height")
  func stopsInDecoratedBoxes() throws {
    #expect(try !isLaidOut("p199", "<div style='box-shadow:0 0 9px;border-radius:9px;overflow:hidden'>\(Self.lines)</div>"))
    #expect(try isLaidOut("p14", "<div style='border-radius:150px;overflow:hidden'>\(Self.lines)</div>"))
  }

  @Test("A table is laid out completely if its height is specified, and rows that a cell spans stay together")
  func keepsRows() throws {
    let rows = (0..<100).map { "<tr id=p\($0)><td>a<td>b" }.joined()
    #expect(try isLaidOut("p99", "<table style='height:9999px'>\(rows)</table>"))
    #expect(try isLaidOut("p99", "<table><tbody style='height:9999px'>\(rows)</table>"))
    let positioned = "<tr><td><i style='position:absolute;top:0'>x</i>"
    #expect(try isLaidOut("p99", "<table><tbody style='position:relative'>\(rows)\(positioned)</table>"))
    #expect(try isLaidOut("p99", "<table><tr><td rowspan=200>x\(rows)</table>"))
    #expect(try !isLaidOut("p99", "<table><tr><td rowspan=20>x\(rows)</table>"))
  }

  @Test("Everything up to the last box that may reach into the image is laid out, and what follows is not")
  func stopsAfterUnboundedBoxes() throws {
    let bar = "<nav style='position:fixed;top:0;transform:translateX(9px)'>x</nav>"
    #expect(try !isLaidOut("p199", bar + Self.lines))
    let more = (0..<200).map { "<p id=q\($0)>More" }.joined()
    #expect(try isLaidOut("p199", Self.lines + bar + more))
    #expect(try !isLaidOut("q199", Self.lines + bar + more))
  }

  @Test("A positioned box around the contents is laid out completely only if it contains boxes positioned by their insets")
  func stopsInPositionedBoxes() throws {
    let badge = "<b id=last style='position:absolute;top:0'>x</b>"
    #expect(try !isLaidOut("p199", "<main style='position:relative;z-index:1'>\(Self.lines)</main>"))
    #expect(try isLaidOut("last", "<main style='position:relative'>\(Self.lines)\(badge)</main>"))
    #expect(try !isLaidOut("last", "\(Self.lines)<main style='position:relative'>\(badge)</main>"))
  }

  @Test("Bounded movements only move the offset at which layout stops")
  func addsBounds() throws {
    let style = "margin-top:-40px;box-shadow:0 -9px 3px;position:relative;top:-9px"
    let last = "<div style='\(style)'>x<i style='position:absolute;top:3px'>y</i></div>"
    #expect(try !isLaidOut("p199", Self.lines + last))
    #expect(try isLaidOut("p10", Self.lines + last))
  }
}
