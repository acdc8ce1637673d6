internal import GRDB
internal import Glibc

/// How the index is made: one step a version, each from the version before it. A step, once released, is never changed.
struct IndexSchema: Sendable {
  var steps: [@Sendable (Database) throws -> Void]

  var version: Int { steps.count }

  static let current = IndexSchema(steps: [
    { db in
      try db.execute(
        sql: """
          CREATE TABLE entry (
            id INTEGER PRIMARY KEY,
            key BLOB NOT NULL UNIQUE,
            identifier TEXT,
            size INTEGER NOT NULL,
            checksum BLOB NOT NULL,
            width INTEGER NOT NULL,
            height INTEGER NOT NULL,
            created INTEGER NOT NULL,
            lastUsed INTEGER NOT NULL,
            hits INTEGER NOT NULL DEFAULT 0,
            cost REAL NOT NULL,
            parts TEXT NOT NULL,
            metadata TEXT NOT NULL,
            dependencies INTEGER NOT NULL
          );
          CREATE INDEX entry_lastUsed ON entry (lastUsed);
          CREATE TABLE dependency (
            entry INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
            position INTEGER NOT NULL,
            location TEXT NOT NULL,
            isFile INTEGER NOT NULL,
            digest BLOB,
            size INTEGER NOT NULL,
            modified INTEGER NOT NULL,
            PRIMARY KEY (entry, position)
          ) WITHOUT ROWID;
          """)
    },
    { db in
      // An identifier names the latest of its values: one row a name, not one a value.
      try db.execute(
        sql: """
          CREATE TABLE name (
            identifier TEXT PRIMARY KEY NOT NULL,
            entry INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE
          ) WITHOUT ROWID;
          CREATE INDEX name_entry ON name (entry);
          INSERT OR REPLACE INTO name (identifier, entry)
            SELECT identifier, id FROM entry WHERE identifier IS NOT NULL ORDER BY created, id;
          ALTER TABLE entry DROP COLUMN identifier;
          """)
    },
  ])
}

/// Opening an index of any version: made when missing, migrated when older, refused when newer.
struct IndexOpener {
  var folder: String
  var schema = IndexSchema.current

  var path: String { folder + "/index.sqlite" }
  private var copyPath: String { folder + "/temporary/index-new.sqlite" }
  private var previousPath: String { folder + "/temporary/index-previous.sqlite" }

  static func configuration(readonly: Bool = false, foreignKeys: Bool = true) -> Configuration {
    var configuration = Configuration()
    configuration.readonly = readonly
    configuration.foreignKeysEnabled = foreignKeys
    configuration.busyMode = .timeout(10)
    configuration.label = "offprint.cache"
    return configuration
  }

  /// The open index and the version it had before.
  func open(locks: () throws -> FileLocks) throws -> (queue: DatabaseQueue, from: Int) {
    var from = schema.version
    if FileSystem.exists(path) {
      do {
        let (queue, version) = try openExisting()
        if version == schema.version { return (queue, version) }
        try refuseNewer(version)
        from = version
        try queue.close()
      } catch let error as DatabaseError where Self.isDamaged(error) {
        from = 0
      }
    } else {
      from = 0
    }
    let locks = try locks()
    guard locks.lock(FileLocks.schema, timeout: .seconds(60)) else {
      throw CacheError(.cacheBusy, "The index of the cache \"\(folder)\" is being migrated by another process; try again later.")
    }
    defer { locks.unlock(FileLocks.schema) }
    do {
      try bringUpToDate()
    } catch {
      removeLeftovers()  // a full disk gets its space back
      throw error
    }
    let (queue, _) = try openExisting()
    return (queue, from)
  }

