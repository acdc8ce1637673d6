package import OffprintCoreTypes
import OffprintRenderCache
package import OffprintResources
import OffprintTypography

/// Draws pages elsewhere than on the renderer's threads: in worker processes. Template, key, cache, queue and resources stay with the renderer.
package protocol PageDrawing: Sendable {
  /// Draws a page while the calling thread, one of the renderer's, waits. Identifier, key and dependencies of the result do not count.
  func draw(_ page: RemotePage) throws(OffprintError) -> RenderResult
  /// The renderer draws nothing any more.
  func close()
}

/// A page that is drawn elsewhere.
package struct RemotePage: Sendable {
  /// What it is drawn from: its template is expanded already.
  package var request: RenderRequest
  /// The digest of the fonts that the key speaks of.
  package var fontsDigest: String
  /// When it must be done.
  package var deadline: Deadline
  /// Told of each stage.
  package var progress: RenderProgress?
  /// Loads what it refers to, by the request's rules; keeps account of it.
  package var resources: ResourceLoader

  package init(
    request: RenderRequest, fontsDigest: String, deadline: Deadline, progress: RenderProgress? = nil, resources: ResourceLoader
  ) {
    self.request = request; self.fontsDigest = fontsDigest; self.deadline = deadline; self.progress = progress; self.resources = resources
  }
}

extension PageDrawing {
  /// What a render's own thread would have answered.
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
    // The worker knows of no queue and no cache.
    result.timings.removeAll { [.prepare, .queue, .lookup].contains($0.stage) }
    result.timings.insert(contentsOf: clock.timings, at: 0)
    result.milliseconds = result.timings.reduce(0) { $1.stage == .queue ? $0 : $0 + $1.milliseconds }
    return result
  }
}

extension PreparedRequest {
  /// The same page for somebody who knows no templates, names and folders.
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
  /// By the rules of a request.
  ///
  /// - Parameter handsOver: the loader does not keep what it returns; see `ResourceLoader`.
  convenience init(
    _ request: RenderRequest, provider: ResourceProvider?, network: (any NetworkLoading)?, memory: FileMemory?, deadline: Deadline,
    handsOver: Bool = false
  ) {
    self.init(
      allowedFolders: request.allowedFolders, allowedHosts: request.allowedHosts, limits: request.limits,
      provider: provider.map { WaitingProvider(provider: $0, deadline: deadline) }, network: network, memory: memory, deadline: deadline,
      handsOver: handsOver)
  }
}

extension OffprintError {
  static let drawnElsewhere = OffprintError(
    .usage, "This renderer draws in worker processes, which give pictures alone; use one without isolation for pixels, boxes and dumps.")
}
