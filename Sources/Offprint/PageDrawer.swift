package import OffprintCoreTypes
package import OffprintResources
import OffprintImages
import OffprintTypography

/// The fonts of a process, shared by all its threads.
package struct DrawerFonts: Sendable {
  let registry: FontRegistry

  /// - Parameters:
  ///   - folders: Font folders, including the bundled one.
  ///   - cacheFolder: The renderer's cache folder; nil for none.
  package init(folders: [String], usesSystemFonts: Bool, cacheFolder: String?) {
    registry = FontRegistry(folders: folders, includeSystemFonts: usesSystemFonts, cacheDirectory: cacheFolder.map { "\($0)/fonts" })
  }

  /// Changes if the contents of a font change.
  package var digest: String { registry.digest.hex }
  /// The paths of all fonts.
  package var files: [String] { registry.paths }
}

/// Renders pages on the thread that uses it, without queue and cache. Worker processes use it.
package final class PageDrawer {
  /// Changes if the same page may be rendered differently.
  package static var version: String { "\(Renderer.version).\(PreparedRequest.renderingRevision)" }

  private let fonts: DrawerFonts
  private let worker: RenderWorker

  /// - Parameter fetcher: Loads the resources of pages.
  package init(_ fonts: DrawerFonts, fetcher: any ResourceFetching) {
    self.fonts = fonts
    worker = RenderWorker(registry: fonts.registry, threads: HelperThreads(sharesProcessors: true)) { request, _ in
      ResourceLoader(limits: request.limits, fetcher: fetcher)
    }
  }

  /// - Throws: See `Renderer.render`.
  package func draw(_ request: RenderRequest, deadline: Deadline, progress: RenderProgress?) throws(OffprintError) -> RenderResult {
    var job = RenderJob(request, deadline: deadline, progress: progress)
    return try worker.render(job, try job.prepare(fonts.registry))
  }
}
