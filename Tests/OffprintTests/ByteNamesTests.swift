import OffprintImages
import Testing

@testable import Offprint

private let composed = "\u{E9}", decomposed = "e\u{301}"

/// Identifiers and URLs are compared code point by code point. https://drafts.csswg.org/css-values-4/#css-identifier
@Suite("Canonically equivalent names")
struct ByteNamesTests {
  private static let box = "position:absolute;top:0;width:10px;height:10px"

  /// The colors of two adjacent boxes, each 10 px wide.
  private func colors(_ css: String, _ body: String, provider: ResourceProvider? = nil) async throws -> [String] {
    let renderer = try Renderer.alone { $0.resourceProvider = provider }
    var request = RenderRequest(html: "<!DOCTYPE html><meta charset=utf-8><style>body{margin:0;background:#000}\(css)</style>\(body)")
    request.width = .px(20)
    request.height = .px(10)
    guard case .bitmap(let bitmap) = try ImageDecoder.decode(await renderer.render(request).image).content else {
      throw OffprintError(.renderFailed, "The image is not a bitmap.")
    }
    return [5, 15].map { x in
      let pixel = bitmap.pixels[5 * bitmap.width + x]
      return ["red", "lime", "blue"].enumerated().first { pixel >> (16 - 8 * UInt32($0.offset)) & 0xff > 200 }?.element ?? "none"
    }
  }

  private func pair(_ style: (String) -> String) -> String {
    zip([composed, decomposed], [0, 10]).map { name, left in "<div style='\(Self.box);left:\(left)px;\(style(name))'></div>" }.joined()
  }

  @Test("Canonically equivalent URLs are two background images")
  func images() async throws {
    let css = zip([composed, decomposed], ["red", "lime"]).map { "#\($1){background:url('mem:\($0).svg')}" }.joined()
    let body = ["red", "lime"].enumerated().map { "<div id=\($1) style='\(Self.box);left:\($0 * 10)px'></div>" }.joined()
    let found = try await colors(css, body) { query in
      let color = query.url.utf8.contains(0xA9) || query.url.uppercased().contains("%C3%A9") ? "red" : "lime"
      return ResourceContent(
        bytes: Array(
          "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><rect width='10' height='10' fill='\(color)'/></svg>".utf8),
        mimeType: "image/svg+xml")
    }
    #expect(found == ["red", "lime"])
  }

  @Test("Canonically equivalent names are two animations")
  func keyframes() async throws {
    let css = "@keyframes \(composed){0%{background:red}}@keyframes \(decomposed){0%{background:lime}}"
    #expect(try await colors(css, pair { "animation:1s \($0)" }) == ["red", "lime"])
  }

  @Test("Canonically equivalent names are two custom properties")
  func properties() async throws {
    #expect(try await colors("body{--\(composed):red;--\(decomposed):lime}", pair { "background:var(--\($0))" }) == ["red", "lime"])
  }

  @Test("Canonically equivalent names are two containers")
  func containers() async throws {
    let css = """
      .c{container-type:size;container-name:\(decomposed)}.c>div{width:10px;height:10px;background:lime}
      @container \(composed) (width>0){.c>div{background:red}}
      """
    let body = [0, 10].map { "<div class=c style='\(Self.box);left:\($0)px'><div></div></div>" }.joined()
    #expect(try await colors(css, body) == ["lime", "lime"])
  }

  @Test("Canonically equivalent names are two anchors")
  func anchors() async throws {
    let css = """
      .a{position:absolute;top:0;width:10px;height:10px}.b{position:absolute;width:10px;height:10px;top:0;background:lime}
      """
    let body = """
      <div class=a style='left:0;anchor-name:--\(composed)'></div><div class=a style='left:10px;anchor-name:--\(decomposed)'></div>
      <div class=b style='left:anchor(--\(composed) left)'></div>
      """
    #expect(try await colors(css, body) == ["lime", "none"])
  }

  @Test("Canonically equivalent names are two counter styles")
  func counterStyles() async throws {
    let css = """
      @counter-style \(composed){system:cyclic;symbols:''}@counter-style \(decomposed){system:cyclic;symbols:'\u{2588}\u{2588}\u{2588}'}
      div{color:red;font:20px/10px Liberation Mono,DejaVu Sans Mono;overflow:hidden}
      """
    let body = zip([composed, decomposed], [0, 10]).map { name, left in
      "<style>.n\(left)::before{content:counter(c,\(name))}</style><div class=n\(left) style='\(Self.box);left:\(left)px'></div>"
    }
    #expect(try await colors(css, body.joined()) == ["none", "red"])
  }

  @Test("Canonically equivalent ids are two elements")
  func identifiers() async throws {
    #expect(
      try await colors("#\(composed){background:red}#\(decomposed){background:lime}", pair { "' id='\($0)" }) == ["red", "lime"])
  }
}
