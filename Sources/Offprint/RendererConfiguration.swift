import OffprintCoreTypes
import Glibc
package import OffprintRenderCache
package import OffprintResources

/// The configuration of a renderer.
public struct RendererConfiguration: Sendable {
  /// Font folders, in addition to the bundled one.
  public var fontFolders: [String] = []
  /// The user's font folder (`UserFonts`), if it exists; nil for none. The commands and the service use it.
  public var userFontFolder: String?
  /// Whether to use the machine's fonts as well, so that images depend on the machine.
  public var usesSystemFonts = false
  /// The folder of bundled fonts; if nil, found beside the executable or in `OFFPRINT_FONTS`.
  public var bundledFontFolder: String?
  /// The cache folder; nil for no cache.
  public var cacheFolder: String?
  /// The size in bytes that the cache is trimmed to.
  public var cacheMaxSize = 1 << 30
  /// Images unused for longer than this are removed from the cache; nil disables removal by age.
  public var cacheMaxAge: Duration?
  /// Bytes of images cached in this process's memory; 0 for none.
  public var cacheMemoryBytes = 32 << 20
  /// The number of rendering threads; each is started when needed.
  public var workers = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  /// Called first on each rendering thread.
  package var workerThreadBegins: (@Sendable () -> Void)?
  /// How many requests may wait for a worker; further ones fail with `queueFull`.
  public var queueCapacity = 1024
  /// Provides the resources of pages.
  public var resourceProvider: ResourceProvider?
  /// Loads resources from the request's `allowedHosts` that `resourceProvider` does not provide; if nil, nothing is loaded from a network.
  package var network: (any NetworkLoading)?
  /// Called at the end of every render.
  public var observer: RenderObserver?
  /// Whether images are synced to the disk before they count as stored. If not, a power failure can leave damaged images, which are
  /// rendered again.
  package var cacheSynchronizes = true
  /// A second tier behind the folder, shared with other machines.
  package var cacheTier: SecondTier?
  /// Where pages are rendered, if not on the workers' threads.
  package var pageDrawing: (any PageDrawing)?

  public init() {}

  /// `OFFPRINT_CACHE`, or `cache` in the working directory. An empty variable counts as unset.
  public static var defaultCacheFolder: String {
    guard let variable = getenv("OFFPRINT_CACHE"), variable.pointee != 0 else { return "cache" }
    return String(cString: variable)
  }

  /// Where digests of font files are cached, so that large ones are not read at every start.
  package var fontDigestFolder: String? {
    if let cacheFolder, !RenderCache.isForeign(folder: cacheFolder) { return "\(cacheFolder)/fonts" }
    return userFontFolder
  }

  /// The font folders in search order.
  ///
  /// - Throws: `inputNotFound` for a folder that does not exist.
  package func resolvedFontFolders() throws(OffprintError) -> [String] {
    for folder in fontFolders {
      var status = stat()
      guard stat(folder, &status) == 0 else { throw OffprintError(.inputNotFound, "There is no font folder '\(folder)'.") }
      guard status.st_mode & S_IFMT == S_IFDIR else { throw OffprintError(.fontUnreadable, "The font folder '\(folder)' is not a folder.") }
    }
    let own = [bundledFontFolder ?? BundledFonts.find(), userFontFolder].compactMap(\.self)
    return own + fontFolders
  }
}
