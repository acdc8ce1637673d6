import OffprintRenderCache

extension CacheAdministration {
  /// Statistics of a cache.
  public struct Statistics: Hashable, Sendable, Codable {
    /// The activity of one day, in UTC.
    public struct Day: Hashable, Sendable, Codable {
      /// `YYYY-MM-DD`.
      public var date: String
      /// Lookups that found an image.
      public var hits: Int
      /// Lookups that did not.
      public var misses: Int
      /// Images that were stored.
      public var stores: Int
      /// The rendering time saved by its hits.
      public var savedMilliseconds: Double
    }
    /// The number of entries.
    public var entries = 0
    /// Bytes of all images.
    public var bytes = 0
    /// Bytes of the index and its journal.
    public var indexBytes = 0
    /// Hits of the current entries.
    public var hits = 0
    /// Hits divided by lookups on the days below, from 0 to 1; nil without lookups.
    public var hitRate: Double?
    /// The time it took to render the current entries.
    public var renderMilliseconds = 0.0
    /// The rendering time saved by their hits.
    public var savedMilliseconds = 0.0
    /// When the oldest entry was created: ISO 8601, UTC.
    public var oldest: String?
    /// When the newest entry was created.
    public var newest: String?
    /// When an entry was last used.
    public var lastUsed: String?
    /// The version of the index.
    public var indexVersion = 0
    /// The latest first, at most 400. They include entries that no longer exist.
    public var days: [Day] = []

    /// The statistics of a missing cache.
    public init() {}
  }

  /// Statistics of the whole cache, in time independent of the number of entries.
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
