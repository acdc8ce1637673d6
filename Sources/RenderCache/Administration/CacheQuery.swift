import OffprintCoreTypes

/// The fields of an entry that queries can use.
package enum CacheField: String, Hashable, Sendable, CaseIterable {
  case key, identifier, tag, source, size, width, height, created, lastUsed, hits, cost, metadata
  /// The location of a dependency.
  case dependency
  /// Time since the entry was created, in milliseconds.
  case age
  /// Time since it was last used, in milliseconds.
  case unused

  /// Finds a field by its name, ignoring case, `-` and `_`.
  package init?(name: String) {
    let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
    guard let field = Self.allCases.first(where: { $0.rawValue.lowercased() == plain }) else { return nil }
    self = field
  }

  enum Kind { case text, bytes, number, time, duration }

  var kind: Kind {
    switch self {
    case .key, .identifier, .tag, .source, .metadata, .dependency: .text
    case .size: .bytes
    case .width, .height, .hits: .number
    case .created, .lastUsed: .time
    case .age, .unused, .cost: .duration
    }
  }
}

package enum CacheValue: Hashable, Sendable {
  case integer(Int64)
  case real(Double)
  case text(String)
}

/// A condition on entries.
package indirect enum CacheFilter: Hashable, Sendable {
  package enum Operator: String, Hashable, Sendable {
    case equal = "=", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    /// A pattern with `*` and `?`; without them, a substring.
    case matches = "~"
  }
  case all
  case comparison(CacheField, Operator, CacheValue)
  case and([CacheFilter])
  case or([CacheFilter])
  case not(CacheFilter)
}

package struct CacheSort: Hashable, Sendable {
  package var field: CacheField
  package var isDescending: Bool
  package init(_ field: CacheField, descending: Bool = false) {
    self.field = field
    isDescending = descending
  }

  /// Parses a sort order such as `size desc, created` or `-size,created`.
  package static func parse(_ text: String) throws(CacheError) -> [CacheSort] {
    var result: [CacheSort] = []
    for item in text.split(byte: ",") {
      let words = item.split(byte: " ")
      let name = words.first.map(String.init) ?? ""
      let isNegated = name.hasPrefix("-")
      guard let field = CacheField(name: isNegated ? String(name.dropFirst()) : name), field != .dependency, field != .tag,
        words.count <= 2,
        words.count < 2 || words[1].lowercased() == "asc" || words[1].lowercased() == "desc"
      else {
        throw CacheError(
          .invalidCacheQuery, "\"\(String(item).prefix(100))\" is not a sort order: write a field and asc or desc. \(CacheField.choice)")
      }
      guard !result.contains(where: { $0.field == field }) else {
        throw CacheError(.invalidCacheQuery, "The sort order has the field \"\(field.rawValue)\" twice; use each field once.")
      }
      result.append(CacheSort(field, descending: isNegated || (words.count == 2 && words[1].lowercased() == "desc")))
    }
    return result
  }
}

extension CacheField {
  static var choice: String { "Fields: " + allCases.map(\.rawValue).joined(separator: ", ") + "." }
}

package struct CacheQuery: Sendable {
  package var filter: CacheFilter = .all
  /// Text that a name, a tag, the source, the metadata or a dependency contains, or that the key begins with. With `*` or `?` in it, a
  /// pattern that has to match the whole value.
  package var search: String?
  package var sort: [CacheSort] = [CacheSort(.lastUsed, descending: true)]
  package var limit: Int?
  package init() {}
}

/// Entries with the same value of a field.
package struct CacheGroup: Hashable, Sendable {
  /// The field's value as text; the day for times; empty if there is no value.
  package var value: String
  package var entries: Int
  package var size: Int64
  package var hits: Int64
}

extension RenderCache {
  /// The entries that match a query, in its order.
  package func list(_ query: CacheQuery = CacheQuery()) throws(CacheError) -> [CacheRecord] {
    try flushForAdministration()
    let finder = try RowFinder(query, now: configuration.clock())
    // Matching and sorting use only indexed columns; complete records are read for the remaining rows.
    return try index.query { (db) throws(SQLiteError) in try CacheRecord.find(db, ids: finder.rows(db)) }
  }

