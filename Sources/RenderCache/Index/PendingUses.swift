internal import OffprintCoreTypes

/// Hit and miss records that are kept in memory and written to the index in batches.
struct PendingUses {
  struct Use {
    var hits: Int64 = 0
    var lastUsed: CacheTime
    var tags: Set<ByteString> = []
  }
  private(set) var uses: [CacheKey: Use] = [:]
  var names: [ByteString: CacheKey] = [:]
  /// New modification times, by location, of files that were touched but have the same contents.
  var times: [ByteString: CacheDependency] = [:]
  /// Statistics by day since 1970, in UTC.
  private(set) var days: [Int64: CacheDay.Figures] = [:]
  private var count = 0
  /// When the first of them was noted, or `isDue` last returned true.
  private var since: CacheTime?

  /// Whether to write them now. Called after each note; true every 1024 hits and once a minute.
  mutating func isDue(_ now: CacheTime) -> Bool {
    let start = since ?? now
    let isDue = count % 1024 == 0 || now.milliseconds - start.milliseconds >= 60_000
    since = isDue ? now : start
    return isDue
  }

  var isEmpty: Bool { uses.isEmpty && names.isEmpty && times.isEmpty && days.isEmpty }

  mutating func noteHit(_ key: CacheKey, _ time: CacheTime, _ label: CacheLabel, saved: Double) {
    var use = uses[key] ?? Use(lastUsed: time)
    use.hits += 1
    use.lastUsed = time
    use.tags.formUnion(label.tags.lazy.map { ByteString($0) })
    uses[key] = use
    if let identifier = label.identifier { names[identifier] = key }
    add(.init(hits: 1, savedMilliseconds: saved), on: time)
    count += 1
  }

  mutating func add(_ figures: CacheDay.Figures, on time: CacheTime) { days[CacheDay.number(time), default: .init()].add(figures) }

  mutating func remove(_ key: CacheKey) {
    uses[key] = nil
    names = names.filter { $0.value != key }
  }

  /// Adds back uses that could not be written; newer values take precedence.
  mutating func merge(_ earlier: PendingUses) {
    for (key, use) in earlier.uses {
      var merged = uses[key] ?? Use(lastUsed: use.lastUsed)
      merged.hits += use.hits
      merged.lastUsed = max(merged.lastUsed, use.lastUsed)
      merged.tags.formUnion(use.tags)
      uses[key] = merged
    }
    names.merge(earlier.names) { new, _ in new }
    times.merge(earlier.times) { new, _ in new }
    for (day, figures) in earlier.days { days[day, default: .init()].add(figures) }
  }
}
