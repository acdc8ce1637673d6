internal import OffprintCoreTypes
internal import Glibc

/// Opens an index of any version. A missing index is created, an older one migrated, a damaged or foreign one rebuilt from what is
/// readable, a newer one rejected.
struct IndexOpener {
  var folder: CacheFolder
  var schema = IndexSchema.current

  private var path: String { folder.index }
  private var copyPath: String { folder.temporary + "/index-new.sqlite" }
  private var previousPath: String { folder.temporary + "/index-previous.sqlite" }

  /// An open index: the connection, its file's identity, and the version it had before.
  struct Opened {
    var db: SQLiteDatabase
    var file: FileSystem.Status?
    var from: Int
    /// Whether the file cannot be written by anyone, including this process.
    var isImmutable = false
  }

  /// The state of the index file.
  private enum Found {
    case nothing
    case sound(Opened)
    case older(SQLiteDatabase, Int)
    /// Damaged, of another kind, or not a regular file.
    case useless
  }

  /// - Throws: `cacheFromNewerVersion`; `cacheBusy` if other processes hold or migrate the index until `deadline`.
  func open(deadline: Deadline, locks: () throws -> FileLocks) throws -> Opened {
    if case .sound(let opened) = try find(deadline) {
      if hasLeftovers, !opened.isImmutable, let locks = try? locks() { collectLeftovers(locks, deadline) }
      return opened
    }
    let locks = try locks()
    guard locks.lock(FileLocks.schema, timeout: .seconds(60), deadline: deadline) else {
      throw CacheError(
        .cacheBusy, "The index of the cache \"\(folder.path)\" is being created or migrated by another process; try again later.")
    }
    defer { locks.unlock(FileLocks.schema) }
    do {
      let from = try bringUpToDate(deadline)
      guard case .sound(var opened) = try find(deadline) else {
        throw CacheError(.cacheDamaged, "The index \"\(path)\" was created, but cannot be read. Clear the cache, or remove its folder.")
      }
      opened.from = from
      return opened
    } catch {
      removeLeftovers()  // frees space first if the disk is full
      throw error
    }
  }

  /// Rebuilds an index that turned out to be damaged while it was open, unless another process has done so already.
  func replace(_ damaged: FileSystem.Status?, locks: FileLocks, deadline: Deadline) throws {
    guard locks.lock(FileLocks.schema, timeout: .seconds(60), deadline: deadline) else {
      throw CacheError(.cacheBusy, "The index of the cache \"\(folder.path)\" is being created by another process; try again later.")
    }
    defer { locks.unlock(FileLocks.schema) }
    let now = FileSystem.status(path, followsLinks: false)
    if let now, now.isSameFile(damaged) { try rebuild(from: now) }
  }

  private func find(_ deadline: Deadline) throws -> Found {
    guard let file = FileSystem.status(path, followsLinks: false) else { return .nothing }
    guard file.isRegular else { return .useless }
    if file.size == 0 { return .nothing }  // creation was interrupted
    do {
      let (db, isImmutable) = try connect(deadline)
      let version = try db.first("PRAGMA user_version") { $0.integer(0) } ?? -1
      if version > schema.version { return try refuseNewer(db, Int(version)) }
      if version < schema.version { return version > 0 && !isImmutable ? .older(db, Int(version)) : .useless }
      if let layout = schema.layout, try IndexSchema.layout(of: db) != layout { return .useless }
      return .sound(Opened(db: db, file: file, from: Int(version), isImmutable: isImmutable))
    } catch let error as SQLiteError where error.isDamage || error.isForeign {
      return .useless
    }
  }

  private func connect(_ deadline: Deadline) throws(SQLiteError) -> (SQLiteDatabase, isImmutable: Bool) {
    do {
      let db = try SQLiteDatabase(path, .readWrite, deadline: deadline)
      _ = try db.first("SELECT 1 FROM sqlite_schema LIMIT 1") { _ in 1 }
      return (db, false)
    } catch {
      // In WAL mode, SQLite has to write even for reading, unless the database is opened as immutable.
      guard error.isUnwritable, !FileSystem.isWritable(folder.path) else { throw error }
      return (try SQLiteDatabase(path, .immutable, deadline: deadline), true)
    }
  }

  /// A version above ours is trusted only if the index has our application id.
  private func refuseNewer(_ db: SQLiteDatabase, _ version: Int) throws -> Found {
    let identifier = try db.first("PRAGMA application_id") { $0.integer(0) }
    guard identifier == CacheFolder.applicationID else { return .useless }
    throw CacheError(
      .cacheFromNewerVersion,
      "The cache \"\(folder.path)\" has an index of version \(version), but this program supports only up to \(schema.version): update the "
        + "program, or choose another cache folder. Nothing was changed.")
  }

