internal import OffprintCoreTypes

package struct CacheStats: Hashable, Sendable {
  package var entries = 0
  /// Bytes of all images.
  package var size: Int64 = 0
  /// Bytes of the index and its journal.
  package var indexSize: Int64 = 0
  /// Hits of the current entries.
  package var totalHits: Int64 = 0
  package var oldest: CacheTime?
  package var newest: CacheTime?
  package var lastUsed: CacheTime?
  /// Time spent rendering the current entries.
  package var totalCostMilliseconds = 0.0
  /// Rendering time saved by the hits of the current entries.
  package var savedMilliseconds = 0.0
  /// Days with activity, the latest first, at most 400. They include entries that no longer exist.
  package var days: [CacheDay] = []
  package var schemaVersion = 0
  package var memoryEntries = 0
  package var memoryBytes = 0
  // Of this process since it opened the cache.
  package var hits = 0
  package var misses = 0
  package var stores = 0
  package var storeFailures = 0
  package var healed = 0

  /// Hits divided by lookups over all days; nil without lookups.
  package var hitRate: Double? {
    let (hits, misses) = days.reduce((0, 0)) { ($0.0 + Double($1.figures.hits), $0.1 + Double($1.figures.misses)) }
    return hits + misses > 0 ? hits / (hits + misses) : nil
  }
}

extension RenderCache {
  /// Statistics of the whole cache, in time independent of the number of entries.
  package func stats() throws(CacheError) -> CacheStats {
    try flushForAdministration()
    var stats = try index.query { (db) throws(SQLiteError) in
      var stats = try IndexRows.required(db.first("SELECT entries, size, hits, cost, saved FROM total") { $0.totals() })
      stats.oldest = try db.first("SELECT MIN(created) FROM entry") { $0.time(0) }
      stats.newest = try db.first("SELECT MAX(created) FROM entry") { $0.time(0) }
      stats.lastUsed = try db.first("SELECT MAX(lastUsed) FROM entry") { $0.time(0) }
      stats.days = try db.all("SELECT day, hits, misses, stores, saved FROM day ORDER BY day DESC LIMIT 400") { row in
        row.day().flatMap { CacheDay($0.0, $0.1) }
      }
      return stats
    }
    stats.schemaVersion = Self.schemaVersion
    let files = [folder.index, folder.index + "-wal"] + IndexJournal(folder: folder.journal).files
    stats.indexSize = files.reduce(0) { $0 + (FileSystem.status($1, followsLinks: false)?.size ?? 0) }
    memory.withLock { (stats.memoryEntries, stats.memoryBytes) = ($0.count, $0.bytes) }
    counters.withLock { counters in
      (stats.hits, stats.misses, stats.stores) = (counters.hits, counters.misses, counters.stores)
      (stats.storeFailures, stats.healed) = (counters.storeFailures, counters.healed)
    }
    return stats
  }
}

extension SQLiteRow {
  fileprivate func totals() -> CacheStats? {
    guard let entries = int(0), let size = count(1), let hits = count(2), let cost = real(3), let saved = real(4) else { return nil }
    var stats = CacheStats()
    (stats.entries, stats.size, stats.totalHits) = (entries, size, hits)
    // The totals are sums of floating-point numbers, of which removed entries were subtracted: rounding can leave a negative rest.
    (stats.totalCostMilliseconds, stats.savedMilliseconds) = (max(cost, 0), max(saved, 0))
    return stats
  }
}

extension CacheDay {
  fileprivate init?(_ day: Int64, _ figures: Figures) {
    let (start, overflows) = day.multipliedReportingOverflow(by: Self.milliseconds)
    if overflows { return nil }
    self.init(start: CacheTime(milliseconds: start), figures: figures)
  }
}
