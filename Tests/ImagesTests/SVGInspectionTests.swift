import CoreTypes
import Images
import Testing

/// What would end the process, or take it for long, is refused before the SVG library sees it.
@Suite("SVG that is refused") struct SVGInspectionTests {
  private func error(_ content: String, attributes: String = "width='50' height='50'", _ limits: Limits = Limits()) -> ImageError.Code? {
    let text = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \(attributes)>\(content)</svg>"
    do throws(ImageError) {
      _ = try ImageDecoder.decode(Array(text.utf8)).bitmap(width: 50, height: 50, limits: limits)
      return nil
    } catch { return error.code }
  }

  @Test(
    "Text that is larger than the text library's numbers",
    arguments: [
      "<text font-size='1e30'>x</text>", "<text style='font-size:3e6px'>x</text>", "<text font-size='1e6'>xxxx</text>",
      "<style>text{font-size:9999999px}</style><text>x</text>", "<style>g .a{font:1e9px serif}</style><g><text class='a'>x</text></g>",
      "<g font-size='1000em'><g font-size='1000em'><text>x</text></g></g>", "<text style='font/**/-size:1;font-size:\\31 e9'>x</text>",
      "<g transform='scale(1e9)'><text>x</text></g>", "<text letter-spacing='1e30'>xy</text>", "<text x='1e30'>x</text>",
      "<defs><text id='t' font-size='1e20'>x</text></defs><use href='#t'/>", "<text font-size='&#49;e30'>x</text>",
      "<style>text{font-size:1e30</style><text>x</text>", "<style>text{a:'}';font-size:1e30}</style><text>x</text>",
      "<style>text{a:url(});font-size:1e30}</style><text>x</text>", "<style>a{b:'\n}text{font-size:1e30}</style><text>x</text>",
    ])
  func text(_ content: String) { #expect(error(content) == .limitExceeded) }

  @Test(
    "Elements that are used again and again",
    arguments: ["mask", "use", "pattern", "marker", "clipPath"])
  func expansion(_ kind: String) {
    var content = "<rect id='e0' width='9' height='9'/>"
    for level in 1...24 {
      let (id, last) = ("e\(level)", "#e\(level - 1)")
      let next =
        switch kind {
        case "use": "<g id='\(id)'><use href='\(last)'/><use xlink:href='\(last)'/></g>"
        case "pattern":
          "<pattern id='\(id)' width='1' height='1'><rect width='9' height='9' fill='url(\(last))'/>"
            + "<rect width='9' height='9' style='stroke:url(\(last))'/></pattern>"
        case "marker": "<marker id='\(id)'><path d='M0 0L1 1L2 2' marker-mid='url(\(last))' marker-end='url(\(last))'/></marker>"
        default:
          "<\(kind) id='\(id)'><rect width='9' height='9' \(kind == "mask" ? "mask" : "clip-path")='url(\(last))'/>"
            + "<rect width='9' height='9' \(kind == "mask" ? "mask" : "clip-path")='url(\(last))'/></\(kind)>"
        }
      content += next
    }
    let property = ["mask": "mask", "pattern": "fill", "marker": "marker-start", "clipPath": "clip-path"][kind]
    content += property.map { "<path d='M0 0L9 9' \($0)='url(#e24)'/>" } ?? "<use href='#e24'/>"
    #expect(error(content) == .limitExceeded)
  }

  @Test("Nesting, and what hides something")
  func hidden() {
    #expect(error(String(repeating: "<g>", count: 300) + String(repeating: "</g>", count: 300)) == .limitExceeded)
    #expect(error("<style>@import url(data:text/css,a)</style>") == .limitExceeded)
    #expect(error("<rect width='9' height='9' filter='url(data:image/svg+xml,x#f)'/>") == .limitExceeded)
    #expect(error("<filter id='f'><feTurbulence numOctaves='1000000'/></filter>") == .limitExceeded)
    #expect(error("<path d='M0 0L900000 0' stroke='red' stroke-dasharray='0.001'/>") == .limitExceeded)
  }

  @Test("Entities stand for what they say, elements too; those that multiply are refused")
  func entities() throws {
    func document(_ entities: String) -> [UInt8] {
      Array("<!DOCTYPE svg [\(entities)]><svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g>&e;</g></svg>".utf8)
    }
    let rect = try ImageDecoder.decode(document("<!ENTITY r 'width=\"9\"'><!ENTITY e \"<rect &r; height='9' fill='red'/>\">"))
    #expect(try rect.bitmap(width: 9, height: 9)[4, 4] == opaque(255, 0, 0))
    let ten = (1..<9).map { "<!ENTITY e\($0) '\(String(repeating: "&e\($0 - 1);", count: 10))'>" }.joined()
    let laughs = document("<!ENTITY e0 '<path/>'>\(ten)<!ENTITY e '&e8;'>")
    for refused in [laughs, document("<!ENTITY e '<g>&e;</g>'>"), document("<!ENTITY e SYSTEM 'file:///etc/hostname'>")] {
      #expect(throws: ImageError.self) { try ImageDecoder.decode(refused).bitmap(width: 9, height: 9) }
    }
  }

  @Test("Embedded pictures over the limit, by their header; smaller ones are drawn")
  func embedded() throws {
    let png = try PNGEncoder.encode(picture(8, 8) { _, _ in opaque(0, 255, 0) })
    let hex = "0123456789ABCDEF".map { $0 }
    let url = "data:image/png," + png.map { "%\(hex[Int($0 >> 4)])\(hex[Int($0 & 15)])" }.joined()
    var limits = Limits()
    let content = "<image width='50' height='50' xlink:href='\(url)'/>"
    #expect(error(content, limits) == nil)
    limits.decodedPixels = 50 * 50
    #expect(error(content, limits) == nil)
    let nested = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><text font-size='1e30'>x</text></svg>"
    let escaped = nested.replacing("<", with: "%3C").replacing("'", with: "%27")
    #expect(error("<image width='9' height='9' href='\(escaped)'/>", limits) == .limitExceeded)
    #expect(error("<image width='9' height='9' href='data:image/x,unknown'/>", limits) == .limitExceeded)
  }

  @Test(
    "What icons and illustrations are made of is drawn",
    arguments: [
      "<style>.a{fill:#f00}.b{mask:url(#m)}</style><mask id='m'><rect class='a' width='9'/></mask><g class='b'><circle r='5'/></g>",
      "<defs><symbol id='s' viewBox='0 0 24 24'><path d='M0 0h24v24H0z'/></symbol></defs><use href='#s' width='24' height='24'/>",
      "<text x='5' y='5' font-family='&quot;A&quot;' font-size='12px'>Text <tspan dx='1' font-size='150%'>more</tspan></text>",
      "<linearGradient id='g'><stop offset='0'/><stop offset='1'/></linearGradient><rect fill='url(#g)' width='9' height='9'/>",
      "<!-- a comment --><title>A &amp; B</title><g transform='translate(3 4) scale(0.5)'><ellipse rx='9' ry='3'/></g>",
      "<path d='M1 1L9 9' stroke='red' stroke-dasharray='2 1'/><![CDATA[x]]>",
      "<mask id='m'><rect mask='url(#m)' width='9' height='9'/></mask><rect mask='url(#m)' width='9' height='9'/>",
    ])
  func usual(_ content: String) { #expect(error(content) == nil) }
}
