import ArgumentParser
import Glibc
import Offprint
import OffprintRemote

/// The fonts available to pages.
struct FontOptions: ParsableArguments {
  @Option(
    name: [.customLong("fonts"), .customLong("font-path")],
    help: ArgumentHelp("A folder of fonts, used besides the bundled ones; may be repeated.", valueName: "dir"))
  var fonts: [String] = []

  @Flag(name: .customLong("system-fonts"), help: "Use the machine's fonts as well: pictures then depend on where they are made.")
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
      "A host that pages may load from: a name, *.name, * (all public addresses), an address or 10.0.0.0/8, a port behind it or not (default: none); may be repeated.",
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
    name: .customLong("cache-max-size"), help: ArgumentHelp("Bytes of pictures to keep, as 500MB (default: 1GiB).", valueName: "bytes"))
  var cacheMaxSize: Amount?

  @Option(
    name: .customLong("cache-max-age"),
    help: ArgumentHelp("Drop what was not used for so long, as 12h or 30d (default: never).", valueName: "time"))
  var cacheMaxAge: Age?

  @Flag(name: .customLong("no-cache"), help: "Neither read nor write the cache.")
  var noCache = false

  @Flag(name: .customLong("refresh"), help: "Render anew and store the result.")
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
    Output.error("Images are kept in ./cache, which is made now; --cache DIR or OFFPRINT_CACHE puts them elsewhere, --no-cache keeps none.")
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