  private func openExisting() throws -> (DatabaseQueue, Int) {
    let queue: DatabaseQueue
    do {
      queue = try DatabaseQueue(path: path, configuration: Self.configuration(foreignKeys: false))
    } catch let error as DatabaseError where Self.isUnwritable(error) && !FileSystem.isWritable(folder) {
      // WAL mode needs to write even for reading, unless told that nobody writes.
      queue = try DatabaseQueue(
        path: "file:\(Self.percentEncoded(path))?immutable=1", configuration: Self.configuration(readonly: true, foreignKeys: false))
    }
    let version = try queue.unsafeRead { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
    return (queue, version)
  }

  private static func isUnwritable(_ error: DatabaseError) -> Bool {
    error.resultCode == .SQLITE_CANTOPEN || error.resultCode == .SQLITE_READONLY
  }

  /// The path as a URI has to write it. https://www.sqlite.org/uri.html
  private static func percentEncoded(_ path: String) -> String {
    String(
      decoding: path.utf8.flatMap { byte -> [UInt8] in
        let isSpecial = byte == UInt8(ascii: "%") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        return isSpecial ? [UInt8(ascii: "%")] + Array(Hex.encode([byte]).utf8) : [byte]
      }, as: UTF8.self)
  }

  private func refuseNewer(_ version: Int) throws {
    guard version > schema.version else { return }
    throw CacheError(
      .cacheFromNewerVersion,
      "The cache \"\(folder)\" has an index of version \(version), and this program knows up to \(schema.version): update the program, "
        + "or choose another cache folder. Nothing was changed.")
  }

  static func isDamaged(_ error: DatabaseError) -> Bool {
    error.resultCode == .SQLITE_NOTADB || error.resultCode == .SQLITE_CORRUPT
  }

  /// Under the lock: another process may have done it meanwhile.
  private func bringUpToDate() throws {
    removeLeftovers()
    guard FileSystem.exists(path) else { return try create() }
    let old: DatabaseQueue
    let version: Int
    do {
      (old, version) = try openExisting()
    } catch let error as DatabaseError where Self.isDamaged(error) {
      return try replaceDamaged()
    }
    if version == schema.version { return try old.close() }
    try refuseNewer(version)
    if version == 0 {  // an empty file: a creation that was interrupted
      try old.close()
      return try create()
    }
    try migrate(old, from: version)
  }

  private func create() throws {
    try build(copyPath) { _ in 0 }
    try swapIn()
  }

  /// Nothing can be trusted in a damaged index; it is kept beside for a look. The pictures lose their rows and are collected.
  private func replaceDamaged() throws {
    rename(path, folder + "/index.damaged")
    unlink(path + "-wal")
    unlink(path + "-shm")
    try create()
  }

  private func migrate(_ old: DatabaseQueue, from version: Int) throws {
    do {
      // Leaving WAL mode needs that nobody else has the index open, and puts all of it in one file.
      try old.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
        let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE")
        guard mode == "delete" else { throw DatabaseError(resultCode: .SQLITE_BUSY) }
        try db.execute(sql: "VACUUM INTO ?", arguments: [copyPath])
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY || error.resultCode == .SQLITE_LOCKED {
      throw CacheError(
        .cacheBusy, "The index of the cache \"\(folder)\" has to be migrated, but another process has it open: stop that one first.")
    }
    let count = try old.unsafeRead { try Self.count($0) }
    try build(copyPath) { _ in version }
    let migrated = try DatabaseQueue(path: copyPath, configuration: Self.configuration())
    let newCount = try migrated.unsafeRead { try Self.count($0) }
    try migrated.close()
    guard count == newCount else {
      throw CacheError(
        .cacheDamaged, "Migrating the cache \"\(folder)\" would lose entries (\(count) before, \(newCount) after); it was left as it is.")
    }
    unlink(previousPath)
    link(path, previousPath)
    try swapIn()
    try old.close()
    let (proof, _) = try openExisting()
    try proof.close()
    unlink(previousPath)
  }

  private static func count(_ db: Database) throws -> Int { try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM entry") ?? 0 }

  /// Runs the steps that `path` lacks, checks the result and leaves one synced file in WAL mode.
  private func build(_ path: String, from: (Database) throws -> Int) throws {
    let queue = try DatabaseQueue(path: path, configuration: Self.configuration(foreignKeys: false))
    try queue.writeWithoutTransaction { db in
      let version = try from(db)
      try db.inTransaction(.immediate) {
        for step in schema.steps.dropFirst(version) { try step(db) }
        try db.execute(sql: "PRAGMA user_version = \(schema.version)")
        return .commit
      }
      let check = try String.fetchOne(db, sql: "PRAGMA quick_check") ?? ""
      let orphans = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check")
      guard check == "ok", orphans == nil else {
        throw CacheError(
          .cacheDamaged, "The new index of the cache \"\(folder)\" failed its check (\(check)); the old one was left as it is.")
      }
      _ = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
    }
    try queue.close()
  }

  private func swapIn() throws {
    guard rename(copyPath, path) == 0 else { throw CacheError(errno: errno, "replace", path) }
    FileSystem.synchronizeFolder(folder)
  }

  private func removeLeftovers() {
    for path in [copyPath, previousPath] {
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
  }
}
