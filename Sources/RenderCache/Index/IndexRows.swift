internal import COffprintSQLite
internal import OffprintCoreTypes

/// The columns of an entry that a hit needs.
struct IndexRow {
  var id: Int64
  var key: CacheKey
  var size: Int64
  var checksum: [UInt8]
  var width: Int
  var height: Int
  var created: CacheTime
  var costMilliseconds: Double
  var metadata: String
  var dependencies: [CacheDependency]
}

/// Reads, writes and deletes rows. Every column read is checked; a row with invalid contents counts as missing.
enum IndexRows {
  enum Found {
    case row(IndexRow)
    case none
    /// The row exists but is malformed.
    case broken
  }

  static func find(_ db: SQLiteDatabase, _ key: CacheKey) throws(SQLiteError) -> Found {
    let found = try db.first(
      "SELECT id, size, checksum, width, height, created, cost, metadata, dependencies FROM entry WHERE key = ?", [SQLiteValue(key)]
    ) { row in
      row.hit(key).map { ($0, row.count(8) ?? -1) } ?? (nil, -1)
    }
    guard let found else { return .none }
    guard var row = found.0, found.1 >= 0 else { return .broken }
    if found.1 > 0 {
      row.dependencies = try dependencies(db, row.id)
      guard row.dependencies.count == found.1 else { return .broken }
    }
    return .row(row)
  }

  /// The dependencies of an entry, without malformed rows.
  static func dependencies(_ db: SQLiteDatabase, _ entry: Int64) throws(SQLiteError) -> [CacheDependency] {
    try db.all(
      "SELECT location, isFile, digest, size, modified FROM dependency WHERE entry = ? ORDER BY position", [.integer(entry)]
    ) { $0.dependency() }
  }

  /// The keys that begin with the byte of this prefix.
  static func keys(_ db: SQLiteDatabase, prefix: String) throws(SQLiteError) -> Set<CacheKey> {
    guard let range = keyRange(prefix) else { return [] }
    return try Set(db.all("SELECT key FROM entry WHERE key BETWEEN ? AND ?", range) { $0.key(0) })
  }

  /// The smallest and largest key that begin with a byte, given as two hexadecimal digits.
  static func keyRange(_ prefix: String) -> [SQLiteValue]? {
    guard let first = Hex.decode(prefix.utf8), first.count == 1 else { return nil }
    return [.blob(first + [UInt8](repeating: 0, count: 31)), .blob(first + [UInt8](repeating: 0xFF, count: 31))]
  }

  // MARK: Writing

  /// Inserts or replaces an entry; hits of an existing entry are kept. Its identifiers now name this entry, and its tags are added.
  static func write(_ db: SQLiteDatabase, _ record: CacheRecord) throws(SQLiteError) {
    let id = try db.first(
      """
      INSERT INTO entry (key, size, checksum, width, height, created, lastUsed, hits, cost, dependencies, source, metadata)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET size = excluded.size, checksum = excluded.checksum, width = excluded.width,
        height = excluded.height, created = excluded.created, lastUsed = excluded.lastUsed, hits = hits + excluded.hits,
        cost = excluded.cost, dependencies = excluded.dependencies, source = excluded.source, metadata = excluded.metadata
      RETURNING id
      """,
      [
        SQLiteValue(record.key), .integer(record.size), .blob(record.checksum), SQLiteValue(record.width), SQLiteValue(record.height),
        SQLiteValue(record.created), SQLiteValue(record.lastUsed), .integer(record.hits), .real(record.costMilliseconds),
        SQLiteValue(record.dependencies.count), .text(record.source), .text(record.metadata),
      ]
    ) { $0.integer(0) }
    guard let id else { return }
    try db.run("INSERT OR REPLACE INTO detail (entry, parts) VALUES (?, ?)", [.integer(id), .text(PartsText.encode(record.parts))])
    try db.run("DELETE FROM dependency WHERE entry = ?", [.integer(id)])
    for (position, dependency) in record.dependencies.enumerated() {
      try db.run(
        "INSERT INTO dependency (entry, position, location, isFile, digest, size, modified) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
          .integer(id), SQLiteValue(position), .text(dependency.location), SQLiteValue(dependency.isFile),
          dependency.digest.map { .blob($0) } ?? .null, .integer(dependency.size), .integer(dependency.modified),
        ])
    }
    for identifier in record.identifiers { try name(db, identifier, record.key) }
    for tag in record.tags { try self.tag(db, tag, record.key) }
  }

  /// Makes `identifier` name the entry of `key` if it exists. An identifier that looks like a key is ignored: callers reject it, but old
  /// indexes and journals may contain one.
  static func name(_ db: SQLiteDatabase, _ identifier: String, _ key: CacheKey) throws(SQLiteError) {
    if CacheKey.isKeyShaped(identifier) { return }
    // `INSERT OR REPLACE` would delete the existing row without running its trigger. https://www.sqlite.org/lang_conflict.html
    try db.run(
      """
      INSERT INTO name (identifier, entry) SELECT ?, id FROM entry WHERE key = ?
      ON CONFLICT (identifier) DO UPDATE SET entry = excluded.entry
      """, [.text(identifier), SQLiteValue(key)])
  }

  static func tag(_ db: SQLiteDatabase, _ tag: String, _ key: CacheKey) throws(SQLiteError) {
    try db.run("INSERT OR IGNORE INTO tag (tag, entry) SELECT ?, id FROM entry WHERE key = ?", [.text(tag), SQLiteValue(key)])
  }

  /// Deletes an entry and returns its size, or nil if it does not exist. Requires foreign keys to be on, so that the rows that refer to it
  /// are deleted.
  static func delete(_ db: SQLiteDatabase, _ key: CacheKey) throws(SQLiteError) -> Int64? {
    try db.first("DELETE FROM entry WHERE key = ? RETURNING size", [SQLiteValue(key)]) { $0.count(0) ?? 0 }
  }

  static func apply(_ db: SQLiteDatabase, _ pending: PendingUses) throws(SQLiteError) {
    for (key, use) in pending.uses {
      try db.run(
        "UPDATE entry SET hits = hits + ?, lastUsed = max(lastUsed, ?) WHERE key = ?",
        [.integer(use.hits), SQLiteValue(use.lastUsed), SQLiteValue(key)])
      for tag in use.tags { try self.tag(db, tag.text, key) }
    }
    for (identifier, key) in pending.names { try name(db, identifier.text, key) }
    for (location, file) in pending.times {
      guard let digest = file.digest else { continue }
      try db.run(
        "UPDATE dependency SET modified = ? WHERE location = ? AND digest = ? AND size = ?",
        [.integer(file.modified), .text(location.text), .blob(digest), .integer(file.size)])
    }
    for (day, figures) in pending.days { try add(db, day, figures) }
  }

  static func add(_ db: SQLiteDatabase, _ day: Int64, _ figures: CacheDay.Figures) throws(SQLiteError) {
    try db.run(
      """
      INSERT INTO day (day, hits, misses, stores, saved) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (day) DO UPDATE SET hits = hits + excluded.hits, misses = misses + excluded.misses, stores = stores + excluded.stores,
        saved = saved + excluded.saved
      """, [.integer(day), .integer(figures.hits), .integer(figures.misses), .integer(figures.stores), .real(figures.savedMilliseconds)])
  }

  /// Bytes of all values, identifiers and tags. Maintained by triggers, so nothing is summed here.
  static func totalSize(_ db: SQLiteDatabase) throws(SQLiteError) -> Int64 {
    try required(db.first("SELECT size + labels FROM total") { $0.count(0) })
  }

  /// SQL for the bytes of an entry's value, identifiers and tags.
  static let entrySize = """
    size + (SELECT coalesce(sum(\(IndexSchema.labelSize("identifier"))), 0) FROM name WHERE name.entry = entry.id)
      + (SELECT coalesce(sum(\(IndexSchema.labelSize("tag"))), 0) FROM tag WHERE tag.entry = entry.id)
    """

  /// Invalid totals are treated as damage, so that the index is rebuilt.
  static func required<Value>(_ value: Value?) throws(SQLiteError) -> Value {
    guard let value else { throw SQLiteError(SQLITE_CORRUPT, "the totals are invalid") }
    return value
  }
}

