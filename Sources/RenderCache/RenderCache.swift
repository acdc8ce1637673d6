public import CoreTypes
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Keeps byte strings under keys, on disk and the latest also in memory. Knows nothing of what the bytes are.
///
/// On disk: `objects/ab/abcdef….png`, each complete before it has its name, and `index.sqlite` with everything else. Files and rows
/// change together under the index's write lock. Any number of threads and processes may use one folder.
public final class RenderCache: Sendable {
  public let configuration: RenderCacheConfiguration
  let index: CacheIndex
  let objects: String
  let temporary: String
  let background = DispatchQueue(label: "offprint.cache.background", qos: .utility)
  private let locks = Mutex<FileLocks?>(nil)
  let memory: Mutex<MemoryTier>
  let pending = Mutex(PendingUses())
  let flights = Mutex<[CacheKey: Flight]>([:])
  let counters = Mutex(CacheCounters())

  /// Opens the cache of a folder; makes it when there is none, migrates the index of an older version.
  public convenience init(_ configuration: RenderCacheConfiguration) throws(CacheError) {
    try self.init(configuration, schema: .current)
  }

  init(_ configuration: RenderCacheConfiguration, schema: IndexSchema) throws(CacheError) {
    self.configuration = configuration
    let folder = configuration.folder
    objects = folder + "/objects"
    temporary = folder + "/temporary"
    memory = Mutex(MemoryTier(capacity: max(configuration.memoryTierBytes, 0)))
    if !FileSystem.exists(temporary) {
      try FileSystem.makeFolder(temporary)
      try FileSystem.makeFolder(objects)
    } else {
      _ = FileSystem.removeLeftovers(in: temporary)
    }
    index = try CacheIndex(opener: IndexOpener(folder: folder, schema: schema)) { try FileLocks(path: folder + "/lock") }
  }

  deinit { try? flush() }

  /// The version of the index this program writes.
  public static var schemaVersion: Int { IndexSchema.current.version }
  /// The version the index had before it was opened: less than `schemaVersion` when opening migrated it, 0 when there was none.
  public var openedSchemaVersion: Int { index.openedVersion }

  func objectPath(_ key: CacheKey) -> String {
    let name = key.description
    return objects + "/" + name.prefix(2) + "/" + name + ".png"
  }

  // MARK: Looking up

  /// The value of `key`, when there is one, it is intact, and nothing it depends on has changed. Any failure is a miss.
  /// - Parameter identifier: a name that becomes the name of this value.
  public func lookup(_ key: CacheKey, identifier: String? = nil) -> CacheEntry? {
    if let entry = lookupMemory(key) ?? lookupDisk(key) {
      noteUse(key, identifier)
      return entry
    }
    counters.withLock { $0.misses += 1 }
    return nil
  }

  /// The value of `key` where it is in memory and depends on nothing outside: the disk is not touched.
  public func lookupInMemory(_ key: CacheKey, identifier: String? = nil) -> CacheEntry? {
    guard configuration.memoryTierBytes > 0, let entry = memory.withLock({ $0.entry(key) }), entry.dependencies.isEmpty else { return nil }
    noteUse(key, identifier)
    return entry
  }

  private func lookupMemory(_ key: CacheKey) -> CacheEntry? {
    guard configuration.memoryTierBytes > 0, let entry = memory.withLock({ $0.entry(key) }) else { return nil }
    if firstChange(entry.dependencies) == nil { return entry }
    memory.withLock { $0.remove(key) }
    return nil
  }

  private func lookupDisk(_ key: CacheKey) -> CacheEntry? {
    var seen: [UInt8]?
    for _ in 0..<2 {
      guard let row = try? index.read({ try CacheIndex.find($0, key) }) else { return nil }
      if row.checksum == seen { break }
      guard firstChange(row.dependencies) == nil else { return nil }
      if let data = readObject(row) {
        let entry = CacheEntry(row, data: data)
        if configuration.memoryTierBytes > 0 { memory.withLock { $0.insert(entry) } }
        return entry
      }
      seen = row.checksum  // between row and file another process may have replaced both: look once more
    }
    heal(key)
    return nil
  }

  func readObject(_ row: IndexRow) -> [UInt8]? {
    guard let data = FileSystem.read(objectPath(row.key), size: Int(row.size)) else { return nil }
    return SHA256.hash(data) == row.checksum ? data : nil
  }

  /// Removes a row whose file is missing or damaged, unless it was replaced meanwhile.
  @discardableResult
  func heal(_ key: CacheKey) -> Bool {
    let healed = try? index.write { db in
      guard let row = try CacheIndex.find(db, key), readObject(row) == nil else { return false }
      try CacheIndex.delete(db, key)
      unlink(objectPath(key))
      return true
    }
    if healed == true { counters.withLock { $0.healed += 1 } }
    return healed ?? false
  }

  private func noteUse(_ key: CacheKey, _ identifier: String?) {
    counters.withLock { $0.hits += 1 }
    let now = configuration.clock()
    let isDue = pending.withLock { pending in
      pending.note(key, now, identifier: identifier)
      return pending.isDue(now)
    }
    if isDue { background.async { try? self.flush() } }
  }

  /// The latest value stored or found under a name.
  public func entry(identifier: String) -> CacheEntry? {
    let named = pending.withLock { $0.names[identifier] }
    guard let key = named ?? (try? key(identifier: identifier)) else { return nil }
    return lookup(key)
  }

