internal import Foundation
internal import GRDB

/// What stored values can be asked about.
public enum CacheField: String, Hashable, Sendable, CaseIterable {
  case key, identifier, size, width, height, created, lastUsed, hits, cost, metadata
  /// The location of a dependency.
  case dependency
  /// Time since it was made, in milliseconds.
  case age
  /// Time since it was last used, in milliseconds.
  case unused

  /// The field of a name as people write it: letter case, `-` and `_` do not count.
  public init?(name: String) {
    let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
    guard let field = Self.allCases.first(where: { $0.rawValue.lowercased() == plain }) else { return nil }
    self = field
  }

  enum Kind { case text, bytes, number, time, duration }

  var kind: Kind {
    switch self {
    case .key, .identifier, .metadata, .dependency: .text
    case .size: .bytes
    case .width, .height, .hits: .number
    case .created, .lastUsed: .time
    case .age, .unused, .cost: .duration
    }
  }
}

public enum CacheValue: Hashable, Sendable {
  case integer(Int64)
  case real(Double)
  case text(String)
}

/// Which stored values are meant.
public indirect enum CacheFilter: Hashable, Sendable {
  public enum Operator: String, Hashable, Sendable {
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

public struct CacheSort: Hashable, Sendable {
  public var field: CacheField
  public var isDescending: Bool
  public init(_ field: CacheField, descending: Bool = false) {
    self.field = field
    isDescending = descending
  }

  /// `size desc, created` or `-size,created`.
  public static func parse(_ text: String) throws(CacheError) -> [CacheSort] {
    var result: [CacheSort] = []
    for item in text.split(separator: ",") {
      let words = item.split(separator: " ")
      let name = words.first.map(String.init) ?? ""
      let isNegated = name.hasPrefix("-")
      guard let field = CacheField(name: isNegated ? String(name.dropFirst()) : name), field != .dependency, words.count <= 2,
        words.count < 2 || words[1].lowercased() == "asc" || words[1].lowercased() == "desc"
      else { throw CacheError(.invalidCacheQuery, "\"\(item)\" is no sort order: write a field and asc or desc. \(CacheField.choice)") }
      result.append(CacheSort(field, descending: isNegated || (words.count == 2 && words[1].lowercased() == "desc")))
    }
    return result
  }
}

extension CacheField {
  static var choice: String { "Fields: " + allCases.map(\.rawValue).joined(separator: ", ") + "." }
}

public struct CacheQuery: Sendable {
  public var filter: CacheFilter = .all
  /// Text that a name, the metadata, a dependency or the key's beginning contains.
  public var search: String?
  public var sort: [CacheSort] = [CacheSort(.lastUsed, descending: true)]
  public var limit: Int?
  public init() {}
}

/// Values that agree in a field.
public struct CacheGroup: Hashable, Sendable {
  /// The field's value as text; a day for times; empty where there is none.
  public var value: String
  public var entries: Int
  public var size: Int64
  public var hits: Int64
}

extension RenderCache {
  /// The stored values a query means, in its order.
  public func list(_ query: CacheQuery = CacheQuery()) throws(CacheError) -> [CacheRecord] {
    try? flush()  // where it cannot be written it can still be read
    var sql = QuerySQL(now: configuration.clock())
    let condition = sql.condition(query)
    let order = (query.sort.map { "\(sql.column($0.field)) \($0.isDescending ? "DESC" : "ASC")" } + ["entry.id"]).joined(separator: ", ")
    let limit = query.limit.map { " LIMIT \(max($0, 0))" } ?? ""
    let arguments = sql.arguments
    return try index.read { db in
      try Row.fetchAll(
        db, sql: "SELECT \(QuerySQL.columns) FROM entry WHERE \(condition) ORDER BY \(order)\(limit)",
        arguments: StatementArguments(arguments)
      ).compactMap { try Self.record($0, db) }
    }
  }

  /// The values a query means, grouped by a field, the largest group first.
  public func groups(_ query: CacheQuery = CacheQuery(), by field: CacheField) throws(CacheError) -> [CacheGroup] {
    try? flush()
    var sql = QuerySQL(now: configuration.clock())
    let condition = sql.condition(query)
    let value = field.kind == .time ? "date(\(sql.column(field)) / 1000, 'unixepoch')" : sql.column(field)
    let arguments = sql.arguments
    return try index.read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT CAST(\(value) AS TEXT) AS value, COUNT(*), SUM(size), SUM(hits) FROM entry WHERE \(condition)
          GROUP BY value ORDER BY SUM(size) DESC, value
          """, arguments: StatementArguments(arguments)
      ).map { CacheGroup(value: $0[0] ?? "", entries: $0[1], size: $0[2], hits: $0[3]) }
    }
  }

  /// Removes what a filter means.
  @discardableResult
  public func remove(where filter: CacheFilter) throws(CacheError) -> CacheRemoval {
    try flush()
    var sql = QuerySQL(now: configuration.clock())
    let condition = sql.condition(filter, depth: 0)
    return try remove(keys(sql: "SELECT key FROM entry WHERE \(condition)", StatementArguments(sql.arguments)))
  }

  public func record(_ key: CacheKey) throws(CacheError) -> CacheRecord? {
    try? flush()
    return try index.read { db in
      try Row.fetchOne(db, sql: "SELECT \(QuerySQL.columns) FROM entry WHERE key = ?", arguments: [Data(key.bytes)])
        .flatMap { try Self.record($0, db) }
    }
  }

  public func record(identifier: String) throws(CacheError) -> CacheRecord? {
    try? flush()
    guard let key = try key(identifier: identifier) else { return nil }
    return try record(key)
  }

  /// The records whose key begins with these hexadecimal digits, for keys shortened by people; at most `limit`.
  public func records(keyPrefix: String, limit: Int = 10) throws(CacheError) -> [CacheRecord] {
    var query = CacheQuery()
    guard !keyPrefix.isEmpty, keyPrefix.utf8.allSatisfy({ Hex.decode([$0, 0x30]) != nil }) else { return [] }
    query.filter = .comparison(.key, .matches, .text(keyPrefix.lowercased() + "*"))
    query.limit = limit
    return try list(query)
  }

  static func record(_ row: Row, _ db: Database) throws -> CacheRecord? {
    guard let key = CacheKey(row[1] as Data) else { return nil }
    let id: Int64 = row[0]
    let names = try String.fetchAll(
      db.cachedStatement(sql: "SELECT identifier FROM name WHERE entry = ? ORDER BY identifier"), arguments: [id])
    return CacheRecord(
      key: key, identifiers: names, size: row[2], checksum: CacheIndex.bytes(row, 3), width: row[4], height: row[5],
      created: CacheTime(milliseconds: row[6]), lastUsed: CacheTime(milliseconds: row[7]), hits: row[8], costMilliseconds: row[9],
      parts: PartsText.decode(row[10]), metadata: row[11], dependencies: try CacheIndex.dependencies(db, id))
  }
}

/// A query as SQL. Values are always arguments, never text of the statement.
struct QuerySQL {
  static let columns = "entry.id, key, size, checksum, width, height, created, lastUsed, hits, cost, parts, metadata"
  private static let firstName = "(SELECT min(identifier) FROM name WHERE name.entry = entry.id)"

  let now: CacheTime
  private(set) var arguments: [(any DatabaseValueConvertible)?] = []

  init(now: CacheTime) { self.now = now }

  /// The field as an expression over `entry`.
  func column(_ field: CacheField) -> String {
    switch field {
    case .key: "lower(hex(key))"
    case .identifier: Self.firstName
    case .size, .width, .height, .created, .lastUsed, .hits, .cost, .metadata: field.rawValue
    case .dependency: "(SELECT location FROM dependency WHERE dependency.entry = entry.id AND position = 0)"
    case .age: "(\(now.milliseconds) - created)"
    case .unused: "(\(now.milliseconds) - lastUsed)"
    }
  }

  mutating func condition(_ query: CacheQuery) -> String {
    let filter = condition(query.filter, depth: 0)
    guard let search = query.search, !search.isEmpty else { return filter }
    let places = [CacheField.identifier, .metadata, .dependency].map { comparison($0, .matches, .text(search)) }
    let key = comparison(.key, .matches, .text(search.lowercased() + "*"))
    return "\(filter) AND (\((places + [key]).joined(separator: " OR ")))"
  }

  mutating func condition(_ filter: CacheFilter, depth: Int) -> String {
    guard depth < 100 else { return "0" }
    switch filter {
    case .all: return "1"
    case .comparison(let field, let comparator, let value): return comparison(field, comparator, value)
    case .and(let filters): return joined(filters, " AND ", empty: "1", depth)
    case .or(let filters): return joined(filters, " OR ", empty: "0", depth)
    case .not(let filter): return "NOT (\(condition(filter, depth: depth + 1)))"
    }
  }

  private mutating func joined(_ filters: [CacheFilter], _ separator: String, empty: String, _ depth: Int) -> String {
    var conditions: [String] = []
    for filter in filters { conditions.append(condition(filter, depth: depth + 1)) }
    return conditions.isEmpty ? empty : "(" + conditions.joined(separator: separator) + ")"
  }

  private mutating func comparison(_ field: CacheField, _ comparator: CacheFilter.Operator, _ value: CacheValue) -> String {
    switch field {
    case .identifier, .dependency:
      // A value has any number of these: one that fits is enough, and "not equal" means none is.
      let table = field == .identifier ? "name" : "dependency"
      let name = field == .identifier ? "identifier" : "location"
      let positive = comparator == .notEqual ? .equal : comparator
      let test = "EXISTS (SELECT 1 FROM \(table) AS other WHERE other.entry = entry.id AND \(test("other.\(name)", positive, value)))"
      return comparator == .notEqual ? "NOT " + test : test
    default: return test(column(field), comparator, value)
    }
  }

  private mutating func test(_ column: String, _ comparator: CacheFilter.Operator, _ value: CacheValue) -> String {
    switch (comparator, value) {
    case (.matches, .text(let text)):
      let isPattern = text.contains("*") || text.contains("?")
      arguments.append(isPattern ? Self.likePattern(text) : "%" + Self.escaped(text) + "%")
      return "\(column) LIKE ? ESCAPE '\\'"
    case (.matches, _):
      arguments.append(Self.databaseValue(value))
      return "\(column) = ?"
    default:
      arguments.append(Self.databaseValue(value))
      return "\(column) \(comparator.rawValue) ?"
    }
  }

  private static func databaseValue(_ value: CacheValue) -> any DatabaseValueConvertible {
    switch value {
    case .integer(let number): number
    case .real(let number): number
    case .text(let text): text
    }
  }

  private static func escaped(_ text: String) -> String {
    String(text.flatMap { $0 == "%" || $0 == "_" || $0 == "\\" ? ["\\", $0] : [$0] })
  }

  private static func likePattern(_ text: String) -> String {
    String(escaped(text).map { $0 == "*" ? "%" : $0 == "?" ? "_" : $0 })
  }
}
