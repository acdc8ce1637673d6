internal import OffprintCoreTypes
internal import Dispatch

extension RenderCache {
  /// Removes entries that were not used for `maxAge`; then the least recently used ones until values, names and tags take at most `maxSize`
  /// bytes; and files without a row. The defaults are the configuration's limits. Lookups continue meanwhile, and open files can be read to
  /// their end.
  /// - Parameter dryRun: Only reports what would be removed.
  @discardableResult
  package func trim(maxSize: Int64? = nil, maxAge: Duration? = nil, dryRun: Bool = false) throws(CacheError) -> CacheRemoval {
    try flushForAdministration(dryRun: dryRun)
    var removal = try trimEntries(
      maxSize: maxSize ?? configuration.maxSize, maxAge: maxAge ?? configuration.maxAge, slack: 0, patience: Self.removalPatience,
      dryRun: dryRun)
    removal.orphans = try collectOrphans(dryRun: dryRun).count
    if !dryRun {
      folder.removeLeftovers()
      try dropUnusedClaims(Self.removalPatience)
      try shortenJournal(patience: Self.removalPatience)
    }
    return removal
  }

  /// - Parameter slack: How many bytes below `maxSize` to trim to, so that the next stores do not trim again.
  private func trimEntries(maxSize: Int64, maxAge: Duration?, slack: Int64, patience: Duration, dryRun: Bool) throws(CacheError)
    -> CacheRemoval
  {
    var removal = CacheRemoval()
    // The entries that remain were last used at or after this time.
    var limit = Int64.min
    if let maxAge {
      limit = configuration.clock().milliseconds.subtractingReportingOverflow(Int64(maxAge.wholeMilliseconds)).partialValue
      removal = try remove(
        keys("SELECT key FROM entry WHERE lastUsed < ? ORDER BY lastUsed", [.integer(limit)]), dryRun: dryRun, patience: patience)
    }
    let size = try index.query { (db) throws(SQLiteError) in
      let gone = try db.first("SELECT coalesce(sum(\(IndexRows.entrySize)), 0) FROM entry WHERE lastUsed < ?", [.integer(limit)]) {
        $0.count(0)
      }
      return try IndexRows.totalSize(db) - IndexRows.required(gone)
    }
    guard size > maxSize else { return removal }
    let excess = size - maxSize + slack
    let oldest = try index.query { (db) throws(SQLiteError) in
      var keys: [CacheKey] = []
      var found: Int64 = 0
      let skipped = dryRun ? removal.entries : 0
      try db.forEach("SELECT key, \(IndexRows.entrySize) FROM entry ORDER BY lastUsed, id LIMIT -1 OFFSET ?", [SQLiteValue(skipped)]) {
        row in
        guard found < excess else { return false }
        if let key = row.key(0) { keys.append(key) }
        found += row.count(1) ?? 0
        return true
      }
      return keys
    }
    let more = try remove(oldest, dryRun: dryRun, patience: patience)
    removal.entries += more.entries
    removal.bytes += more.bytes
    return removal
  }

  /// Starts trimming in the background after a store that exceeded the size limit, and periodically for entries that are too old.
  func trimWhenDue(_ isTooLarge: Bool) {
    let isDue = counters.withLock { counters in
      counters.storesSinceTrim += 1
      let isDue = isTooLarge || configuration.maxAge != nil && counters.storesSinceTrim % 256 == 1
      guard isDue, !counters.isTrimming else { return false }
      counters.isTrimming = true
      return true
    }
    guard isDue else { return }
    background.async { [self] in
      try? flush()
      _ = try? trimEntries(
        maxSize: configuration.maxSize, maxAge: configuration.maxAge, slack: configuration.maxSize / 10,
        patience: configuration.patience, dryRun: false)
      try? dropUnusedClaims(configuration.patience)
      try? shortenJournal(patience: configuration.patience)
      counters.withLock { $0.isTrimming = false }
    }
  }

  /// Rewrites journal files that have grown too large, one per transaction.
  func shortenJournal(patience: Duration) throws(CacheError) {
    let journal = IndexJournal(folder: folder.journal)
    guard !journal.prefixes.isEmpty else { return }
    let counts = try index.query { (db) throws(SQLiteError) in
      try db.all("SELECT lower(hex(substr(key, 1, 1))), COUNT(*) FROM entry GROUP BY 1") { row in row.text(0).map { ($0, row.int(1) ?? 0) }
      }
    }
    let needed = Dictionary(counts, uniquingKeysWith: { first, _ in first })
    for prefix in journal.overgrown({ (needed[$0] ?? 0) * 1500 }) {
      let temporary = temporaryPath()
      try index.write(Deadline(after: patience)) { db in
        journal.rewrite(prefix, try CacheRecord.all(db, prefix: prefix), temporary: temporary)
      }
    }
  }
}
