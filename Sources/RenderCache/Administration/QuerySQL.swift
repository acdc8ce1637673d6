/// Translates a query to SQL. Values are always bound as arguments and never become part of the statement's text.
struct QuerySQL {
  private static let firstName = "(SELECT min(identifier) FROM name WHERE name.entry = entry.id)"

  let now: CacheTime
  /// Whether rows that contain a text are collected first, from a covering index. Otherwise the text is tested row by row, which is faster
  /// for few rows.
  private let gathersTexts: Bool
  private(set) var arguments: [SQLiteValue] = []

  init(now: CacheTime, gathersTexts: Bool = true) {
    self.now = now
    self.gathersTexts = gathersTexts
  }

  /// The field as an expression over `entry`.
  func column(_ field: CacheField) -> String {
    switch field {
    case .key: "lower(hex(key))"
    case .identifier: Self.firstName
    case .tag: "(SELECT min(tag) FROM tag WHERE tag.entry = entry.id)"
    case .source, .size, .width, .height, .created, .lastUsed, .hits, .cost, .metadata: field.rawValue
    case .dependency: "(SELECT location FROM dependency WHERE dependency.entry = entry.id AND position = 0)"
    case .age: "(\(now.milliseconds) - created)"
    case .unused: "(\(now.milliseconds) - lastUsed)"
    }
  }

  mutating func condition(_ query: CacheQuery) throws(CacheError) -> String {
    let filter = try condition(query.filter, depth: 0)
    guard let search = query.search, !search.isEmpty else { return filter }
    guard search.utf8.count <= CacheFilterParser.longestValue else {
      throw CacheError(.invalidCacheQuery, "The text to search for has more than \(CacheFilterParser.longestValue) bytes.")
    }
    return "\(filter) AND \(self.search(search))"
  }

  private mutating func search(_ text: String) -> String {
    let places = [("name", "identifier"), ("tag", "tag"), ("dependency", "location")].map { table, column in
      "SELECT entry FROM \(table) WHERE \(part(text, of: [column]))"
    }
    var sets = places, tests: [String] = []
    func add(_ test: String) { if gathersTexts { sets.append("SELECT id FROM entry WHERE \(test)") } else { tests.append(test) } }
    add(part(text, of: ["source", "metadata"]))
    if let range = Self.keys(text.hasSuffix("*") ? text : text + "*") {
      arguments.append(contentsOf: [.blob(range.lower), .blob(range.upper)])
      add("key BETWEEN ? AND ?")
    }
    return "(" + (["entry.id IN (\(sets.joined(separator: " UNION ALL ")))"] + tests).joined(separator: " OR ") + ")"
  }

  /// A condition that one of the columns contains `text`, or matches it if it is a pattern.
  private mutating func part(_ text: String, of columns: [String]) -> String {
    guard text.contains("*") || text.contains("?") else {
      arguments.append(.text(text))
      return "\(TextSearch.name)(?, \(columns.joined(separator: ", ")))"
    }
    return columns.map { column in
      arguments.append(.text(Self.likePattern(text)))
      return "\(column) LIKE ? ESCAPE '\\'"
    }.joined(separator: " OR ")
  }

  /// - Throws: `invalidCacheQuery` if the condition is nested deeper than SQLite allows.
  mutating func condition(_ filter: CacheFilter, depth: Int) throws(CacheError) -> String {
    guard depth < 200 else { throw CacheError(.invalidCacheQuery, "The condition is nested deeper than 200 levels.") }
    switch filter {
    case .all: return "1"
    case .comparison(let field, let comparator, let value): return comparison(field, comparator, value)
    case .and(let filters): return try joined(filters, " AND ", empty: "1", depth)
    case .or(let filters): return try joined(filters, " OR ", empty: "0", depth)
    case .not(let filter): return "NOT (\(try condition(filter, depth: depth + 1)))"
    }
  }

  private mutating func joined(_ filters: [CacheFilter], _ separator: String, empty: String, _ depth: Int) throws(CacheError) -> String {
    var conditions: [String] = []
    for filter in filters { conditions.append(try condition(filter, depth: depth + 1)) }
    return conditions.isEmpty ? empty : "(" + conditions.joined(separator: separator) + ")"
  }

  private mutating func comparison(_ field: CacheField, _ comparator: CacheFilter.Operator, _ value: CacheValue) -> String {
    switch field {
    case .key:
      guard comparator == .matches, case .text(let text) = value, let range = Self.keys(text) else { break }
      arguments.append(contentsOf: [.blob(range.lower), .blob(range.upper)])
      return "key BETWEEN ? AND ?"
    case .identifier, .tag, .dependency:
      // An entry can have several values of these fields: one match is enough, and "not equal" means that none matches.
      let (table, name) = field == .identifier ? ("name", "identifier") : field == .tag ? ("tag", "tag") : ("dependency", "location")
      let positive = comparator == .notEqual ? .equal : comparator
      let test = "entry.id IN (SELECT other.entry FROM \(table) AS other WHERE \(test("other.\(name)", positive, value)))"
      return comparator == .notEqual ? "NOT " + test : test
    case .source, .metadata:
      guard gathersTexts, comparator == .matches || comparator == .equal else { break }
      return "entry.id IN (SELECT other.id FROM entry AS other WHERE \(test("other.\(field.rawValue)", comparator, value)))"
    default: break
    }
    return test(column(field), comparator, value)
  }

  /// The range of keys that begin with the digits before the `*` of a pattern; nil if the pattern has another form.
  private static func keys(_ pattern: String) -> (lower: [UInt8], upper: [UInt8])? {
    let digits = Array(pattern.lowercased().utf8.dropLast())
    guard pattern.utf8.last == UInt8(ascii: "*"), digits.count <= 64 else { return nil }
    func padded(_ digit: Character) -> [UInt8]? {
      Hex.decode(digits + Array(repeating: digit, count: 64 - digits.count).flatMap { Array($0.utf8) })
    }
    guard let lower = padded("0"), let upper = padded("f") else { return nil }
    return (lower, upper)
  }

  private mutating func test(_ column: String, _ comparator: CacheFilter.Operator, _ value: CacheValue) -> String {
    switch (comparator, value) {
    case (.matches, .text(let text)): return part(text, of: [column])
    case (.matches, _):
      arguments.append(Self.databaseValue(value))
      return "\(column) = ?"
    default:
      arguments.append(Self.databaseValue(value))
      return "\(column) \(comparator.rawValue) ?"
    }
  }

  private static func databaseValue(_ value: CacheValue) -> SQLiteValue {
    switch value {
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(text)
    }
  }

  private static func escaped(_ text: String) -> String {
    String(text.flatMap { $0 == "%" || $0 == "_" || $0 == "\\" ? ["\\", $0] : [$0] })
  }

  private static func likePattern(_ text: String) -> String {
    String(escaped(text).map { $0 == "*" ? "%" : $0 == "?" ? "_" : $0 })
  }
}
