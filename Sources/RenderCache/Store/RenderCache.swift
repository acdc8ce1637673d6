package import OffprintCoreTypes
internal import Dispatch
internal import Synchronization

/// Keeps byte strings under keys, on disk and the latest also in memory. Knows nothing of what the bytes are.
///
/// On disk: `objects/ab/abcdef….png`, each complete before it has its name, and `index.sqlite` with everything else. Files and rows
/// change together under the index's write lock. Any number of threads and processes may use one folder. What it promises, and the tests that
/// prove it, stands in `docs/cache.md`.
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
  /// When closing began, work in the background ends by then.
  let closing = Mutex<Deadline?>(nil)

  var objects: ObjectFolder { folder.objects }

  /// Opens the cache of a folder: makes it when there is none, migrates the index of an older version, makes a damaged one anew from what
  /// is left of it.
  ///
  /// - Parameter deadline: how long to wait for an index that another process holds or migrates.
  /// - Throws: `notACache` for a folder that is another program's; `noCache` where there is none and none is to be made;
  ///   `cacheFromNewerVersion`; `cacheBusy`; `cacheDiskFull`, `cacheReadOnly` and `cacheUnusable` for what the system refuses.
  package convenience init(_ configuration: RenderCacheConfiguration, deadline: Deadline = Deadline(after: .seconds(10))) throws(CacheError)
  {
    try self.init(configuration, schema: .current, deadline: deadline)
  }

  init(
    _ configuration: RenderCacheConfiguration, schema: IndexSchema, deadline: Deadline = Deadline(after: .seconds(10))
  ) throws(CacheError) {
    self.configuration = configuration
    // With a name of nothing its files would be those of the file system's root.
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
  }

  deinit { try? flush() }

  /// The version of the index this program writes.
  package static var schemaVersion: Int { IndexSchema.current.version }
  /// The version the index had before it was opened: less than `schemaVersion` when opening migrated it, 0 when there was none or it was
  /// made anew.
  package var openedSchemaVersion: Int { index.openedVersion }

  /// The file of locks, or nil where there can be none: then each process works for itself.
  func sharedLocks() -> FileLocks? { try? locks.open() }

  // MARK: Looking up

  /// The value of `key`, when there is one, it is intact, and nothing it depends on has changed. Any failure is a miss. Never waits for
  /// another process for longer than some milliseconds.
  /// - Parameters:
  ///   - identifier: a name that becomes the name of this value.
  ///   - tags: are added to those the value has.
  ///   - countsMiss: false where `value` is asked for the same next, which counts.
  package func lookup(_ key: CacheKey, identifier: String? = nil, tags: [String] = [], countsMiss: Bool = true) -> CacheEntry? {
    if let entry = find(key) {
      noteHit(entry, CacheLabel(identifier: identifier, tags: tags))
      return entry
    }
    if countsMiss { noteMiss() }
    return nil
  }

  /// The value of `key` where it is in memory and depends on nothing outside: the disk is not touched.
  package func lookupInMemory(_ key: CacheKey, identifier: String? = nil, tags: [String] = []) -> CacheEntry? {
    guard configuration.memoryTierBytes > 0, let entry = memory.withLock({ $0.entry(key) }), entry.dependencies.isEmpty else { return nil }
    noteHit(entry, CacheLabel(identifier: identifier, tags: tags))
    return entry
  }

  /// Counts a use of the value of `key`, whose bytes nobody wants now; nil where there is none. A file that is as large as it was and was not
  /// changed since it was stored counts as whole: who reads it looks at its bytes. Any other is read.
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

  /// The value of `key` as the index has it, with its SHA-256, without reading it; nil where there is none, and where it depends on what may have
  /// changed.
  package func known(_ key: CacheKey) -> (use: CacheUse, checksum: [UInt8])? {
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
      case .unreadable: return nil  // it may be whole
      case .missing, .wrong: seen = row.checksum  // between row and file another process may have replaced both: look once more
      }
    }
    heal(key)
    return nil
  }

  /// The bytes a row means, `.wrong` where their checksum is another.
  func readObject(_ row: IndexRow) -> FileSystem.Contents {
    let contents = objects.read(row.key, size: row.size)
    if case .bytes(let data) = contents, SHA256.hash(data) != row.checksum { return .wrong }
    return contents
  }

  /// Removes a row whose file is missing or damaged, or that makes no sense, unless it was replaced meanwhile.
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

  /// - Parameter saved: milliseconds that making the value took.
  private func noteHit(_ key: CacheKey, saved: Double, _ label: CacheLabel) {
    counters.withLock { $0.hits += 1 }
    let now = configuration.clock()
    let isDue = pending.withLock { pending in
      pending.noteHit(key, now, label, saved: saved)
      return pending.isDue(now)
    }
    if isDue { background.async { try? self.flush() } }
  }

  private func noteMiss() {
    counters.withLock { $0.misses += 1 }
    pending.withLock { $0.add(.init(misses: 1), on: configuration.clock()) }
  }

  /// The latest value stored or found under a name. A name that looks like a key has none, whatever an index says.
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

/// What this process did with the cache.
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

/// The file of locks, opened when first needed.
final class SharedLocks: Sendable {
  private let path: String
  private let locks = Mutex<FileLocks?>(nil)

  init(path: String) { self.path = path }

  func open() throws(CacheError) -> FileLocks {
    if let known = locks.withLock({ $0 }) { return known }
    let made = try FileLocks(path: path)
    return locks.withLock { locks in
      let first = locks ?? made
      locks = first
      return first
    }
  }

  func close() { locks.withLock { $0 = nil } }
}
