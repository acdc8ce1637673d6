import HTTPTypes
import Hummingbird
import Offprint
import OffprintRenderCache

/// Renders a page sent with the request, and signed URLs of templates.
enum RenderRoutes {
  private static let templateParameters: [JSONValue] = [
    OpenAPIDocument.query("signature", "The signature made by 'offprint sign'"),
    OpenAPIDocument.query("key", "The name of the signing key"),
    OpenAPIDocument.query("expires", "Seconds since 1970"),
    OpenAPIDocument.query("writes", "\"name\" if reads of a signed URL may write the identifier"), OpenAPIDocument.report,
  ]

  static let routes: [ServiceRoute] = [
    ServiceRoute(
      .post, "/render", .scope(.render),
      Operation(
        "render", "Renders a page, or returns its image from the cache.",
        parameters: OpenAPIDocument.jobParameters + [
          OpenAPIDocument.report, OpenAPIDocument.returned, OpenAPIDocument.header("Prefer", "respond-async returns a URL of the result"),
        ],
        body: OpenAPIDocument.pageOrJob,
        responses: [
          "200": OpenAPIDocument.image, "202": OpenAPIDocument.jsonResponse("The URL of the result", ["type": "object"]),
        ], refusals: OpenAPIDocument.drawing)
    ) { service, call in
      let returned = call.query["return"]
      return try await service.withOrder(call) { order in
        var order = order
        let isAsynchronous = call.prefersAsync || order.webhook != nil
        let varies = try order.negotiate(call, isJSON: isAsynchronous || returned == "url")
        if isAsynchronous { return try service.begin(order, call, returnsURL: returned == "url") }
        let image = try await service.draw(order, call)
        return returned == "url" ? try service.answerWithURL(image, call) : service.answer(image, call, varies: varies)
      }
    },
    ServiceRoute(
      .get, "/render/{template}.{format}", .signed,
      Operation(
        "renderTemplate", "Renders a template of the service with the attributes in the URL.",
        parameters: [
          OpenAPIDocument.pathParameter("template", "The name of a template", example: "snippet"),
          OpenAPIDocument.pathParameter(
            "format", "The image format",
            schema: ["type": "string", "enum": ["png", "apng", "gif", "webp", "jpeg", "jpg", "avif", "pdf", "svg"]]),
        ] + templateParameters, responses: ["200": OpenAPIDocument.image, "304": OpenAPIDocument.notModified],
        refusals: OpenAPIDocument.drawing + [410, 412, 416]),
      suffixes: ["png", "apng", "gif", "webp", "jpeg", "jpg", "avif", "pdf", "svg"]
    ) { service, call in
      guard let format = EncodedImageFormat(fileExtension: call.parameter("format")) else {
        throw ServiceError(.notAcceptable, "The image format '\(call.parameter("format"))' is not supported; use .png.")
      }
      var order = try ImageOrder(template: call.parameter("template"), call.query, service.settings, call.engine.templates)
      try checkName(of: order, call)
      if let asked = call.query["format"], EncodedImageFormat(fileExtension: asked) != format {
        throw OffprintError(.dataInvalid, "The URL ends in .\(call.parameter("format")), but specifies the format \"\(asked.prefix(40))\".")
      }
      order.request.encoding.format = format
      let cacheControl = service.cacheControl(call)
      if let unchanged = try await service.unchanged(order, call, cacheControl) { return unchanged }
      return service.answer(
        try await service.draw(order, call), call, cacheControl: cacheControl, rememberedAs: "/render/{template}.{format}")
    },
    ServiceRoute(
      .get, "/render/{template}", .signed,
      Operation(
        "negotiateTemplate", "As with an extension, in the format that 'Accept' prefers.",
        parameters: [OpenAPIDocument.pathParameter("template", "The name of a template", example: "snippet")] + templateParameters,
        responses: ["200": OpenAPIDocument.image, "304": OpenAPIDocument.notModified],
        refusals: OpenAPIDocument.drawing + [410, 412, 416])
    ) { service, call in
      var order = try ImageOrder(template: call.parameter("template"), call.query, service.settings, call.engine.templates)
      try checkName(of: order, call)
      let varies = try order.negotiate(call)
      let cacheControl = service.cacheControl(call)
      if let unchanged = try await service.unchanged(order, call, cacheControl, varies: varies) { return unchanged }
      return service.answer(try await service.draw(order, call), call, cacheControl: cacheControl, varies: varies)
    },
    ServiceRoute(
      .post, "/sign", .scope(.render),
      Operation(
        "sign", "Signs a URL of this service.",
        body: OpenAPIDocument.json([
          "type": "object", "anyOf": [["required": ["url"]], ["required": ["preset"]]],
          "properties": [
            "url": ["type": "string"], "preset": ["type": "string", "description": "The name of a preset, for its short URL"],
            "set": ["type": "object", "description": "The attributes of the preset"],
            "format": ["type": "string", "description": "The format of the preset's image; without it, 'Accept' selects it"],
            "expires": ["type": ["integer", "string"], "description": "A duration from now: seconds, or text such as 30d"],
            "writes": ["type": "string", "enum": ["name"], "description": "Lets reads of the URL write the identifier"],
          ],
        ]), responses: ["200": OpenAPIDocument.jsonResponse("The signed URL", ["type": "object"])], refusals: [404, 413, 415])
    ) { service, call in
      guard call.mediaType == "application/json" else {
        throw ServiceError(.unsupportedMediaType, "The Content-Type of the body must be application/json.")
      }
      let members = try JSONValue.members(try await call.body(upTo: 64 << 10), of: "The body")
      if members["preset"] != nil { return Response(json: ["url": .string(try signedPreset(members, call))]) }
      guard let url = members["url"]?.string else {
        throw OffprintError(.dataInvalid, "The body must be a JSON object with \"url\" or \"preset\".")
      }
      let expires = try Service.expiry(members["expires"])
      let writesName = members["writes"]?.string == "name"
      guard writesName || members["writes"] == nil else { throw OffprintError(.dataInvalid, "\"writes\" must be \"name\" or absent.") }
      let signed = try call.engine.access.signer.sign(url, expires: expires, writesName: writesName, owner: call.client.token)
      return Response(json: ["url": .string(signed)])
    },
  ]

