package import OffprintCoreTypes
internal import Glibc

/// A time in milliseconds since 1970 (UTC).
package struct CacheTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var milliseconds: Int64
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }
  package static func < (a: CacheTime, b: CacheTime) -> Bool { a.milliseconds < b.milliseconds }

  /// The time of the system's clock.
  @Sendable package static func now() -> CacheTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return CacheTime(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
  }

  /// ISO 8601 in UTC, to the second.
  package var description: String {
    var seconds = time_t(milliseconds / 1000)
    var parts = tm()
    guard gmtime_r(&seconds, &parts) != nil else { return "\(milliseconds)" }
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

/// A resource a value was made from, apart from its key. The value is valid as long as the resource is unchanged.
package struct CacheDependency: Hashable, Sendable {
  /// The absolute path of a file; otherwise a URL.
  package var location: String
  package var isFile: Bool
  /// SHA-256 of the contents; nil if the resource did not exist.
  package var digest: [UInt8]?
  package var size: Int64
  /// The file's modification time in nanoseconds since 1970; 0 if unknown.
  package var modified: Int64

  package init(location: String, isFile: Bool = true, digest: [UInt8]?, size: Int64 = 0, modified: Int64 = 0) {
    self.location = location
    self.isFile = isFile
    self.digest = digest
    self.size = size
    self.modified = modified
  }
}

/// A value to store, with its properties.
package struct ProducedValue: Sendable {
  package var data: [UInt8]
  /// Size in pixels; 0 if not applicable.
  package var width: Int
  package var height: Int
  /// The time it took to produce.
  package var costMilliseconds: Double
  package var dependencies: [CacheDependency]
  /// The parts of the key, for explanations.
  package var parts: [CacheKeyPart]
  /// Opaque text of the caller, returned on a hit.
  package var metadata: String
  /// Its origin, to show to people: for example the path of the page.
  package var source: String
  /// An identifier that will name this value.
  package var identifier: String?
  /// Labels to remove values by.
  package var tags: [String]
  /// False for a value that must not be stored, such as a degraded render.
  package var isStorable: Bool

  package init(
    data: [UInt8], width: Int = 0, height: Int = 0, costMilliseconds: Double = 0, dependencies: [CacheDependency] = [],
    parts: [CacheKeyPart] = [], metadata: String = "", source: String = "", identifier: String? = nil, tags: [String] = [],
    isStorable: Bool = true
  ) {
    self.data = data
    self.width = width
    self.height = height
    self.costMilliseconds = costMilliseconds
    self.dependencies = dependencies
    self.parts = parts
    self.metadata = metadata
    self.source = source
    self.identifier = identifier
    self.tags = tags
    self.isStorable = isStorable
  }
}

/// A stored value, as a hit returns it.
package struct CacheEntry: Sendable {
  package enum Tier: String, Sendable { case memory, disk, shared, produced }
  package var key: CacheKey
  package var data: [UInt8]
  package var width: Int
  package var height: Int
  package var created: CacheTime
  package var costMilliseconds: Double
  package var metadata: String
  package var dependencies: [CacheDependency]
  /// Which tier answered this lookup.
  package var tier: Tier

  init(_ key: CacheKey, _ value: ProducedValue, created: CacheTime) {
    self.key = key
    data = value.data
    width = value.width
    height = value.height
    self.created = created
    costMilliseconds = value.costMilliseconds
    metadata = value.metadata
    dependencies = value.dependencies
    tier = .produced
  }

  init(_ row: IndexRow, data: [UInt8]) {
    key = row.key
    self.data = data
    width = row.width
    height = row.height
    created = row.created
    costMilliseconds = row.costMilliseconds
    metadata = row.metadata
    dependencies = row.dependencies
    tier = .disk
  }
}

/// The properties of a stored value, without its bytes.
package struct CacheUse: Sendable {
  package var key: CacheKey
  /// In bytes.
  package var size: Int
  package var width: Int
  package var height: Int
  package var metadata: String
  var costMilliseconds: Double

  init(_ row: IndexRow) {
    self.init(
      key: row.key, size: Int(clamping: row.size), width: row.width, height: row.height, metadata: row.metadata,
      costMilliseconds: row.costMilliseconds)
  }

  init(_ entry: CacheEntry) {
    self.init(
      key: entry.key, size: entry.data.count, width: entry.width, height: entry.height, metadata: entry.metadata,
      costMilliseconds: entry.costMilliseconds)
  }

  private init(key: CacheKey, size: Int, width: Int, height: Int, metadata: String, costMilliseconds: Double) {
    self.key = key; self.size = size; self.width = width; self.height = height
    self.metadata = metadata; self.costMilliseconds = costMilliseconds
  }
}

/// The result of `value(for:)`.
package struct CacheOutcome: Sendable {
  package var entry: CacheEntry
  package var wasCached: Bool
  /// Why the value could not be stored, if it was produced.
  package var storeFailure: CacheError?
}

/// The index's record of a stored value.
package struct CacheRecord: Hashable, Sendable {
  package var key: CacheKey
  /// The identifiers that name it.
  package var identifiers: [String]
  package var tags: [String]
  package var size: Int64
  package var checksum: [UInt8]
  package var width: Int
  package var height: Int
  package var created: CacheTime
  package var lastUsed: CacheTime
  package var hits: Int64
  package var costMilliseconds: Double
  package var parts: [CacheKeyPart]
  /// Its origin, to show to people.
  package var source: String
  package var metadata: String
  package var dependencies: [CacheDependency]
}

extension CacheRecord {
  /// Upper bounds of the fields of a record, so that sums over all records cannot overflow.
  static let maximumSize: Int64 = 1 << 40, maximumHits: Int64 = 1 << 40, maximumCost = 1e12

  init(_ key: CacheKey, _ value: ProducedValue, checksum: [UInt8], now: CacheTime) {
    let cost = value.costMilliseconds
    self.init(
      key: key, identifiers: value.identifier.map { [$0] } ?? [], tags: value.tags, size: Int64(value.data.count), checksum: checksum,
      width: max(value.width, 0), height: max(value.height, 0), created: now, lastUsed: now, hits: 0,
      costMilliseconds: cost.isFinite ? max(cost, 0) : 0, parts: value.parts, source: value.source, metadata: value.metadata,
      dependencies: value.dependencies)
  }
}

/// The names and tags that a use adds to a value.
struct CacheLabel {
  /// An identifier that will name the value.
  var identifier: String?
  var tags: [String] = []
}

/// The activity of one day, in UTC.
package struct CacheDay: Hashable, Sendable {
  package struct Figures: Hashable, Sendable {
    package var hits: Int64 = 0
    package var misses: Int64 = 0
    package var stores: Int64 = 0
    /// The rendering time saved by the hits.
    package var savedMilliseconds = 0.0

    mutating func add(_ other: Figures) {
      hits += other.hits
      misses += other.misses
      stores += other.stores
      savedMilliseconds += other.savedMilliseconds
    }
  }
  /// The start of the day.
  package var start: CacheTime
  package var figures: Figures

  static let milliseconds: Int64 = 86_400_000
  static func number(_ time: CacheTime) -> Int64 { Int64((Double(time.milliseconds) / Double(milliseconds)).rounded(.down)) }

  /// `YYYY-MM-DD`.
  package var description: String { String(start.description.prefix(10)) }
}

package struct RenderCacheConfiguration: Sendable {
  package var folder: String
  /// Limit for the bytes of images, identifiers and tags. Trimming starts above it and ends a tenth below.
  package var maxSize: Int64 = 1 << 30
  /// Entries unused for longer than this are trimmed; nil disables trimming by age.
  package var maxAge: Duration?
  /// Bytes of images kept in memory; 0 disables the memory tier.
  package var memoryTierBytes = 32 << 20
  /// Whether files are synced before they are renamed. If not, a power failure can leave damaged files, which heal.
  package var synchronizesFiles = true
  /// How long to wait for another process that produces the same value, limited by the request's deadline.
  package var lockTimeout: Duration = .seconds(30)
  /// How long storing a value waits for an index that another process holds; after that, its row is written later.
  package var patience: Duration = .milliseconds(250)
  /// How many claimed identifiers without a value an owner keeps.
  package var maxUnusedClaims = 100_000
  /// Whether a missing cache is created. If not, opening such a folder throws `noCache` and creates nothing.
  package var createsFolder = true
  package var clock: @Sendable () -> CacheTime = CacheTime.now
  /// Whether a dependency that is not a file is unchanged. The dependencies of one value share the deadline. If nil, such dependencies
  /// count as changed.
  package var revalidate: (@Sendable (CacheDependency, Deadline) -> Bool)?
  /// The time limit for revalidating all dependencies of a value that are not files.
  package var revalidationTimeout: Duration = .seconds(2)
  /// A second tier shared with other machines; closed with the cache.
  package var tier: SecondTier?

  package init(folder: String) { self.folder = folder }
}
