package import OffprintCoreTypes
internal import Dispatch
internal import Synchronization

/// Stores byte strings under keys, on disk and the most recent ones also in memory. It does not interpret the bytes.
///
/// On disk: `objects/ab/abcdef….png`, each complete before it gets its name, and `index.sqlite` with everything else. Files and rows change
/// together under the index's write lock. Any number of threads and processes can use one folder. Its guarantees, and the tests for them,
/// are described in `docs/cache.md`.
package final class RenderCache: Sendable {
  package let configuration: RenderCacheConfiguration
  let folder: CacheFolder
  let index: CacheIndex
  let background = DispatchQueue(label: "offprint.cache.background", qos: .utility)
  let locks: SharedLocks
  let memory: Mutex<MemoryTier>
  let pending = Mutex(PendingUses())
  let backlog = Mutex(Backlog())
  let flights = Mutex<[CacheKey: Flight]>([:])
  let counters = Mutex(CacheCounters())
  /// Set when closing begins: the time by which background work must end.
  let closing = Mutex<Deadline?>(nil)

  var objects: ObjectFolder { folder.objects }

  /// Opens the cache of a folder. A missing cache is created, an older index migrated, a damaged one rebuilt from what is readable.
  ///
  /// - Parameter deadline: How long to wait for an index that another process holds or migrates.
  /// - Throws: `notACache` if the folder belongs to another program; `noCache` if there is no cache and none is to be created;
  ///   `cacheFromNewerVersion`; `cacheBusy`; `cacheDiskFull`, `cacheReadOnly` and `cacheUnusable` for system errors.
  package convenience init(_ configuration: RenderCacheConfiguration, deadline: Deadline = Deadline(after: .seconds(10))) throws(CacheError)
  {
    try self.init(configuration, schema: .current, deadline: deadline)
  }

  init(
    _ configuration: RenderCacheConfiguration, schema: IndexSchema, deadline: Deadline = Deadline(after: .seconds(10))
  ) throws(CacheError) {
    self.configuration = configuration
    // With an empty path, the files would be in the root of the file system.
    guard !configuration.folder.isEmpty else { throw CacheError(.cacheUnusable, "The name of the cache folder is empty.") }
    let folder = CacheFolder(path: configuration.folder)
    self.folder = folder
    memory = Mutex(MemoryTier(capacity: max(configuration.memoryTierBytes, 0)))
    switch folder.kind {
    case .foreign: try folder.refuseForeign()
    case .absent where !configuration.createsFolder: throw CacheError(.noCache, "There is no cache in \"\(folder.path)\".")
    case .absent, .cache: break
    }
    try folder.prepare()
    folder.removeLeftovers()
    let locks = SharedLocks(path: folder.lock)
    self.locks = locks
    index = try CacheIndex(opener: IndexOpener(folder: folder, schema: schema), deadline: deadline) { try locks.open() }
    if let tier = configuration.tier, tier.configuration.followsRemovals { RemovalFollower(self, tier).start() }
  }

  deinit { try? flush() }

  /// The index version this program writes.
  package static var schemaVersion: Int { IndexSchema.current.version }
  /// The version the index had before it was opened: lower than `schemaVersion` if it was migrated, 0 if it was created or rebuilt.
  package var openedSchemaVersion: Int { index.openedVersion }

  /// The lock file; nil if it cannot be opened, in which case processes do not coordinate.
  func sharedLocks() -> FileLocks? { try? locks.open() }

  // MARK: Lookup

  /// The value of `key` if it exists, is intact, and all its dependencies are unchanged. Any failure is a miss. Waits for other processes
  /// for a few milliseconds at most.
  /// - Parameters:
  ///   - identifier: An identifier that will name this value.
  ///   - tags: Added to the tags of the value.
  ///   - countsMiss: False if the caller continues with `value`, which counts the miss.
  package func lookup(_ key: CacheKey, identifier: String? = nil, tags: [String] = [], countsMiss: Bool = true) -> CacheEntry? {
    if let entry = find(key) {
      noteHit(entry, CacheLabel(identifier: identifier, tags: tags))
      return entry
    }
    if countsMiss { noteMiss() }
    return nil
  }

  /// The value of `key` if it is in memory and has no dependencies. Does not access the disk.
  package func lookupInMemory(_ key: CacheKey, identifier: String? = nil, tags: [String] = []) -> CacheEntry? {
    // With a second tier, names are written to it, which takes longer than a lookup in memory may.
    guard configuration.memoryTierBytes > 0, identifier == nil || configuration.tier == nil,
      let entry = memory.withLock({ $0.entry(key) }), entry.dependencies.isEmpty
    else { return nil }
    noteHit(entry, CacheLabel(identifier: identifier, tags: tags))
    return entry
  }

  /// Counts a use of the value of `key` without returning its bytes; nil if it does not exist. A file with the recorded size and no later
  /// modification counts as intact, since readers verify its contents. Otherwise the file is read.
  package func use(_ key: CacheKey, identifier: String? = nil, tags: [String] = []) -> CacheUse? {
    guard let use = untouched(key) ?? find(key).map(CacheUse.init) else { return nil }
    noteHit(key, saved: use.costMilliseconds, CacheLabel(identifier: identifier, tags: tags))
    return use
  }

  private func untouched(_ key: CacheKey) -> CacheUse? {
    guard let found = try? index.lookup({ (db) throws(SQLiteError) in try IndexRows.find(db, key) }), case .row(let row) = found,
      firstChange(row.dependencies) == nil, objects.isUntouched(row)
    else { return nil }
    return CacheUse(row)
  }

  /// The index's record of `key` and the value's SHA-256, without reading the value; nil if there is no value, or if it has dependencies,
  /// which may have changed.
  package func indexedUse(_ key: CacheKey) -> (use: CacheUse, checksum: [UInt8])? {
    guard let found = try? index.lookup({ (db) throws(SQLiteError) in try IndexRows.find(db, key) }), case .row(let row) = found,
      row.dependencies.isEmpty
    else { return nil }
    return (CacheUse(row), row.checksum)
  }

  func find(_ key: CacheKey) -> CacheEntry? { lookupMemory(key) ?? lookupDisk(key) ?? lookupBacklog(key) }

  private func lookupMemory(_ key: CacheKey) -> CacheEntry? {
    guard configuration.memoryTierBytes > 0, let entry = memory.withLock({ $0.entry(key) }) else { return nil }
    if firstChange(entry.dependencies) == nil { return entry }
    memory.withLock { $0.remove(key) }
    return nil
  }

  private func lookupDisk(_ key: CacheKey) -> CacheEntry? {
    var seen: [UInt8]?
    for _ in 0..<2 {
      guard let found = try? index.lookup({ (db) throws(SQLiteError) in try IndexRows.find(db, key) }) else { return nil }
      guard case .row(let row) = found else {
        if case .broken = found { heal(key) }
        return nil
      }
      if row.checksum == seen { break }
      guard firstChange(row.dependencies) == nil else { return nil }
      switch readObject(row) {
      case .bytes(let data):
        let entry = CacheEntry(row, data: data)
        if configuration.memoryTierBytes > 0 { memory.withLock { $0.insert(entry) } }
        return entry
      case .unreadable: return nil  // it may be intact
      case .missing, .wrong: seen = row.checksum  // another process may have replaced row and file in between: check once more
      }
    }
    heal(key)
    return nil
  }

  /// The bytes of a row's value; `.wrong` if the checksum differs.
  func readObject(_ row: IndexRow) -> FileSystem.Contents {
    let contents = objects.read(row.key, size: row.size)
    if case .bytes(let data) = contents, SHA256.hash(data) != row.checksum { return .wrong }
    return contents
  }

  /// Deletes a row that is malformed or whose file is missing or damaged, unless it was replaced meanwhile.
  @discardableResult
  func heal(_ key: CacheKey, patience: Duration? = nil) -> Bool {
    let healed = try? index.write(Deadline(after: patience ?? configuration.patience)) { db in
      switch try IndexRows.find(db, key) {
      case .none: return false
      case .broken: break
      case .row(let row):
        let contents = readObject(row)
        guard contents == .missing || contents == .wrong else { return false }
      }
      _ = try IndexRows.delete(db, key)
      objects.remove(key)
      return true
    }
    if healed == true { counters.withLock { $0.healed += 1 } }
    return healed ?? false
  }

  func noteHit(_ entry: CacheEntry, _ label: CacheLabel) { noteHit(entry.key, saved: entry.costMilliseconds, label) }

  /// - Parameter saved: The milliseconds it took to produce the value.
  private func noteHit(_ key: CacheKey, saved: Double, _ label: CacheLabel) {
    counters.withLock { $0.hits += 1 }
    let now = configuration.clock()
    let isDue = pending.withLock { pending in
      pending.noteHit(key, now, label, saved: saved)
      return pending.isDue(now)
    }
    if isDue { background.async { try? self.flush() } }
    shareLabel(label, key)
  }

  private func noteMiss() {
    counters.withLock { $0.misses += 1 }
    pending.withLock { $0.add(.init(misses: 1), on: configuration.clock()) }
  }

  /// The value an identifier names. Identifiers that look like keys name nothing, whatever the index contains.
  package func entry(identifier: String) -> CacheEntry? {
    if CacheKey.isKeyShaped(identifier) { return nil }
    let named = pending.withLock { $0.names[identifier] }
    guard let key = named ?? (try? key(identifier: identifier)) else { return nil }
    return lookup(key)
  }

  func key(identifier: String) throws(CacheError) -> CacheKey? {
    if CacheKey.isKeyShaped(identifier) { return nil }
    return try index.lookup { (db) throws(SQLiteError) in
      try db.first("SELECT key FROM entry JOIN name ON name.entry = entry.id WHERE identifier = ?", [.text(identifier)]) { $0.key(0) }
    }
  }
}

/// Activity of this process.
struct CacheCounters: Sendable {
  var hits = 0
  var misses = 0
  var stores = 0
  var storeFailures = 0
  var healed = 0
  var temporaries = 0
  var storesSinceTrim = 0
  var isTrimming = false
}

/// The lock file, opened on first use.
final class SharedLocks: Sendable {
  private let path: String
  private let locks = Mutex<FileLocks?>(nil)

  init(path: String) { self.path = path }

  func open() throws(CacheError) -> FileLocks {
    if let cached = locks.withLock({ $0 }) { return cached }
    let made = try FileLocks(path: path)
    return locks.withLock { locks in
      let first = locks ?? made
      locks = first
      return first
    }
  }

  func close() { locks.withLock { $0 = nil } }
}
