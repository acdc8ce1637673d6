import HTTPTypes
import Hummingbird
import NIOCore
import Offprint

extension PresetPath {
  /// - Throws: `malformedRequest`.
  init(_ call: RouteCall) throws(ServiceError) {
    guard let path = PresetPath(call.path) else {
      throw ServiceError(.malformedRequest, "The attributes of the URL have a '%' without two digits, or are too many.")
    }
    self = path
  }

  /// - Throws: `signatureInvalid`, `signatureExpired`.
  func check(_ signer: AddressSigner, now: Int) throws(ServiceError) {
    do throws(AddressSigner.Refusal) {
      try verify(signer, now: now)
    } catch {
      switch error {
      case .expired: throw ServiceError(.signatureExpired, "The signed URL has expired.")
      default: throw ServiceError(.signatureInvalid, "The signature does not match the URL.")
      }
    }
  }
}

/// Short URLs of presets.
enum PresetRoutes {
  private static let path = "/p/{preset}/{signature}/{attributes}"

  static let routes: [ServiceRoute] = [
    ServiceRoute(
      .get, path, .preset,
      Operation(
        "preset", "Renders a preset of the service with the attributes in the URL.",
        parameters: [
          OpenAPIDocument.pathParameter("preset", "The name of a preset"),
          OpenAPIDocument.pathParameter("signature", "The signature; '-' for a service without authentication"),
          OpenAPIDocument.pathParameter("attributes", "Attributes as in a query, and an extension", example: "title=Hello.png"),
        ], responses: ["200": OpenAPIDocument.image, "304": OpenAPIDocument.notModified],
        refusals: OpenAPIDocument.drawing + [410, 412, 416])
    ) { service, call in
      let parts = try PresetPath(call)
      let item = try call.engine.presets.item(parts.preset)
      do {
        return try await service.answer(item.preset, parts, call)
      } catch let error as CancellationError {
        throw error
      } catch {
        return try service.fallback(item, error, call)
      }
    }
  ]
}

extension Service {
  fileprivate func answer(_ preset: Preset, _ parts: PresetPath, _ call: RouteCall) async throws -> Response {
    var order = try ImageOrder(preset: preset, parts.attributes, settings, call.engine.templates)
    var varies = false
    if let format = parts.format { order.request.encoding.format = format } else { varies = try order.negotiate(call) }
    let cacheControl = cacheControl(preset, parts, call)
    if let unchanged = try await unchanged(order, call, cacheControl, varies: varies) { return unchanged }
    let image = try await draw(order, call)
    // A response that is remembered does not know when its URL expires.
    let isRemembered = !varies && parts.attributes["expires"] == nil
    var response = answer(
      image, call, cacheControl: cacheControl, varies: varies, rememberedAs: isRemembered ? "/p/{preset}/{signature}/{attributes}" : nil)
    if image.result.isDegraded, preset.errorMaxAge > 0 {
      response.headers[.cacheControl] = "public, max-age=\(preset.errorMaxAge)"
    }
    return response
  }

  private func cacheControl(_ preset: Preset, _ parts: PresetPath, _ call: RouteCall) -> String {
    let now = WallClock.seconds(), maxAge = preset.maxAge ?? settings.maxAge
    let left = parts.attributes["expires"].flatMap { Int($0) }.map { max(0, $0 - now) }
    let stale = left == nil ? preset.staleWhileRevalidate ?? settings.staleWhileRevalidate : 0
    return "public, max-age=\(min(maxAge, left ?? .max))" + (stale > 0 ? ", stale-while-revalidate=\(stale)" : "")
  }

  /// The fallback image of a preset, or the error with a short `max-age`.
  ///
  /// - Throws: A `Problem`.
  fileprivate func fallback(_ item: PresetRegistry.Item, _ error: any Error, _ call: RouteCall) throws -> Response {
    let problem = Problem(error)
    guard let bytes = item.fallback else { throw problem.cached(seconds: item.preset.errorMaxAge) }
    metrics.registry.counter("offprint_fallbacks_total", [("preset", item.preset.name), ("code", problem.code)]).increment()
    logger.info("A fallback image was returned.", metadata: ["request": "\(call.id)", "code": "\(problem.code)"])
    var headers: HTTPFields = [
      .cacheControl: item.preset.fallbackMaxAge > 0 ? "public, max-age=\(item.preset.fallbackMaxAge)" : "no-store",
      .cacheStatus: "offprint; fwd=miss; detail=fallback", .offprintError: problem.code,
    ]
    headers.setImage(EncodedImageFormat(beginningOf: bytes) ?? .png)
    return Response(status: .init(code: item.preset.fallbackStatus), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
