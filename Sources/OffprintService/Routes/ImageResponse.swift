import OffprintCoreTypes
import HTTPTypes
import Hummingbird
import NIOCore
import Offprint
import OffprintRenderCache

/// Renders for a request, and builds the response.
extension Service {
  struct ServedImage: Sendable {
    var result: RenderResult
    var wasCollapsed: Bool
    var policy: CachePolicy
    var format: EncodedImageFormat

    /// https://www.rfc-editor.org/rfc/rfc9211
    var cacheStatus: String {
      if result.wasCached && !wasCollapsed { return "offprint; hit" }
      if policy == .none { return "offprint; fwd=bypass" }
      if wasCollapsed { return "offprint; fwd=miss; collapsed" }
      let stored = policy.storesResult && !result.isDegraded && !result.diagnostics.contains { $0.code.rawValue == "cacheUnusable" }
      return "offprint; fwd=\(policy.ignoresCachedResult ? "request" : "miss")\(stored ? "; stored" : "")"
    }

    /// `rendered` or `cached`, as in batch reports.
    var status: String { result.wasCached ? "cached" : "rendered" }
  }

  /// - Throws: Rendering errors, `identifierInvalid`, `tooManyRequests`, and `CancellationError` if the client disconnects.
  func draw(_ order: ImageOrder, _ call: RouteCall, priority: RenderPriority = .interactive) async throws -> ServedImage {
    try ImageIdentifier.check(order.request.identifier)
    guard order.webhook == nil else { throw OffprintError(.usage, "\"webhook\" is accepted by POST /render only.") }
    let order = try await loaded(order, call)
    let claim = try await claimIdentifier(of: order, call)
    do {
      return try await drawClaimed(order, call, priority)
    } catch {
      if case .new(let time) = claim { await releaseIdentifier(of: order, call, since: time) }
      throw error
    }
  }

  /// Loads the page of an order that names its URL.
  private func loaded(_ order: ImageOrder, _ call: RouteCall) async throws(OffprintError) -> ImageOrder {
    guard let url = order.pageURL else { return order }
    let configuration = call.engine.configuration, limits = order.request.limits
    let page = await blocking { Result { () throws(OffprintError) in try configuration.page(at: url, limits: limits) } }
    var order = order
    let loaded = try page.get()
    order.request.html = loaded.html
    order.request.basePath = loaded.basePath
    order.request.sourceName = loaded.sourceName
    order.pageURL = nil
    return order
  }

  private func drawClaimed(_ order: ImageOrder, _ call: RouteCall, _ priority: RenderPriority) async throws -> ServedImage {
    let engine = call.engine
    let seconds = settings.requestSeconds
    // Requests with an identifier or tags have to write to the cache.
    if order.tags.isEmpty, order.request.identifier == nil, let cached = engine.renderer.imageInMemory(order.request) {
      let served = RequestCoalescer.Served(result: cached, wasCollapsed: false)
      metrics.count(served, order)
      return ServedImage(result: cached, wasCollapsed: false, policy: order.request.cachePolicy, format: order.request.encoding.format)
    }
    return try await call.monitor.watching { [self] in
      let served = try await coalescer.image(order.request, priority: priority, engine: engine, seconds: seconds)
      var result = served.result
      result.identifier = order.request.identifier
      if served.wasCollapsed || !order.tags.isEmpty || order.request.identifier != nil { await label(result, order, engine) }
      metrics.count(served, order)
      return ServedImage(
        result: result, wasCollapsed: served.wasCollapsed && !order.request.cachePolicy.ignoresCachedResult,
        policy: order.request.cachePolicy, format: order.request.encoding.format)
    }
  }

  /// An identifier belongs to the token or key that wrote it first; a token with the scope `admin` may write any.
  ///
  /// - Returns: The claim; nil if no identifier is written, or identifiers have no owners.
  /// - Throws: `forbidden` if it belongs to another owner; `overloaded` if the owner cannot be determined now.
  private func claimIdentifier(of order: ImageOrder, _ call: RouteCall) async throws -> IdentifierClaim? {
    guard let identifier = order.request.identifier, order.request.cachePolicy != .none, !call.engine.access.isOff,
      let cache = call.engine.renderer.imageCache
    else { return nil }
    let isAdministrator = call.client.scopes.contains(.admin)
    let claimed = await blocking {
      Result { () throws(CacheError) in
        try cache.claimEverywhere(
          identifier: identifier, owner: call.owner, isAdministrator: isAdministrator, deadline: Deadline(after: .seconds(5)))
      }
    }
    switch claimed {
    case .success(.refused): throw ServiceError(.forbidden, "The identifier '\(identifier.prefix(100))' belongs to another token.")
    case .success(let claim): return claim
    // A read-only cache does not store the identifier either.
    case .failure(let error) where error.code == .cacheReadOnly: return nil
    case .failure:
      throw ServiceError(.overloaded, "The cache cannot determine the owner of the identifier now.", headers: [.retryAfter: "1"])
    }
  }

  /// After a failed render, releases a new claim so that others can use the identifier. An earlier claim is kept.
  private func releaseIdentifier(of order: ImageOrder, _ call: RouteCall, since time: CacheTime) async {
    guard let identifier = order.request.identifier, let cache = call.engine.renderer.imageCache else { return }
    await blocking {
      try? cache.releaseClaimEverywhere(identifier: identifier, owner: call.owner, since: time, deadline: Deadline(after: .seconds(5)))
    }
  }

