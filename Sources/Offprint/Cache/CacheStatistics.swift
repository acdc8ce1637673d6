import OffprintRenderCache

extension CacheAdministration {
  /// Figures of a cache.
  public struct Statistics: Hashable, Sendable, Codable {
    /// What was done on a day, in UTC.
    public struct Day: Hashable, Sendable, Codable {
      /// `YYYY-MM-DD`.
      public var date: String
      /// Look-ups that were answered.
      public var hits: Int
      /// Look-ups that were not.
      public var misses: Int
      /// Pictures that were kept.
      public var stores: Int
      /// What its hits saved.
      public var savedMilliseconds: Double
    }
    /// How many there are.
    public var entries = 0
    /// Of all pictures.
    public var bytes = 0
    /// Of index and journal.
    public var indexBytes = 0
    /// How often the entries that are there were answered.
    public var hits = 0
    /// Hits of all look-ups on the days below, 0 to 1; nil where there were none.
    public var hitRate: Double?
    /// What rendering all that is in it took.
    public var renderMilliseconds = 0.0
    /// What its hits saved.
    public var savedMilliseconds = 0.0
    /// When the oldest entry was made: ISO 8601, UTC.
    public var oldest: String?
    /// When the newest was made.
    public var newest: String?
    /// When one was last used.
    public var lastUsed: String?
    /// The version of the index.
    public var indexVersion = 0
    /// The latest first, at most 400. They remember entries that are gone.
    public var days: [Day] = []

    /// Of a cache that is not there.
    public init() {}
  }

  /// Figures of the whole cache. Costs the same however many entries there are.
  ///
  /// - Throws: `cacheUnusable`.
  public func statistics() throws(OffprintError) -> Statistics {
    let stats = try Self.mapped { () throws(CacheError) in try cache.stats() }
    var result = Statistics()
    (result.entries, result.bytes, result.indexBytes) = (stats.entries, Int(clamping: stats.size), Int(clamping: stats.indexSize))
    (result.hits, result.hitRate) = (Int(clamping: stats.totalHits), stats.hitRate)
    (result.renderMilliseconds, result.savedMilliseconds) = (stats.totalCostMilliseconds, stats.savedMilliseconds)
    (result.oldest, result.newest) = (stats.oldest.map { "\($0)" }, stats.newest.map { "\($0)" })
    result.lastUsed = stats.lastUsed.map { "\($0)" }
    result.indexVersion = stats.schemaVersion
    result.days = stats.days.map {
      Statistics.Day(
        date: $0.description, hits: Int(clamping: $0.figures.hits), misses: Int(clamping: $0.figures.misses),
        stores: Int(clamping: $0.figures.stores), savedMilliseconds: $0.figures.savedMilliseconds)
    }
    return result
  }
}
