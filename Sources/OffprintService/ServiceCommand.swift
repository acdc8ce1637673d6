import OffprintCoreTypes
import Dispatch
import Glibc
import Hummingbird
import HummingbirdCore
import OffprintIsolation
import Logging
import NIOCore
import NIOPosix
import Offprint
import ServiceLifecycle
import Tracing
import UnixSignals

/// `offprint-server`, from its arguments to its exit code.
public enum ServiceCommand {
  /// The entry point, with the arguments of the process.
  public static func main() -> Never {
    Program.role = .program
    let arguments = Array(Program.arguments.dropFirst())
    Program.hideCredentials()
    // A worker must enter its sandbox before any other thread starts, since the sandbox does not confine existing threads. Therefore no
    // Swift concurrency is used before.
    if arguments == ["worker"] { exit(IsolatedWorker.run()) }
    // A reload requested during startup is ignored, because startup reads everything anyway.
    signal(SIGHUP, SIG_IGN)
    let environment = environment()
    Task { exit(await run(arguments, environment: environment)) }
    dispatchMain()
  }

  private static func environment() -> [String: String] {
    var environment: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let variable = String(cString: text)
      if let mark = variable.firstIndex(ofByte: "=") {
        environment[String(variable[..<mark])] = String(variable[variable.index(after: mark)...])
      }
      entry += 1
    }
    return environment
  }

  /// - Parameters:
  ///   - arguments: Without the program's name.
  ///   - environment: Variables by name.
  static func run(_ arguments: [String], environment: [String: String]) async -> Int32 {
    if arguments.contains("--help") || arguments.contains("-h") { return print(SettingSources.help) }
    if arguments.contains("--version") { return print(arguments.contains("--json") ? VersionReport().json : VersionReport().text) }
    if arguments.first == "healthcheck" { return HealthCheck.run(arguments.dropFirst()) }
    do {
      if let what = Program.undecodable { throw OffprintError(.usage, "The text of \(what) is not valid UTF-8.") }
      var settings = try SettingSources(arguments: arguments, environment: environment, file: try SettingFile.entries(arguments)).settings()
      settings.presets = try SettingFile.presets()
      let logger = Logger(label: "offprint") { LineLogHandler(label: $0, level: settings.logLevel, isJSON: settings.logsJSON) }
      let spans = try startTracing(settings, environment, logger)
      NIOSingletons.groupLoopCountSuggestion = settings.eventLoops
      for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { loop.execute { ThreadScheduling.raisePriority() } }
      try Renderer.openLibraries()
      let service = try Service(settings, logger: logger, spans: spans)
      try await ServiceProcess(service).run()
      return 0
    } catch let error as OffprintError {
      return fail(error)
    } catch let error as IOError {
      return fail(OffprintError(.usage, "The service cannot listen: \(String(cString: strerror(error.errnoCode)))."))
    } catch {
      return fail(OffprintError(.renderFailed, "The service ended with an internal error of type '\(type(of: error))'."))
    }
  }

  /// - Returns: The exporter, if spans are sent to a collector.
  private static func startTracing(
    _ settings: ServiceSettings, _ environment: [String: String], _ logger: Logger
  ) throws(OffprintError) -> SpanExporter? {
    let resource = TraceResource(environment)
    let export = try TraceExport(endpoint: settings.traceEndpoint, environment)
    if let problem = export?.problem { logger.warning("Spans are not exported: \(problem).") }
    let exporter = try export.flatMap { export throws(OffprintError) in
      export.problem == nil ? try SpanExporter(export, resource: resource, logger: logger) : nil
    }
    let file = try settings.traceFile.map { path throws(OffprintError) in try SpanFile(path: path, resource: resource) }
    let all: [(any SpanSink)?] = [exporter, file], sinks = all.compactMap(\.self)
    if !sinks.isEmpty { InstrumentationSystem.bootstrap(SpanTracer(sinks)) }
    return exporter
  }

  private static func print(_ text: String) -> Int32 {
    Swift.print(text)
    return 0
  }

  private static func fail(_ error: OffprintError) -> Int32 {
    let line = Array("offprint: \(error.code.rawValue): \(Credentials.hidden(in: error.message))\n".utf8)
    _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    return error.code.exitCode
  }
}

