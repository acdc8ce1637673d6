internal import OffprintCoreTypes

package struct CacheVerification: Hashable, Sendable {
  package var checked = 0
  package var missingFiles: [CacheKey] = []
  package var damagedFiles: [CacheKey] = []
  /// Files without a row, as `ab/abcdef….png`.
  package var orphans: [String] = []
  /// Temporary files of writers that died.
  package var leftovers = 0
  /// Problems reported by SQLite's integrity check, and wrong totals.
  package var indexProblems: [String] = []
  package var repaired = false
  package var isSound: Bool { missingFiles.isEmpty && damagedFiles.isEmpty && orphans.isEmpty && indexProblems.isEmpty }
}

extension RenderCache {
  /// Reads every file and compares it with its row. With `repair`, removes entries and files that do not match, and rebuilds a damaged
  /// index.
  package func verify(repair: Bool = false) throws(CacheError) -> CacheVerification {
    try flushForAdministration(dryRun: !repair)
    var report = CacheVerification()
    report.indexProblems = try indexProblems()
    if repair, !report.indexProblems.isEmpty { try index.rebuild() }
    for key in try keys("SELECT key FROM entry ORDER BY id") {
      switch try problem(key) {
      case .gone: continue
      case .sound: break
      case .missing: report.missingFiles.append(key)
      case .damaged: report.damagedFiles.append(key)
      }
      report.checked += 1
    }
    var isRepaired = repair
    if repair {
      for key in report.missingFiles + report.damagedFiles where !heal(key, patience: Self.removalPatience) {
        // Another process may have removed or replaced the entry meanwhile.
        switch try problem(key) {
        case .gone, .sound: break
        case .missing, .damaged: isRepaired = false
        }
      }
    }
    report.orphans = try collectOrphans(dryRun: !repair)
    if repair { report.leftovers = folder.removeLeftovers() }
    report.repaired = isRepaired
    return report
  }

  private enum Problem { case sound, missing, damaged, gone }

  private func problem(_ key: CacheKey) throws(CacheError) -> Problem {
    switch try index.query({ (db) throws(SQLiteError) in try IndexRows.find(db, key) }) {
    case .none: return .gone
    case .broken: return .damaged
    case .row(let row):
      switch readObject(row) {
      case .bytes: return .sound
      case .missing: return .missing
      case .wrong, .unreadable: return .damaged
      }
    }
  }

  /// Runs SQLite's integrity check and compares the totals with the rows.
  private func indexProblems() throws(CacheError) -> [String] {
    try index.query { (db) throws(SQLiteError) in
      var problems = try db.all("PRAGMA integrity_check(20)") { $0.text(0) }.filter { $0 != "ok" }
      problems += try db.all("PRAGMA foreign_key_check") { "a row of \"\($0.text(0) ?? "?")\" has no entry" }.prefix(20)
      let isRight = try db.first(
        """
        SELECT t.entries = e.n AND t.size = e.size AND t.hits = e.hits
        FROM total AS t, (SELECT COUNT(*) AS n, coalesce(SUM(size), 0) AS size, coalesce(SUM(hits), 0) AS hits FROM entry) AS e
        """
      ) { $0.integer(0) == 1 }
      if isRight != true { problems.append("the totals do not match the entries") }
      return problems
    }
  }
}