  /// The short URL of a preset.
  private static func signedPreset(_ members: [String: JSONValue], _ call: RouteCall) throws -> String {
    guard let name = members["preset"]?.string else { throw OffprintError(.dataInvalid, "\"preset\" must be the name of a preset.") }
    _ = try call.engine.presets.item(name)
    var attributes = QueryItems()
    if let given = members["set"] {
      guard case .object(let values) = given, values.values.allSatisfy({ $0.scalar != nil }) else {
        throw OffprintError(.dataInvalid, "\"set\" must be an object of texts.")
      }
      attributes.items = values.keys.sorted().map { .init($0, values[$0]?.scalar ?? "") }
    }
    if let expires = try Service.expiry(members["expires"]) { attributes.items.append(.init("expires", "\(expires)")) }
    var fileExtension: String?
    if let format = members["format"] {
      guard let encoded = format.string.flatMap({ EncodedImageFormat(fileExtension: $0) }), encoded != .raw else {
        throw OffprintError(.dataInvalid, "\"format\" must be a format such as \"png\".")
      }
      fileExtension = encoded.rawValue
    }
    guard call.engine.access.isOff || !call.engine.access.signer.keys.isEmpty else {
      throw OffprintError(.usage, "There is no signing key.")
    }
    return PresetPath(preset: name, attributes: attributes, fileExtension: fileExtension).signed(call.engine.access.signer.keys.first)
  }

  /// A signed URL can be requested again at any time, which would move an identifier back to its image. Without authentication, any page
  /// could make a browser request the URL, for example as an image.
  ///
  /// - Throws: `forbidden` if the signature does not permit the identifier, or the request comes from a page of another origin.
  private static func checkName(of order: ImageOrder, _ call: RouteCall) throws(ServiceError) {
    if call.engine.access.isOff, order.writes { try AcceptedHosts.checkWrite(call.request.head) }
    guard order.request.identifier != nil, !call.engine.access.isOff else { return }
    if call.client.scopes.contains(.render) { return }
    guard let writes = call.query["writes"], writes == AddressSigner.namePermission || writes.hasPrefix("\(AddressSigner.namePermission):")
    else {
      throw ServiceError(.forbidden, "A signed URL can write an identifier only if it is signed with 'offprint sign --writes-name'.")
    }
  }

  /// A page, a job in JSON, or a page with its files.
  ///
  /// - Returns: The order, and the base URL of the files, which the caller releases.
  /// - Throws: `parameterRepeated` if the URL and the job contradict each other.
  static func order(_ service: Service, _ call: RouteCall) async throws -> (ImageOrder, base: String?) {
    guard call.mediaType == "multipart/form-data" else { return (try await plainOrder(service, call), nil) }
    let type = call.request.headers[.contentType] ?? ""
    let page = try UploadedPage(MultipartBody(try await call.body(upTo: service.settings.maxBodyBytes), contentType: type))
    if let name = page.fields.map(\.name).firstRepeated(where: { !JobField.isList($0) }) { throw ServiceError.repeated(name) }
    var job: [String: JSONValue] = [:]
    for field in page.fields {
      if case .array(let existing)? = job[field.name] {
        job[field.name] = .array(existing + [.string(field.value)])
      } else if let existing = job[field.name] {
        job[field.name] = .array([existing, .string(field.value)])
      } else {
        job[field.name] = .string(field.value)
      }
    }
    guard job["html"] == nil, job["url"] == nil else { throw OffprintError(.dataInvalid, "The page is one of the files, not a field.") }
    job["html"] = .string(try text(page.html, service.settings.limits))
    try add(call.query, to: &job)
    let base = service.uploads.keep(page.files)
    do {
      return (try ImageOrder(job: job, service.settings, call.engine.templates, basePath: base), base)
    } catch {
      service.uploads.release(base)
      throw error
    }
  }

