import OffprintCoreTypes
import HTTPTypes
import Hummingbird
import OffprintIsolation
import Logging
import NIOCore
import Offprint
import Tracing

/// Handles a request: authentication, routing, the response and its log entry.
struct ServiceResponder: HTTPResponder {
  typealias Context = RequestScope

  let service: Service

  func respond(to request: Request, context: RequestScope) async throws -> Response {
    let start = ContinuousClock.now
    // Cache hits are answered elsewhere and have priority over these requests.
    PoolThreads.lowerPriority(niceness: 3)
    let id = service.requestIDs.of(request.headers)
    let engine = service.engine
    var record = AccessRecord(id: id, method: request.method.rawValue)
    var response: Response
    do {
      response = try await ServiceTracing.span(request, id: id) { span in
        if let preflight = service.cors.preflight(request.head) {
          try service.acceptedHosts?.check(request.head)
          return preflight
        }
        let (route, call) = try prepare(request, context, engine, id, &record)
        span.route(route.path, client: record.client)
        return try await answer(route, call)
      }
    } catch is CancellationError {
      response = refuse(OffprintError(.cancelled, "The client disconnected."), &record)
    } catch {
      response = refuse(error, &record)
    }
    response.headers[.requestID] = id
    response.headers[.contentTypeOptions] = "nosniff"
    service.cors.add(to: &response.headers, request.headers)
    record.finish(response, since: start, service)
    return request.method == .head ? Self.withoutBody(response) : response
  }

  /// The response to HEAD, errors included: without the body. https://www.rfc-editor.org/rfc/rfc9110#section-9.3.2
  private static func withoutBody(_ response: Response) -> Response {
    var headers = response.headers
    if headers[.contentLength] == nil, let length = response.body.contentLength, length > 0 { headers[.contentLength] = "\(length)" }
    return Response(status: response.status, headers: headers)
  }

  /// Finds the route and the client.
  private func prepare(
    _ request: Request, _ context: RequestScope, _ engine: Engine, _ id: String, _ record: inout AccessRecord
  ) throws -> (ServiceRoute, RouteCall) {
    try service.acceptedHosts?.check(request.head)
    let target = request.head.path ?? "/"
    let mark = target.firstIndex(ofByte: "?") ?? target.endIndex
    let path = target[..<mark]
    let segments = path.split(byte: "/", omittingEmptySubsequences: false).dropFirst().map { PercentEncoding.decode($0.utf8) }
    guard path.hasPrefix("/"), segments.allSatisfy({ $0 != nil && $0?.utf8.contains(0) == false }),
      let query = QueryItems(target[mark...].dropFirst())
    else {
      throw ServiceError(
        .malformedRequest, "The URL is invalid: it has a '%' without two digits, invalid UTF-8, or too many parameters.")
    }
    let address = ClientAddress.of(request.headers, context.channel, proxies: service.settings.trustedProxies)
    record.client = address
    let decoded = segments.compactMap(\.self)
    switch RouteTable.match(request.method, decoded == [""] ? [] : decoded) {
    case .none: throw ServiceError(.notFound, "There is no such route; /openapi.json lists the routes.")
    case .otherMethod(let methods):
      let allowed = methods.map(\.rawValue).joined(separator: ", ")
      throw ServiceError(.methodNotAllowed, "This route accepts \(allowed).", headers: [.allow: allowed])
    case .found(let route, let parameters):
      record.route = route.path
      let client = try client(of: request, route, query, engine.access, address)
      record.client = client.name
      let call = RouteCall(
        request: request, parameters: parameters, path: path, query: query, id: id, client: client, engine: engine,
        cacheGeneration: service.responseCache.generation, monitor: service.connections.monitor(context.channel))
      try authorize(route, call)
      if route.operation.body != nil { try RouteCall.checkEncoding(request.headers) }
      if let name = query.items.map(\.name).firstRepeated(where: { !JobField.isList($0) }) { throw ServiceError.repeated(name) }
      return (route, call)
    }
  }

  /// Identifies the client. Health checks and signed URLs ignore credentials, which may be meant for a proxy in front of the service.
  private func client(
    of request: Request, _ route: ServiceRoute, _ query: QueryItems, _ access: AccessControl, _ address: String
  ) throws(ServiceError) -> Client {
    do {
      return try access.client(request.headers, address: address)
    } catch {
      guard [.open, .preset].contains(route.access) || route.access == .signed && query["signature"] != nil else { throw error }
      return Client(address: address, scopes: [])
    }
  }

