import HTTPTypes
import Hummingbird
import NIOCore
import Offprint
import OffprintCoreTypes

/// The parts of a short URL: `/p/{preset}/{signature}/{attributes}`, where the attributes are written as in a query, and an extension names
/// the format: `/p/card/SIGNATURE/title=Hello.webp`. `-` stands for no attributes.
struct PresetPath {
  var preset: String
  var signature: String
  var attributes: QueryItems
  var format: PictureFormat?
  var fileExtension: String?

  /// - Throws: `malformedRequest`.
  init(_ call: RouteCall) throws(ServiceError) {
    preset = call.parameter("preset")
    signature = call.parameter("signature")
    // As it was sent: decoded, a value could contain separators.
    var text = call.path.split(byte: "/").last ?? ""
    if let dot = text.lastIndex(ofByte: "."), let format = PictureFormat(fileExtension: text[text.index(after: dot)...]), format != .raw {
      (self.format, fileExtension) = (format, format.rawValue)
      text = text[..<dot]
    }
    guard let attributes = QueryItems(text == "-" ? "" : text) else {
      throw ServiceError(.malformedRequest, "The attributes of the URL have a '%' without two digits, or are too many.")
    }
    self.attributes = attributes
  }

  init(preset: String, attributes: QueryItems, fileExtension: String?) {
    self.preset = preset
    signature = ""
    self.attributes = attributes
    self.fileExtension = fileExtension
  }

  /// The number of characters of a signature: 132 bits.
  private static let shortest = 22

  private func signature(_ key: AddressSigner.Key) -> String? {
    var items = attributes
    items.items.append(.init("format", fileExtension ?? ""))
    return AddressSigner.signature(path: "/p/\(preset)", items, key).map { String($0.prefix(Self.shortest)) }
  }

  /// - Throws: `signatureInvalid`, `signatureExpired`.
  func verify(_ signer: AddressSigner, now: Int) throws(ServiceError) {
    let isRight = signer.keys.contains { key in
      signature(key).map { HMACSHA256.areEqual(Array($0.utf8), Array(signature.utf8)) } ?? false
    }
    guard isRight else { throw ServiceError(.signatureInvalid, "The signature does not match the URL.") }
    if let expires = attributes["expires"] {
      guard let time = Int(expires), time > now else { throw ServiceError(.signatureExpired, "The signed URL has expired.") }
    }
  }

  /// The path with the signature of the first key, or `-` without keys.
  func signed(_ signer: AddressSigner) -> String {
    let code = signer.keys.first.flatMap(signature) ?? "-"
    let text = attributes.items.isEmpty ? "-" : attributes.text
    return "/p/\(preset)/\(code)/\(text)\(fileExtension.map { ".\($0)" } ?? "")"
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
        ], responses: ["200": OpenAPIDocument.picture, "304": OpenAPIDocument.notModified],
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
    let picture = try await draw(order, call)
    // A response that is remembered does not know when its URL expires.
    let isRemembered = !varies && parts.attributes["expires"] == nil
    var response = answer(
      picture, call, cacheControl: cacheControl, varies: varies, rememberedAs: isRemembered ? "/p/{preset}/{signature}/{attributes}" : nil)
    if picture.result.isDegraded, preset.errorMaxAge > 0 {
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
    headers.setPicture(PictureFormat(beginningOf: bytes) ?? .png)
    return Response(status: .init(code: item.preset.fallbackStatus), headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
