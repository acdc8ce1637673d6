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
    request.limits.seconds = 2
    return try await renderer.render(request, priority: .background).image
  }

  func response(for name: String, role: String) async -> (status: Int, body: [UInt8]) {
    do {
      return (200, try await card(for: name, role: role))
    } catch {
      return (error.code.httpStatus, Array(error.message.utf8))
    }
  }
}
