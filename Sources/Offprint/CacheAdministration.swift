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

    public init(entries: Int, bytes: Int, indexBytes: Int, hits: Int, renderMilliseconds: Double, savedMilliseconds: Double) {
      self.entries = entries; self.bytes = bytes; self.indexBytes = indexBytes; self.hits = hits
      self.renderMilliseconds = renderMilliseconds; self.savedMilliseconds = savedMilliseconds
    }
  }

  private let cache: RenderCache

  /// Opens the cache of a folder; makes none.
  ///
  /// - Throws: `cacheUnusable`, also where there is none.
  public init(folder: String) throws(OffprintError) {
    var configuration = RenderCacheConfiguration(folder: folder)
    configuration.createsFolder = false
    let opened = configuration
    cache = try Self.mapped { () throws(CacheError) in try RenderCache(opened) }
  }

  /// Removes all entries of the cache of a folder, whatever state its index is in: a damaged one too, and one of a newer version.
  ///
  /// - Returns: how many there were.
  /// - Throws: `cacheUnusable`, also where there is none, and for a folder of another program, of which nothing is changed.
  @discardableResult
  public static func clear(folder: String) throws(OffprintError) -> Int {
    try mapped { () throws(CacheError) in try RenderCache.clear(folder: folder).entries }
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
    var query = CacheQuery()
    query.sort = [CacheSort(sort.field, descending: sort != .identifier), CacheSort(.key)]
    query.limit = limit
    if let search, !search.isEmpty { query.filter = .comparison(.identifier, .matches, .text(search)) }
    let wanted = query
    return try Self.mapped { () throws(CacheError) in try cache.list(wanted) }.map(Entry.init)
  }

  private static func mapped<Value>(_ body: () throws(CacheError) -> Value) throws(OffprintError) -> Value {
    do throws(CacheError) {
      return try body()
    } catch {
      throw OffprintError(.cacheUnusable, error.message)
    }
  }
}

extension CacheAdministration.SortOrder {
  fileprivate var field: CacheField {
    switch self {
    case .lastUsed: .lastUsed
    case .created: .created
    case .size: .size
    case .hits: .hits
    case .cost: .cost
    case .identifier: .identifier
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
