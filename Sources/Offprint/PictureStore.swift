import CoreTypes
import RenderCache
import Synchronization

/// The cache as the renderer uses it: pictures with what is to be said of them. A cache that cannot be used never fails a render.
final class PictureStore: Sendable {
  private enum State {
    case closed
    case open(RenderCache)
    case unusable(CacheError, isReported: Bool)
  }

  private let folder: String
  private let maxSize: Int
  private let memoryBytes: Int
  private let state = Mutex(State.closed)

  init(folder: String, maxSize: Int, memoryBytes: Int) {
    self.folder = folder
    self.maxSize = maxSize
    self.memoryBytes = memoryBytes
  }

  /// The cache, opened when first needed.
  private func cache() -> RenderCache? {
    state.withLock { state in
      switch state {
      case .open(let cache): return cache
      case .unusable: return nil
      case .closed:
        var configuration = RenderCacheConfiguration(folder: folder)
        configuration.maxSize = Int64(maxSize)
        configuration.memoryTierBytes = max(0, memoryBytes)
        do throws(CacheError) {
          let cache = try RenderCache(configuration)
          state = .open(cache)
          return cache
        } catch {
          state = .unusable(error, isReported: false)
          return nil
        }
      }
    }
  }

  /// Why nothing is kept: said once.
  private func reportUnusable() -> [Diagnostic] {
    state.withLock { state in
      guard case .unusable(let error, false) = state else { return [] }
      state = .unusable(error, isReported: true)
      return [Diagnostic("cacheUnusable", .note, error.message)]
    }
  }

  func lookup(_ prepared: PreparedRequest) -> RenderResult? {
    guard !prepared.request.cachePolicy.ignoresCachedResult,
      let entry = cache()?.lookup(prepared.key, identifier: prepared.request.identifier)
    else { return nil }
    return RenderResult(entry, prepared, wasCached: true)
  }

  /// The picture from the cache, or from `render`, then stored: once however many ask for it at a time.
  func value(_ prepared: PreparedRequest, render: () throws(OffprintError) -> RenderResult) throws(OffprintError) -> RenderResult {
    let policy = prepared.request.cachePolicy
    guard let cache = cache() else {
      var result = try render()
      result.diagnostics += reportUnusable()
      return result
    }
    if policy.ignoresCachedResult || !policy.storesResult {
      var result = try render()
      if policy.storesResult && !result.isDegraded { result.diagnostics += store(result, prepared, in: cache) }
      return result
    }
    var rendered: RenderResult?
    do {
      let outcome = try cache.value(for: prepared.key, identifier: prepared.request.identifier) {
        let result = try render()
        rendered = result
        return ProducedValue(result, prepared)
      }
      guard var result = rendered else { return RenderResult(outcome.entry, prepared, wasCached: true) }
      if let failure = outcome.storeFailure { result.diagnostics.append(Diagnostic("cacheUnusable", .note, failure.message)) }
      return result
    } catch let error as OffprintError {
      throw error
    } catch {
      // The cache itself failed: the picture still counts.
      if let rendered { return rendered.noting("\(error)") }
      return try render().noting("\(error)")
    }
  }

  private func store(_ result: RenderResult, _ prepared: PreparedRequest, in cache: RenderCache) -> [Diagnostic] {
    do throws(CacheError) {
      try cache.store(prepared.key, ProducedValue(result, prepared))
      return []
    } catch {
      return [Diagnostic("cacheUnusable", .note, error.message)]
    }
  }

  func close(isExiting: Bool) {
    state.withLock { state in
      if case .open(let cache) = state { cache.close(isExiting: isExiting) }
      state = .closed
    }
  }
}

extension ProducedValue {
  fileprivate init(_ result: RenderResult, _ prepared: PreparedRequest) {
    self.init(
      data: result.image, width: result.width, height: result.height, costMilliseconds: result.milliseconds,
      dependencies: result.dependencies,
      parts: prepared.keyParts, metadata: result.metadata, identifier: prepared.request.identifier, isStorable: !result.isDegraded)
  }
}

extension RenderResult {
  fileprivate init(_ entry: CacheEntry, _ prepared: PreparedRequest, wasCached: Bool) {
    self.init(
      image: entry.data, identifier: prepared.request.identifier, wasCached: wasCached, width: entry.width, height: entry.height,
      diagnostics: [], faces: [], key: "\(prepared.key)")
    readMetadata(entry.metadata)
  }

  fileprivate func noting(_ problem: String) -> RenderResult {
    var result = self
    result.diagnostics.append(Diagnostic("cacheUnusable", .note, problem))
    return result
  }

  var isDegraded: Bool { diagnostics.contains { $0.severity == .degraded } }

  /// Notes and faces, kept with the picture. At most 50 notes: they are for people.
  fileprivate var metadata: String {
    let notes = diagnostics.prefix(50).map { JSONValue.array([.string($0.code.rawValue), .string($0.message)]) }
    let used = faces.map { JSONValue.array([.string($0.family), .string($0.postScriptName)]) }
    return JSONValue.object(["diagnostics": .array(Array(notes)), "faces": .array(used)]).text
  }

  private mutating func readMetadata(_ text: String) {
    guard let value = JSONValue(parsing: Array(text.utf8)) else { return }
    func pairs(_ key: String) -> [(String, String)] {
      guard case .array(let items)? = value[key] else { return [] }
      return items.compactMap { item in
        guard case .array(let pair) = item, pair.count == 2, let first = pair[0].string, let second = pair[1].string else { return nil }
        return (first, second)
      }
    }
    diagnostics = pairs("diagnostics").map { Diagnostic(.init(rawValue: $0.0), .note, $0.1) }
    faces = pairs("faces").map { FaceUsed(family: $0.0, postScriptName: $0.1) }
  }
}
