internal import OffprintCoreTypes
internal import Glibc
internal import Synchronization

/// What `trim`, `remove(where:)` and `clear` removed, or would remove.
package struct CacheRemoval: Hashable, Sendable {
  package var entries = 0
  package var bytes: Int64 = 0
  /// Files without a row.
  package var orphans = 0
}

extension RenderCache {
  /// How long removals wait for other processes that lock the index.
  static let removalPatience = Duration.seconds(10)

  /// Removes one entry; false if it does not exist.
  @discardableResult
  package func remove(_ key: CacheKey, dryRun: Bool = false) throws(CacheError) -> Bool {
    if !dryRun { removeShared([key]) }
    return try remove([key], dryRun: dryRun).entries > 0
  }

  /// Removes the entry with this identifier, and the identifier's owner; false if there is no such entry.
  @discardableResult
  package func remove(identifier: String, dryRun: Bool = false) throws(CacheError) -> Bool {
    try flushForAdministration(dryRun: dryRun)
    let key = try key(identifier: identifier)
    if !dryRun { try index.write(Deadline(after: Self.removalPatience)) { db in try IndexRows.disown(db, identifier) } }
    guard let key else { return false }
    return try remove(key, dryRun: dryRun)
  }

  /// Removes the entries with a tag.
  @discardableResult
  package func remove(tag: String, dryRun: Bool = false) throws(CacheError) -> CacheRemoval {
    try remove(where: .comparison(.tag, .equal, .text(tag)), dryRun: dryRun)
  }

  /// Removes the entries that match a filter.
  /// - Parameter dryRun: Only reports what would be removed.
  @discardableResult
  package func remove(where filter: CacheFilter, dryRun: Bool = false) throws(CacheError) -> CacheRemoval {
    let keys = try matches(filter, dryRun: dryRun)
    if !dryRun { removeShared(keys) }
    return try remove(keys, dryRun: dryRun)
  }

  /// The keys of the entries that match a filter.
  func matches(_ filter: CacheFilter, dryRun: Bool = false) throws(CacheError) -> [CacheKey] {
    try flushForAdministration(dryRun: dryRun)
    var sql = QuerySQL(now: configuration.clock())
    let condition = try sql.condition(filter, depth: 0)
    return try keys("SELECT key FROM entry WHERE \(condition)", sql.arguments)
  }

  /// Removes values from the second tier and from the other machines that share it.
  private func removeShared(_ keys: [CacheKey]) {
    guard let tier = configuration.tier else { return }
    var removal = SharedRemoval(origin: tier.origin)
    removal.keys = keys
    tier.remove(removal)
  }

  /// Removes all entries from this machine, and all files in the folder that are named like values, even without a row. The second tier is
  /// not cleared.
  @discardableResult
  package func clear(dryRun: Bool = false) throws(CacheError) -> CacheRemoval {
    if !dryRun { giveUpPending() }
    var removal = try remove(keys("SELECT key FROM entry"), dryRun: dryRun)
    if !dryRun { IndexJournal(folder: folder.journal).removeAll() }
    removal.orphans = try collectOrphans(dryRun: dryRun).count
    return removal
  }

  /// Clears a folder whatever the state of its index: damaged, of another version or missing. Creates nothing if there is no cache.
  ///
  /// - Throws: `notACache` if the folder belongs to another program; `noCache` if there is no cache.
  @discardableResult
  package static func clear(folder path: String, dryRun: Bool = false) throws(CacheError) -> CacheRemoval {
    var configuration = RenderCacheConfiguration(folder: path)
    configuration.createsFolder = false
    do throws(CacheError) {
      let cache = try RenderCache(configuration)
      defer { cache.close() }
      return try cache.clear(dryRun: dryRun)
    } catch {
      guard error.code == .cacheFromNewerVersion || error.code == .cacheDamaged else { throw error }
    }
    return try CacheFolder(path: path).erase(dryRun: dryRun)
  }

  /// Removes `keys`, some hundred per transaction, rows and files together.
  /// - Parameter patience: How long each transaction waits for other writers.
  func remove(
    _ keys: [CacheKey], dryRun: Bool = false, patience: Duration = RenderCache.removalPatience
  ) throws(CacheError) -> CacheRemoval {
    guard keys.count > 2000, !dryRun else { return try removeInBatches(keys, dryRun: dryRun, patience) }
    return try index.writingMuch { () throws(CacheError) in try removeInBatches(keys, dryRun: false, patience) }
  }