  /// Adds the request's identifier and tags to an image in the cache.
  private func label(_ result: RenderResult, _ order: ImageOrder, _ engine: Engine) async {
    guard order.request.identifier != nil || !order.tags.isEmpty, order.request.cachePolicy != .none else { return }
    await blocking {
      _ = CacheKey(hex: result.key).flatMap {
        engine.renderer.imageCache?.lookup($0, identifier: order.request.identifier, tags: order.tags)
      }
    }
  }

  /// The image, or its report for `?report=json`.
  ///
  /// - Parameter varies: Whether the format was negotiated.
  func answer(
    _ image: ServedImage, _ call: RouteCall, cacheControl: String = "no-store", varies: Bool = false, rememberedAs route: String? = nil
  ) -> Response {
    let result = image.result
    var headers = HTTPFields()
    headers[.cacheStatus] = image.cacheStatus
    if !result.timings.isEmpty {
      headers[.serverTiming] = result.timings.map { "\($0.stage.rawValue);dur=\($0.milliseconds.rounded3)" }.joined(separator: ", ")
    }
    headers[.offprintKey] = result.key
    headers[.offprintDiagnostics] = result.isDegraded ? "\(result.diagnostics.count); degraded" : "\(result.diagnostics.count)"
    headers[.offprintSize] = "\(result.width)x\(result.height)"
    if call.query["report"] == "json" {
      return Response(json: ImageReport.json(image, withImage: call.query["image"] == "base64"), headers: headers)
    }
    headers.setImage(image.format)
    if varies { headers[.vary] = "Accept" }
    headers[.cacheControl] = result.isDegraded ? "no-store" : cacheControl
    let tag = EntityTag.of(SHA256.hash(result.image))
    let representation = Representation(entityTag: tag, headers: headers, bytes: ByteBuffer(bytes: result.image))
    if route != nil { storeResponse(representation, call, route) }
    return representation.response(to: call.request)
  }

  /// Caches a response that is the same for every client for as long as it is cached: not if it required a token or expires soon, and not
  /// if it may depend on files of this machine.
  func storeResponse(_ representation: Representation, _ call: RouteCall, _ route: String?) {
    guard let route, let target = call.request.head.path, settings.allowedFolders.isEmpty, settings.allowedHosts.isEmpty,
      call.engine.generation == engine.generation,
      call.engine.access.isOff || call.client.scopes.isEmpty, representation.headers[.cacheControl] != "no-store",
      call.query["report"] == nil, call.query["refresh"] == nil, call.query["no-cache"] == nil, call.query["identifier"] == nil
    else { return }
    if let expires = call.query["expires"] {
      guard let time = Int(expires), time > WallClock.seconds() + settings.maxAge + 120 else { return }
    }
    var cached = representation
    cached.headers[.cacheStatus] = "offprint; hit"
    cached.headers[.serverTiming] = nil
    cors.addConstant(to: &cached.headers)
    responseCache.store(target, cached, route: route, generation: call.cacheGeneration, metrics: metrics.cachedRoute(route))
  }
}

/// https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
enum EntityTag {
  /// From the content's SHA-256, including the quotes.
  static func of(_ checksum: [UInt8]) -> String { "\"\(checksum.prefix(16).hexadecimalDigits)\"" }
}

extension Double {
  /// Milliseconds without the digits that no clock measures.
  fileprivate var roundedToMicroseconds: Double { (self * 1000).rounded() / 1000 }
}

/// The report about an image.
enum ImageReport {
  static func json(_ image: Service.ServedImage, withImage: Bool) -> JSONValue {
    let result = image.result
    var members: [String: JSONValue] = [
      "status": .string(image.status), "key": .string(result.key), "url": .string("/i/\(result.key)"),
      "width": .number(Double(result.width)), "height": .number(Double(result.height)), "bytes": .number(Double(result.image.count)),
      "milliseconds": .number(result.milliseconds.roundedToMicroseconds), "isDegraded": .bool(result.isDegraded),
      "diagnostics": .array(result.diagnostics.map(diagnostic)),
      "faces": .array(result.faces.map { ["family": .string($0.family), "postScriptName": .string($0.postScriptName)] }),
      "timings": .array(
        result.timings.map { ["stage": .string($0.stage.rawValue), "milliseconds": .number($0.milliseconds.roundedToMicroseconds)] }),
    ]
    if let identifier = result.identifier { members["identifier"] = .string(identifier) }
    if withImage { members["image"] = .string(Base64.encode(result.image)) }
    return .object(members)
  }

  private static func diagnostic(_ diagnostic: Diagnostic) -> JSONValue {
    var members: [String: JSONValue] = [
      "code": .string(diagnostic.code.rawValue), "severity": .string(diagnostic.severity.rawValue),
      "message": .string(Uploads.naming(filesIn: diagnostic.message)),
    ]
    if let position = diagnostic.position {
      members["line"] = .number(Double(position.line))
      members["column"] = .number(Double(position.column))
      if !position.source.isEmpty { members["source"] = .string(Uploads.naming(filesIn: position.source)) }
    }
    return .object(members)
  }
}

extension Double {
  var rounded3: String { JSONText.number((self * 1000).rounded() / 1000) }
}
