internal import OffprintCoreTypes

/// Recovers the readable rows of an index that is damaged, of an unknown version or of another program.
enum IndexSalvage {
  /// Selects well-formed rows of entries; valid for every version.
  private static let isReadable = """
    typeof(key) = 'blob' AND length(key) = 32 AND typeof(checksum) = 'blob' AND length(checksum) = 32
    AND typeof(size) = 'integer' AND size BETWEEN 0 AND 1099511627776 AND typeof(width) = 'integer' AND width >= 0
    AND typeof(height) = 'integer' AND height >= 0 AND typeof(created) = 'integer' AND typeof(lastUsed) = 'integer'
    AND typeof(hits) = 'integer' AND hits BETWEEN 0 AND 1099511627776 AND typeof(cost) IN ('real', 'integer')
    AND cost BETWEEN 0 AND 1e12
    AND typeof(metadata) = 'text'
    """

  /// Deletes malformed rows before a migration, so that its steps can rely on the contents. An entry with a malformed dependency is deleted
  /// as well.
  static func removeUnreadable(_ db: SQLiteDatabase, version: Int) throws(SQLiteError) {
    try db.execute(
      """
      DELETE FROM dependency WHERE typeof(location) <> 'text' OR typeof(isFile) <> 'integer' OR typeof(size) <> 'integer' OR size < 0
        OR typeof(modified) <> 'integer' OR typeof(position) <> 'integer'
        OR typeof(digest) NOT IN ('null', 'blob');
      DELETE FROM entry WHERE NOT (\(isReadable)) \(version < 3 ? "OR typeof(parts) <> 'text'" : "OR typeof(source) <> 'text'")
        OR dependencies IS NOT (SELECT COUNT(*) FROM dependency WHERE dependency.entry = entry.id);
      DELETE FROM dependency WHERE entry NOT IN (SELECT id FROM entry);
      """)
    if try db.first("SELECT 1 FROM sqlite_schema WHERE name = 'name'", [], { _ in true }) == true {
      try db.execute("DELETE FROM name WHERE typeof(identifier) <> 'text' OR entry NOT IN (SELECT id FROM entry)")
    }
  }

  /// Copies as many entries, identifiers, tags and daily statistics as can be read. A read error ends one part of the copy, not all of it.
  /// - Throws: Errors of writing the new index, such as a full disk.
  static func copy(from path: String, to new: SQLiteDatabase) throws {
    guard
      let old = (try? SQLiteDatabase(path, .readWrite, deadline: Deadline(after: .seconds(2))))
        ?? (try? SQLiteDatabase(path, .immutable, deadline: .never))
    else { return }
    defer { old.close() }
    let columns = Set((try? old.all("SELECT name FROM pragma_table_xinfo('entry') WHERE hidden = 0") { $0.text(0) }) ?? [])
    guard columns.isSuperset(of: ["id", "key", "size", "checksum", "width", "height", "created", "dependencies"]) else { return }
    var copier = Copier(old: old, new: new, columns: columns)
    try new.transaction {
      copier.copy()
      if let failure = copier.failure { throw failure }
    }
  }
}

/// One copy operation. Read errors are expected anywhere; a write error ends it.
private struct Copier {
  let old: SQLiteDatabase
  let new: SQLiteDatabase
  let columns: Set<String>
  private(set) var failure: SQLiteError?

  init(old: SQLiteDatabase, new: SQLiteDatabase, columns: Set<String>) {
    self.old = old
    self.new = new
    self.columns = columns
  }

  mutating func copy() {
    // Reading from both ends recovers the rows after a damaged page.
    for order in ["ASC", "DESC"] {
      if copyEntries(order) { break }
    }
    _ = each("SELECT identifier, key FROM name JOIN entry ON entry.id = name.entry") { (row, new) throws(SQLiteError) in
      if let name = row.text(0), let key = row.key(1) { try IndexRows.name(new, name, key) }
    }
    _ = each("SELECT identifier, owner, claimed FROM owner") { (row, new) throws(SQLiteError) in
      if let name = row.text(0), let owner = row.text(1), let claimed = row.time(2) { try IndexRows.own(new, name, owner, claimed) }
    }
    _ = each("SELECT tag, key FROM tag JOIN entry ON entry.id = tag.entry") { (row, new) throws(SQLiteError) in
      if let tag = row.text(0), let key = row.key(1) { try IndexRows.tag(new, tag, key) }
    }
    _ = each("SELECT day, hits, misses, stores, saved FROM day") { (row, new) throws(SQLiteError) in
      if let (day, figures) = row.day() { try IndexRows.add(new, day, figures) }
    }
  }

  /// Returns whether all rows were read.
  private mutating func each(_ sql: String, _ write: (SQLiteRow, SQLiteDatabase) throws(SQLiteError) -> Void) -> Bool {
    guard failure == nil else { return false }
    var failed: SQLiteError?
    let isWhole: ()? = try? old.forEach(sql) { row in
      do throws(SQLiteError) {
        try write(row, new)
      } catch {
        failed = error
      }
      return failed == nil
    }
    failure = failed
    return isWhole != nil && failed == nil
  }

  private mutating func copyEntries(_ order: String) -> Bool {
    func column(_ name: String, or value: String) -> String { columns.contains(name) ? name : value }
    let sql = """
      SELECT id, key, size, checksum, width, height, created, \(column("lastUsed", or: "created")), \(column("hits", or: "0")),
        \(column("cost", or: "0")), \(column("metadata", or: "''")), \(column("source", or: "''")), dependencies,
        \(column("parts", or: "''")) FROM entry ORDER BY id \(order)
      """
    let (old, hasParts) = (old, columns.contains("parts"))
    return each(sql) { (row, new) throws(SQLiteError) in
      guard var record = row.salvaged(), let id = row.integer(0), let count = row.count(12) else { return }
      if count > 0 {
        guard let dependencies = try? IndexRows.dependencies(old, id), dependencies.count == count else { return }
        record.dependencies = dependencies
      }
      if !hasParts {
        let parts: String?? = try? old.first("SELECT parts FROM detail WHERE entry = ?", [.integer(id)]) { $0.text(0) }
        record.parts = PartsText.decode((parts ?? nil) ?? "")
      }
      guard try new.first("SELECT 1 FROM entry WHERE key = ?", [SQLiteValue(record.key)], { _ in true }) == nil else { return }
      try IndexRows.write(new, record)
    }
  }
}

extension SQLiteRow {
  fileprivate func salvaged() -> CacheRecord? {
    guard let key = key(1), let size = count(2), size <= 1 << 40, let checksum = digest(3), let width = int(4), let height = int(5),
      let created = time(6), let lastUsed = time(7), let hits = count(8), hits <= 1 << 40, let cost = real(9), let metadata = text(10),
      let source = text(11), let parts = text(13)
    else { return nil }
    return CacheRecord(
      key: key, identifiers: [], tags: [], size: size, checksum: checksum, width: width, height: height, created: created,
      lastUsed: lastUsed, hits: hits, costMilliseconds: cost, parts: PartsText.decode(parts), source: source, metadata: metadata,
      dependencies: [])
  }

  /// Reads day, hits, misses, stores and saved.
  func day() -> (Int64, CacheDay.Figures)? {
    guard let day = integer(0), let hits = count(1), let misses = count(2), let stores = count(3), let saved = real(4) else { return nil }
    return (day, .init(hits: hits, misses: misses, stores: stores, savedMilliseconds: saved))
  }
}
