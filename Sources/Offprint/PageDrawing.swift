package import OffprintCoreTypes
import OffprintRenderCache
package import OffprintResources
import OffprintTypography

/// Renders pages outside of the renderer's threads, in worker processes. Templates, keys, cache, queue and resources stay with the
/// renderer.
package protocol PageDrawing: Sendable {
  /// Renders a page, blocking the calling thread of the renderer. Identifier, key and dependencies of the result are ignored.
  func draw(_ page: RemotePage) throws(OffprintError) -> RenderResult
  /// Called when the renderer will render nothing more.
  func close()
}

/// A page to render in another process.
package struct RemotePage: Sendable {
  /// The request, with its template expanded.
  package var request: RenderRequest
  /// The digest of the fonts that is part of the key.
  package var fontsDigest: String
  /// The time by which it must finish.
  package var deadline: Deadline
  /// Called for each stage.
  package var progress: RenderProgress?
  /// Loads and records the page's resources according to the request's rules.
  package var resources: ResourceLoader

  package init(
    request: RenderRequest, fontsDigest: String, deadline: Deadline, progress: RenderProgress? = nil, resources: ResourceLoader
  ) {
    self.request = request; self.fontsDigest = fontsDigest; self.deadline = deadline; self.progress = progress; self.resources = resources
  }
}

extension PageDrawing {
  /// Renders in another process; the result is the same as that of a render in this process.
  func render(
    _ job: RenderJob, _ prepared: PreparedRequest, _ loader: ResourceLoader, fonts: FontRegistry
  ) throws(OffprintError) -> RenderResult {
    do { try job.deadline.check() } catch { throw job.error(error) }
    var clock = job.clock
    clock.end()
    var result = try draw(
      RemotePage(
        request: prepared.expanded, fontsDigest: fonts.digest.hex, deadline: job.deadline, progress: clock.progress, resources: loader))
    result.identifier = prepared.request.identifier
    result.wasCached = false
    result.key = "\(prepared.key)"
    result.dependencies = loader.dependencies.map(CacheDependency.init)
    // The worker process does not measure the stages of queue and cache.
    result.timings.removeAll { [.prepare, .queue, .lookup].contains($0.stage) }
    result.timings.insert(contentsOf: clock.timings, at: 0)
    result.milliseconds = result.timings.reduce(0) { $1.stage == .queue ? $0 : $0 + $1.milliseconds }
    return result
  }
}

extension PreparedRequest {
  /// The request without templates, names and folders, which the worker process does not know.
  fileprivate var expanded: RenderRequest {
    var request = request
    request.html = html
    request.template = nil
    request.attributes = [:]
    request.data = nil
    request.partials = [:]
    request.identifier = nil
    request.saveHTMLFolder = nil
    request.cachePolicy = .none
    return request
  }
}

extension ResourceLoader {
  /// A loader with the rules of a request.
  ///
  /// - Parameter handsOver: Whether the loader does not retain what it returns; see `ResourceLoader`.
  convenience init(
    _ request: RenderRequest, provider: ResourceProvider?, network: (any NetworkLoading)?, memory: FileMemory?, deadline: Deadline,
    handsOver: Bool = false
  ) {
    self.init(
      allowedFolders: request.allowedFolders, allowedHosts: request.allowedHosts, limits: request.limits,
      provider: provider.map { BlockingProvider(provider: $0, deadline: deadline) }, network: network, memory: memory, deadline: deadline,
      handsOver: handsOver)
  }
}

extension OffprintError {
  static let drawnElsewhere = OffprintError(
    .usage, "This renderer uses worker processes, which return only images; use a renderer without isolation for pixels, boxes and dumps.")
}