  // MARK: Storing

  /// Keeps a value. When it cannot be kept the reason is thrown, and nothing half written remains.
  public func store(_ key: CacheKey, _ value: ProducedValue) throws(CacheError) {
    do throws(CacheError) {
      try write(key, value)
    } catch {
      counters.withLock { $0.storeFailures += 1 }
      throw error
    }
    counters.withLock { $0.stores += 1 }
    trimWhenTooLarge(added: Int64(value.data.count))
  }

  private func write(_ key: CacheKey, _ value: ProducedValue) throws(CacheError) {
    var value = value
    let now = configuration.clock()
    value.dependencies = value.dependencies.map(RacyTimes.guarded)
    let number = counters.withLock { counters in
      counters.temporaries += 1
      return counters.temporaries
    }
    let name = "\(getpid())-\(UInt(bitPattern: ObjectIdentifier(self).hashValue))-\(number).png"
    let temporaryPath = temporary + "/" + name
    try FileSystem.write(value.data, to: temporaryPath, synchronized: configuration.synchronizesFiles)
    let checksum = SHA256.hash(value.data)
    let path = objectPath(key)
    var isRenamed = false
    do throws(CacheError) {
      try index.write { db in
        try CacheIndex.upsert(db, key, value, checksum: checksum, now: now)
        try move(temporaryPath, to: path)
        isRenamed = true
      }
    } catch {
      // A row of an earlier value may be left without its file: that is a miss, and heals.
      unlink(isRenamed ? path : temporaryPath)
      throw error
    }
    if configuration.synchronizesFiles, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
      FileSystem.synchronizeFolder(String(path[..<slash]))
    }
    if let identifier = value.identifier { pending.withLock { $0.names[identifier] = nil } }
    if configuration.memoryTierBytes > 0 { memory.withLock { $0.insert(CacheEntry(key, value, created: now)) } }
  }

  private func move(_ source: String, to path: String) throws(CacheError) {
    if rename(source, path) == 0 { return }
    if errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) {
      try FileSystem.makeFolder(String(path[..<slash]))
      if rename(source, path) == 0 { return }
    }
    throw CacheError(errno: errno, "write", path)
  }

  // MARK: One production

  /// The value of `key`, from the cache or made by `produce`, which runs once however many threads and processes ask at a time; the others
  /// wait for it. Blocks the calling thread. Rethrows what `produce` throws; that the cache fails is no error here.
  /// - Parameters:
  ///   - refresh: makes the value anew and stores it, whatever is stored.
  ///   - deadline: ends waiting for others.
  public func value(
    for key: CacheKey, identifier: String? = nil, refresh: Bool = false, deadline: Deadline = .never, produce: () throws -> ProducedValue
  ) throws -> CacheOutcome {
    if refresh { return make(key, identifier, try produce()) }
    if let entry = lookup(key, identifier: identifier) { return CacheOutcome(entry: entry, wasCached: true) }
    let (flight, isLeader) = flights.withLock { flights in
      if let flight = flights[key] { return (flight, false) }
      let flight = Flight()
      flights[key] = flight
      return (flight, true)
    }
    if isLeader { return try lead(flight, key, identifier, deadline, produce) }
    if var outcome = try flight.wait(deadline) {
      outcome.wasCached = true
      noteUse(key, identifier)
      return outcome
    }
    // Whoever made it failed, perhaps for reasons of its own such as a deadline: the others no longer wait for each other.
    if let entry = lookup(key, identifier: identifier) { return CacheOutcome(entry: entry, wasCached: true) }
    return make(key, identifier, try produce())
  }

  private func lead(
    _ flight: Flight, _ key: CacheKey, _ identifier: String?, _ deadline: Deadline, _ produce: () throws -> ProducedValue
  ) throws -> CacheOutcome {
    var outcome: CacheOutcome?
    defer {
      flights.withLock { _ = $0.removeValue(forKey: key) }
      flight.finish(outcome)
    }
    let locks = sharedLocks()
    let timeout = min(configuration.lockTimeout, deadline.remaining ?? configuration.lockTimeout)
    let isLocked = locks?.lock(FileLocks.number(key), timeout: timeout) ?? false
    defer { if isLocked { locks?.unlock(FileLocks.number(key)) } }
    let result: CacheOutcome
    // Another process, or the flight before this one, may have stored it since.
    if let entry = lookupMemory(key) ?? lookupDisk(key) {
      noteUse(key, identifier)
      result = CacheOutcome(entry: entry, wasCached: true)
    } else {
      result = make(key, identifier, try produce())
    }
    outcome = result
    return result
  }

  private func make(_ key: CacheKey, _ identifier: String?, _ produced: ProducedValue) -> CacheOutcome {
    var value = produced
    if let identifier { value.identifier = identifier }
    let entry = CacheEntry(key, value, created: configuration.clock())
    guard value.isStorable else { return CacheOutcome(entry: entry, wasCached: false) }
    do throws(CacheError) {
      try store(key, value)
      return CacheOutcome(entry: entry, wasCached: false)
    } catch {
      return CacheOutcome(entry: entry, wasCached: false, storeFailure: error)
    }
  }

  /// The file of locks, or nil where there can be none: then each process works for itself.
  private func sharedLocks() -> FileLocks? {
    locks.withLock { locks in
      if locks == nil { locks = try? FileLocks(path: configuration.folder + "/lock") }
      return locks
    }
  }
}
