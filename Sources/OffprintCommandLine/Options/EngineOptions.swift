import ArgumentParser
import Glibc
import Offprint
import OffprintRemote

/// The fonts available to pages.
struct FontOptions: ParsableArguments {
  @Option(
    name: [.customLong("fonts"), .customLong("font-path")],
    help: ArgumentHelp("A folder of fonts to use in addition to the bundled ones; may be repeated.", valueName: "dir"))
  var fonts: [String] = []

  @Flag(name: .customLong("system-fonts"), help: "Also use the fonts of the system; images then depend on the machine.")
  var systemFonts = false

  var configuration: RendererConfiguration {
    var configuration = RendererConfiguration()
    configuration.fontFolders = fonts
    configuration.userFontFolder = UserFonts.existingFolder
    configuration.usesSystemFonts = systemFonts
    return configuration
  }
}

/// The hosts that pages may load from.
struct NetworkOptions: ParsableArguments {
  @Option(
    name: .customLong("allow-host"),
    help: ArgumentHelp(
      "A host from which pages may load: a name, *.name, * (all public addresses), an IP address, or a range such as 10.0.0.0/8, "
        + "each optionally with a port (default: none); may be repeated.",
      valueName: "host"))
  var hosts: [String] = []

  /// - Throws: `usage` for an invalid host.
  func apply(to configuration: RendererConfiguration, revalidating: Bool = false) throws(OffprintError) -> RendererConfiguration {
    hosts.isEmpty ? configuration : try configuration.loading(from: hosts, revalidating: revalidating)
  }
}

/// Fonts and the cache: options of every rendering command.
struct EngineOptions: ParsableArguments {
  @OptionGroup var fonts: FontOptions
  @OptionGroup var network: NetworkOptions
  @OptionGroup var isolation: IsolationOptions
  @OptionGroup var tier: TierOptions

  @Option(name: .customLong("cache"), help: ArgumentHelp("The cache folder (default: $OFFPRINT_CACHE, or ./cache).", valueName: "dir"))
  var cache: String?

  @Option(
    name: .customLong("cache-max-size"),
    help: ArgumentHelp("Maximum bytes of cached images, such as 500MB (default: 1GiB).", valueName: "bytes"))
  var cacheMaxSize: Amount?

  @Option(
    name: .customLong("cache-max-age"),
    help: ArgumentHelp("Evict images that were not used for this time, such as 12h or 30d (default: never).", valueName: "time"))
  var cacheMaxAge: Age?

  @Flag(name: .customLong("no-cache"), help: "Do not read or write the cache.")
  var noCache = false

  @Flag(name: .customLong("refresh"), help: "Render even if the image is cached, and replace the cache entry.")
  var refresh = false

  mutating func validate() throws {
    if noCache && refresh { throw ValidationError("--no-cache and --refresh exclude each other.") }
    if noCache && cache != nil { throw ValidationError("--no-cache and --cache exclude each other.") }
    if noCache && tier.address != nil { throw ValidationError("--no-cache and --tier exclude each other.") }
  }

  /// A configuration for loading pages themselves.
  var allowedNetwork: RendererConfiguration {
    get throws(OffprintError) {
      var configuration = RendererConfiguration()
      configuration.cacheFolder = folder
      return try network.apply(to: configuration, revalidating: refresh)
    }
  }

  /// Reports once on a terminal where images are cached, because the folder is created in the working directory.
  private func reportNewFolder() {
    guard !noCache, cache == nil, getenv("OFFPRINT_CACHE") == nil, isatty(STDERR_FILENO) == 1,
      access(RendererConfiguration.defaultCacheFolder, F_OK) != 0
    else { return }
    Output.error(
      "Images are cached in the new folder ./cache; --cache DIR or OFFPRINT_CACHE sets another folder, --no-cache disables the cache.")
  }

  private var folder: String? { noCache ? nil : cache ?? RendererConfiguration.defaultCacheFolder }

  var policy: CachePolicy { noCache ? .none : refresh ? .refresh : .standard }

  func configuration(workers: Int = 1, waitsForTier: Bool = false) throws(OffprintError) -> RendererConfiguration {
    var configuration = fonts.configuration
    configuration.cacheFolder = folder
    configuration = try network.apply(to: configuration, revalidating: refresh)
    if let cacheMaxSize { configuration.cacheMaxSize = cacheMaxSize.value }
    configuration.cacheMaxAge = cacheMaxAge?.duration
    configuration.workers = workers
    reportNewFolder()
    if !noCache { configuration = try tier.apply(to: configuration, waits: waitsForTier) }
    return try isolation.apply(to: configuration)
  }
}
