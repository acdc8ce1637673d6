/// Whether a render would be a cache hit.
package struct CachePreview: Hashable, Sendable {
  /// The cache key in hexadecimal.
  package var key: String
  package var isHit: Bool
}

extension Renderer {
  /// The key of a request, and whether its image is cached. Nothing is rendered, stored or counted as used.
  ///
  /// - Throws: Errors of the template and of the request.
  package func preview(_ request: RenderRequest) throws(OffprintError) -> CachePreview { try engine.preview(request) }
}

extension RenderEngine {
  func preview(_ request: RenderRequest) throws(OffprintError) -> CachePreview {
    var job = RenderJob(request)
    let prepared = try job.prepare(fonts, hosts: hosts)
    return CachePreview(key: "\(prepared.key)", isHit: !request.cachePolicy.ignoresCachedResult && store?.holds(prepared) ?? false)
  }
}

extension RenderedImageStore {
  /// Whether the image is cached and its dependencies are unchanged.
  func holds(_ prepared: PreparedRequest) -> Bool { cache()?.holds(prepared.key) ?? false }
}
