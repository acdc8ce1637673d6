import RenderCache

/// A cache as its owner looks after it.
public struct CacheAdministration: Sendable {
  /// What a list of entries is sorted by: the largest or latest first, names from A.
  public enum SortOrder: String, Sendable, CaseIterable { case lastUsed = "last-used", created, size, hits, cost, identifier }

  /// A picture in the cache.
  public struct Entry: Hashable, Sendable, Codable {
    /// In hexadecimal.
    public var key: String
    /// The names it was asked for under.
    public var identifiers: [String]
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
  }

  /// Figures of a cache.
  public struct Statistics: Hashable, Sendable, Codable {
    /// How many there are.
    public var entries: Int
    /// Of all pictures.
    public var bytes: Int
    /// Of the index.
    public var indexBytes: Int
    /// How often it was answered.
    public var hits: Int
    /// What rendering all that is in it took.
    public var renderMilliseconds: Double
    /// What its hits saved.
    public var savedMilliseconds: Double
  }

  private let cache: RenderCache

  /// - Throws: `cacheUnusable`.
  public init(folder: String) throws(OffprintError) {
    cache = try Self.mapped { () throws(CacheError) in try RenderCache(RenderCacheConfiguration(folder: folder)) }
  }

  /// Figures of the whole cache.
  ///
  /// - Throws: `cacheUnusable`.
  public func statistics() throws(OffprintError) -> Statistics {
    let stats = try Self.mapped { () throws(CacheError) in try cache.stats() }
    return Statistics(
      entries: Int(stats.entries), bytes: Int(stats.size), indexBytes: Int(stats.indexSize), hits: Int(stats.totalHits),
      renderMilliseconds: stats.totalCostMilliseconds, savedMilliseconds: stats.savedMilliseconds)
  }

  /// Removes all entries. - Returns: how many there were.
  public func clear() throws(OffprintError) -> Int { try Self.mapped { () throws(CacheError) in try cache.clear().entries } }

  /// How many there are.
  /// - Parameters:
  ///   - search: a part of an identifier; nil for all.
  ///   - limit: at most so many.
  /// - Throws: `cacheUnusable`.
  public func entries(sort: SortOrder, search: String?, limit: Int?) throws(OffprintError) -> [Entry] {
    var records = try Self.mapped { () throws(CacheError) in try cache.list() }
    if let search { records.removeAll { record in !record.identifiers.contains { $0.contains(search) } } }
    records.sort { Self.precedes($0, $1, sort) }
    return records.prefix(limit ?? records.count).map(Entry.init)
  }

  private static func precedes(_ a: CacheRecord, _ b: CacheRecord, _ order: SortOrder) -> Bool {
    switch order {
    case .lastUsed where a.lastUsed != b.lastUsed: b.lastUsed < a.lastUsed
    case .created where a.created != b.created: b.created < a.created
    case .size where a.size != b.size: b.size < a.size
    case .hits where a.hits != b.hits: b.hits < a.hits
    case .cost where a.costMilliseconds != b.costMilliseconds: b.costMilliseconds < a.costMilliseconds
    case .identifier where a.identifiers != b.identifiers: a.identifiers.lexicographicallyPrecedes(b.identifiers)
    default: a.key.description < b.key.description
    }
  }

  private static func mapped<Value>(_ body: () throws(CacheError) -> Value) throws(OffprintError) -> Value {
    do throws(CacheError) {
      return try body()
    } catch {
      throw OffprintError(.cacheUnusable, error.message)
    }
  }
}

extension CacheAdministration.Entry {
  init(_ record: CacheRecord) {
    self.init(
      key: "\(record.key)", identifiers: record.identifiers, width: Int(record.width), height: Int(record.height), bytes: Int(record.size),
      hits: Int(record.hits), created: "\(record.created)", lastUsed: "\(record.lastUsed)", milliseconds: record.costMilliseconds)
  }
}
