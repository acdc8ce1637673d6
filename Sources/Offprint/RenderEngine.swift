import OffprintCoreTypes
import OffprintImages
import OffprintRenderCache
import OffprintResources
import OffprintTypography

/// The parts of a renderer: workers, threads for cache lookups, the cache and the fonts.
final class RenderEngine: Sendable {
  let workers: WorkerPool<RenderWorker>
  /// Threads that expand templates and look up the cache for tasks, which must not block.
  private let readers: WorkerPool<Void>
  let fonts: FontRegistry
  let store: RenderedImageStore?
  private let observer: RenderObserver?
  /// If nil, pages are rendered on the workers' own threads.
  private let pageDrawing: (any PageDrawing)?
  private let provider: ResourceProvider?
  private let network: (any NetworkLoading)?
  private let files: FileMemory
  /// Whether images are shared with other machines.
  let sharesImages: Bool
  /// Allowed hosts for requests that name none.
  var hosts: [String] { network?.hosts ?? [] }

  init(_ configuration: RendererConfiguration) throws(OffprintError) {
    let folders = try configuration.resolvedFontFolders()
    let registry = FontRegistry(
      folders: folders, includeSystemFonts: configuration.usesSystemFonts, cacheDirectory: configuration.fontDigestFolder)
    let provider = configuration.resourceProvider, network = configuration.network
    fonts = registry
    store = configuration.cacheFolder.map { RenderedImageStore(folder: $0, configuration) }
    observer = configuration.observer
    sharesImages = configuration.cacheTier != nil
    self.provider = provider
    self.network = network
    pageDrawing = configuration.pageDrawing
    let decodedImages = DecodedImageCache(), files = FileMemory(), threads = HelperThreads()
    self.files = files
    let begins = configuration.workerThreadBegins
    workers = WorkerPool(size: configuration.workers, capacity: configuration.queueCapacity) {
      begins?()
      return RenderWorker(registry: registry, decodedImages: decodedImages, threads: threads) {
        ResourceLoader($0, provider: provider, network: network, memory: files, deadline: $1)
      }
    }
    readers = WorkerPool(size: 2, capacity: configuration.queueCapacity) {}
  }

  func imageKey(_ request: RenderRequest) throws(OffprintError) -> CacheKey {
    var job = RenderJob(request)
    return try job.prepare(fonts, hosts: hosts).key
  }

  var imageCache: RenderCache? { store?.cache() }

  @discardableResult
  func close(isExiting: Bool) -> OffprintError? {
    readers.close()
    workers.close()
    pageDrawing?.close()
    return store?.close(isExiting: isExiting)
  }

  func perform(_ work: @escaping @Sendable () -> Void) {
    if case .accepted = workers.submit(isBounded: false, { _ in work() }) { return }
    work()
  }

  // MARK: Rendering images

  /// - Parameter mayBlock: Whether the cache can be looked up on this thread.
  func render(_ job: RenderJob, _ call: Call<RenderResult>, mayBlock: Bool) {
    if call.flag.isCancelled { return finish(call, .failure(.cancelled), job) }
    let asksCache = store != nil && !job.request.cachePolicy.ignoresCachedResult
    if mayBlock { return lookUp(job, call, asksCache) }
    var job = job
    do throws(OffprintError) {
      if asksCache, job.isQuickToPrepare, let cached = store?.lookupMemory(try job.prepare(fonts, hosts: hosts)) {
        return finish(call, .success(cached), job)
      }
    } catch {
      return finish(call, .failure(error), job)
    }
    guard asksCache else { return draw(job, call) }
    job.beginWaiting()
    let waiting = job
    call.submit(to: readers) {
      var job = waiting
      job.endWaiting()
      self.lookUp(job, call, true)
    }
  }

  /// The image of a request if it is in memory, and checking this is faster than passing the request to another thread.
  func imageInMemory(_ request: RenderRequest) -> RenderResult? {
    var job = RenderJob(request)
    guard let store, request.cachePolicy == .standard, job.isQuickToPrepare, let prepared = try? job.prepare(fonts, hosts: hosts),
      var result = store.lookupMemory(prepared)
    else { return nil }
    result.timings = job.clock.timings
    observer?(RenderReport(.success(result), job))
    return result
  }

