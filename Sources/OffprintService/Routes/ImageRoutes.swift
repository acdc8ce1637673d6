import OffprintCoreTypes
import HTTPTypes
import Hummingbird
import NIOCore
import Offprint
import OffprintRenderCache

/// Images by key or identifier.
enum ImageRoutes {
  private static let name = OpenAPIDocument.pathParameter("name", "A key of 64 hexadecimal digits, or an identifier")

  static let routes: [ServiceRoute] = [
    ServiceRoute(
      .get, "/i/{name}", .signed,
      Operation(
        "image", "Returns an image from the cache, by key or identifier.", parameters: [name],
        responses: ["200": OpenAPIDocument.image, "304": OpenAPIDocument.notModified], refusals: [404, 410, 412, 416])
    ) { service, call in try await service.image(call) },
    ServiceRoute(
      .put, "/i/{name}", .scope(.render),
      Operation(
        "putImage", "Renders a page and stores the image under an identifier.",
        parameters: [OpenAPIDocument.pathParameter("name", "An identifier")] + OpenAPIDocument.jobParameters + [OpenAPIDocument.report],
        body: OpenAPIDocument.pageOrJob, responses: ["200": OpenAPIDocument.image], refusals: OpenAPIDocument.drawing + [412])
    ) { service, call in
      let identifier = call.parameter("name")
      try ImageIdentifier.check(identifier)
      return try await service.withOrder(call) { order in
        var order = order
        let varies = try order.negotiate(call)
        if let other = order.request.identifier, !other.utf8.elementsEqual(identifier.utf8) { throw ServiceError.repeated("identifier") }
        order.request.identifier = identifier
        try await service.checkConditions(call)
        return service.answer(try await service.draw(order, call), call, varies: varies)
      }
    },
    ServiceRoute(
      .delete, "/i/{name}", .scope(.admin),
      Operation(
        "deleteImage", "Removes an image from the cache.", parameters: [name], responses: ["204": ["description": "The image was removed"]],
        refusals: [404, 412])
    ) { service, call in
      let name = call.parameter("name")
      try await service.checkConditions(call)
      let removed = try await service.cache(call) { cache throws(CacheError) in
        if let key = CacheKey(hex: name), try cache.removeEverywhere(key) { return true }
        return try cache.removeEverywhere(identifier: name)
      }
      service.removeCachedResponses()
      guard removed else { throw ServiceError(.notFound, "There is no such image.") }
      return Response(status: .noContent)
    },
    ServiceRoute(
      .delete, "/tags/{tag}", .scope(.admin),
      Operation(
        "deleteTag", "Removes all images with a tag from the cache.", parameters: [OpenAPIDocument.pathParameter("tag", "A tag")],
        responses: ["200": OpenAPIDocument.jsonResponse("The removed entries", OpenAPIDocument.removal)])
    ) { service, call in
      let tag = call.parameter("tag")
      let removal = try await service.cache(call) { cache throws(CacheError) in try cache.removeEverywhere(tag: tag) }
      service.removeCachedResponses()
      return Response(json: removal.json)
    },
  ]
}

extension CacheRemoval {
  var json: JSONValue { ["entries": .number(Double(entries)), "bytes": .number(Double(bytes))] }
}

extension Service {
  /// Checks the preconditions of a request that writes an identifier or removes an image. Another request can change the image between this
  /// check and the change.
  ///
  /// - Throws: `preconditionFailed`.
  fileprivate func checkConditions(_ call: RouteCall) async throws {
    let headers = call.request.headers
    guard headers[.ifMatch] != nil || headers[.ifNoneMatch] != nil else { return }
    let name = call.parameter("name")
    let tag = try await cache(call) { cache throws(CacheError) in try cache.checksum(name) }.map { EntityTag.of($0) }
    try Representation.checkMatch(headers, tag)
    if let tag, Representation.matches(headers[.ifNoneMatch], tag) {
      throw ServiceError(.preconditionFailed, "The identifier has an image that If-None-Match excludes.")
    }
  }

  private func isRaw(_ entry: CacheEntry, _ call: RouteCall) async throws -> Bool {
    try await cache(call) { cache throws(CacheError) in try cache.record(entry.key) }?.isRaw ?? false
  }

  fileprivate func image(_ call: RouteCall) async throws -> Response {
    let name = call.parameter("name")
    var headers = HTTPFields()
    // The image of a key is immutable, that of an identifier is not. Responses that required a token or an expiring signature are private.
    let isOpen = call.query["expires"] == nil && (call.client.scopes.isEmpty || call.engine.access.isOff)
    headers[.cacheControl] =
      CacheKey(hex: name) == nil ? "no-cache" : isOpen ? "public, max-age=31536000, immutable" : cacheControl(call)
    let condition = call.request.headers[.ifMatch] == nil ? call.request.headers[.ifNoneMatch] : nil
    if condition != nil, let record = try await cache(call, { cache throws(CacheError) in try cache.record(named: name) }) {
      let tag = EntityTag.of(record.checksum)
      // Avoids reading the image. An image with dependencies must be revalidated first.
      if record.dependencies.isEmpty, Representation.matches(condition, tag) {
        headers[.cacheStatus] = "offprint; hit"
        headers[.offprintKey] = "\(record.key)"
        headers[.offprintSize] = "\(record.width)x\(record.height)"
        return Representation.notModified(tag, headers)
      }
    }
    let found = try await cache(call) { cache throws(CacheError) in
      CacheKey(hex: name).flatMap { cache.lookupEverywhere($0, deadline: Deadline(after: .seconds(5))) }
        ?? cache.entryEverywhere(identifier: name, deadline: Deadline(after: .seconds(5)))
    }
    guard let entry = found else { throw ServiceError(.notFound, "There is no such image: it was never rendered, or was evicted.") }
    let isRaw = entry.hasSizeOfPixels ? try await isRaw(entry, call) : false
    headers.setImage(isRaw ? .raw : entry.likelyFormat)
    headers[.cacheStatus] = "offprint; hit"
    headers[.offprintKey] = "\(entry.key)"
    headers[.offprintSize] = "\(entry.width)x\(entry.height)"
    let tag = EntityTag.of(SHA256.hash(entry.data))
    let representation = Representation(entityTag: tag, headers: headers, bytes: ByteBuffer(bytes: entry.data))
    if CacheKey(hex: name) != nil, call.query["expires"] == nil, entry.dependencies.isEmpty {
      storeResponse(representation, call, "/i/{name}")
    }
    return representation.response(to: call.request)
  }
}

extension RenderCache {
  /// The record of an image by key or identifier, without its bytes.
  fileprivate func record(named name: String) throws(CacheError) -> CacheRecord? {
    if let key = CacheKey(hex: name), let record = try record(key) { return record }
    return try currentKey(identifier: name).flatMap { key throws(CacheError) in try record(key) }
  }

  /// The SHA-256 of an image by key or identifier, even if only other machines have it.
  fileprivate func checksum(_ name: String) throws(CacheError) -> [UInt8]? {
    if let record = try record(named: name) { return record.checksum }
    return entryEverywhere(identifier: name, deadline: Deadline(after: .seconds(5))).map { SHA256.hash($0.data) }
  }
}
