import OffprintImages
import Testing

@testable import Offprint

/// https://drafts.csswg.org/css-overflow-3/#initial-scroll-position
@Suite("The initial scroll position of a page")
struct ScrollPositionTests {
  /// The color of a pixel as 0xRRGGBB, and the image's size.
  private func image(_ html: String, _ change: (inout RenderRequest) -> Void = { _ in }) throws -> (bitmap: Bitmap, corner: UInt32) {
    let renderer = try Renderer.alone()
    defer { renderer.shutdown() }
    var request = RenderRequest(html: "<!DOCTYPE html>" + html)
    request.width = .px(100)
    request.height = .px(40)
    change(&request)
    guard case .bitmap(let bitmap) = try ImageDecoder.decode(renderer.renderAndWait(request).image).content else {
      throw OffprintError(.renderFailed, "The image is not a bitmap.")
    }
    return (bitmap, bitmap.pixels.last.map { $0 & 0xff_ffff } ?? 0)
  }

  private static let wide =
    "<body style='margin:0'><div style='width:400px;height:40px;background:linear-gradient(90deg,#f00 50%,#00f 50%)'></div>"

  @Test("Right-to-left pages and pages of vertical lines from right to left show their right end")
  func startsAtTheRight() throws {
    for style in ["direction:rtl", "writing-mode:vertical-rl", "writing-mode:sideways-rl"] {
      let found = try image("<html style='\(style)'>\(Self.wide)")
      #expect(found.corner == 0x0000ff, "\(style)")
    }
    for style in ["direction:ltr", "writing-mode:vertical-lr", "writing-mode:sideways-lr"] {
      let found = try image("<html style='\(style)'>\(Self.wide)")
      #expect(found.corner == 0xff0000, "\(style)")
    }
  }

  @Test("Content placed far to the left does not move a right-to-left page")
  func ignoresSkipLinks() throws {
    let page = "<html dir=rtl><body style='margin:0;background:#0f0'>"
    let plain = try image(page), linked = try image(page + "<a style='position:absolute;left:-9999px'>skip</a>")
    #expect(plain.bitmap.pixels == linked.bitmap.pixels)
  }

  @Test("A clip and a selector are relative to the viewport's left edge on a right-to-left page")
  func cropsFromTheViewport() throws {
    let page = "<html dir=rtl>\(Self.wide)<p id=a style='position:absolute;left:10px;top:0;margin:0;width:5px;height:5px;background:#0f0'>"
    #expect(try image(page) { $0.clip = .init(x: 10, y: 0, width: 5, height: 5) }.corner == 0x00ff00)
    #expect(try image(page) { $0.selector = "#a" }.corner == 0x00ff00)
  }

  @Test("Pages of vertical lines are as high and, with an automatic width, as wide as their contents")
  func fitsVerticalContent() throws {
    let style = "font:16px/20px Liberation Sans;margin:0"
    for mode in ["vertical-rl", "vertical-lr", "sideways-rl", "sideways-lr"] {
      let found = try image("<html style='writing-mode:\(mode)'><body style='\(style)'><p style='\(style)'>one<p style='\(style)'>two") {
        $0.height = .auto
        $0.width = .auto
      }
      #expect(found.bitmap.width == 40, "\(mode)")
      #expect((20...40).contains(found.bitmap.height), "\(mode)")
    }
  }
}
