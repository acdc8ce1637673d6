import OffprintIsolation
import OffprintCoreTypes
import Logging
import Offprint

/// A setting with its names: `--max-body`, `OFFPRINT_MAX_BODY`, `max-body` in the configuration file.
struct Setting: Sendable {
  enum Kind: Sendable { case flag, value(String), list(String) }

  var name: String
  /// The variable, for settings whose usual variable name is already in use.
  var variable: String
  var kind: Kind
  var help: String
  /// - Returns: False if the value is invalid.
  var set: @Sendable (inout ServiceSettings, String) -> Bool

  var isFlag: Bool { if case .flag = kind { true } else { false } }
  /// Whether it names a file or folder.
  var isPath: Bool { ["dir", "file"].contains(valueName) }
  var isList: Bool { if case .list = kind { true } else { false } }
  var valueName: String {
    switch kind {
    case .flag: ""
    case .value(let name), .list(let name): name
    }
  }

  init(
    _ name: String, _ kind: Kind, variable: String? = nil, _ help: String,
    _ set: @escaping @Sendable (inout ServiceSettings, String) -> Bool
  ) {
    self.name = name
    self.kind = kind
    self.variable = variable ?? "OFFPRINT_" + name.uppercased().replacing("-", with: "_")
    self.help = help
    self.set = set
  }
}

enum SettingTable {
  static let rows: [Setting] = network + engine + access + webhooks + limits + operation

  static let byName = Dictionary(rows.map { ($0.name, $0) }) { first, _ in first }

  private static let network: [Setting] = [
    Setting("listen", .value("host:port"), "The listen address; port 0 selects a free port (default: 127.0.0.1:8080).") { settings, text in
      guard let colon = text.lastIndex(ofByte: ":"), let port = Int(text[text.index(after: colon)...]), (0...65_535).contains(port) else {
        return false
      }
      let host = text[..<colon]
      settings.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : String(host)
      settings.port = port
      return !settings.host.isEmpty
    },
    number("event-loops", \.eventLoops, 1...256, "Threads that read requests and write responses (default: half of the cores)."),
    number(
      "max-connections", \.maxConnections, 1...1_000_000, "Maximum concurrent connections; others wait to be accepted (default: 4096)."),
    seconds("idle-timeout", \.idleSeconds, "How long a connection may be idle, including within a request's head (default: 60s)."),
    seconds("body-timeout", \.bodySeconds, "How long a body may take to arrive (default: 30s)."),
    seconds("write-timeout", \.writeSeconds, "How long a client may stop reading its response (default: 30s)."),
    number("trusted-proxies", \.trustedProxies, 0...16, "Number of trusted proxies that add to X-Forwarded-For (default: 0)."),
  ]

  private static let engine: [Setting] = [
    number("workers", \.workers, 1...1024, "Pages rendered concurrently (default: the number of cores)."),
    flag(
      "in-process", \.drawsInProcess, "Render in the service's own process: starts faster, but a page that crashes it ends the service."),
    bytes("worker-memory", \.workerMemoryBytes, "Memory limit of a worker process (default: 1GiB)."),
    Setting(
      "allow-missing-layer", .list("layer"),
      "Start even if this layer of the workers' sandbox is not available (docs/isolation.md); may be repeated."
    ) {
      guard let layer = IsolationReport.Layer(rawValue: $1) else { return false }
      $0.dispensableLayers.insert(layer)
      return true
    },
    Setting(
      "fonts", .list("dir"), variable: "OFFPRINT_FONT_PATH", "A folder of fonts to use in addition to the bundled ones; may be repeated."
    ) {
      $0.fontFolders.append($1)
      return true
    },
    flag("system-fonts", \.usesSystemFonts, "Also use the fonts of the system."),
    Setting("templates", .list("dir"), "A folder with Mustache templates NAME.mustache; may be repeated.") {
      $0.templateFolders.append($1)
      return true
    },
    Setting("allow-files", .list("dir"), "A folder from which pages may load files (default: none); may be repeated.") {
      $0.allowedFolders.append($1)
      return true
    },
    Setting("allow-host", .list("host"), "A host from which pages may load, as in 'offprint render' (default: none); may be repeated.") {
      $0.allowedHosts.append($1)
      return !$1.isEmpty
    },
    Setting(
      "fail-on", .list("code"),
      "Fail renders with this diagnostic, such as scriptIgnored for pages that need scripts; may be repeated."
    ) {
      guard let code = RenderRequest.FatalDiagnostic(rawValue: $1) else { return false }
      $0.fatalDiagnostics.insert(code)
      return true
    },
    Setting("cache", .value("dir"), "The cache folder (default: ./cache).") {
      $0.cacheFolder = $1
      return !$1.isEmpty
    },
    Setting("no-cache", .flag, "Cache nothing on disk.") { settings, text in
      guard let value = bool(text) else { return false }
      if value { settings.cacheFolder = nil }
      return true
    },
    bytes("cache-max-size", \.cacheMaxBytes, "Maximum bytes of the cache on disk (default: 1GiB)."),
    bytes("cache-memory", \.cacheMemoryBytes, "Maximum bytes of images cached in memory (default: 64MiB)."),
    Setting(
      "tier", .value("url"),
      "A cache shared by several machines: s3://bucket/prefix?endpoint=…&region=… or redis[s]://host:port/db."
    ) {
      $0.tierAddress = $1
      return !$1.isEmpty
    },
    flag("tier-read-only", \.isTierReadOnly, "Read from --tier without writing to it."),
    flag("tier-optional", \.isTierOptional, "Start even if --tier cannot be used; /health/ready then lists it as missing."),
  ]

