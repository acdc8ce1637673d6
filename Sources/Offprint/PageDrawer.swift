package import OffprintCoreTypes
package import OffprintResources
import OffprintImages
import OffprintTypography

/// The fonts that a process draws with, for all its threads.
package struct DrawerFonts: Sendable {
  let registry: FontRegistry

  /// - Parameters:
  ///   - folders: bundled ones included.
  ///   - cacheFolder: the renderer's; nil for none.
  package init(folders: [String], usesSystemFonts: Bool, cacheFolder: String?) {
    registry = FontRegistry(folders: folders, includeSystemFonts: usesSystemFonts, cacheDirectory: cacheFolder.map { "\($0)/fonts" })
  }

  /// Changes when a font's content does.
  package var digest: String { registry.digest.hex }
  /// Where the faces were read from.
  package var files: [String] { registry.paths }
}

/// Draws pages on the one thread that uses it, without queue and cache: what a worker process is made of.
package final class PageDrawer {
  /// Changes when the same page may be drawn otherwise.
  package static var version: String { "\(Renderer.version).\(PreparedRequest.renderingRevision)" }

  private let fonts: DrawerFonts
  private let worker: RenderWorker

  /// - Parameter fetcher: gets what pages refer to.
  package init(_ fonts: DrawerFonts, fetcher: any ResourceFetching) {
    self.fonts = fonts
    worker = RenderWorker(registry: fonts.registry, threads: SpareThreads(sharesProcessors: true)) { request, _ in
      ResourceLoader(limits: request.limits, fetcher: fetcher)
    }
  }

  /// - Throws: as `Renderer.render`.
  package func draw(_ request: RenderRequest, deadline: Deadline, progress: RenderProgress?) throws(OffprintError) -> RenderResult {
    var job = RenderJob(request, deadline: deadline, progress: progress)
    return try worker.render(job, try job.prepare(fonts.registry))
  }
}
