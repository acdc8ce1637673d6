import RenderCache

/// A cache as the command line shows it.
public struct CacheAdministration: Sendable {
  public enum SortOrder: String, Sendable, CaseIterable { case lastUsed = "last-used", created, size, hits, cost, identifier }

  public struct Entry: Sendable {
    /// For people: key, picture size, bytes, hits, identifiers.
    public var line: String
    public var json: String
  }

  private let cache: RenderCache

  /// - Throws: `cacheUnusable`.
  public init(folder: String) throws(OffprintError) {
    cache = try Self.mapped { () throws(CacheError) in try RenderCache(RenderCacheConfiguration(folder: folder)) }
  }

  public func statistics() throws(OffprintError) -> [(name: String, value: Double)] {
    let stats = try Self.mapped { () throws(CacheError) in try cache.stats() }
    return [
      ("entries", Double(stats.entries)), ("bytes", Double(stats.size)), ("indexBytes", Double(stats.indexSize)),
      ("hits", Double(stats.totalHits)), ("renderMilliseconds", stats.totalCostMilliseconds),
      ("savedMilliseconds", stats.savedMilliseconds),
    ]
  }

  /// Removes all entries. - Returns: how many there were.
  public func clear() throws(OffprintError) -> Int { try Self.mapped { () throws(CacheError) in try cache.clear().entries } }

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
    line =
      "\(record.key)  \(record.width)×\(record.height)  \(record.size) bytes  \(record.hits) hits  \(record.identifiers.joined(separator: ", "))"
    json =
      JSONValue.object([
        "key": .string("\(record.key)"), "identifiers": .array(record.identifiers.map { .string($0) }),
        "width": .number(Double(record.width)),
        "height": .number(Double(record.height)), "bytes": .number(Double(record.size)), "hits": .number(Double(record.hits)),
        "created": .string("\(record.created)"), "lastUsed": .string("\(record.lastUsed)"),
        "milliseconds": .number(record.costMilliseconds),
      ]).text
  }
}
