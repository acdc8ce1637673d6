/// Finds the rows that match a query, in its order, while reading as little as possible.
struct RowFinder {
  /// How many rows are read in the requested order, with random access. If these are not enough, all rows are read in storage order, which
  /// costs a third per row.
  private let fewRows: Int

  private struct Condition {
    var text: String
    var arguments: [SQLiteValue]

    init(_ query: CacheQuery, now: CacheTime, gathersTexts: Bool) throws(CacheError) {
      var sql = QuerySQL(now: now, gathersTexts: gathersTexts)
      text = try sql.condition(query)
      arguments = sql.arguments
    }
  }

  /// The condition for reading few rows, and for reading all of them.
  private let few: Condition
  private let all: Condition
  private let sort: [(field: CacheField, column: String, direction: String)]
  private let limit: Int?

  init(_ query: CacheQuery, now: CacheTime, fewRows: Int = 10_000) throws(CacheError) {
    self.fewRows = fewRows
    few = try Condition(query, now: now, gathersTexts: false)
    all = try Condition(query, now: now, gathersTexts: true)
    let sql = QuerySQL(now: now)
    sort = query.sort.map { ($0.field, sql.column($0.field), $0.isDescending ? "DESC" : "ASC") }
    limit = query.limit.map { max($0, 0) }
  }

  /// The row ids.
  func rows(_ db: SQLiteDatabase) throws(SQLiteError) -> [Int64] {
    if sort.first?.field == .identifier, let limit { return try rowsByName(db, limit) }
    if isIndexed, let limit, limit <= fewRows / 2 {
      let first = "(SELECT * FROM entry ORDER BY \(order()) LIMIT \(fewRows)) AS entry"
      let found = try select(db, "SELECT entry.id FROM \(first) WHERE \(few.text) ORDER BY \(order())", few, limit)
      if found.count >= limit { return found }
    }
    return try select(db, "SELECT entry.id FROM entry WHERE \(all.text) ORDER BY \(order("+"))", all, limit)
  }

  /// Whether an index provides the requested order.
  private var isIndexed: Bool {
    switch sort.first?.field {
    case .lastUsed, .created: true
    default: false
    }
  }

  /// A `+` before a column keeps SQLite from using an index for it: https://www.sqlite.org/optoverview.html#uplus
  private func order(_ prefix: String = "", after count: Int = 0) -> String {
    (sort.dropFirst(count).map { "\(prefix)\($0.column) \($0.direction)" } + ["entry.id"]).joined(separator: ", ")
  }

  private func select(
    _ db: SQLiteDatabase, _ statement: String, _ condition: Condition, _ limit: Int?
  ) throws(SQLiteError) -> [Int64] {
    try db.all(statement + (limit.map { " LIMIT \($0)" } ?? ""), condition.arguments) { $0.integer(0) }
  }

  // MARK: Sorting by identifier

  /// Sorts by identifier. Rows without one come first when ascending, last when descending; rows with several sort by the first.
  private func rowsByName(_ db: SQLiteDatabase, _ limit: Int) throws(SQLiteError) -> [Int64] {
    let isAscending = sort.first?.direction == "ASC"
    var rows = isAscending ? try unnamed(db, limit) : try named(db, limit)
    if rows.count < limit { rows += isAscending ? try named(db, limit - rows.count) : try unnamed(db, limit - rows.count) }
    return rows
  }

  private func unnamed(_ db: SQLiteDatabase, _ limit: Int) throws(SQLiteError) -> [Int64] {
    let hasName = "EXISTS (SELECT 1 FROM name WHERE name.entry = entry.id)"
    return try select(
      db, "SELECT entry.id FROM entry WHERE NOT \(hasName) AND \(all.text) ORDER BY \(order(after: 1))", all, limit)
  }

  private func named(_ db: SQLiteDatabase, _ limit: Int) throws(SQLiteError) -> [Int64] {
    let hasEarlier = "EXISTS (SELECT 1 FROM name AS earlier WHERE earlier.entry = first.entry AND earlier.identifier < first.identifier)"
    return try select(
      db,
      """
      SELECT entry.id FROM name AS first CROSS JOIN entry ON entry.id = first.entry
      WHERE NOT \(hasEarlier) AND \(all.text) ORDER BY first.identifier \(sort.first?.direction ?? "ASC"), \(order(after: 1))
      """, all, limit)
  }
}
