package import OffprintCoreTypes
internal import Dispatch
internal import Glibc

/// Values whose files are written but whose rows are pending, because another process holds the index.
struct Backlog {
  struct Item {
    var record: CacheRecord
    var temporary: String
    /// The sequence number: lower numbers were added first.
    fileprivate(set) var number = 0
  }
  private(set) var items: [CacheKey: Item] = [:]
  private var bytes: Int64 = 0
  private var count = 0

  static let maximumCount = 4096
  static let maximumBytes: Int64 = 256 << 20

  var isEmpty: Bool { items.isEmpty }

  /// Adds an item; false if the backlog is full. Removes the file of an earlier value with the same key.
  mutating func add(_ item: Item) -> Bool {
    guard items.count < Self.maximumCount, bytes + item.record.size <= Self.maximumBytes else { return false }
    remove(item.record.key).map { _ = unlink($0.temporary) }
    count += 1
    items[item.record.key] = item
    items[item.record.key]?.number = count
    bytes += item.record.size
    return true
  }

  @discardableResult
  mutating func remove(_ key: CacheKey) -> Item? {
    guard let item = items.removeValue(forKey: key) else { return nil }
    bytes -= item.record.size
    return item
  }
}

extension RenderCache {
  /// Stores a value. If it cannot be stored, the reason is thrown and no partial files remain. If another process holds the index, the
  /// value is complete on disk and its row is written later, at the latest by `close()`.
  /// - Parameter deadline: Together with `configuration.patience`, limits the wait for an index that others hold.
  package func store(_ key: CacheKey, _ value: ProducedValue, deadline: Deadline = .never) throws(CacheError) {
    let shared = share(key, value)
    try keep(key, value, deadline)
    if let identifier = value.identifier { shareName(identifier, key) }
    if let shared { throw shared }
  }

  /// - Returns: Why the second tier does not have the value, if that is known already.
  private func share(_ key: CacheKey, _ value: ProducedValue) -> CacheError? {
    guard let tier = configuration.tier, !tier.configuration.isReadOnly else { return nil }
    do throws(RemoteFailure) {
      let record = CacheRecord(key, value, checksum: SHA256.hash(value.data), now: configuration.clock())
      try tier.store(record, value.data, isUrgent: value.identifier != nil)
      return nil
    } catch {
      return CacheError(.cacheUnusable, "The image was not stored in the shared cache \(tier.address): \(error.message).")
    }
  }

  /// Stores a value on this machine.
  func keep(_ key: CacheKey, _ value: ProducedValue, _ deadline: Deadline) throws(CacheError) {
    let now = configuration.clock()
    do throws(CacheError) {
      try write(key, value, now, deadline)
    } catch {
      counters.withLock { $0.storeFailures += 1 }
      throw error
    }
    counters.withLock { $0.stores += 1 }
    if configuration.memoryTierBytes > 0 { memory.withLock { $0.insert(CacheEntry(key, value, created: now)) } }
    // Noted again for the next flush, because a flush in progress may still write the name from an earlier hit.
    if let identifier = value.identifier { pending.withLock { $0.names[identifier] = key } }
  }

  private func write(_ key: CacheKey, _ value: ProducedValue, _ now: CacheTime, _ deadline: Deadline) throws(CacheError) {
    var value = value
    value.dependencies = value.dependencies.map(RacyTimes.guarded)
    let item = Backlog.Item(
      record: CacheRecord(key, value, checksum: SHA256.hash(value.data), now: now), temporary: try writeTemporary(value.data))
    var isTooLarge = false
    var earlier: Backlog.Item?
    do throws(CacheError) {
      try index.write(deadline.orEarlier(after: configuration.patience)) { db in
        // Queried before the file moves: if the totals are invalid, the index is rebuilt and this transaction runs again.
        isTooLarge = try IndexRows.totalSize(db) + item.record.size > configuration.maxSize
        // An earlier value in the backlog would later overwrite this one. The write lock keeps other writers out until it is removed.
        earlier = backlog.withLock { $0.remove(key) } ?? earlier
        try add(item, db)
      }
    } catch {
      if let earlier, !backlog.withLock({ $0.add(earlier) }) { unlink(earlier.temporary) }
      if error.code == .cacheBusy, backlog.withLock({ $0.add(item) }) { return writeBacklogSoon() }
      unlink(item.temporary)
      throw error
    }
    if let earlier { unlink(earlier.temporary) }
    trimWhenDue(isTooLarge)
  }

  /// Writes row, file and journal within a transaction. A failed transaction can leave a file without a row, or a row without a file; both
  /// heal.
  func add(_ item: Backlog.Item, _ db: SQLiteDatabase) throws {
    try IndexRows.write(db, item.record)
    try IndexRows.add(db, CacheDay.number(item.record.created), .init(stores: 1))
    try objects.place(item.temporary, item.record.key, synchronized: configuration.synchronizesFiles)
    IndexJournal(folder: folder.journal).append(item.record)
  }