  private func removeInBatches(_ keys: [CacheKey], dryRun: Bool, _ patience: Duration) throws(CacheError) -> CacheRemoval {
    var removal = CacheRemoval()
    var rest = keys[...]
    while !rest.isEmpty, closing.withLock({ $0?.hasPassed }) != true {
      let batch = rest.prefix(256)
      rest = rest.dropFirst(256)
      let sizes = try dryRun ? sizes(batch) : removeRows(batch, patience)
      removal.entries += sizes.count
      removal.bytes += sizes.reduce(0, +)
      guard !dryRun else { continue }
      memory.withLock { memory in batch.forEach { memory.remove($0) } }
      pending.withLock { pending in batch.forEach { pending.remove($0) } }
    }
    return removal
  }

  private func removeRows(_ keys: ArraySlice<CacheKey>, _ patience: Duration) throws(CacheError) -> [Int64] {
    try index.write(Deadline(after: patience)) { db in
      var sizes: [Int64] = []
      var gone: [CacheKey] = []
      for key in keys {
        guard let size = try IndexRows.delete(db, key) else { continue }
        gone.append(key)
        sizes.append(size)
      }
      removeFiles(gone)
      return sizes
    }
  }

  /// Removes files on several threads: where the file system discards freed blocks synchronously, each removal waits for the disk, and
  /// concurrent removals take half as long.
  private func removeFiles(_ keys: [CacheKey]) {
    let next = Atomic<Int>(0)
    let objects = objects
    SystemThread.together(with: min(3, keys.count / 32), stackBytes: 128 << 10) {
      while true {
        let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard index < keys.count else { return }
        objects.remove(keys[index])
      }
    }
  }

  private func sizes(_ keys: ArraySlice<CacheKey>) throws(CacheError) -> [Int64] {
    try index.query { (db) throws(SQLiteError) in
      var sizes: [Int64] = []
      for key in keys {
        if let size = try db.first("SELECT size FROM entry WHERE key = ?", [SQLiteValue(key)], { $0.count(0) ?? 0 }) { sizes.append(size) }
      }
      return sizes
    }
  }

  func keys(_ sql: String, _ values: [SQLiteValue] = []) throws(CacheError) -> [CacheKey] {
    try index.query { (db) throws(SQLiteError) in try db.all(sql, values) { $0.key(0) } }
  }

  /// Writes pending uses before entries are listed or removed. With `dryRun`, an index that cannot be written is not an error.
  func flushForAdministration(dryRun: Bool = true) throws(CacheError) {
    if dryRun { try? flush() } else { try flush(Deadline(after: Self.removalPatience)) }
  }

  // MARK: Files without rows

  /// Removes files without a row; with `dryRun`, only lists them. Files that are not named like values remain.
  func collectOrphans(dryRun: Bool = false) throws(CacheError) -> [String] {
    var orphans: [String] = []
    for prefix in objects.prefixes {
      let keys = objects.keys(in: prefix)
      guard !keys.isEmpty else { continue }
      func collect(_ db: SQLiteDatabase) throws(SQLiteError) -> [CacheKey] {
        let indexed = try IndexRows.keys(db, prefix: prefix)
        return keys.filter { !indexed.contains($0) && (dryRun || objects.remove($0)) }
      }
      // Under the write lock, no other process is between placing a file and writing its row.
      let found = try dryRun ? index.query(collect) : index.write(Deadline(after: Self.removalPatience), collect)
      orphans += found.map { "\(prefix)/\($0).png" }
    }
    return orphans
  }
}

extension RenderCache {
  /// Whether a folder belongs to another program, so that nothing may be written there.
  package static func isForeign(folder path: String) -> Bool { CacheFolder(path: path).kind == .foreign }
}

extension CacheFolder {
  /// Removes index and values without opening the index, while holding the lock for creating and migrating it.
  func erase(dryRun: Bool) throws(CacheError) -> CacheRemoval {
    var removal = CacheRemoval()
    let locks = try FileLocks(path: lock)
    guard locks.lock(FileLocks.schema, timeout: .seconds(10)) else {
      throw CacheError(.cacheBusy, "The cache \"\(path)\" is being migrated by another process; try again later.")
    }
    defer { locks.unlock(FileLocks.schema) }
    for prefix in objects.prefixes {
      for key in objects.keys(in: prefix) {
        removal.bytes += FileSystem.status(objects.path(key), followsLinks: false)?.size ?? 0
        if dryRun || objects.remove(key) { removal.entries += 1 }
      }
    }
    guard !dryRun else { return removal }
    IndexJournal(folder: journal).removeAll()
    for file in [index, index + "-wal", index + "-shm", damagedIndex] { unlink(file) }
    return removal
  }
}
