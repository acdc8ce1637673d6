import OffprintCoreTypes
import Glibc
package import OffprintRenderCache
package import OffprintResources

/// What a renderer is made with.
public struct RendererConfiguration: Sendable {
  /// Folders of fonts, besides the bundled one.
  public var fontFolders: [String] = []
  /// The fonts that the user chose for all pages (`UserFonts`), where there are any; nil: none. The commands and the service use them.
  public var userFontFolder: String?
  /// Use the machine's fonts too; pictures then depend on the machine.
  public var usesSystemFonts = false
  /// The folder of bundled fonts; nil: found beside the executable or in `OFFPRINT_FONTS`.
  public var bundledFontFolder: String?
  /// Where pictures are kept; nil for no cache.
  public var cacheFolder: String?
  /// Bytes on disk that the cache is trimmed to.
  public var cacheMaxSize = 1 << 30
  /// What was not used for so long goes from the cache; nil keeps it.
  public var cacheMaxAge: Duration?
  /// Bytes of pictures kept in this process's memory as well; 0: none.
  public var cacheMemoryBytes = 32 << 20
  /// Threads that render; each is started when there is something to do for it.
  public var workers = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  /// Called on each thread that renders, first.
  package var workerThreadBegins: (@Sendable () -> Void)?
  /// How many requests may wait for a worker; more fail with `queueFull`.
  public var queueCapacity = 1024
  /// Gets what pages refer to.
  public var resourceProvider: ResourceProvider?
  /// Gets what pages refer to on their request's `allowedHosts` and `resourceProvider` does not know; nil: nothing is loaded from a network.
  package var network: (any NetworkLoading)?
  /// Told of every render as it ends.
  public var observer: RenderObserver?
  /// Whether pictures are on the disk itself before they count as kept. Off, a power failure can leave damaged ones, which are drawn anew.
  package var cacheSynchronizes = true
  /// What other machines use as well, behind the folder.
  package var cacheTier: SecondTier?
  /// Where pages are drawn instead of on the workers' threads.
  package var pageDrawing: (any PageDrawing)?

  public init() {}

  /// `OFFPRINT_CACHE`, or `cache` in the working directory. An empty variable counts as unset.
  public static var defaultCacheFolder: String {
    guard let variable = getenv("OFFPRINT_CACHE"), variable.pointee != 0 else { return "cache" }
    return String(cString: variable)
  }

  /// Where digests of font files are kept, so that large ones are not read whole at every start.
  package var fontDigestFolder: String? {
    if let cacheFolder, !RenderCache.isForeign(folder: cacheFolder) { return "\(cacheFolder)/fonts" }
    return userFontFolder
  }

  /// The folders that faces are read from, first to last.
  ///
  /// - Throws: `inputNotFound` for a folder that is not there.
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
