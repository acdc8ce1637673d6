import Offprint

struct CardRenderer {
  let renderer: Renderer

  init() throws(OffprintError) {
    var configuration = RendererConfiguration()
    configuration.cacheFolder = "cards"
    renderer = try Renderer(configuration)
  }

  func card(for name: String) async throws(OffprintError) -> [UInt8] {
    var request = RenderRequest(html: "<h1>\(name)</h1>")
    request.width = .px(400)
    return try await renderer.render(request).image
  }
}
