import OffprintIsolation
import Logging
import NIOPosix
import Offprint
import OffprintRemote
import OffprintRenderCache

/// What answers are made with, until SIGHUP makes it anew: renderer, templates, tokens and keys.
struct Engine: Sendable {
  var renderer: any PictureRenderer
  var templates: TemplateShelf
  var access: AccessControl
  var fonts: [FontLibrary.Face]
  /// Rises with each reload: what was remembered of the one before does not hold.
  var generation = 0
  /// Ends the renderer once no request holds the engine any more.
  private var lifetime: RendererLifetime?

  init(renderer: any PictureRenderer, templates: TemplateShelf, access: AccessControl, fonts: [FontLibrary.Face]) {
    self.renderer = renderer; self.templates = templates; self.access = access; self.fonts = fonts
  }

  init(_ settings: ServiceSettings, logger: Logger, observer: RenderObserver?) throws(OffprintError) {
    access = try AccessControl(settings)
    templates = try TemplateShelf(folders: settings.templateFolders)
    var configuration = settings.rendererConfiguration
    configuration.observer = observer
    // Also what is done for a picture around its drawing, such as writing it, comes after those who ask for what is there already.
    configuration.workerThreadBegins = { ThreadTurns.stepBack(niceness: 5, isBatch: true) }
    if let address = settings.tierAddress, settings.cacheFolder != nil {
      var tier = CacheTier(address)
      tier.isReadOnly = settings.isTierReadOnly
      tier.onNotice = { notice in
        if case .back = notice { logger.notice("\(notice.message)") } else { logger.warning("\(notice.message)") }
      }
      configuration = try configuration.sharing(tier)
    }
    if !settings.allowedHosts.isEmpty { configuration = try configuration.loading(from: settings.allowedHosts) }
    fonts = try FontLibrary(configuration).faces
    guard !settings.drawsInProcess else {
      renderer = try Renderer(configuration)
      lifetime = RendererLifetime(renderer)
      return
    }
    var isolation = IsolationConfiguration()
    isolation.memoryBytes = settings.workerMemoryBytes
    isolation.dispensableLayers = settings.dispensableLayers
    // Who asks for what is there already does not wait for those who draw.
    isolation.niceness = 5
    isolation.onFirstReport = { report in
      for layer in report.missing {
        logger.notice(
          "The workers lack a layer of isolation.", metadata: ["layer": "\(layer.layer.rawValue)", "reason": "\(layer.detail)"])
      }
    }
    let isolated = try IsolatedRenderer(configuration, isolation: isolation)
    // A machine on which no page can be drawn is no reason to answer that to every request.
    try isolated.startAndWait()
    renderer = isolated
    lifetime = RendererLifetime(isolated)
  }
}

/// Shared by the copies of an engine.
private final class RendererLifetime: Sendable {
  private let renderer: any PictureRenderer

  init(_ renderer: any PictureRenderer) { self.renderer = renderer }

  // The last request may end on an event loop, which must not wait for the renderer.
  deinit { NIOThreadPool.singleton.submit { [renderer] _ in renderer.end(isExiting: false) } }
}
