import Offprint
import RenderCache

/// What draws for the service: a `Renderer` in this process, or one that draws in processes of its own.
protocol PictureRenderer: Sendable {
  func picture(_ request: RenderRequest, priority: RenderPriority) async throws(OffprintError) -> RenderResult
  /// How many requests wait for a worker.
  var waitingCount: Int { get }
  /// The cache that its pictures are in.
  var pictureCache: RenderCache? { get }
  /// Finishes what was taken and takes no more; the thread waits.
  func end()
}

extension Renderer: PictureRenderer {
  func picture(_ request: RenderRequest, priority: RenderPriority) async throws(OffprintError) -> RenderResult {
    try await render(request, priority: priority)
  }

  func end() { shutdown(isExiting: true) }
}