  /// The entries that match a query, grouped by a field, the largest group first.
  package func groups(_ query: CacheQuery = CacheQuery(), by field: CacheField) throws(CacheError) -> [CacheGroup] {
    try flushForAdministration()
    var sql = QuerySQL(now: configuration.clock())
    let condition = try sql.condition(query)
    let column = field == .tag ? "tag" : sql.column(field)
    let value = field.kind == .time ? "date(\(column) / 1000, 'unixepoch')" : column
    // An entry can have several tags and is counted in the group of each.
    let tables = field == .tag ? "entry LEFT JOIN tag AS grouping ON grouping.entry = entry.id" : "entry"
    let arguments = sql.arguments
    return try index.query { (db) throws(SQLiteError) in
      try db.all(
        """
        SELECT CAST(\(value) AS TEXT) AS value, COUNT(*), SUM(size), SUM(hits) FROM \(tables) WHERE \(condition)
        GROUP BY value ORDER BY SUM(size) DESC, value
        """, arguments
      ) { CacheGroup(value: $0.text(0) ?? "", entries: $0.int(1) ?? 0, size: $0.count(2) ?? 0, hits: $0.count(3) ?? 0) }
    }
  }

  package func record(_ key: CacheKey) throws(CacheError) -> CacheRecord? {
    try flushForAdministration()
    return try index.query { (db) throws(SQLiteError) in
      guard let id = try db.first("SELECT id FROM entry WHERE key = ?", [SQLiteValue(key)], { $0.integer(0) }) else { return nil }
      return try CacheRecord.find(db, id: id)
    }
  }

  package func record(identifier: String) throws(CacheError) -> CacheRecord? {
    try flushForAdministration()
    guard let key = try key(identifier: identifier) else { return nil }
    return try record(key)
  }

  /// The records whose key begins with these hexadecimal digits, at most `limit`. People shorten keys like this.
  package func records(keyPrefix: String, limit: Int = 10) throws(CacheError) -> [CacheRecord] {
    var query = CacheQuery()
    guard !keyPrefix.isEmpty, keyPrefix.utf8.allSatisfy({ Hex.decode([$0, 0x30]) != nil }) else { return [] }
    query.filter = .comparison(.key, .matches, .text(keyPrefix.lowercased() + "*"))
    query.limit = limit
    return try list(query)
  }
}

extension CacheRecord {
  /// The complete record of an entry; nil if it does not exist or is malformed.
  static func find(_ db: SQLiteDatabase, id: Int64) throws(SQLiteError) -> CacheRecord? {
    let found = try db.first(
      """
      SELECT key, size, checksum, width, height, created, lastUsed, hits, cost, source, metadata, parts
      FROM entry LEFT JOIN detail ON detail.entry = entry.id WHERE entry.id = ?
      """, [.integer(id)]
    ) { $0.record() }
    guard var record = found else { return nil }
    record.identifiers = try db.all("SELECT identifier FROM name WHERE entry = ? ORDER BY identifier", [.integer(id)]) { $0.text(0) }
    record.tags = try db.all("SELECT tag FROM tag WHERE entry = ? ORDER BY tag", [.integer(id)]) { $0.text(0) }
    record.dependencies = try IndexRows.dependencies(db, id)
    return record
  }

  /// The records of several entries, in the order of `ids`.
  static func find(_ db: SQLiteDatabase, ids: [Int64]) throws(SQLiteError) -> [CacheRecord] {
    var records: [CacheRecord] = []
    records.reserveCapacity(ids.count)
    for id in ids {
      if let record = try find(db, id: id) { records.append(record) }
    }
    return records
  }

  /// All records whose key begins with the byte of this prefix, sorted by key.
  static func all(_ db: SQLiteDatabase, prefix: String) throws(SQLiteError) -> [CacheRecord] {
    guard let range = IndexRows.keyRange(prefix) else { return [] }
    return try find(db, ids: db.all("SELECT id FROM entry WHERE key BETWEEN ? AND ? ORDER BY key", range) { $0.integer(0) })
  }
}

extension SQLiteRow {
  fileprivate func record() -> CacheRecord? {
    guard let key = key(0), let size = count(1), let checksum = digest(2), let width = int(3), let height = int(4), let created = time(5),
      let lastUsed = time(6), let hits = count(7), let cost = real(8), let source = text(9), let metadata = text(10)
    else { return nil }
    return CacheRecord(
      key: key, identifiers: [], tags: [], size: size, checksum: checksum, width: width, height: height, created: created,
      lastUsed: lastUsed, hits: hits, costMilliseconds: cost, parts: PartsText.decode(text(11) ?? ""), source: source, metadata: metadata,
      dependencies: [])
  }
}