  private func authorize(_ route: ServiceRoute, _ call: RouteCall) throws(ServiceError) {
    let access = call.engine.access
    if access.isOff { return }
    switch route.access {
    case .open: return
    case .metrics: if !service.settings.areMetricsOpen { try access.require(.admin, call.client) }
    case .scope(let scope): try access.require(scope, call.client)
    case .preset:
      if !call.client.scopes.contains(.render) { try PresetPath(call).check(access.signer, now: WallClock.seconds()) }
    case .signed:
      if call.client.scopes.contains(.render) { return }
      try access.requireSignature(path: call.path, call.query, now: WallClock.seconds())
    }
  }

  private func answer(_ route: ServiceRoute, _ call: RouteCall) async throws -> Response {
    // Operators must be able to reach these routes, especially when the service is busy.
    if route.access == .open || route.access == .metrics { return try await route.handle(service, call) }
    let settings = service.settings
    let slot = try service.admission.enter(call.client.identity)
    let response: Response
    do {
      response = try await route.handle(service, call)
    } catch {
      slot.leave()
      let isRead = route.method == .get && route.access == .signed && !(error is CancellationError)
      throw isRead && settings.errorMaxAge > 0 ? Problem(error).cached(seconds: settings.errorMaxAge) : error
    }
    guard response.body.contentLength == nil else {
      slot.leave()
      return response
    }
    // A streamed response holds its slot until its end.
    var streamed = response
    let body = response.body
    streamed.body = ResponseBody { writer in
      defer { slot.leave() }
      let inner = writer
      try await body.write(inner)
    }
    return streamed
  }

  private func refuse(_ error: any Error, _ record: inout AccessRecord) -> Response {
    let problem = Problem(error)
    record.code = problem.code
    if problem.code == "internalError" {
      service.logger.error("A request failed.", metadata: ["request": "\(record.id)", "kind": "\(type(of: error))"])
    }
    return problem.response(requestID: record.id)
  }
}

/// The logged and counted properties of a request. Of its contents, only the route is included.
struct AccessRecord {
  var id: String
  var method: String
  var route = "none"
  var client = ""
  var code: String?

  init(id: String, method: String) {
    self.id = id
    let methods = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"]
    self.method = methods.contains(method) ? method : "other"
  }

  func finish(_ response: Response, since start: ContinuousClock.Instant, _ service: Service) {
    let seconds = (ContinuousClock.now - start).seconds
    service.metrics.count(route: route, method: method, status: response.status.code, code: code, seconds: seconds)
    var metadata: Logger.Metadata = [
      "request": "\(id)", "method": "\(method)", "route": "\(route)", "status": .stringConvertible(response.status.code),
      "milliseconds": .stringConvertible((seconds * 1e6).rounded() / 1000), "client": "\(client)",
    ]
    if let code { metadata["code"] = "\(code)" }
    if let status = response.headers[.cacheStatus] { metadata["cache"] = "\(status)" }
    if let length = response.body.contentLength { metadata["bytes"] = .stringConvertible(length) }
    let level: Logger.Level = response.status.code >= 500 ? .warning : route.hasPrefix("/health") ? .debug : .info
    service.logger.log(level: level, "request", metadata: metadata)
  }
}

enum ClientAddress {
  /// The IP address seen by the outermost trusted proxy, or the peer's.
  static func of(_ headers: HTTPFields, _ channel: any Channel, proxies: Int) -> String {
    if proxies > 0 {
      let chain = headers[values: .forwardedFor].flatMap { $0.split(byte: ",").map { String($0.trimmed) } }
      if chain.count >= proxies, let address = host(chain[chain.count - proxies]) { return address }
    }
    return channel.remoteAddress?.ipAddress ?? "local"
  }

  /// An IP address without the port that some proxies add; nil for names such as `unknown`, in which case the request counts as the
  /// proxy's.
  static func host(_ text: String) -> String? {
    if isNumeric(text) { return text }
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), text[colon...].utf8.dropFirst().allSatisfy({ (0x30...0x39).contains($0) })
    else { return nil }
    let host = text[..<colon], inner = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : host
    return isNumeric(String(inner)) ? String(inner) : nil
  }

  private static func isNumeric(_ text: String) -> Bool {
    (try? SocketAddress(ipAddress: text, port: 0)) != nil
  }
}
