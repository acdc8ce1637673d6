import OffprintCoreTypes
import Foundation
import OffprintTestSupport
import Testing

@testable import Offprint

/// SVG pages that must look like other, simpler ones.
@Suite("SVG rules")
struct SVGRulesTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var page: String
    var plain: String
    var testDescription: String { name }

    init(_ name: String, _ page: String, _ plain: String) {
      self.name = name
      self.page = page
      self.plain = plain
    }
  }

  private func pixels(_ body: String) async throws -> [UInt8] {
    var request = RenderRequest(html: "<!doctype html><body style='margin:0'>\(body)")
    request.width = .px(60)
    request.height = .px(60)
    return try await Renderer.alone().pixels(request).pixels
  }

  private static func svg(_ content: String) -> String { "<svg style='display:block' width='60' height='60'>\(content)</svg>" }

  private static func check(_ name: String, _ content: String, is plain: String) -> Case { Case(name, svg(content), svg(plain)) }

  private static func image(_ svg: String, _ fragment: String = "", _ attributes: String = "") -> String {
    let source = "<svg xmlns='http://www.w3.org/2000/svg' \(svg)</svg>".addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return "<img style='display:block' \(attributes) src=\"data:image/svg+xml,\(source)\(fragment)\">"
  }

  @Test("A page looks like a simpler one", arguments: structure + paint + animations + text + images)
  func same(_ one: Case) async throws {
    let drawn = try await pixels(one.page), plain = try await pixels(one.plain)
    #expect(drawn == plain, "\(one.name)")
    #expect(drawn.contains { $0 != 255 } || one.plain.contains("nothing"), "the image is not empty")
  }

  static let structure = [
    check(
      "Selectors see nothing around a copy",
      "<style>.q .b{fill:red} svg>.b{fill:blue} .b{fill:lime}</style><defs class='q'><rect class='b' id='r1' width='9' height='9'/></defs><use href='#r1'/>",
      is: "<rect width='9' height='9' fill='lime'/>"),
    check(
      "An empty list of extensions is not met", "<rect requiredExtensions='' width='9' height='9'/><rect width='2' height='2'/>",
      is: "<rect width='2' height='2'/>"),
    check(
      "Text is in the reader's language", "<text y='20'><tspan systemLanguage='de'>x</tspan><tspan systemLanguage='en'>y</tspan></text>",
      is: "<text y='20'>y</text>"),
    check(
      "The size of a nested viewport is in its attributes",
      "<svg style='width:5px;x:9px' width='20' height='20'><rect width='60' height='60'/></svg>", is: "<rect width='20' height='20'/>"),
    check(
      "An alignment with an unknown word is the initial one",
      "<svg width='60' height='20' viewBox='0 0 9 9' preserveAspectRatio='xMaxYMax x'><rect width='9' height='9'/></svg>",
      is: "<rect x='20' width='20' height='20'/>"),
    check(
      "What a hidden group holds can be referred to",
      "<g display='none'><linearGradient id='g1'><stop stop-color='lime'/></linearGradient></g><rect width='9' height='9' fill='url(#g1)'/>",
      is: "<rect width='9' height='9' fill='lime'/>"),
    Case(
      "A gradient below what is not rendered paints nothing",
      "<svg style='display:none'><linearGradient id='g2'><stop stop-color='lime'/></linearGradient></svg>"
        + svg("<rect width='9' height='9' fill='url(#g2)'/><rect width='2' height='2'/>"), svg("<rect width='2' height='2'/>")),
    Case(
      "The box of a foreign object is painted",
      svg("<foreignObject width='20' height='20' style='background:lime;border:2px solid red;padding:3px'></foreignObject>"),
      svg("<rect width='20' height='20' fill='red'/><rect x='2' y='2' width='16' height='16' fill='lime'/>")),
    Case(
      "What is blended in a drawing sees its stacking context alone",
      "<div style='isolation:isolate'>" + svg("<rect width='9' height='9' fill='blue' style='mix-blend-mode:difference'/>") + "</div>",
      svg("<rect width='9' height='9' fill='blue'/>")),
  ]

  static let paint = [
    check(
      "Points with an error are none", "<polygon points='0 0 9 0 9 9 x'/><rect x='20' width='5' height='5'/>",
      is: "<rect x='20' width='5' height='5'/>"),
    check(
      "A coordinate too many is none", "<polygon points='0 0 9 0 9 9 0 9 4'/>", is: "<rect width='9' height='9'/>"),
    check(
      "What is no length is 0 in an attribute", "<ellipse cx='9' cy='9' ry='9' rx='auto'/><rect width='2' height='2'/>",
      is: "<rect width='2' height='2'/>"),
    check(
      "A pattern without tiles is no paint", "<pattern id='p1' height='9'/><rect width='9' height='9' fill='url(#p1) lime'/>",
      is: "<rect width='9' height='9' fill='lime'/>"),
    check(
      "Markers have no words for their reference",
      "<marker id='m1' refX='right' markerWidth='9' markerHeight='9' markerUnits='userSpaceOnUse'><rect width='9' height='9'/></marker><path d='M9 9h1' marker-start='url(#m1)'/>",
      is: "<rect x='9' y='9' width='9' height='9'/>"),
    check(
      "A picture masks an element",
      "<rect width='20' height='20' fill='lime' style='mask:linear-gradient(90deg,black 50%,transparent 50%)'/>",
      is: "<rect width='10' height='20' fill='lime'/>"),
    check(
      "Filters work along turned axes",
      "<filter id='f1' x='0' y='0' width='1' height='1'><feOffset dx='10'/></filter><g transform='rotate(90 20 20)'><rect width='40' height='40' fill='lime' filter='url(#f1)'/></g>",
      is: "<rect y='10' width='40' height='30' fill='lime'/>"),
    check(
      "Where nothing is rendered filters have no flood",
      "<g transform='scale(1)'><svg display='none'><filter id='f2'><feFlood flood-color='red'/></filter></svg></g><rect width='9' height='9' filter='url(#f2)'/><rect x='20' width='2' height='2'/>",
      is: "<rect x='20' width='2' height='2'/>"),
  ]

  static let animations = [
    check(
      "An attribute is set", "<rect width='9' height='9' fill='red'><set attributeName='fill' to='lime'/></rect>",
      is: "<rect width='9' height='9' fill='lime'/>"),
    check(
      "What begins later has no effect",
      "<rect width='9' height='9' fill='lime'><set attributeName='fill' to='red' begin='1s'/><set attributeName='fill' to='red' begin='click'/></rect>",
      is: "<rect width='9' height='9' fill='lime'/>"),
    check(
      "The first of several values is shown",
      "<rect width='9' height='9'><animate attributeName='width' values='20;5' dur='9s'/><animate attributeName='height' from='30' to='2' dur='9s'/></rect>",
      is: "<rect width='20' height='30'/>"),
    check(
      "An animation that began before is on its way",
      "<rect width='9' height='9'><animate attributeName='x' from='0' to='40' dur='4s' begin='-1s'/></rect>",
      is: "<rect x='10' width='9' height='9'/>"),
    check(
      "A frozen animation stays at its end",
      "<rect width='9' height='9'><animate attributeName='x' from='0' to='40' dur='1s' begin='-3s' fill='freeze'/></rect>",
      is: "<rect x='40' width='9' height='9'/>"),
    check(
      "An ended animation has no effect",
      "<rect width='9' height='9'><animate attributeName='x' from='9' to='40' dur='1s' begin='-3s'/></rect>",
      is: "<rect width='9' height='9'/>"),
    check(
      "One animation begins with another",
      "<rect width='9' height='9'><set id='a1' attributeName='x' to='5' begin='-2s'/><animate attributeName='y' values='0;10' dur='4s' begin='a1.begin'/></rect>",
      is: "<rect x='5' y='5' width='9' height='9'/>"),
    check(
      "A transform is replaced, or added to",
      "<rect width='9' height='9' transform='translate(9)'><animateTransform attributeName='transform' type='translate' from='20 20' to='0' dur='9s'/></rect><rect width='9' height='9' transform='translate(9)'><animateTransform attributeName='transform' additive='sum' type='translate' from='20' to='0' dur='9s'/></rect>",
      is: "<rect x='20' y='20' width='9' height='9'/><rect x='29' width='9' height='9'/>"),
    check(
      "A motion begins where its path does",
      "<rect width='9' height='9'><animateMotion path='M20 30L50 50' dur='9s'/></rect><rect width='4' height='4'><animateMotion values='10,10;0,0' dur='9s'/></rect>",
      is: "<rect x='20' y='30' width='9' height='9'/><rect x='10' y='10' width='4' height='4'/>"),
    check(
      "An animation names its element",
      "<rect id='t1' width='9' height='9'/><animate href='#t1' attributeName='x' from='20' to='0' dur='9s'/>",
      is: "<rect x='20' width='9' height='9'/>"),
    check(
      "Two animations that wait for each other never begin",
      "<rect width='9' height='9'><set id='c1' attributeName='x' to='5' begin='c2.begin'/><set id='c2' attributeName='x' to='5' begin='c1.begin'/></rect>",
      is: "<rect width='9' height='9'/>"),
    check(
      "Values with commas between their numbers are mixed",
      "<rect width='9' height='9'><animateTransform attributeName='transform' values='0,0;40,20' dur='4s' begin='-1s'/></rect>",
      is: "<rect x='10' y='5' width='9' height='9'/>"),
    check(
      "Later values stand between key times",
      "<rect width='9' height='9'><animate attributeName='x' values='0;40;0' keyTimes='0;.25;1' dur='8s' begin='-1s'/></rect>",
      is: "<rect x='20' width='9' height='9'/>"),
  ]

  static let text = [
    check(
      "Positions count characters", "<text x='5 40' y='20'>\u{1F600}a</text>",
      is: "<text x='5' y='20'>\u{1F600}</text><text x='40' y='20'>a</text>"),
    check(
      "A path may stand in its element, and other shapes are none",
      "<text><textPath path='M0 20H60'>ab</textPath></text><rect id='q1' width='50' height='50' fill='none'/><text><textPath href='#q1'>x</textPath></text>",
      is: "<path id='q2' fill='none' d='M0 20H60'/><text><textPath href='#q2'>ab</textPath></text>"),
    check(
      "A position along a path counts from its start",
      "<path id='q3' fill='none' d='M0 20H60'/><text x='20' y='50'><textPath href='#q3'>a</textPath></text>",
      is: "<path id='q4' fill='none' d='M0 20H60'/><text><textPath startOffset='20' href='#q4'>a</textPath></text>"),
    check(
      "Elements in text are painted as one", "<text y='20'><tspan opacity='.5' fill='lime'>a</tspan></text>",
      is: "<text y='20' opacity='.5' fill='lime'>a</text>"),
    check(
      "Text has shadows", "<text y='20' style='text-shadow:20px 10px lime'>a</text>",
      is: "<text x='20' y='30' fill='lime'>a</text><text y='20'>a</text>"),
  ]

  static let images = [
    Case(
      "An address shows a view",
      image("viewBox='0 0 20 20'><view id='v' viewBox='10 10 10 10'/><rect width='15' height='15'/>", "#v", "width=60"),
      svg("<rect width='30' height='30'/>")),
    Case(
      "An address says what is seen",
      image("viewBox='0 0 20 20'><rect width='15' height='15'/>", "#svgView(viewBox(10,10,10,10))", "width=60"),
      svg("<rect width='30' height='30'/>")),
    Case(
      "An address aims at an element of a stack",
      image(
        "viewBox='0 0 6 6'><style>g{display:none}g:target{display:inline}</style><g id='a'><rect width='6' height='6'/></g><g id='b'><rect width='3' height='3'/></g>",
        "#b", "width=60"),
      svg("<rect width='30' height='30'/>")),
    Case(
      "A document in an element is fitted as it says itself",
      svg(
        "<image width='60' height='30' preserveAspectRatio='xMinYMin slice' href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 3'%3E%3Crect width='3' height='3'/%3E%3C/svg%3E\"/>"
      ),
      svg("<rect x='15' width='30' height='30'/>")),
    Case(
      "A document in an element may be stretched",
      svg(
        "<image width='60' height='30' preserveAspectRatio='none' href=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 3 3'%3E%3Crect width='3' height='3'/%3E%3C/svg%3E\"/>"
      ),
      svg("<rect width='60' height='30'/>")),
    Case(
      "Pictures move as pages do", image("width='60' height='60'><rect width='9' height='9'><set attributeName='x' to='20'/></rect>"),
      svg("<rect x='20' width='9' height='9'/>")),
  ]
}

