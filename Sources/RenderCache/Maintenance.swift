internal import CoreTypes
internal import Foundation
internal import GRDB
internal import Glibc

/// What this process did with the cache.
struct CacheCounters: Sendable {
  var hits = 0
  var misses = 0
  var stores = 0
  var storeFailures = 0
  var healed = 0
  var temporaries = 0
  /// Bytes in the store as last counted, and bytes stored since.
  var estimatedSize: Int64?
  var storesSinceCount = 0
  var isTrimming = false
}

public struct CacheStats: Hashable, Sendable {
  public var entries = 0
  /// Bytes of all pictures.
  public var size: Int64 = 0
  public var indexSize: Int64 = 0
  public var totalHits: Int64 = 0
  public var oldest: CacheTime?
  public var newest: CacheTime?
  public var lastUsed: CacheTime?
  /// What making everything stored took.
  public var totalCostMilliseconds = 0.0
  /// What the hits would have cost.
  public var savedMilliseconds = 0.0
  public var schemaVersion = 0
  public var memoryEntries = 0
  public var memoryBytes = 0
  // This process since it opened the cache.
  public var hits = 0
  public var misses = 0
  public var stores = 0
  public var storeFailures = 0
  public var healed = 0
}

/// What `trim`, `remove(where:)` and `clear` took away.
public struct CacheRemoval: Hashable, Sendable {
  public var entries = 0
  public var bytes: Int64 = 0
  /// Files that no row knew.
  public var orphans = 0
}

public struct CacheVerification: Hashable, Sendable {
  public var checked = 0
  public var missingFiles: [CacheKey] = []
  public var damagedFiles: [CacheKey] = []
  /// Files without a row.
  public var orphans: [String] = []
  public var leftovers = 0
  /// What SQLite says of the index.
  public var indexProblems: [String] = []
  public var repaired = false
  public var isSound: Bool { missingFiles.isEmpty && damagedFiles.isEmpty && orphans.isEmpty && indexProblems.isEmpty }
}

extension RenderCache {
  public func stats() throws(CacheError) -> CacheStats {
    try? flush()
    var stats = try index.read { db in
      var stats = CacheStats()
      let row = try Row.fetchOne(
        db,
        sql: """
          SELECT COUNT(*), TOTAL(size), TOTAL(hits), MIN(created), MAX(created), MAX(lastUsed), TOTAL(cost), TOTAL(cost * hits) FROM entry
          """)
      guard let row else { return stats }
      stats.entries = row[0]
      stats.size = Int64(row[1] as Double)
      stats.totalHits = Int64(row[2] as Double)
      stats.oldest = (row[3] as Int64?).map { CacheTime(milliseconds: $0) }
      stats.newest = (row[4] as Int64?).map { CacheTime(milliseconds: $0) }
      stats.lastUsed = (row[5] as Int64?).map { CacheTime(milliseconds: $0) }
      stats.totalCostMilliseconds = row[6]
      stats.savedMilliseconds = row[7]
      return stats
    }
    stats.schemaVersion = Self.schemaVersion
    for suffix in ["", "-wal"] { stats.indexSize += FileSystem.status(configuration.folder + "/index.sqlite" + suffix)?.size ?? 0 }
    memory.withLock { (stats.memoryEntries, stats.memoryBytes) = ($0.count, $0.bytes) }
    counters.withLock { counters in
      (stats.hits, stats.misses, stats.stores) = (counters.hits, counters.misses, counters.stores)
      (stats.storeFailures, stats.healed) = (counters.storeFailures, counters.healed)
    }
    return stats
  }

  /// Writes what hits have told. Called now and then by itself, by `close()`, and before anything that lists or trims.
  public func flush() throws(CacheError) { try flush(reusingReader: false) }

  private func flush(reusingReader: Bool) throws(CacheError) {
    let batch = pending.withLock { pending in
      let batch = pending
      pending = PendingUses()
      return batch
    }
    guard !batch.isEmpty else { return }
    try index.write(reusingReader: reusingReader) { try CacheIndex.apply($0, batch) }
  }

  /// Flushes, waits for work in the background and closes the index. The cache answers every look-up with a miss from then on.
  /// - Parameter isExiting: the process is about to end: the index is left as it is, which is safe and saves writing its journal back.
  public func close(isExiting: Bool = false) {
    background.sync {}
    try? flush(reusingReader: isExiting)
    index.close(isExiting: isExiting)
    memory.withLock { $0.removeAll() }
  }

  // MARK: Removing

  /// Removes one value; false when there was none.
  @discardableResult
  public func remove(_ key: CacheKey) throws(CacheError) -> Bool { try remove([key]).entries > 0 }

  /// Removes the value that has this name; false when there is none.
  @discardableResult
  public func remove(identifier: String) throws(CacheError) -> Bool {
    try flush()
    guard let key = try key(identifier: identifier) else { return false }
    return try remove(key)
  }

  /// Removes everything, also files that no row knows.
  @discardableResult
  public func clear() throws(CacheError) -> CacheRemoval {
    pending.withLock { $0 = PendingUses() }
    var removal = try remove(keys(sql: "SELECT key FROM entry", []))
    removal.orphans = try collectOrphans().count
    return removal
  }

  /// Removes `keys`, some hundred in one transaction, rows and files together.
  func remove(_ keys: [CacheKey]) throws(CacheError) -> CacheRemoval {
    var removal = CacheRemoval()
    var rest = keys[...]
    while !rest.isEmpty {
      let batch = rest.prefix(256)
      rest = rest.dropFirst(256)
      let (entries, bytes) = try index.write { db in
        var entries = 0
        var bytes: Int64 = 0
        for key in batch {
          let size = try Int64.fetchOne(
            db.cachedStatement(sql: "DELETE FROM entry WHERE key = ? RETURNING size"), arguments: [Data(key.bytes)])
          guard let size else { continue }
          unlink(objectPath(key))
          entries += 1
          bytes += size
        }
        return (entries, bytes)
      }
      removal.entries += entries
      removal.bytes += bytes
      memory.withLock { memory in batch.forEach { memory.remove($0) } }
      pending.withLock { pending in batch.forEach { pending.remove($0) } }
    }
    counters.withLock { $0.estimatedSize = nil }
    return removal
  }

