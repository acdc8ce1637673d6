import OffprintIsolation
import Logging
import NIOPosix
import Offprint
import OffprintRemote
import OffprintRenderCache

/// The renderer, templates, tokens and keys that requests use. SIGHUP creates a new one.
struct Engine: Sendable {
  var renderer: any ImageRenderer
  var templates: TemplateRegistry
  var presets = PresetRegistry()
  var access: AccessControl
  var fonts: [FontLibrary.Face]
  /// Increases with each reload; cached responses of earlier generations are invalid.
  var generation = 0
  /// Loads pages that requests name by their URLs.
  var configuration = RendererConfiguration()
  /// Shuts the renderer down when no request holds the engine any more.
  private var lifetime: RendererLifetime?

  init(renderer: any ImageRenderer, templates: TemplateRegistry, access: AccessControl, fonts: [FontLibrary.Face]) {
    self.renderer = renderer; self.templates = templates; self.access = access; self.fonts = fonts
  }

  /// The optional parts that are unavailable at the moment, for `/health/ready`: the service renders, but more slowly than with the shared store.
  var missingParts: [String] { renderer.imageCache?.configuration.tier?.figures.isLost == true ? ["tier"] : [] }

  /// The shared store of a configuration. At the start, a store that cannot be used is an error unless it is optional; later, it is
  /// reported when it is used.
  private static func tier(_ settings: ServiceSettings, _ logger: Logger, isStart: Bool) throws(OffprintError) -> CacheTier? {
    guard let address = settings.tierAddress else { return nil }
    guard settings.cacheFolder != nil else {
      throw OffprintError(.usage, "--tier requires a cache folder, and --no-cache excludes it.")
    }
    var tier = CacheTier(address)
    tier.isReadOnly = settings.isTierReadOnly
    tier.onNotice = { notice in
      if case .back = notice { logger.notice("\(notice.message)") } else { logger.warning("\(notice.message)") }
    }
    do throws(OffprintError) {
      if isStart { try tier.check() }
    } catch {
      guard error.code == .tierUnavailable else { throw error }
      guard settings.isTierOptional else {
        throw OffprintError(.tierUnavailable, "\(error.message) To start without it, use --tier-optional.")
      }
      logger.warning("\(error.message) The service starts without it.", metadata: ["code": "\(error.code.rawValue)"])
      tier.isKnownAsLost = true
    }
    return tier
  }

  /// - Parameter isStart: Whether the service starts, or reloads its configuration.
  /// - Parameter onRemoval: Called after another machine removed images.
  init(
    _ settings: ServiceSettings, logger: Logger, isStart: Bool, uploads: Uploads, onRemoval: @escaping @Sendable () -> Void,
    observer: RenderObserver?
  ) throws(OffprintError) {
    access = try AccessControl(settings)
    templates = try TemplateRegistry(folders: settings.templateFolders)
    presets = try PresetRegistry(settings, templates)
    var configuration = settings.rendererConfiguration
    configuration.observer = observer
    configuration.resourceProvider = { try uploads.content($0) }
    // Work around a render, such as encoding and storing, also has lower priority than cache hits.
    configuration.workerThreadBegins = { ThreadScheduling.lowerPriority(niceness: 5, isBatch: true) }
    if var tier = try Self.tier(settings, logger, isStart: isStart) {
      tier.onRemoval = onRemoval
      configuration = try configuration.sharing(tier)
    }
    if !settings.allowedHosts.isEmpty { configuration = try configuration.loading(from: settings.allowedHosts) }
    fonts = try FontLibrary(configuration).faces
    self.configuration = configuration
    guard !settings.drawsInProcess else {
      renderer = try Renderer(configuration)
      lifetime = RendererLifetime(renderer)
      return
    }
    var isolation = IsolationConfiguration()
    isolation.memoryBytes = settings.workerMemoryBytes
    isolation.dispensableLayers = settings.dispensableLayers
    // Cache hits should not wait for renders.
    isolation.niceness = 5
    isolation.onFirstReport = { report in
      for layer in report.missing {
        logger.notice(
          "The workers lack a layer of isolation.", metadata: ["layer": "\(layer.layer.rawValue)", "reason": "\(layer.detail)"])
      }
    }
    let isolated = try IsolatedRenderer(configuration, isolation: isolation)
    // Refuses to start on a machine that cannot render, instead of failing every request.
    try isolated.startAndWait()
    renderer = isolated
    lifetime = RendererLifetime(isolated)
  }
}

private final class RendererLifetime: Sendable {
  private let renderer: any ImageRenderer

  init(_ renderer: any ImageRenderer) { self.renderer = renderer }

  // The last request may end on an event loop, which must not wait for the renderer.
  deinit { NIOThreadPool.singleton.submit { [renderer] _ in renderer.end(isExiting: false) } }
}
