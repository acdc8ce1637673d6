import OffprintCoreTypes
import Testing

@testable import Offprint

@Suite("Media features and glyph positions") struct MediaAndGlyphTests {
  private func render(_ html: String, scale: Double = 1, _ change: (inout RenderRequest) -> Void) async throws -> RenderResult {
    var request = RenderRequest(html: html)
    (request.width, request.scale) = (.px(200), scale)
    change(&request)
    let renderer = try Renderer(RendererConfiguration())
    defer { renderer.shutdown() }
    return try await renderer.render(request)
  }

  @Test("A media feature of the request determines which rules apply, in frames too")
  func features() async throws {
    let css = "<style>body{margin:0}div{height:10px}@media (prefers-reduced-motion){div{height:30px}}</style>"
    let frame = "<body style='margin:0'><iframe height=40 srcdoc=\"\(css)<div style='background:red'></div>\">"
    for html in ["\(css)<div></div>", frame] {
      let plain = try await render(html) { _ in }
      let chosen = try await render(html) { $0.mediaFeatures = [MediaFeature("prefers-reduced-motion=reduce")].compactMap(\.self) }
      #expect(plain.image != chosen.image)
    }
  }

  @Test("Whole glyph positions give words of whole pixels, only at a scale of 1")
  func positions() async throws {
    // Without kerning, every width is the sum of its advances.
    let page = "<body style=\"margin:0;font:15px 'Liberation Sans';font-kerning:none\"><span>wide</span> <span>iiiii</span>"
    func widths(_ positions: RenderRequest.GlyphPositions, scale: Double) async throws -> [Double] {
      var request = RenderRequest(html: page)
      (request.glyphPositions, request.scale) = (positions, scale)
      let renderer = try Renderer(RendererConfiguration())
      defer { renderer.shutdown() }
      return try await renderer.layout(request).boxes.suffix(2).map(\.width)
    }
    let whole = try await widths(.whole, scale: 1), sub = try await widths(.subpixel, scale: 1)
    #expect(whole.count == 2 && whole.allSatisfy { $0 == $0.rounded() && $0 > 0 })
    #expect(sub.contains { $0 != $0.rounded() })
    #expect(try await widths(.whole, scale: 2) == widths(.subpixel, scale: 2))
  }
}