extension SQLiteRow {
  /// Reads the columns that `find` selects.
  fileprivate func hit(_ key: CacheKey) -> IndexRow? {
    guard let id = integer(0), let size = count(1), let checksum = digest(2), let width = int(3), let height = int(4),
      let created = time(5), let cost = real(6), let metadata = text(7)
    else { return nil }
    return IndexRow(
      id: id, key: key, size: size, checksum: checksum, width: width, height: height, created: created, costMilliseconds: cost,
      metadata: metadata, dependencies: [])
  }

  /// Reads location, isFile, digest, size and modified, starting at column `first`.
  func dependency(_ first: Int32 = 0) -> CacheDependency? {
    guard let location = text(first), let isFile = integer(first + 1), let size = count(first + 3), let modified = integer(first + 4),
      isNull(first + 2) || blob(first + 2) != nil
    else { return nil }
    return CacheDependency(location: location, isFile: isFile != 0, digest: blob(first + 2), size: size, modified: modified)
  }
}

/// The parts of a key as text: one line per part, tabs between its fields.
enum PartsText {
  static func encode(_ parts: [CacheKeyPart]) -> String {
    parts.map { [$0.name, $0.digest, $0.summary].map(cleaned).joined(separator: "\t") }.joined(separator: "\n")
  }

  static func decode(_ text: String) -> [CacheKeyPart] {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { line in
      let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
      return CacheKeyPart(
        name: fields.first ?? "", digest: fields.dropFirst().first ?? "", summary: fields.dropFirst(2).first ?? "")
    }
  }

  /// Hashes of names and digests of key parts, to count common parts in many texts without parsing them.
  struct Digests {
    private var hashes: Set<UInt64> = []

    init(_ parts: [CacheKeyPart]) {
      for part in parts { hashes.insert(Array("\(PartsText.cleaned(part.name))\t\(part.digest)".utf8).reduce(Self.start, Self.mix)) }
    }

    var count: Int { hashes.count }

    /// The number of lines of an encoded text that are among them.
    func common(_ text: UnsafeBufferPointer<UInt8>) -> Int {
      var count = 0
      var hash = Self.start
      var tabs = 0
      for byte in text {
        switch byte {
        case UInt8(ascii: "\n"): (hash, tabs) = (Self.start, 0)
        case UInt8(ascii: "\t"):
          tabs += 1
          if tabs == 2, hashes.contains(hash) { count += 1 }
          hash = Self.mix(hash, byte)
        default: hash = Self.mix(hash, byte)
        }
      }
      return count
    }

    /// http://www.isthe.com/chongo/tech/comp/fnv/ (FNV-1a)
    private static let start: UInt64 = 0xcbf2_9ce4_8422_2325
    private static func mix(_ hash: UInt64, _ byte: UInt8) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  private static func cleaned(_ text: String) -> String {
    String(decoding: text.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
  }
}