  /// A unique path for a temporary file.
  func temporaryPath() -> String {
    let number = counters.withLock { counters in
      counters.temporaries += 1
      return counters.temporaries
    }
    return folder.temporary + "/" + CacheFolder.temporaryName(UInt(bitPattern: ObjectIdentifier(self).hashValue), number)
  }

  /// Writes a complete file under a temporary name.
  func writeTemporary(_ data: [UInt8]) throws(CacheError) -> String {
    let path = temporaryPath()
    do throws(CacheError) {
      try FileSystem.write(data, to: path, synchronized: configuration.synchronizesFiles)
    } catch {
      // The folder may have been removed while the process was running.
      guard !FileSystem.exists(folder.temporary) else { throw error }
      try folder.prepare()
      try FileSystem.write(data, to: path, synchronized: configuration.synchronizesFiles)
    }
    return path
  }

  // MARK: Pending rows

  /// The value of a key whose row is not written yet.
  func lookupBacklog(_ key: CacheKey) -> CacheEntry? {
    guard let item = backlog.withLock({ $0.items[key] }), firstChange(item.record.dependencies) == nil,
      case .bytes(let data) = FileSystem.read(item.temporary, size: Int(clamping: item.record.size)),
      SHA256.hash(data) == item.record.checksum
    else { return nil }
    return CacheEntry(item.record, data: data)
  }

  private func writeBacklogSoon() {
    background.asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
      guard let self, !backlog.withLock({ $0.isEmpty }), closing.withLock({ $0 == nil }) else { return }
      if (try? flush()) == nil { writeBacklogSoon() }
    }
  }

  /// Writes pending uses and the backlog. Called periodically, by `close()`, and before anything that lists or trims.
  /// - Throws: `cacheBusy` if other processes hold the index. The pending writes remain queued for the next flush.
  package func flush() throws(CacheError) { try flush(Deadline(after: configuration.patience)) }

  func flush(_ deadline: Deadline, isLast: Bool = false) throws(CacheError) {
    let uses = pending.withLock { pending in
      let uses = pending
      pending = PendingUses()
      return uses
    }
    // Items are removed after they are written, so that lookups find them until then.
    let items = backlog.withLock { $0.items }
    guard !uses.isEmpty || !items.isEmpty else { return }
    var isTooLarge = false
    do throws(CacheError) {
      try index.write(deadline, isLast: isLast) { db in
        for item in items.values.sorted(by: { $0.number < $1.number }) where isWaiting(item) { try add(item, db) }
        try IndexRows.apply(db, uses)
        isTooLarge = try IndexRows.totalSize(db) > configuration.maxSize
      }
    } catch {
      // In a read-only cache, pending uses would accumulate forever.
      if error.code != .cacheReadOnly { pending.withLock { $0.merge(uses) } }
      throw error
    }
    backlog.withLock { backlog in
      for (key, item) in items where backlog.items[key]?.temporary == item.temporary { backlog.remove(key) }
    }
    if isTooLarge, closing.withLock({ $0 == nil }) { trimWhenDue(true) }
  }

  /// Whether it was not replaced by a later value of its key, which another thread may have written meanwhile.
  private func isWaiting(_ item: Backlog.Item) -> Bool {
    backlog.withLock { $0.items[item.record.key]?.temporary == item.temporary } && FileSystem.exists(item.temporary)
  }

  /// Flushes, waits for background work and closes the index. After that, every lookup is a miss.
  /// - Parameter isExiting: Whether the process is about to exit: the checkpoint is skipped, which is safe and saves time.
  /// - Returns: Why something could not be written and was dropped: use counts, or values in the backlog.
  @discardableResult
  package func close(isExiting: Bool = false) -> CacheError? {
    closing.withLock { $0 = isExiting ? Deadline(after: .seconds(1)) : .never }
    background.sync {}
    var failure: CacheError?
    do throws(CacheError) {
      try flush(Deadline(after: isExiting ? configuration.patience : .seconds(2)), isLast: isExiting)
    } catch {
      failure = error
      giveUpPending()
    }
    configuration.tier?.close()
    index.close(isExiting: isExiting)
    locks.close()
    memory.withLock { $0.removeAll() }
    return failure
  }

  func giveUpPending() {
    backlog.withLock { backlog in
      for item in backlog.items.values { unlink(item.temporary) }
      backlog = Backlog()
    }
    pending.withLock { $0 = PendingUses() }
  }
}

extension CacheEntry {
  fileprivate init(_ record: CacheRecord, data: [UInt8]) {
    self.init(
      IndexRow(
        id: 0, key: record.key, size: record.size, checksum: record.checksum, width: record.width, height: record.height,
        created: record.created, costMilliseconds: record.costMilliseconds, metadata: record.metadata, dependencies: record.dependencies),
      data: data)
  }
}
