import OffprintCoreTypes
import OffprintRenderCache
import OffprintResources
import Synchronization

/// The cache as the renderer uses it: images with their diagnostics. A cache that cannot be used never fails a render.
final class RenderedImageStore: Sendable {
  private enum State {
    case closed
    /// The renderer was shut down.
    case ended
    case open(RenderCache)
    case unusable(CacheError, isReported: Bool)
    /// Another process holds or migrates it; opening is tried again after a moment.
    case busy(CacheError, until: Deadline, isReported: Bool)
  }

  private let folder: String
  private let maxSize: Int
  private let maxAge: Duration?
  private let memoryBytes: Int
  private let provider: ResourceProvider?
  private let network: (any NetworkLoading)?
  private let tier: SecondTier?
  private let synchronizes: Bool
  private let state = Mutex(State.closed)
  private let metadataReader = ImageMetadataReader()

  init(folder: String, _ configuration: RendererConfiguration) {
    self.folder = folder
    maxSize = configuration.cacheMaxSize
    maxAge = configuration.cacheMaxAge
    memoryBytes = configuration.cacheMemoryBytes
    provider = configuration.resourceProvider
    network = configuration.network
    tier = configuration.cacheTier
    synchronizes = configuration.cacheSynchronizes
  }

  /// The cache, opened on first use.
  func cache() -> RenderCache? {
    state.withLock { state in
      switch state {
      case .open(let cache): return cache
      case .unusable, .ended: return nil
      case .busy(_, let until, _) where !until.hasPassed: return nil
      case .closed, .busy:
        var configuration = RenderCacheConfiguration(folder: folder)
        configuration.maxSize = Int64(max(0, maxSize))
        configuration.maxAge = maxAge
        configuration.memoryTierBytes = max(0, memoryBytes)
        configuration.tier = tier
        configuration.synchronizesFiles = synchronizes
        if provider != nil || network != nil {
          let (provider, network) = (provider, network)
          configuration.revalidate = { Self.isUnchanged($0, provider, network, $1) }
        }
        do throws(CacheError) {
          let cache = try RenderCache(configuration, deadline: Deadline(after: .seconds(1)))
          state = .open(cache)
          return cache
        } catch  where error.code == .cacheBusy {
          let isReported = if case .busy(_, _, let isReported) = state { isReported } else { false }
          state = .busy(error, until: Deadline(after: .seconds(5)), isReported: isReported)
          return nil
        } catch {
          state = .unusable(error, isReported: false)
          return nil
        }
      }
    }
  }

  /// Why images are not stored; reported only once.
  private func reportUnusable() -> [Diagnostic] {
    state.withLock { state in
      switch state {
      case .unusable(let error, false):
        state = .unusable(error, isReported: true)
        return [Diagnostic("cacheUnusable", .note, error.message)]
      case .busy(let error, let until, false):
        state = .busy(error, until: until, isReported: true)
        return [Diagnostic("cacheUnusable", .note, error.message)]
      default: return []
      }
    }
  }

  /// Whether a provider or the network still returns the same bytes. Loads at most the recorded size. Called on threads that may block.
  private static func isUnchanged(
    _ dependency: CacheDependency, _ provider: ResourceProvider?, _ network: (any NetworkLoading)?, _ deadline: Deadline
  ) -> Bool {
    guard
      let url = ResourceURL(dependency.location) ?? (dependency.location.hasPrefix("/") ? ResourceURL(filePath: dependency.location) : nil)
    else { return false }
    let limit = dependency.digest == nil ? Limits().resourceBytes : Int(dependency.size)
    func given() throws(ResourceError) -> [UInt8]? {
      if let provider, let content = try BlockingProvider(provider: provider, deadline: deadline).resource(at: url, limit: limit) {
        return content.bytes
      }
      guard let network, url.scheme == "http" || url.scheme == "https" else { return nil }
      return try network.load(url, limit: limit, deadline: deadline, allows: nil).bytes
    }
    guard let bytes = try? given() else { return dependency.digest == nil }
    return dependency.digest.map { $0 == SHA256.hash(bytes) } ?? false
  }

  /// An image that is in memory and has no dependencies. Does not access the disk.
  func lookupMemory(_ prepared: PreparedRequest) -> RenderResult? {
    let opened = state.withLockIfAvailable { state -> RenderCache? in if case .open(let cache) = state { cache } else { nil } }
    guard let entry = opened??.lookupInMemory(prepared.key, identifier: prepared.request.identifier, tags: prepared.request.tags) else {
      return nil
    }
    return result(entry, prepared)
  }

  func lookup(_ prepared: PreparedRequest) -> RenderResult? {
    guard !prepared.request.cachePolicy.ignoresCachedResult,
      let entry = cache()?.lookup(
        prepared.key, identifier: prepared.request.identifier, tags: prepared.request.tags,
        countsMiss: !prepared.request.cachePolicy.storesResult)
    else { return nil }
    return result(entry, prepared)
  }

