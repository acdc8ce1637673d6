import OffprintRenderCache

extension CacheAdministration {
  /// An image in the cache.
  public struct Entry: Hashable, Sendable, Codable {
    /// A file or URL that the image was rendered with.
    public struct Dependency: Hashable, Sendable, Codable {
      /// A path, or a URL.
      public var location: String
      /// Its size when it was loaded; nil if it did not exist.
      public var bytes: Int?
    }
    /// In hexadecimal.
    public var key: String
    /// The identifiers that name it.
    public var identifiers: [String]
    /// Its tags.
    public var tags: [String]
    /// The name of the page, for example a file name.
    public var source: String
    /// Device px.
    public var width: Int
    /// Device px.
    public var height: Int
    /// The size of the file.
    public var bytes: Int
    /// The number of cache hits.
    public var hits: Int
    /// ISO 8601, UTC, to the second.
    public var created: String
    /// The time of the last use: ISO 8601, UTC, to the second.
    public var lastUsed: String
    /// The time it took to render.
    public var milliseconds: Double
    /// Resources used in addition to the page.
    public var dependencies: [Dependency]
    /// Parts of its key: names, and values if they are short.
    public var parts: [String: String]
  }

  /// Selects and sorts entries.
  public struct Query: Hashable, Sendable {
    /// A condition such as `size > 100kB and (identifier ~ "card-*" or hits >= 3) and not age < 7d`. Fields: key, identifier, tag, source,
    /// size, width, height, created, lastUsed, hits, cost, metadata, dependency, age, unused. `~` takes a pattern with `*` and `?`, or a
    /// substring.
    public var condition: String?
    /// Text that an identifier, a tag, the source or a dependency contains, or that the key begins with.
    public var search: String?
    /// `size desc, created` or `-size,created`; nil for the most recently used first.
    public var sort: String?
    /// The maximum number of entries.
    public var limit: Int?

    public init(condition: String? = nil, search: String? = nil, sort: String? = nil, limit: Int? = nil) {
      self.condition = condition; self.search = search; self.sort = sort; self.limit = limit
    }
  }

  /// Entries with the same value of a field.
  public struct Group: Hashable, Sendable, Codable {
    /// The field's value; the day for times; empty if there is no value.
    public var value: String
    /// The number of entries.
    public var entries: Int
    /// Bytes of their images.
    public var bytes: Int
    /// Their cache hits.
    public var hits: Int
  }

  /// The entries that match a query, in its order.
  ///
  /// - Throws: `usage` if the query is invalid, `cacheUnusable`.
  public func entries(_ query: Query = Query()) throws(OffprintError) -> [Entry] {
    let query = try query.parsed()
    return try Self.mapped { () throws(CacheError) in try cache.list(query) }.map(Entry.init)
  }

  /// The entries that match a query, counted by the values of a field, the largest group first.
  ///
  /// - Throws: `usage` if the query is invalid, `cacheUnusable`.
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

  /// The entries with a name: an identifier, a key, or at least four leading digits of keys. At most ten.
  ///
  /// - Throws: `cacheUnusable`.
  public func entries(named name: String) throws(OffprintError) -> [Entry] {
    try Self.mapped { () throws(CacheError) in
      if let record = try cache.record(identifier: name) { return [record] }
      return name.utf8.count >= 4 ? try cache.records(keyPrefix: name.lowercased()) : []
    }.map(Entry.init)
  }

  /// The image of an entry; nil if it is missing or damaged. Does not count as a use.
  public func image(of entry: Entry) -> [UInt8]? { CacheKey(hex: entry.key).flatMap { cache.contents(of: $0) } }

  /// The former name of ``image(of:)``.
  @available(*, deprecated, renamed: "image(of:)") public func picture(of entry: Entry) -> [UInt8]? { image(of: entry) }
}

extension CacheAdministration.Query {
  /// - Throws: `usage` if the query is invalid, or the field to group by does not exist.
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