  /// The text of a page in UTF-8.
  private static func text(_ html: [UInt8], _ limits: Limits) throws(OffprintError) -> String {
    guard let text = String(validating: html, as: UTF8.self) else { throw OffprintError(.dataInvalid, "The uploaded page is not UTF-8.") }
    return text
  }

  private static func add(_ query: QueryItems, to job: inout [String: JSONValue]) throws {
    try ImageOrder.checkResponseParameters(query)
    for item in query.items where !ImageOrder.ownParameters.contains(item.name) {
      let values = query.all(item.name).map { JSONValue.string($0) }
      let value = values.count == 1 ? values[0] : .array(values)
      if let given = job[item.name], !given.agrees(with: value) { throw ServiceError.repeated(item.name) }
      job[item.name] = job[item.name] ?? value
    }
  }

  private static func plainOrder(_ service: Service, _ call: RouteCall) async throws -> ImageOrder {
    let settings = service.settings
    switch call.mediaType {
    case "text/html", "application/xhtml+xml", "text/plain":
      return try ImageOrder(html: try await call.body(upTo: settings.maxBodyBytes), call.query, settings, call.engine.templates)
    case "application/json":
      let body = try await call.body(upTo: settings.maxBodyBytes)
      var job = try JSONValue.members(body, of: "The body")
      try add(call.query, to: &job)
      return try ImageOrder(job: job, settings, call.engine.templates)
    case "": throw ServiceError(.unsupportedMediaType, "Content-Type is missing; use text/html, application/json or multipart/form-data.")
    default:
      throw ServiceError(.unsupportedMediaType, "The Content-Type of the body must be text/html, application/json or multipart/form-data.")
    }
  }
}

extension ImageOrder {
  /// Uses the format that the client prefers, unless the request names one.
  ///
  /// - Parameter isJSON: Whether the response is JSON that refers to the image.
  /// - Returns: Whether the response depends on `Accept`.
  /// - Throws: `notAcceptable`.
  mutating func negotiate(_ call: RouteCall, isJSON: Bool = false) throws(ServiceError) -> Bool {
    guard !namesFormat, request.encoding.format == .png else { return false }
    let isAnimated = request.encoding.animation != nil
    if let accepted = try AcceptedFormat.of(call, isAnimated: isAnimated, isJSON: isJSON) { request.encoding.format = accepted }
    return true
  }
}

extension Service {
  /// Parses the body of a request, and keeps the files that it contains until `body` returns.
  func withOrder(_ call: RouteCall, _ body: (ImageOrder) async throws -> Response) async throws -> Response {
    let (order, base) = try await RenderRoutes.order(self, call)
    defer { if let base { uploads.release(base) } }
    guard base == nil || !call.prefersAsync && order.webhook == nil else {
      throw OffprintError(.usage, "A request with files is answered when its image is ready: omit 'Prefer: respond-async' and \"webhook\".")
    }
    return try await body(order)
  }

  /// A 304 response if the client has the cached image; does not read the image.
  func unchanged(_ order: ImageOrder, _ call: RouteCall, _ cacheControl: String, varies: Bool = false) async throws -> Response? {
    guard call.request.headers[.ifMatch] == nil, let condition = call.request.headers[.ifNoneMatch], order.request.cachePolicy == .standard,
      call.query["report"] == nil
    else {
      return nil
    }
    let renderer = call.engine.renderer
    let indexed = try await blocking { () -> Result<(use: CacheUse, checksum: [UInt8])?, OffprintError> in
      Result { () throws(OffprintError) in renderer.imageCache?.indexedUse(try renderer.imageKey(order.request)) }
    }.get()
    guard let (use, checksum) = indexed, Representation.matches(condition, EntityTag.of(checksum)) else { return nil }
    var headers: HTTPFields = [
      .cacheControl: cacheControl, .cacheStatus: "offprint; hit", .offprintKey: "\(use.key)", .offprintSize: "\(use.width)x\(use.height)",
    ]
    if varies { headers[.vary] = "Accept" }
    return Representation.notModified(EntityTag.of(checksum), headers)
  }

  /// The response to an expiring URL must not be cached beyond its expiry.
  func cacheControl(_ call: RouteCall) -> String {
    guard call.client.scopes.isEmpty || call.engine.access.isOff else { return "private, max-age=\(settings.maxAge)" }
    let now = WallClock.seconds()
    let left = call.query["expires"].flatMap { Int($0) }.map { $0 > now ? $0 - now : 0 }
    let stale = left == nil ? settings.staleWhileRevalidate : 0
    return "public, max-age=\(min(settings.maxAge, left ?? .max))" + (stale > 0 ? ", stale-while-revalidate=\(stale)" : "")
  }
}
