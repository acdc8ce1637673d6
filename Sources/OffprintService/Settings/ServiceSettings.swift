import OffprintIsolation
import Glibc
import Logging
import Offprint

/// How the service is set up. `SettingTable` has the flag, the variable and the key of each.
struct ServiceSettings: Sendable, Equatable {
  var host = "127.0.0.1"
  var port = 8080
  /// Threads that read requests and write answers. Half of the processors: what is left serves those who ask from the same machine, and who draws.
  var eventLoops = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2)

  // What it draws with.
  var workers = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  /// Pages are drawn in this process, and can end it.
  var drawsInProcess = false
  var workerMemoryBytes = 1 << 30
  var fontFolders: [String] = []
  var usesSystemFonts = false
  var templateFolders: [String] = []
  var allowedFolders: [String] = []
  var allowedHosts: [String] = []
  /// Names in `Host` that a service without authentication answers to, besides loopback names and its own address; `*`: all.
  var acceptedHosts: [String] = []
  /// Layers of the workers' sandbox that may be missing.
  var dispensableLayers: Set<IsolationReport.Layer> = []
  /// Nil: no cache.
  var cacheFolder: String? = RendererConfiguration.defaultCacheFolder
  var cacheMaxBytes = 1 << 30
  var cacheMemoryBytes = 64 << 20
  /// A store that other machines share.
  var tierAddress: String?
  var isTierReadOnly = false

  // Who may do what.
  var tokensFile: String?
  var keysFile: String?
  var isAuthenticationOff = false
  var isPresetsOnly = false
  var areMetricsOpen = false
  /// How many proxies in front add to `X-Forwarded-For`; 0: the header is not believed.
  var trustedProxies = 0

  // What a request may take.
  var maxBodyBytes = 4 << 20
  var maxLineBytes = 4 << 20
  var maxPixels = 64_000_000
  var maxSide = 16_384.0
  var maxScale = 4.0
  /// Seconds of drawing.
  var renderSeconds = 10.0
  /// Seconds from the request to its answer, waiting included.
  var requestSeconds = 30.0

  // How many at a time.
  var queueCapacity = 256
  var clientConcurrency = 32
  var maxConnections = 4096
  /// Jobs of lists that are under way at a time, all lists together; 0: twice the workers.
  var batchConcurrency = 0

  // Times of connections, in seconds.
  var idleSeconds = 60.0
  var bodySeconds = 30.0
  var writeSeconds = 30.0
  var drainDelaySeconds = 0.0
  var drainSeconds = 30.0

  /// `max-age` of pictures, in seconds.
  var maxAge = 86_400
  var logLevel = Logger.Level.info
  var logsJSON = true
  /// Where spans go, as lines of OTLP JSON.
  var traceFile: String?

  init() {}

  var batchSlots: Int { batchConcurrency > 0 ? batchConcurrency : workers * 2 }

  /// What pages may use at most.
  var limits: Limits {
    var limits = Limits()
    limits.inputBytes = max(maxBodyBytes, limits.inputBytes)
    limits.picturePixels = maxPixels
    // Sides that contents or a clip decide, too.
    limits.pictureSide = min(limits.pictureSide, Int((maxSide * max(1, maxScale)).rounded(.up)))
    limits.seconds = renderSeconds
    return limits
  }

  var rendererConfiguration: RendererConfiguration {
    var configuration = RendererConfiguration()
    configuration.workers = workers
    configuration.fontFolders = fontFolders
    configuration.userFontFolder = UserFonts.existingFolder
    configuration.usesSystemFonts = usesSystemFonts
    configuration.cacheFolder = cacheFolder
    configuration.cacheMaxSize = cacheMaxBytes
    // The other half is for answers as a whole.
    configuration.cacheMemoryBytes = cacheMemoryBytes / 2
    configuration.queueCapacity = queueCapacity
    // Checksums tell what a power failure damaged; waiting for the disk at each picture takes longer than drawing some.
    configuration.cacheSynchronizes = false
    return configuration
  }
}