/// Runs the service: the listening socket, signals, shutdown.
struct ServiceProcess: Sendable {
  let service: Service

  init(_ service: Service) { self.service = service }

  /// Runs until SIGTERM or SIGINT.
  ///
  /// - Parameter listening: Called with the port.
  func run(listening: @escaping @Sendable (Int) -> Void = { _ in }) async throws {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
    let settings = service.settings
    let application = makeApplication(listening: listening)
    var configuration = ServiceGroupConfiguration(services: [application], logger: service.logger)
    configuration.maximumGracefulShutdownDuration = .seconds(settings.drainSeconds)
    let group = ServiceGroup(configuration: configuration)
    let signals = await UnixSignalsSequence(trapping: .sighup, .sigterm, .sigint)
    let watcher = Task {
      for await signal in signals {
        if signal == .sighup {
          await service.blocking { service.reload() }
        } else {
          await drain(group)
        }
      }
    }
    defer { watcher.cancel() }
    try await group.run()
    await service.webhooks?.drain(seconds: service.remainingDrainSeconds)
    await service.blocking { service.end() }
    await service.spans?.flush(seconds: Self.flushSeconds)
    service.logger.notice("The service has ended.")
  }

  private static let shortestDelay = 0.25
  private static let flushSeconds = 5.0

  /// Reports "not ready" at once, stops accepting connections after the delay, and ends when all requests are answered.
  private func drain(_ group: ServiceGroup) async {
    if service.isDraining { return }
    service.beginDraining()
    service.logger.notice("The service is shutting down and finishes the requests in progress.")
    // Connections that are being established are still served; closing the socket at once would reset them.
    try? await Task.sleep(for: .seconds(max(Self.shortestDelay, service.settings.drainDelaySeconds)))
    await group.triggerGracefulShutdown()
  }

  private func makeApplication(listening: @escaping @Sendable (Int) -> Void) -> Application<ServiceResponder> {
    let settings = service.settings
    let limits = ConnectionGuard.Limits(
      bodyBytes: settings.maxBodyBytes, idleTimeout: .nanoseconds(Int64(settings.idleSeconds * 1e9)),
      bodyTimeout: .nanoseconds(Int64(settings.bodySeconds * 1e9)),
      writeTimeout: .nanoseconds(Int64(settings.writeSeconds * 1e9)))
    let (connections, tally) = (service.connections, RefusalTally(service.metrics.registry))
    let channel = HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        ConnectionGuard(
          limits: limits, registry: connections, tally: tally, isDraining: { [service] in service.isDraining },
          acceptedHosts: service.acceptedHosts,
          fastPath: { [service] in service.writeCachedResponse($0, &$1) }
        ) { [service] in service.cachedResponse($0) }
      ],
      httpDecoderConfiguration: .init(maxHeaderFieldSize: 32 << 10, maxHeaderListSize: 64 << 10, maxHeaderFieldCount: 100))
    let configuration = ApplicationConfiguration(
      address: .hostname(settings.host, port: settings.port), serverName: nil, backlog: 1024,
      availableConnectionsDelegate: MaximumAvailableConnections(settings.maxConnections))
    let logger = service.logger
    var quiet = logger
    quiet.logLevel = max(.notice, logger.logLevel)
    return Application(
      responder: ServiceResponder(service: service), server: .http1(configuration: channel),
      configuration: configuration,
      onServerRunning: { channel in
        let port = channel.localAddress?.port ?? settings.port
        let host = settings.host.contains(":") ? "[\(settings.host)]" : settings.host
        logger.notice("The service is listening.", metadata: ["address": "http://\(host):\(port)/"])
        let isLocal = ["127.0.0.1", "::1", "localhost"].contains(settings.host)
        if settings.isAuthenticationOff && !isLocal { logger.warning("All clients that reach this address have full access (--no-auth).") }
        listening(port)
      }, logger: quiet)
  }
}