  private static let access: [Setting] = [
    Setting("tokens", .value("file"), "File of bearer tokens, one per line: NAME SCOPES SECRET; the scopes are render and admin.") {
      $0.tokensFile = $1
      return true
    },
    Setting("keys", .value("file"), "File of keys of signed URLs, one per line: NAME SECRET; the first signs, all are accepted.") {
      $0.keysFile = $1
      return true
    },
    flag(
      "no-auth", \.isAuthenticationOff,
      "Allow all requests that reach the service by a loopback name or its IP address, without authentication."),
    Setting("accept-host", .list("name"), "With --no-auth: another accepted name in Host, or '*' for all; may be repeated.") {
      $0.acceptedHosts.append($1)
      return !$1.isEmpty
    },
    Setting(
      "cors-origin", .list("origin"), "Let pages of this origin, such as https://app.example.org, or '*', read responses; may be repeated."
    ) {
      $0.corsOrigins.append($1)
      return $1 == "*" || $1.contains("://") && !$1.hasSuffix("/")
    },
    flag(
      "presets-only", \.isPresetsOnly, "Render only the service's own presets, or without presets its templates, with their attributes."),
    flag("open-metrics", \.areMetricsOpen, "Serve /metrics without a token."),
  ]

  private static let webhooks: [Setting] = [
    Setting("webhook-host", .list("host"), "A host that webhooks may be sent to, as in --allow-host (default: none); may be repeated.") {
      $0.webhookHosts.append($1)
      return !$1.isEmpty
    },
    Setting("webhook-keys", .value("file"), "File of keys that sign webhooks, one per line: NAME whsec_SECRET; all of them sign.") {
      $0.webhookKeysFile = $1
      return true
    },
    seconds("webhook-timeout", \.webhookSeconds, "How long an attempt to deliver a webhook may take (default: 10s)."),
    seconds("webhook-retry", \.webhookRetrySeconds, "How long the delivery of a webhook is retried (default: 10m)."),
  ]

  private static let limits: [Setting] = [
    bytes("max-body", \.maxBodyBytes, "Maximum bytes of a page or job (default: 4MiB)."),
    bytes("max-line", \.maxLineBytes, "Maximum bytes of a line of a list (default: 4MiB)."),
    number("max-pixels", \.maxPixels, 1...4_000_000_000, "Maximum pixels of an image (default: 64000000)."),
    number("max-image-pixels", \.maxPixels, 1...4_000_000_000, "Same as --max-pixels; the name in 'offprint render'."),
    Setting("max-side", .value("px"), "Maximum width and height of a page in CSS px (default: 16384).") {
      number($1, in: 1...65_535, to: &$0.maxSide)
    },
    Setting("max-scale", .value("factor"), "Maximum device px per CSS px (default: 4).") { number($1, in: 0.01...16, to: &$0.maxScale) },
    seconds("timeout", \.renderSeconds, "How long a render may take (default: 10s)."),
    seconds("request-timeout", \.requestSeconds, "How long a request may take, including waiting (default: 30s)."),
    number(
      "queue", \.queueCapacity, 1...1_000_000, variable: "OFFPRINT_QUEUE_LENGTH",
      "Maximum requests that wait for a worker (default: 256)."),
    number("client-concurrency", \.clientConcurrency, 1...1_000_000, "Maximum concurrent requests of one client (default: 32)."),
    number("batch-concurrency", \.batchConcurrency, 0...100_000, "Maximum concurrent jobs of lists (default: twice the workers)."),
  ]

