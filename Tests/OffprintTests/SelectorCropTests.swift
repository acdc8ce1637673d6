import OffprintImages
import Testing

@testable import Offprint

@Suite("Cropping to a selected element")
struct SelectorCropTests {
  private func image(_ html: String, _ selector: String) throws -> Bitmap {
    let renderer = try Renderer.alone()
    defer { renderer.shutdown() }
    var request = RenderRequest(html: "<!DOCTYPE html><style>body{margin:0}#a{width:40px;height:20px;background:#00f}</style>" + html)
    request.width = .px(300)
    request.height = .px(200)
    request.selector = selector
    guard case .bitmap(let bitmap) = try ImageDecoder.decode(renderer.renderAndWait(request).image).content else {
      throw OffprintError(.renderFailed, "The image is not a bitmap.")
    }
    return bitmap
  }

  /// The size of the image, and whether it has a single color.
  private func crop(_ html: String, _ selector: String = "#a") throws -> String {
    let bitmap = try image(html, selector)
    let isPlain = bitmap.pixels.allSatisfy { $0 & 0xff_ffff == 0x0000ff }
    return "\(bitmap.width)×\(bitmap.height)" + (isPlain ? "" : " mixed")
  }

  @Test("The crop of a box follows its own transform")
  func followsTransforms() throws {
    #expect(try crop("<div id=a style='position:absolute;left:50%;top:50%;transform:translate(-50%,-50%)'></div>") == "40×20")
    #expect(try crop("<div id=a style='margin:50px;transform:scale(2)'></div>") == "80×40")
    #expect(try crop("<div id=a style='margin:50px;rotate:90deg'></div>") == "20×40")
    #expect(try crop("<div id=a style='offset-path:path(\"M100 100 h1\");offset-rotate:0deg'></div>") == "40×20")
  }

  @Test("The crop follows transforms of ancestors, including 3D transforms")
  func followsAncestors() throws {
    #expect(
      try crop("<div style='transform:translate(60px,40px) scale(2);width:60px;transform-origin:0 0'><div id=a></div></div>") == "80×40")
    #expect(
      try crop("<div style='perspective:100px;width:40px'><div id=a style='transform:translateZ(50px);margin-left:60px'></div></div>")
        != "40×20")
    // The plane of the ancestor is seen edge-on, unless it preserves its 3D context.
    let turned = "<div style='transform:rotateY(90deg);width:40px;STYLE'><div id=a style='transform:rotateY(-90deg)'></div></div>"
    #expect(try crop(turned.replacing("STYLE", with: "transform-style:preserve-3d")) == "40×20")
    #expect(throws: OffprintError.self) { try crop(turned.replacing("STYLE", with: "")) }
  }

  @Test("Elements in inline SVG are cropped to their fill")
  func findsShapes() throws {
    let drawing = """
      <svg width=200 height=100 viewBox='0 0 100 50'><g transform='translate(10 5)'><rect id=r x=1 y=2 width=20 height=10 fill=#00f
      stroke=#f00 stroke-width=2 /></g></svg>
      """
    let bitmap = try image(drawing, "#r")
    #expect((bitmap.width, bitmap.height) == (40, 20))
    #expect(bitmap.pixels[10 * 40 + 20] & 0xff_ffff == 0x0000ff)
  }
}
