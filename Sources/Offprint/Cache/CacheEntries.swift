import OffprintRenderCache

extension CacheAdministration {
  /// A picture in the cache.
  public struct Entry: Hashable, Sendable, Codable {
    /// A file or address that the picture was made with.
    public struct Dependency: Hashable, Sendable, Codable {
      /// A path, or a URL.
      public var location: String
      /// Bytes it had; nil where there was nothing.
      public var bytes: Int?
    }
    /// In hexadecimal.
    public var key: String
    /// The names it was asked for under.
    public var identifiers: [String]
    /// The groups it belongs to.
    public var tags: [String]
    /// What the page was called: a file, say.
    public var source: String
    /// Device px.
    public var width: Int
    /// Device px.
    public var height: Int
    /// The size of the file.
    public var bytes: Int
    /// How often it was answered.
    public var hits: Int
    /// ISO 8601, UTC, to the second.
    public var created: String
    /// When it was last answered: ISO 8601, UTC, to the second.
    public var lastUsed: String
    /// What rendering it took.
    public var milliseconds: Double
    /// What it was made with besides the page.
    public var dependencies: [Dependency]
    /// Parts of its key: names, and values where they are short.
    public var parts: [String: String]
  }

  /// Which entries, and in which order.
  public struct Query: Hashable, Sendable {
    /// A condition such as `size > 100kB and (identifier ~ "card-*" or hits >= 3) and not age < 7d`. Fields: key, identifier, tag, source,
    /// size, width, height, created, lastUsed, hits, cost, metadata, dependency, age, unused. `~` takes `*` and `?`, or a part of the text.
    public var condition: String?
    /// Text that a name, a tag, the source or a dependency contains, or that the key begins with.
    public var search: String?
    /// `size desc, created` or `-size,created`; nil: the latest use first.
    public var sort: String?
    /// At most so many.
    public var limit: Int?

    public init(condition: String? = nil, search: String? = nil, sort: String? = nil, limit: Int? = nil) {
      self.condition = condition; self.search = search; self.sort = sort; self.limit = limit
    }
  }

  /// Entries that agree in a field.
  public struct Group: Hashable, Sendable, Codable {
    /// The field's value; a day for times; empty where there is none.
    public var value: String
    /// How many there are.
    public var entries: Int
    /// Of their pictures.
    public var bytes: Int
    /// How often they were answered.
    public var hits: Int
  }

  /// The entries that are meant, in their order.
  ///
  /// - Throws: `usage` for a query that makes no sense, `cacheUnusable`.
  public func entries(_ query: Query = Query()) throws(OffprintError) -> [Entry] {
    let query = try query.parsed()
    return try Self.mapped { () throws(CacheError) in try cache.list(query) }.map(Entry.init)
  }

  /// The entries that are meant, counted by the values of a field, the largest group first.
  ///
  /// - Throws: `usage` for a query that makes no sense, `cacheUnusable`.
  public func groups(_ query: Query = Query(), by field: String) throws(OffprintError) -> [Group] {
    let query = try query.parsed()
    let field = try Self.field(field)
    return try Self.mapped { () throws(CacheError) in try cache.groups(query, by: field) }.map {
      Group(value: $0.value, entries: $0.entries, bytes: Int(clamping: $0.size), hits: Int(clamping: $0.hits))
    }
  }

  static func field(_ name: String) throws(OffprintError) -> CacheField {
    if let field = CacheField(name: name) { return field }
    throw OffprintError(.usage, "There is no field '\(name)'. Fields: \(CacheField.allCases.map(\.rawValue).joined(separator: ", ")).")
  }

  /// The entries that a name stands for: an identifier, a key, or at least four digits that keys begin with. At most ten.
  ///
  /// - Throws: `cacheUnusable`.
  public func entries(named name: String) throws(OffprintError) -> [Entry] {
    try Self.mapped { () throws(CacheError) in
      if let record = try cache.record(identifier: name) { return [record] }
      return name.utf8.count >= 4 ? try cache.records(keyPrefix: name.lowercased()) : []
    }.map(Entry.init)
  }

  /// The picture of an entry; nil where it is missing or damaged. Counts as no use.
  public func picture(of entry: Entry) -> [UInt8]? { CacheKey(hex: entry.key).flatMap { cache.contents(of: $0) } }
}

extension CacheAdministration.Query {
  /// - Throws: `usage` where it makes no sense, or there is no such field to group by.
  public func check(group field: String? = nil) throws(OffprintError) {
    _ = try parsed()
    if let field { _ = try CacheAdministration.field(field) }
  }

  func parsed() throws(OffprintError) -> CacheQuery {
    try CacheAdministration.mapped { () throws(CacheError) in
      var query = CacheQuery()
      query.search = search
      query.limit = limit
      if let condition { query.filter = try CacheFilter.parse(condition) }
      if let sort { query.sort = try CacheSort.parse(sort) }
      return query
    }
  }
}

extension CacheAdministration.Entry {
  init(_ record: CacheRecord) {
    self.init(
      key: "\(record.key)", identifiers: record.identifiers, tags: record.tags, source: record.source, width: record.width,
      height: record.height, bytes: Int(clamping: record.size), hits: Int(clamping: record.hits), created: "\(record.created)",
      lastUsed: "\(record.lastUsed)", milliseconds: record.costMilliseconds,
      dependencies: record.dependencies.map {
        Dependency(location: $0.location, bytes: $0.digest == nil ? nil : Int(clamping: $0.size))
      },
      parts: Dictionary(record.parts.map { ($0.name, $0.summary) }, uniquingKeysWith: { first, _ in first }))
  }
}
