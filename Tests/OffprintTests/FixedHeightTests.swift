import Testing

@testable import Offprint

/// Pages of random nested boxes: some move contents upward, some depend on their heights.
private struct RandomPage {
  private var state: UInt64
  private(set) var html = "<!DOCTYPE html><style>body{margin:4px;font:14px/1.2 'Liberation Sans'}td{border:1px solid #888}</style>"

  private static let styles = [
    "margin:9px 4px", "margin-top:-15px", "margin-bottom:-9px;padding-top:2px", "border:2px solid #36c;padding:3px", "background:#fe9",
    "position:relative;top:-7px", "position:relative;background:#eef", "box-shadow:0 -6px 4px #a33", "outline:3px solid #3a3",
    "float:left;width:90px", "float:right;width:70px;margin-top:-8px", "clear:both", "overflow:hidden", "display:flow-root",
    "display:grid;grid-template-columns:1fr 2fr;gap:5px", "display:grid;grid-template-columns:auto auto auto", "display:flex",
    "display:flex;flex-direction:column;gap:3px", "display:table", "line-height:4px", "font-size:26px", "text-shadow:0 -12px #c3c",
    "position:absolute;left:60px", "display:inline-block", "vertical-align:super", "display:list-item;margin-left:20px",
    "background:linear-gradient(#fcc,#ccf)", "border-radius:6px;border:1px solid", "border-left:4px dotted #090", "opacity:.7",
    "columns:2", "display:flex;height:14px;align-items:center", "min-height:60px", "height:20px", "text-decoration:underline",
  ]
  /// Styles of boxes that layout does not stop before.
  private static let unbounded = [
    "position:fixed;top:5px;right:9px;background:#cfc", "transform:translateY(-9px)", "position:absolute;top:30px;right:0",
    "position:sticky;bottom:0", "position:relative;margin:3px", "position:absolute;bottom:2px;right:20px", "filter:blur(1px)",
    "mix-blend-mode:multiply;background:#fcc",
  ]
  /// Without these, few pages can be cut off.
  private static let plain = ["", "margin:5px", "padding:4px;background:#def", "border-top:1px solid #000"]

  init(seed: UInt64) {
    state = seed
    let plainness = next(4)
    while html.utf8.count < 9000 { add(depth: 0, plainness) }
  }

  private mutating func next(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(bound))
  }

  private mutating func add(depth: Int, _ plainness: Int) {
    let isPlain = next(12) < 6 + 2 * plainness
    var style = isPlain ? Self.plain[next(Self.plain.count)] : Self.styles[next(Self.styles.count)]
    if html.utf8.count < 3000, next(8) == 0 { style = Self.unbounded[next(Self.unbounded.count)] }
    if next(9) == 0 {
      html += "<table style='\(style)'>" + (0..<1 + next(6)).map { "<tr><td>\($0)<td\(next(7) == 0 ? " rowspan=2" : "")>cell" }.joined()
      html += "</table>"
      return
    }
    html += "<div style='\(style)'>"
    if depth < 4, next(3) > 0 { for _ in 0..<1 + next(5) { add(depth: depth + 1, plainness) } }
    html += "Text \(next(1000)) " + String(repeating: "word ", count: next(25)) + "</div>"
  }
}

@Suite("Images of fixed height")
struct FixedHeightTests {
  @Test("An image equals the same part of the page in a layout of the whole page", arguments: 0..<20 as Range<UInt64>)
  func equalsClip(seed: UInt64) throws {
    let renderer = try Renderer.alone()
    defer { renderer.shutdown() }
    for index in 0..<3 as Range<UInt64> {
      var request = RenderRequest(html: RandomPage(seed: seed * 3 + index).html)
      request.width = .px(300)
      request.height = .px(200)
      let image = try renderer.renderAndWait(request).image
      request.clip = .init(x: 0, y: 0, width: 300, height: 200)
      #expect(try renderer.renderAndWait(request).image == image, "seed \(seed * 3 + index)")
    }
  }
}