@Suite("Elements of other files")
struct UsedFileTests {
  private func render(_ use: String, _ files: [String: String], allows: Bool = true) async throws -> (RenderResult, [UInt8]) {
    let folder = try TemporaryFolder()
    for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: folder(name))) }
    var request = RenderRequest(
      html: "<!doctype html><body style='margin:0'><svg style='display:block' width='40' height='40'>\(use)</svg>")
    request.width = .px(40)
    request.basePath = folder("page.html")
    request.allowedFolders = allows ? [folder.path] : []
    let renderer = try Renderer.alone()
    return (try await renderer.render(request), try await renderer.pixels(request).pixels)
  }

  private let icons = """
    <svg xmlns='http://www.w3.org/2000/svg'><defs><linearGradient id='g'><stop stop-color='lime'/></linearGradient>\
    <rect id='inner' width='9' height='9'/></defs><symbol id='a' viewBox='0 0 9 9'><use href='#inner' fill='url(#g)'/></symbol></svg>
    """

  @Test("`use` can show an element of another file")
  func other() async throws {
    let (result, drawn) = try await render("<use href='icons.svg#a' width='40' height='40'/>", ["icons.svg": icons])
    let (_, plain) = try await render("<rect width='40' height='40' fill='lime'/>", [:])
    #expect(drawn == plain && !result.isDegraded, "\(result.diagnostics)")
  }

  @Test("A file that is missing, not allowed or not SVG is reported", arguments: ["none.svg#a", "bad.svg#a", "icons.svg#a"])
  func missing(_ url: String) async throws {
    let (result, drawn) = try await render(
      "<use href='\(url)'/><rect width='5' height='5'/>", ["icons.svg": icons, "bad.svg": "<p>"], allows: !url.hasPrefix("icons"))
    let (_, plain) = try await render("<rect width='5' height='5'/>", [:])
    #expect(drawn == plain && result.isDegraded)
  }

  @Test("Elements of a file are styled by its style sheets, not by those of the page")
  func styles() async throws {
    let red = "<svg xmlns='http://www.w3.org/2000/svg'><style>.c{fill:lime}</style><rect id='a' class='c d' width='9' height='9'/></svg>"
    let (_, drawn) = try await render("<style>.d{stroke:red}</style><use href='x.svg#a'/>", ["x.svg": red])
    let (_, plain) = try await render("<rect width='9' height='9' fill='lime'/>", [:])
    #expect(drawn == plain)
  }

  @Test("Only the used element of a file is painted")
  func apart() async throws {
    let red = "<svg xmlns='http://www.w3.org/2000/svg'><style>rect{fill:red}</style><rect id='a' width='9' height='9'/></svg>"
    let (_, drawn) = try await render("<use href='x.svg#b'/><rect width='5' height='5'/>", ["x.svg": red])
    let (_, plain) = try await render("<rect width='5' height='5'/>", [:])
    #expect(drawn == plain)
  }
}
