import Offprint

struct CardRenderer {
  let renderer: Renderer

  init() throws(OffprintError) {
    var configuration = RendererConfiguration()
    configuration.cacheFolder = "cards"
    renderer = try Renderer(configuration)
  }
}