  func keys(sql: String, _ arguments: StatementArguments) throws(CacheError) -> [CacheKey] {
    try index.read { db in
      try Data.fetchAll(db, sql: sql, arguments: arguments).compactMap { CacheKey($0) }
    }
  }

  func key(identifier: String) throws(CacheError) -> CacheKey? {
    try keys(sql: "SELECT key FROM entry JOIN name ON name.entry = entry.id WHERE identifier = ?", [identifier]).first
  }

  // MARK: Trimming

  /// Removes what was not used for `maxAge`; then, where the rest is above `maxSize`, the least recently used until it is a tenth below;
  /// and files that no row knows. Without arguments the bounds of the configuration hold.
  @discardableResult
  public func trim(maxSize: Int64? = nil, maxAge: Duration? = nil) throws(CacheError) -> CacheRemoval {
    try flush()
    var removal = try trimEntries(maxSize: maxSize ?? configuration.maxSize, maxAge: maxAge ?? configuration.maxAge)
    removal.orphans = try collectOrphans().count
    _ = FileSystem.removeLeftovers(in: temporary)
    return removal
  }

  private func trimEntries(maxSize: Int64, maxAge: Duration?) throws(CacheError) -> CacheRemoval {
    var removal = CacheRemoval()
    if let maxAge {
      let limit = configuration.clock().milliseconds - maxAge.milliseconds
      removal = try remove(keys(sql: "SELECT key FROM entry WHERE lastUsed < ?", [limit]))
    }
    let total = try index.read { try Int64.fetchOne($0, sql: "SELECT COALESCE(SUM(size), 0) FROM entry") ?? 0 }
    guard total > maxSize else { return removal }
    let target = maxSize - maxSize / 10
    let oldest = try index.read { db in
      var keys: [CacheKey] = []
      var left = total
      let rows = try Row.fetchCursor(db, sql: "SELECT key, size FROM entry ORDER BY lastUsed, id")
      while left > target, let row = try rows.next() {
        if let key = CacheKey(row[0] as Data) { keys.append(key) }
        left -= row[1] as Int64
      }
      return keys
    }
    let more = try remove(oldest)
    removal.entries += more.entries
    removal.bytes += more.bytes
    return removal
  }

  /// Starts trimming in the background once the store seems larger than it may be.
  func trimWhenTooLarge(added: Int64) {
    let needsCount = counters.withLock { counters in
      counters.storesSinceCount += 1
      counters.estimatedSize = counters.estimatedSize.map { $0 + added }
      // Other processes store too: count again now and then.
      return !counters.isTrimming && (counters.estimatedSize.map { $0 > configuration.maxSize } ?? true || counters.storesSinceCount >= 256)
    }
    guard needsCount else { return }
    counters.withLock { $0.isTrimming = true }
    background.async { [self] in
      try? flush()
      _ = try? trimEntries(maxSize: configuration.maxSize, maxAge: configuration.maxAge)
      let total = try? index.read { try Int64.fetchOne($0, sql: "SELECT COALESCE(SUM(size), 0) FROM entry") }
      counters.withLock { counters in
        counters.estimatedSize = total ?? counters.estimatedSize
        counters.storesSinceCount = 0
        counters.isTrimming = false
      }
    }
  }

  /// Removes files that no row knows; with `isDry`, only names them.
  func collectOrphans(isDry: Bool = false) throws(CacheError) -> [String] {
    var orphans: [String] = []
    for prefix in FileSystem.names(in: objects) {
      let folder = objects + "/" + prefix
      let names = FileSystem.names(in: folder)
      guard !names.isEmpty else { continue }
      // Under the write lock no file is between its name and its row.
      orphans += try index.write { db in
        try names.filter { name in
          let key = name.hasSuffix(".png") ? CacheKey(hex: String(name.dropLast(4))) : nil
          if let key, key.description.hasPrefix(prefix), try CacheIndex.find(db, key) != nil { return false }
          let path = folder + "/" + name
          if !isDry { unlink(path) }
          return isDry || !FileSystem.exists(path)
        }
      }.map { prefix + "/" + $0 }
    }
    return orphans
  }

  // MARK: Verifying

  /// Reads every file and compares it with its row. With `repair`, removes what does not fit.
  public func verify(repair: Bool = false) throws(CacheError) -> CacheVerification {
    try? flush()
    var report = CacheVerification()
    report.indexProblems = try index.read { db in
      try String.fetchAll(db, sql: "PRAGMA integrity_check(20)").filter { $0 != "ok" }
    }
    for key in try keys(sql: "SELECT key FROM entry ORDER BY id", []) {
      guard let row = try index.read({ try CacheIndex.find($0, key) }) else { continue }
      report.checked += 1
      if readObject(row) != nil { continue }
      if FileSystem.exists(objectPath(key)) { report.damagedFiles.append(key) } else { report.missingFiles.append(key) }
      if repair { heal(key) }
    }
    report.orphans = try collectOrphans(isDry: !repair)
    if repair { report.leftovers = FileSystem.removeLeftovers(in: temporary) }
    report.repaired = repair
    return report
  }
}

extension Duration {
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds.multipliedReportingOverflow(by: 1000).partialValue &+ attoseconds / 1_000_000_000_000_000
  }
}