  private static let operation: [Setting] = [
    wholeSeconds("max-age", \.maxAge, "The max-age of images in Cache-Control (default: 1d)."),
    wholeSeconds(
      "stale-while-revalidate", \.staleWhileRevalidate,
      "How long caches may use an image after its max-age while they request it again (default: 0)."),
    wholeSeconds("error-max-age", \.errorMaxAge, "The max-age of errors of signed URLs (default: 0, which is not stored)."),
    seconds(
      "drain-delay", \.drainDelaySeconds,
      "How long to accept requests after SIGTERM, while reporting not ready (default and minimum: 0.25s)."),
    seconds("drain-timeout", \.drainSeconds, "How long requests in progress may take after that (default: 30s)."),
    Setting("log-level", .value("level"), "trace, debug, info, notice, warning, error or critical (default: info).") { settings, text in
      guard let level = Logger.Level(rawValue: text) else { return false }
      settings.logLevel = level
      return true
    },
    Setting("log-format", .value("format"), "json or text (default: json).") { settings, text in
      settings.logsJSON = text == "json"
      return text == "json" || text == "text"
    },
    Setting("trace-file", .value("file"), "Append spans to this file, as one line of OTLP JSON each.") {
      $0.traceFile = $1
      return !$1.isEmpty
    },
    Setting(
      "otlp-endpoint", .value("url"), "Export spans to the OTLP/HTTP endpoint of a collector (default: $OTEL_EXPORTER_OTLP_ENDPOINT)."
    ) {
      $0.traceEndpoint = $1
      return $1.hasPrefix("http://") || $1.hasPrefix("https://")
    },
  ]

  // MARK: Setting types

  private typealias Path<Value> = any WritableKeyPath<ServiceSettings, Value> & Sendable

  private static func flag(_ name: String, _ path: Path<Bool>, _ help: String) -> Setting {
    Setting(name, .flag, help) { settings, text in
      guard let value = bool(text) else { return false }
      settings[keyPath: path] = value
      return true
    }
  }

  private static func number(_ name: String, _ path: Path<Int>, _ range: ClosedRange<Int>, variable: String? = nil, _ help: String)
    -> Setting
  {
    Setting(name, .value("n"), variable: variable, help) { settings, text in
      guard let value = Int(text), range.contains(value) else { return false }
      settings[keyPath: path] = value
      return true
    }
  }

  private static func bytes(_ name: String, _ path: Path<Int>, _ help: String) -> Setting {
    Setting(name, .value("bytes"), help) { settings, text in
      guard let value = Quantity.bytes(text) else { return false }
      settings[keyPath: path] = value
      return true
    }
  }

  private static func wholeSeconds(_ name: String, _ path: Path<Int>, _ help: String) -> Setting {
    Setting(name, .value("time"), help) { settings, text in
      guard let value = Quantity.seconds(text), value == value.rounded() else { return false }
      settings[keyPath: path] = Int(value)
      return true
    }
  }

  private static func seconds(_ name: String, _ path: Path<Double>, _ help: String) -> Setting {
    Setting(name, .value("time"), help) { settings, text in
      guard let value = Quantity.seconds(text) else { return false }
      settings[keyPath: path] = value
      return true
    }
  }

  private static func number(_ text: String, in range: ClosedRange<Double>, to target: inout Double) -> Bool {
    guard let value = Double(decimal: text), range.contains(value) else { return false }
    target = value
    return true
  }

  private static func bool(_ text: String) -> Bool? {
    switch text {
    case "true", "1", "yes", "on": true
    case "false", "0", "no", "off": false
    default: nil
    }
  }
}

/// Parses numbers with units.
enum Quantity {
  /// `30s`, `500ms`, `5m`, `24h`; a number without a unit is in seconds. At most one year.
  static func seconds(_ text: String) -> Double? {
    let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400)]
    let unit = units.first { text.hasSuffix($0.0) }
    guard let number = Double(decimal: text.dropLast(unit?.0.count ?? 0)), number >= 0 else { return nil }
    let seconds = number * (unit?.1 ?? 1)
    return seconds <= 31_536_000 ? seconds : nil
  }

  /// `40MiB`, `16kB`: `KiB`, `MiB`, `GiB` are powers of 1024, `kB`, `MB`, `GB` of 1000.
  static func bytes(_ text: String) -> Int? {
    let units: [(String, Double)] = [
      ("KiB", 1024), ("MiB", 1_048_576), ("GiB", 1_073_741_824), ("kB", 1e3), ("MB", 1e6), ("GB", 1e9), ("k", 1e3), ("M", 1e6), ("G", 1e9),
      ("B", 1),
    ]
    let unit = units.first { text.lowercased().hasSuffix($0.0.lowercased()) }
    guard let number = Double(decimal: text.dropLast(unit?.0.count ?? 0)), number >= 1 else { return nil }
    let bytes = number * (unit?.1 ?? 1)
    return bytes <= 9e15 && bytes == bytes.rounded() ? Int(bytes) : nil
  }
}
