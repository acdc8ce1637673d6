import HTTPTypes
import Hummingbird
import Offprint
import OffprintRenderCache

/// Renders a page sent with the request, and signed URLs of templates.
enum RenderRoutes {
  static let routes: [ServiceRoute] = [
    ServiceRoute(
      .post, "/render", .scope(.render),
      Operation(
        "render", "Renders a page, or returns its image from the cache.",
        parameters: OpenAPIDocument.jobParameters + [OpenAPIDocument.report],
        body: OpenAPIDocument.pageOrJob, responses: ["200": OpenAPIDocument.picture], refusals: OpenAPIDocument.drawing)
    ) { service, call in
      var order = try await order(service, call)
      if order.request.encoding.format == .png,
        let accepted = try AcceptedFormat.of(call, isAnimated: order.request.encoding.animation != nil)
      {
        order.request.encoding.format = accepted
      }
      return service.answer(try await service.draw(order, call), call)
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
          OpenAPIDocument.query("signature", "The signature made by 'offprint sign'"),
          OpenAPIDocument.query("key", "The name of the signing key"),
          OpenAPIDocument.query("expires", "Seconds since 1970"),
          OpenAPIDocument.query("writes", "\"name\" if reads of a signed URL may write the identifier"), OpenAPIDocument.report,
        ], responses: ["200": OpenAPIDocument.picture, "304": OpenAPIDocument.notModified],
        refusals: OpenAPIDocument.drawing + [410, 412, 416]),
      suffixes: ["png", "apng", "gif", "webp", "jpeg", "jpg", "avif", "pdf", "svg"]
    ) { service, call in
      guard let format = PictureFormat(fileExtension: call.parameter("format")) else {
        throw ServiceError(.notAcceptable, "The image format '\(call.parameter("format"))' is not supported; use .png.")
      }
      var order = try PictureOrder(template: call.parameter("template"), call.query, service.settings, call.engine.templates)
      try checkName(of: order, call)
      if let asked = call.query["format"], PictureFormat(fileExtension: asked) != format {
        throw OffprintError(.dataInvalid, "The URL ends in .\(call.parameter("format")), but specifies the format \"\(asked.prefix(40))\".")
      }
      order.request.encoding.format = format
      let cacheControl = service.cacheControl(call)
      if let unchanged = try await service.unchanged(order, call, cacheControl) { return unchanged }
      return service.answer(
        try await service.draw(order, call), call, cacheControl: cacheControl, rememberedAs: "/render/{template}.{format}")
    },
    ServiceRoute(
      .post, "/sign", .scope(.render),
      Operation(
        "sign", "Signs a URL of this service.",
        body: OpenAPIDocument.json([
          "type": "object", "required": ["url"],
          "properties": [
            "url": ["type": "string"], "expires": ["type": "integer", "description": "Seconds from now"],
            "writes": ["type": "string", "enum": ["name"], "description": "Lets reads of the URL write the identifier"],
          ],
        ]), responses: ["200": OpenAPIDocument.jsonResponse("The signed URL", ["type": "object"])], refusals: [413, 415])
    ) { service, call in
      guard call.mediaType == "application/json" else { throw ServiceError(.unsupportedMediaType, "The body must be application/json.") }
      let members = try JSONValue.members(try await call.body(upTo: 64 << 10), of: "The body")
      guard let url = members["url"]?.string else {
        throw OffprintError(.dataInvalid, "The body must be a JSON object with \"url\".")
      }
      var expires: Int?
      if let given = members["expires"] {
        guard let seconds = given.number, seconds >= 1, seconds <= 1e10 else {
          throw OffprintError(.dataInvalid, "\"expires\" must be a number of seconds from now.")
        }
        expires = WallClock.seconds() + Int(seconds)
      }
      let writesName = members["writes"]?.string == "name"
      guard writesName || members["writes"] == nil else { throw OffprintError(.dataInvalid, "\"writes\" must be \"name\" or absent.") }
      let signed = try call.engine.access.signer.sign(url, expires: expires, writesName: writesName, owner: call.client.token)
      return Response(json: ["url": .string(signed)])
    },
  ]

  /// A signed URL can be requested again at any time, which would move an identifier back to its image. Without authentication, any page
  /// could make a browser request the URL, for example as an image.
  ///
  /// - Throws: `forbidden` if the signature does not permit the identifier, or the request comes from a page of another origin.
  private static func checkName(of order: PictureOrder, _ call: RouteCall) throws(ServiceError) {
    if call.engine.access.isOff, order.writes { try AcceptedHosts.checkWrite(call.request.head) }
    guard order.request.identifier != nil, !call.engine.access.isOff else { return }
    if call.client.scopes.contains(.render) { return }
    guard let writes = call.query["writes"], writes == AddressSigner.namePermission || writes.hasPrefix("\(AddressSigner.namePermission):")
    else {
      throw ServiceError(.forbidden, "A signed URL can write an identifier only if it is signed with 'offprint sign --writes-name'.")
    }
  }

  /// A page, or a job in JSON.
  ///
  /// - Throws: `parameterRepeated` if the URL and the job contradict each other.
  static func order(_ service: Service, _ call: RouteCall) async throws -> PictureOrder {
    let settings = service.settings
    switch call.mediaType {
    case "text/html", "application/xhtml+xml", "text/plain":
      return try PictureOrder(html: try await call.body(upTo: settings.maxBodyBytes), call.query, settings, call.engine.templates)
    case "application/json":
      let body = try await call.body(upTo: settings.maxBodyBytes)
      var job = try JSONValue.members(body, of: "The body")
      for item in call.query.items where item.name != "report" && item.name != "image" {
        let values = call.query.all(item.name).map { JSONValue.string($0) }
        let value = values.count == 1 ? values[0] : .array(values)
        if let given = job[item.name], !given.agrees(with: value) { throw ServiceError.repeated(item.name) }
        job[item.name] = job[item.name] ?? value
      }
      return try PictureOrder(job: job, settings, call.engine.templates)
    case "": throw ServiceError(.unsupportedMediaType, "Content-Type is missing; use text/html or application/json.")
    default: throw ServiceError(.unsupportedMediaType, "The body must be text/html or application/json.")
    }
  }
}

