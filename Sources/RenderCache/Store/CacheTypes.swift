package import OffprintCoreTypes
internal import Glibc

/// A moment in milliseconds since 1970 (UTC).
package struct CacheTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var milliseconds: Int64
  package init(milliseconds: Int64) { self.milliseconds = milliseconds }
  package static func < (a: CacheTime, b: CacheTime) -> Bool { a.milliseconds < b.milliseconds }

  /// The machine's clock.
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

/// Something outside the key that a value was made from: what must still be so for the value to be right.
package struct CacheDependency: Hashable, Sendable {
  /// The absolute path of a file; otherwise a URL.
  package var location: String
  package var isFile: Bool
  /// SHA-256 of the contents; nil where there was no such thing.
  package var digest: [UInt8]?
  package var size: Int64
  /// When the file was last changed, in nanoseconds since 1970; 0 where that is not known.
  package var modified: Int64

  package init(location: String, isFile: Bool = true, digest: [UInt8]?, size: Int64 = 0, modified: Int64 = 0) {
    self.location = location
    self.isFile = isFile
    self.digest = digest
    self.size = size
    self.modified = modified
  }
}

/// A value to be stored and what is known about it.
package struct ProducedValue: Sendable {
  package var data: [UInt8]
  /// Size in pixels, 0 where it has none.
  package var width: Int
  package var height: Int
  /// What making it took.
  package var costMilliseconds: Double
  package var dependencies: [CacheDependency]
  /// The ingredients of the key, for explanations.
  package var parts: [CacheKeyPart]
  /// Anything the caller wants back on a hit.
  package var metadata: String
  /// What it was made from, for people: the page's file, say.
  package var source: String
  /// A name under which this becomes the latest value.
  package var identifier: String?
  /// What it can be removed by together with others.
  package var tags: [String]
  /// False for a value that must not be kept, such as a degraded render.
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
  /// Where it came from just now.
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

/// What is known of a stored value without its bytes.
package struct CacheUse: Sendable {
  package var key: CacheKey
  /// Bytes.
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

/// What `value(for:)` answers.
package struct CacheOutcome: Sendable {
  package var entry: CacheEntry
  package var wasCached: Bool
  /// Why the value was made but could not be kept.
  package var storeFailure: CacheError?
}

/// What the index knows of a stored value.
package struct CacheRecord: Hashable, Sendable {
  package var key: CacheKey
  /// The names it is the latest value of.
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
  /// What it was made from, for people.
  package var source: String
  package var metadata: String
  package var dependencies: [CacheDependency]
}

extension CacheRecord {
  /// What no record has more of: sums of them are numbers.
  static let mostSize: Int64 = 1 << 40, mostHits: Int64 = 1 << 40, mostCost = 1e12

  init(_ key: CacheKey, _ value: ProducedValue, checksum: [UInt8], now: CacheTime) {
    let cost = value.costMilliseconds
    self.init(
      key: key, identifiers: value.identifier.map { [$0] } ?? [], tags: value.tags, size: Int64(value.data.count), checksum: checksum,
      width: max(value.width, 0), height: max(value.height, 0), created: now, lastUsed: now, hits: 0,
      costMilliseconds: cost.isFinite ? max(cost, 0) : 0, parts: value.parts, source: value.source, metadata: value.metadata,
      dependencies: value.dependencies)
  }
}

/// What a use of a value adds to it.
struct CacheLabel {
  /// A name that becomes the name of the value.
  var identifier: String?
  var tags: [String] = []
}

/// What was done on a day, in UTC.
package struct CacheDay: Hashable, Sendable {
  package struct Figures: Hashable, Sendable {
    package var hits: Int64 = 0
    package var misses: Int64 = 0
    package var stores: Int64 = 0
    /// What the hits would have cost.
    package var savedMilliseconds = 0.0

    mutating func add(_ other: Figures) {
      hits += other.hits
      misses += other.misses
      stores += other.stores
      savedMilliseconds += other.savedMilliseconds
    }
  }
  /// Its first moment.
  package var start: CacheTime
  package var figures: Figures

  static let milliseconds: Int64 = 86_400_000
  static func number(_ time: CacheTime) -> Int64 { Int64((Double(time.milliseconds) / Double(milliseconds)).rounded(.down)) }

  /// `YYYY-MM-DD`.
  package var description: String { String(start.description.prefix(10)) }
}

package struct RenderCacheConfiguration: Sendable {
  package var folder: String
  /// Bytes of images, names and tags to keep; trimming starts above and ends a tenth below.
  package var maxSize: Int64 = 1 << 30
  /// What was not used for so long is trimmed; nil keeps it.
  package var maxAge: Duration?
  /// Bytes of pictures kept in memory; 0 for none.
  package var memoryTierBytes = 32 << 20
  /// Whether files are synced before they get their name. Off, a power failure can leave damaged files, which heal.
  package var synchronizesFiles = true
  /// How long to wait for another process that makes the same value, where the deadline of the request is not earlier.
  package var lockTimeout: Duration = .seconds(30)
  /// How long storing a value waits for an index that another process holds; then its row is written later.
  package var patience: Duration = .milliseconds(250)
  /// How many identifiers that name nothing an owner keeps.
  package var maxUnusedClaims = 100_000
  /// Whether a folder without a cache gets one. Off, opening such a folder is the error `noCache`, and nothing is made.
  package var createsFolder = true
  package var clock: @Sendable () -> CacheTime = CacheTime.now
  /// Whether a dependency that is no file is still what it was, asked by a deadline that those of one value share; without it, it counts as
  /// changed.
  package var revalidate: (@Sendable (CacheDependency, Deadline) -> Bool)?
  /// How long all dependencies of one value that are no files may take to be looked at.
  package var revalidationTimeout: Duration = .seconds(2)
  /// What other machines use as well; closed with the cache.
  package var tier: SecondTier?

  package init(folder: String) { self.folder = folder }
}
