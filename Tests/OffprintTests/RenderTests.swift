import Offprint
import TestSupport
import Testing

@Suite("Rendering by the library")
struct RenderTests {
  @Test("A picture is as wide as asked for and as high as its content")
  func size() async throws {
    let renderer = try Renderer()
    var request = RenderRequest(html: "<body style='margin:0'><div style='height:20px'></div>")
    request.width = .px(30)
    let result = try await renderer.render(request)
    #expect((result.width, result.height) == (30, 20))
    #expect(!result.wasCached)
  }
}