extension Service {
  /// A 304 response if the client has the cached image; does not read the image.
  func unchanged(_ order: PictureOrder, _ call: RouteCall, _ cacheControl: String) async throws -> Response? {
    guard call.request.headers[.ifMatch] == nil, let condition = call.request.headers[.ifNoneMatch], order.request.cachePolicy == .standard,
      call.query["report"] == nil
    else {
      return nil
    }
    let renderer = call.engine.renderer
    let known = try await blocking { () -> Result<(use: CacheUse, checksum: [UInt8])?, OffprintError> in
      Result { () throws(OffprintError) in renderer.pictureCache?.known(try renderer.pictureKey(order.request)) }
    }.get()
    guard let (use, checksum) = known, Representation.matches(condition, EntityTag.of(checksum)) else { return nil }
    let headers: HTTPFields = [
      .cacheControl: cacheControl, .cacheStatus: "offprint; hit", .offprintKey: "\(use.key)", .offprintSize: "\(use.width)x\(use.height)",
    ]
    return Representation.notModified(EntityTag.of(checksum), headers)
  }

  /// The response to an expiring URL must not be cached beyond its expiry.
  func cacheControl(_ call: RouteCall) -> String {
    guard call.client.scopes.isEmpty || call.engine.access.isOff else { return "private, max-age=\(settings.maxAge)" }
    let now = WallClock.seconds()
    let left = call.query["expires"].flatMap { Int($0) }.map { $0 > now ? $0 - now : 0 }
    return "public, max-age=\(min(settings.maxAge, left ?? .max))"
  }
}