  private func lookUp(_ job: RenderJob, _ call: Call<RenderResult>, _ asksCache: Bool) {
    var job = job
    do throws(OffprintError) {
      let prepared = try job.prepare(fonts, hosts: hosts)
      if asksCache {
        job.clock.begin(.lookup)
        let cached = job.wantsImage ? store?.lookup(prepared) : store?.use(prepared)
        job.clock.end()
        if let cached { return finish(call, .success(cached), job) }
      }
    } catch {
      return finish(call, .failure(error), job)
    }
    draw(job, call)
  }

  private func draw(_ job: RenderJob, _ call: Call<RenderResult>) {
    var job = job
    job.beginWaiting()
    let waiting = job
    call.submit(to: workers) { worker in
      var job = waiting
      job.endWaiting()
      do throws(OffprintError) {
        let result = try self.produce(&job, worker)
        self.finish(call, .success(result), job)
      } catch {
        self.finish(call, .failure(error), job)
      }
    }
  }

  private func produce(_ job: inout RenderJob, _ worker: RenderWorker) throws(OffprintError) -> RenderResult {
    let prepared = try job.prepare(fonts, hosts: hosts)
    guard let store, job.request.cachePolicy != .none else { return try drawPage(job, prepared, worker) }
    job.clock.begin(.lookup)
    let job = job
    return try store.value(prepared, deadline: job.deadline) { () throws(OffprintError) in try drawPage(job, prepared, worker) }
  }

  private func drawPage(_ job: RenderJob, _ prepared: PreparedRequest, _ worker: RenderWorker) throws(OffprintError) -> RenderResult {
    guard let pageDrawing else { return try worker.render(job, prepared) }
    // The worker process retains loaded resources, in limited memory, so this process need not.
    let loader = ResourceLoader(
      prepared.request, provider: provider, network: network, memory: files, deadline: job.deadline, handsOver: true)
    return try pageDrawing.render(job, prepared, loader, fonts: fonts)
  }

  private func finish(_ call: Call<RenderResult>, _ answer: Call<RenderResult>.Answer, _ job: RenderJob) {
    var answer = answer
    if case .success(var result) = answer, result.timings.isEmpty {
      result.timings = job.clock.timings
      answer = .success(result)
    }
    observer?(RenderReport(answer, job))
    call.finish(answer)
  }

  // MARK: Other operations

  /// - Throws: `cacheUnusable`, also if there is no cache; errors of preparing the request.
  func explain(_ request: RenderRequest) throws(OffprintError) -> CacheExplanation {
    guard let store else { throw OffprintError(.cacheUnusable, "The renderer has no cache.") }
    var job = RenderJob(request)
    return try store.explain(try job.prepare(fonts, hosts: hosts))
  }

  /// Runs `work` on a worker without using the cache.
  func perform<Value: Sendable>(
    _ job: RenderJob, _ call: Call<Value>,
    _ work: @escaping @Sendable (RenderWorker, RenderJob, PreparedRequest) throws(OffprintError) -> Value
  ) {
    guard pageDrawing == nil else { return call.finish(.failure(.drawnElsewhere)) }
    var job = job
    job.beginWaiting()
    let waiting = job
    call.submit(to: workers) { worker in
      var job = waiting
      job.endWaiting()
      do throws(OffprintError) {
        let prepared = try job.prepare(self.fonts, hosts: self.hosts)
        call.finish(.success(try work(worker, job, prepared)))
      } catch {
        call.finish(.failure(error))
      }
    }
  }
}

extension RenderJob {
  /// Whether computing its key is faster than passing it to another thread.
  fileprivate var isQuickToPrepare: Bool {
    guard request.saveHTMLFolder == nil, request.html.count <= 64 << 10 else { return false }
    return request.template == nil
  }
}
