package import OffprintCoreTypes
internal import Glibc

extension RenderCache {
  /// Reads a value from the second tier and stores it locally. Nil also if its dependencies are different on this machine.
  func findShared(_ key: CacheKey, _ label: CacheLabel, _ deadline: Deadline) -> CacheEntry? {
    guard let tier = configuration.tier else { return nil }
    let removals = tier.removals.load(ordering: .sequentiallyConsistent)
    guard let found = tier.read(key, deadline), let dependencies = adopted(found.record.dependencies) else { return nil }
    let record = found.record
    let value = ProducedValue(
      data: found.data, width: record.width, height: record.height, costMilliseconds: record.costMilliseconds, dependencies: dependencies,
      parts: record.parts, metadata: record.metadata, source: record.source, identifier: label.identifier, tags: record.tags + label.tags)
    var entry = CacheEntry(key, value, created: configuration.clock())
    entry.tier = .shared
    try? keep(key, value, deadline)
    // It may have been removed from all machines while it was read.
    if tier.removals.load(ordering: .sequentiallyConsistent) != removals {
      _ = try? remove([key])
      return nil
    }
    return entry
  }

  /// Like `lookup`, but also tries the second tier.
  package func lookupEverywhere(_ key: CacheKey, deadline: Deadline) -> CacheEntry? {
    if let entry = lookup(key) { return entry }
    guard let entry = findShared(key, CacheLabel(identifier: nil, tags: []), deadline) else { return nil }
    noteHit(entry, CacheLabel(identifier: nil, tags: []))
    return entry
  }

  /// Ensures that the second tier has a stored value, and waits for it. Does nothing without a second tier.
  ///
  /// - Throws: `cacheUnusable` if the second tier does not have it.
  package func share(_ key: CacheKey) throws(CacheError) {
    guard let tier = configuration.tier, !tier.configuration.isReadOnly else { return }
    do throws(RemoteFailure) {
      if try tier.contains(key) { return }
      guard let (record, data) = stored(key) else { throw RemoteFailure("the image is no longer in the cache") }
      try tier.store(record, data)
    } catch {
      throw CacheError(.cacheUnusable, "The image was not stored in the shared cache \(tier.address): \(error.message).")
    }
  }

  private func stored(_ key: CacheKey) -> (CacheRecord, [UInt8])? {
    if let item = backlog.withLock({ $0.items[key] }), let entry = lookupBacklog(key) { return (item.record, entry.data) }
    guard let record = try? self.record(key), case .bytes(let data) = objects.read(key, size: record.size),
      SHA256.hash(data) == record.checksum
    else { return nil }
    return (record, data)
  }

  /// The dependencies of a value from another machine, with the modification times of this machine, because times of other machines prove
  /// nothing here. Nil if one of them differs.
  private func adopted(_ dependencies: [CacheDependency]) -> [CacheDependency]? {
    var result: [CacheDependency] = []
    for var dependency in dependencies {
      dependency.modified = 0
      let before = FileSystem.status(dependency.location)
      guard firstChange([dependency]) == nil else { return nil }
      if dependency.isFile, let before, FileSystem.status(dependency.location)?.modified == before.modified {
        dependency.modified = before.modified
      }
      result.append(dependency)
    }
    return result
  }
}

enum Pause {
  static func milliseconds(_ count: UInt32) { usleep(count * 1000) }
}
