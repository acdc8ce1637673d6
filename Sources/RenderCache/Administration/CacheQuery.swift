import OffprintCoreTypes

/// What stored values can be asked about.
package enum CacheField: String, Hashable, Sendable, CaseIterable {
  case key, identifier, tag, source, size, width, height, created, lastUsed, hits, cost, metadata
  /// The location of a dependency.
  case dependency
  /// Time since it was made, in milliseconds.
  case age
  /// Time since it was last used, in milliseconds.
  case unused

  /// The field of a name as people write it: letter case, `-` and `_` do not count.
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

/// Which stored values are meant.
package indirect enum CacheFilter: Hashable, Sendable {
  package enum Operator: String, Hashable, Sendable {
    case equal = "=", notEqual = "!=", less = "<", lessOrEqual = "<=", greater = ">", greaterOrEqual = ">="
    /// A pattern with `*` and `?`, or without these a part of the text.
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

  /// `size desc, created` or `-size,created`.
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
          .invalidCacheQuery, "\"\(String(item).prefix(100))\" is no sort order: write a field and asc or desc. \(CacheField.choice)")
      }
      guard !result.contains(where: { $0.field == field }) else {
        throw CacheError(.invalidCacheQuery, "The sort order names \"\(field.rawValue)\" twice; name each field once.")
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
  /// Text that a name, a tag, the source, the metadata or a dependency contains, or that the key begins with; with `*` or `?` in it a pattern
  /// of the whole.
  package var search: String?
  package var sort: [CacheSort] = [CacheSort(.lastUsed, descending: true)]
  package var limit: Int?
  package init() {}
}

/// Values that agree in a field.
package struct CacheGroup: Hashable, Sendable {
  /// The field's value as text; a day for times; empty where there is none.
  package var value: String
  package var entries: Int
  package var size: Int64
  package var hits: Int64
}

extension RenderCache {
  /// The stored values a query means, in its order.
  package func list(_ query: CacheQuery = CacheQuery()) throws(CacheError) -> [CacheRecord] {
    try flushForAdministration()
    let finder = try RowFinder(query, now: configuration.clock())
    // Rows are found and sorted by what the index has of them; what is shown is read of those that are left.
    return try index.query { (db) throws(SQLiteError) in try CacheRecord.find(db, ids: finder.rows(db)) }
  }

  /// The values a query means, grouped by a field, the largest group first.
  package func groups(_ query: CacheQuery = CacheQuery(), by field: CacheField) throws(CacheError) -> [CacheGroup] {
    try flushForAdministration()
    var sql = QuerySQL(now: configuration.clock())
    let condition = try sql.condition(query)
    let column = field == .tag ? "tag" : sql.column(field)
    let value = field.kind == .time ? "date(\(column) / 1000, 'unixepoch')" : column
    // A value has any number of tags, and is in the group of each.
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

  /// The records whose key begins with these hexadecimal digits, for keys shortened by people; at most `limit`.
  package func records(keyPrefix: String, limit: Int = 10) throws(CacheError) -> [CacheRecord] {
    var query = CacheQuery()
    guard !keyPrefix.isEmpty, keyPrefix.utf8.allSatisfy({ Hex.decode([$0, 0x30]) != nil }) else { return [] }
    query.filter = .comparison(.key, .matches, .text(keyPrefix.lowercased() + "*"))
    query.limit = limit
    return try list(query)
  }
}

extension CacheRecord {
  /// The whole record of an entry; nil where there is none that makes sense.
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

  /// Those of several entries, in this order.
  static func find(_ db: SQLiteDatabase, ids: [Int64]) throws(SQLiteError) -> [CacheRecord] {
    var records: [CacheRecord] = []
    records.reserveCapacity(ids.count)
    for id in ids {
      if let record = try find(db, id: id) { records.append(record) }
    }
    return records
  }

  /// All records whose key begins with the byte of this prefix, in the order of their keys.
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
