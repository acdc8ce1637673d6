/// What a render would find in the cache.
package struct CachePreview: Hashable, Sendable {
  /// The cache key in hexadecimal.
  package var key: String
  package var isHit: Bool
}

extension Renderer {
  /// A request's key, and whether its picture is there: nothing is drawn, stored or counted as used.
  ///
  /// - Throws: what a template and the request itself can throw.
  package func preview(_ request: RenderRequest) throws(OffprintError) -> CachePreview { try engine.preview(request) }
}

extension RenderEngine {
  func preview(_ request: RenderRequest) throws(OffprintError) -> CachePreview {
    var job = RenderJob(request)
    let prepared = try job.prepare(fonts, hosts: hosts)
    return CachePreview(key: "\(prepared.key)", isHit: !request.cachePolicy.ignoresCachedResult && store?.holds(prepared) ?? false)
  }
}

extension PictureStore {
  /// Whether the picture is there and what it depends on unchanged.
  func holds(_ prepared: PreparedRequest) -> Bool { cache()?.holds(prepared.key) ?? false }
}