  /// Runs under the lock and checks again, because another process may have finished it meanwhile. Returns the previous version; 0 for
  /// none.
  private func bringUpToDate(_ deadline: Deadline) throws -> Int {
    removeLeftovers()
    switch try find(deadline) {
    case .sound(let opened): return opened.from
    case .nothing:
      try rebuild(from: nil)
      return 0
    case .useless:
      try rebuild(from: FileSystem.status(path, followsLinks: false))
      return 0
    case .older(let db, let version):
      do {
        try migrate(db, from: version)
        return version
      } catch let error as SQLiteError where error.isDamage || error.isForeign {
        db.close()
        try rebuild(from: FileSystem.status(path, followsLinks: false))
        return 0
      }
    }
  }

  // MARK: Rebuilding

  /// Creates a new index with every entry that can be read from the old one and from the journal. The old one is kept under another name
  /// for inspection.
  private func rebuild(from old: FileSystem.Status?) throws {
    removeLeftovers()  // of a failed migration
    let db = try SQLiteDatabase(copyPath, .create, deadline: .never)
    try run(schema.steps[...], db)
    if schema.version >= 3 {
      if old?.isRegular == true { try IndexSalvage.copy(from: path, to: db) }
      try IndexJournal(folder: folder.journal).restore(to: db)
    }
    try finish(db)
    if old != nil { try putAside() }
    // SQLite would apply the journal of the old index to the new one.
    for suffix in ["-wal", "-shm", "-journal"] { unlink(path + suffix) }
    try swapIn()
  }

  private func putAside() throws {
    unlink(folder.damagedIndex)
    guard rename(path, folder.damagedIndex) == 0 else { throw CacheError(errno: errno, "put aside", path) }
  }

  // MARK: Migration

  private func migrate(_ old: SQLiteDatabase, from version: Int) throws {
    do {
      // Leaving WAL mode requires that no other process has the index open, and puts all data in one file.
      try old.execute("PRAGMA locking_mode = EXCLUSIVE")
      guard try old.first("PRAGMA journal_mode = DELETE", [], { $0.text(0) }) == "delete" else { throw SQLiteError.busy }
      try old.run("VACUUM INTO ?", [.text(copyPath)])
    } catch let error as SQLiteError where error.isBusy {
      throw CacheError(
        .cacheBusy, "The index of the cache \"\(folder.path)\" must be migrated, but another process has it open: stop that process first.")
    }
    let copy = try SQLiteDatabase(copyPath, .readWrite, deadline: .never)
    try IndexSalvage.removeUnreadable(copy, version: version)
    let count = try Self.count(copy)
    try run(schema.steps.dropFirst(version), copy)
    let newCount = try Self.count(copy)
    guard count == newCount else {
      throw CacheError(
        .cacheDamaged,
        "Migrating the cache \"\(folder.path)\" would lose entries (\(count) before, \(newCount) after); it was not changed.")
    }
    try finish(copy)
    unlink(previousPath)
    link(path, previousPath)
    try swapIn()
    guard case .sound = try find(.never) else {
      rename(previousPath, path)
      throw CacheError(.cacheDamaged, "The migrated index of the cache \"\(folder.path)\" cannot be read; the old one was restored.")
    }
    unlink(previousPath)
  }

  private static func count(_ db: SQLiteDatabase) throws(SQLiteError) -> Int64 {
    try db.first("SELECT COUNT(*) FROM entry") { $0.integer(0) } ?? 0
  }

  private func run(_ steps: ArraySlice<@Sendable (SQLiteDatabase) throws -> Void>, _ db: SQLiteDatabase) throws {
    try db.transaction {
      for step in steps { try step(db) }
      try db.execute("PRAGMA user_version = \(schema.version)")
    }
  }

  /// Checks a new index and closes it as one synced file in WAL mode.
  private func finish(_ db: SQLiteDatabase) throws {
    let check = try db.first("PRAGMA quick_check") { $0.text(0) } ?? ""
    let orphans = try db.first("PRAGMA foreign_key_check") { _ in true } ?? false
    guard check == "ok", !orphans else {
      throw CacheError(
        .cacheDamaged, "The new index of the cache \"\(folder.path)\" failed its check (\(check)); the old one was not changed.")
    }
    _ = try db.first("PRAGMA journal_mode = WAL") { $0.text(0) }
    db.close()
  }

  private func swapIn() throws {
    guard rename(copyPath, path) == 0 else { throw CacheError(errno: errno, "replace", path) }
    FileSystem.synchronizeFolder(folder.path)
  }

  /// A process killed after moving its migrated index into place leaves the old one behind. The lock is taken because its holder may still
  /// use the file.
  private func collectLeftovers(_ locks: FileLocks, _ deadline: Deadline) {
    guard locks.lock(FileLocks.schema, timeout: .zero, deadline: deadline) else { return }
    defer { locks.unlock(FileLocks.schema) }
    removeLeftovers()
  }

  private var hasLeftovers: Bool { FileSystem.exists(copyPath) || FileSystem.exists(previousPath) }

  private func removeLeftovers() {
    for path in [copyPath, previousPath] {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
  }
}