  /// Counts a use without reading the image's bytes.
  func use(_ prepared: PreparedRequest) -> RenderResult? {
    let request = prepared.request
    guard !request.cachePolicy.ignoresCachedResult,
      let use = cache()?.use(prepared.key, identifier: request.identifier, tags: request.tags)
    else { return nil }
    var result = RenderResult(
      image: [], identifier: request.identifier, wasCached: true, width: use.width, height: use.height, key: "\(prepared.key)")
    result.leftBytes = use.size
    result.set(metadataReader.read(use.metadata))
    return result
  }

  private func result(_ entry: CacheEntry, _ prepared: PreparedRequest) -> RenderResult {
    var result = RenderResult(
      image: entry.data, identifier: prepared.request.identifier, wasCached: true, width: entry.width, height: entry.height,
      key: "\(prepared.key)")
    result.set(metadataReader.read(entry.metadata))
    return result
  }

  /// The image from the cache, or from `render`, whose result is stored. Concurrent requests are coalesced.
  func value(
    _ prepared: PreparedRequest, deadline: Deadline, render: () throws(OffprintError) -> RenderResult
  ) throws(OffprintError) -> RenderResult {
    let policy = prepared.request.cachePolicy
    guard let cache = cache() else {
      var result = try render()
      result.diagnostics += reportUnusable()
      return result
    }
    if policy.ignoresCachedResult || !policy.storesResult {
      var result = try render()
      if policy.storesResult && !result.isDegraded { result.diagnostics += store(result, prepared, deadline, in: cache) }
      return result
    }
    var rendered: RenderResult?
    do {
      let request = prepared.request
      let outcome = try cache.value(
        for: prepared.key, identifier: request.identifier, tags: request.tags, deadline: deadline, late: .fail
      ) {
        let result = try render()
        rendered = result
        return ProducedValue(result, prepared)
      }
      guard var result = rendered else { return try shared(result(outcome.entry, prepared), prepared) }
      if let failure = outcome.storeFailure { result.diagnostics.append(Diagnostic("cacheUnusable", .note, failure.message)) }
      return result
    } catch let error as OffprintError {
      throw error
    } catch let error where error is DeadlineExceeded || error is RenderCancelled {
      throw OffprintError(error, seconds: prepared.request.limits.seconds)
    } catch {
      // The cache failed, not the render, so the image is still returned.
      let problem = (error as? CacheError)?.message ?? "The cache failed."
      if let rendered { return rendered.noting(problem) }
      return try render().noting(problem)
    }
  }

  /// The result of a coalesced request. If this request is strict, a degraded image is an error.
  private func shared(_ result: RenderResult, _ prepared: PreparedRequest) throws(OffprintError) -> RenderResult {
    if prepared.request.isStrict, let problem = result.diagnostics.first(where: { $0.severity == .degraded }) {
      throw OffprintError(failing: problem)
    }
    return result
  }

  /// Explains why a page is or is not in the cache.
  ///
  /// - Throws: `cacheUnusable`.
  func explain(_ prepared: PreparedRequest) throws(OffprintError) -> CacheExplanation {
    guard let cache = cache() else {
      let problem = reportUnusable().first?.message ?? "The cache cannot be used."
      throw OffprintError(.cacheUnusable, problem)
    }
    let explanation = try CacheAdministration.mapped { () throws(CacheError) in
      try cache.explain(prepared.key, parts: prepared.keyParts)
    }
    return CacheExplanation(explanation, key: prepared.key)
  }

  private func store(_ result: RenderResult, _ prepared: PreparedRequest, _ deadline: Deadline, in cache: RenderCache) -> [Diagnostic] {
    do throws(CacheError) {
      try cache.store(prepared.key, ProducedValue(result, prepared), deadline: deadline)
      return []
    } catch {
      return [Diagnostic("cacheUnusable", .note, error.message)]
    }
  }

  /// - Returns: Why something pending could not be written.
  @discardableResult
  func close(isExiting: Bool) -> OffprintError? {
    state.withLock { state in
      defer { state = .ended }
      guard case .open(let cache) = state, let failure = cache.close(isExiting: isExiting) else { return nil }
      return OffprintError(.cacheUnusable, failure.message)
    }
  }
}

extension ProducedValue {
  fileprivate init(_ result: RenderResult, _ prepared: PreparedRequest) {
    self.init(
      data: result.image, width: result.width, height: result.height, costMilliseconds: result.milliseconds,
      dependencies: result.dependencies,
      parts: prepared.keyParts, metadata: result.metadata, source: prepared.request.sourceName, identifier: prepared.request.identifier,
      tags: prepared.request.tags,
      isStorable: !result.isDegraded)
  }
}

extension RenderResult {
  fileprivate func noting(_ problem: String) -> RenderResult {
    var result = self
    result.diagnostics.append(Diagnostic("cacheUnusable", .note, problem))
    return result
  }
}
