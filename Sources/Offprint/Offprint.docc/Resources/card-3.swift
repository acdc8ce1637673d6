import Offprint

struct CardRenderer {
  let renderer: Renderer

  init() throws(OffprintError) {
    var configuration = RendererConfiguration()
    configuration.cacheFolder = "cards"
    renderer = try Renderer(configuration)
  }

  private static let template = Template.mustache(source: "<h1>{{name}}</h1><p>{{role}}</p>", name: "card")

  func card(for name: String, role: String) async throws(OffprintError) -> [UInt8] {
    var request = RenderRequest(html: "")
    request.template = Self.template
    request.attributes = ["name": name, "role": role]
    request.width = .px(400)
    return try await renderer.render(request).image
  }
}
