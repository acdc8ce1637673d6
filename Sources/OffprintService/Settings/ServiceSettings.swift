import OffprintIsolation
import Glibc
import Logging
import Offprint

/// The settings of the service. `SettingTable` has the flag, the variable and the key of each.
struct ServiceSettings: Sendable, Equatable {
  var host = "127.0.0.1"
  var port = 8080
  /// Threads that read requests and write responses. Half of the processors by default, which leaves the others to renderers and local
  /// clients.
  var eventLoops = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)) / 2)

  // Rendering.
  var workers = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  /// Renders pages in this process, which a page can then terminate.
  var drawsInProcess = false
  var workerMemoryBytes = 1 << 30
  var fontFolders: [String] = []
  var usesSystemFonts = false
  var templateFolders: [String] = []
  var allowedFolders: [String] = []
  var allowedHosts: [String] = []
  /// Host names that a service without authentication accepts in `Host`, in addition to loopback names and its own address; `*` accepts
  /// all.
  var acceptedHosts: [String] = []
  /// Origins whose pages may read responses; `*` allows all.
  var corsOrigins: [String] = []
  /// Diagnostics that fail the render of every page.
  var fatalDiagnostics: Set<RenderRequest.FatalDiagnostic> = []
  /// Hosts that webhooks may be sent to.
  var webhookHosts: [String] = []
  /// Time limit of an attempt to deliver a webhook, in seconds.
  var webhookSeconds = 10.0
  /// How long deliveries are retried, in seconds.
  var webhookRetrySeconds = 600.0
  /// Layers of the workers' sandbox that may be missing.
  var dispensableLayers: Set<IsolationReport.Layer> = []
  /// Nil disables the cache.
  var cacheFolder: String? = RendererConfiguration.defaultCacheFolder
  var cacheMaxBytes = 1 << 30
  var cacheMemoryBytes = 64 << 20
  /// The URL of a store shared with other machines.
  var tierAddress: String?
  var isTierReadOnly = false
  /// Whether the service starts without the shared store.
  var isTierOptional = false

  // Access.
  var tokensFile: String?
  var keysFile: String?
  var webhookKeysFile: String?
  var isAuthenticationOff = false
  var isPresetsOnly = false
  var areMetricsOpen = false
  /// How many proxies in front of the service append to `X-Forwarded-For`; with 0, the header is ignored.
  var trustedProxies = 0

  // Limits of a request.
  var maxBodyBytes = 4 << 20
  var maxLineBytes = 4 << 20
  var maxPixels = 64_000_000
  var maxSide = 16_384.0
  var maxScale = 4.0
  /// Time limit of rendering, in seconds.
  var renderSeconds = 10.0
  /// Time limit from the request to its response, including waiting, in seconds.
  var requestSeconds = 30.0

  // Concurrency.
  var queueCapacity = 256
  var clientConcurrency = 32
  var maxConnections = 4096
  /// The number of concurrent jobs of all lists together; 0 means twice the number of workers.
  var batchConcurrency = 0

  // Timeouts of connections, in seconds.
  var idleSeconds = 60.0
  var bodySeconds = 30.0
  var writeSeconds = 30.0
  var drainDelaySeconds = 0.0
  var drainSeconds = 30.0

  /// `max-age` of images, in seconds.
  var maxAge = 86_400
  /// How long caches may use an image after that while they request it again.
  var staleWhileRevalidate = 0
  /// `max-age` of errors of signed URLs.
  var errorMaxAge = 0
  var presets: [Preset] = []
  var logLevel = Logger.Level.info
  var logsJSON = true
  /// The file for spans, as lines of OTLP JSON.
  var traceFile: String?
  /// The base URL of a collector that accepts OTLP/HTTP.
  var traceEndpoint: String?

  init() {}

  var batchSlots: Int { batchConcurrency > 0 ? batchConcurrency : workers * 2 }

  /// Limits of each page.
  var limits: Limits {
    var limits = Limits()
    limits.inputBytes = max(maxBodyBytes, limits.inputBytes)
    limits.imagePixels = maxPixels
    // Applies to all sides, including those determined by contents or a clip.
    limits.imageSide = min(limits.imageSide, Int((maxSide * max(1, maxScale)).rounded(.up)))
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
    // The other half is for complete responses.
    configuration.cacheMemoryBytes = cacheMemoryBytes / 2
    configuration.queueCapacity = queueCapacity
    // Checksums detect damage from power failures, and syncing each image would take longer than rendering some of them.
    configuration.cacheSynchronizes = false
    return configuration
  }
}
