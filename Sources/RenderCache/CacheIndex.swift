internal import Foundation
internal import GRDB
internal import Glibc
internal import Synchronization

/// A row as a hit needs it.
struct IndexRow {
  var id: Int64
  var key: CacheKey
  var size: Int64
  var checksum: [UInt8]
  var width: Int
  var height: Int
  var created: CacheTime
  var costMilliseconds: Double
  var metadata: String
  var dependencies: [CacheDependency]
}

/// What hits have to tell the index, kept in memory until there is time.
struct PendingUses {
  struct Use {
    var hits: Int64
    var lastUsed: CacheTime
  }
  var uses: [CacheKey: Use] = [:]
  var names: [String: CacheKey] = [:]
  /// Files that were touched and not changed: their new times, by location.
  var times: [String: CacheDependency] = [:]
  var count = 0
  /// When the first of them, or the last that asked for a flush, was noted.
  private var since: CacheTime?

  /// Whether it is time to write them: asked after each note, true once in a while.
  mutating func isDue(_ now: CacheTime) -> Bool {
    let start = since ?? now
    let isDue = count % 1024 == 0 || now.milliseconds - start.milliseconds >= 60_000
    since = isDue ? now : start
    return isDue
  }

  var isEmpty: Bool { uses.isEmpty && names.isEmpty && times.isEmpty }

  mutating func note(_ key: CacheKey, _ time: CacheTime, identifier: String?) {
    let hits = uses[key]?.hits ?? 0
    uses[key] = Use(hits: hits + 1, lastUsed: time)
    if let identifier { names[identifier] = key }
    count += 1
  }

  mutating func remove(_ key: CacheKey) {
    uses[key] = nil
    names = names.filter { $0.value != key }
  }
}

/// The SQLite index: one connection for looking up, opened at once, and one for writing, opened when first needed, so that a look-up never
/// waits for a write.
final class CacheIndex: Sendable {
  let reader: DatabaseQueue
  private let path: String
  private let writer = Mutex<DatabaseQueue?>(nil)
  /// The version the index had when it was opened.
  let openedVersion: Int

  init(opener: IndexOpener, locks: () throws -> FileLocks) throws(CacheError) {
    path = opener.path
    (reader, openedVersion) = try Self.mapping(path) { try opener.open(locks: locks) }
  }

  /// Runs `body` and gives its database errors the cache's names.
  static func mapping<T>(_ path: String, _ body: () throws -> T) throws(CacheError) -> T {
    do {
      return try body()
    } catch let error as CacheError {
      throw error
    } catch let error as DatabaseError {
      throw CacheError(error, path)
    } catch {
      throw CacheError(.cacheUnusable, "The index \"\(path)\" cannot be used: \(error).")
    }
  }

  func read<T>(_ body: (Database) throws -> T) throws(CacheError) -> T {
    try Self.mapping(path) { try reader.unsafeRead(body) }
  }

  /// Runs `body` in a transaction that holds the write lock from its start, so that files and rows change together.
  /// - Parameter reusingReader: for a process about to end, which need not open a second connection for a last word.
  func write<T>(reusingReader: Bool = false, _ body: (Database) throws -> T) throws(CacheError) -> T {
    try Self.mapping(path) {
      let queue = try reusingReader ? relaxed(writer.withLock { $0 } ?? reader) : writingQueue()
      return try queue.writeWithoutTransaction { db in
        var result: T?
        try db.inTransaction(.immediate) {
          result = try body(db)
          return .commit
        }
        guard let result else { throw DatabaseError(resultCode: .SQLITE_INTERNAL) }
        return result
      }
    }
  }

  private func writingQueue() throws -> DatabaseQueue {
    try writer.withLock { writer in
      if let writer { return writer }
      let made = try relaxed(DatabaseQueue(path: path, configuration: IndexOpener.configuration()))
      writer = made
      return made
    }
  }

  /// In WAL mode a power failure then costs the last transactions, never the index: files without rows are collected.
  private func relaxed(_ queue: DatabaseQueue) throws -> DatabaseQueue {
    try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    return queue
  }

  func close(isExiting: Bool) {
    let writer = writer.withLock { writer in
      defer { writer = nil }
      return writer
    }
    if isExiting {
      // Closing the last connection would copy the journal back and sync twice. Never released, they end with the process.
      _ = Unmanaged.passRetained(reader)
      if let writer { _ = Unmanaged.passRetained(writer) }
    } else {
      try? writer?.close()
      try? reader.close()
    }
  }

  // MARK: Look-up

  static func find(_ db: Database, _ key: CacheKey) throws -> IndexRow? {
    let statement = try db.cachedStatement(
      sql: "SELECT id, size, checksum, width, height, created, cost, metadata, dependencies FROM entry WHERE key = ?")
    guard let row = try Row.fetchOne(statement, arguments: [Data(key.bytes)]) else { return nil }
    var result = IndexRow(
      id: row[0], key: key, size: row[1], checksum: bytes(row, 2), width: row[3], height: row[4], created: CacheTime(milliseconds: row[5]),
      costMilliseconds: row[6], metadata: row[7], dependencies: [])
    if (row[8] as Int) > 0 { result.dependencies = try dependencies(db, result.id) }
    return result
  }

  static func dependencies(_ db: Database, _ entry: Int64) throws -> [CacheDependency] {
    let statement = try db.cachedStatement(
      sql: "SELECT location, isFile, digest, size, modified FROM dependency WHERE entry = ? ORDER BY position")
    return try Row.fetchAll(statement, arguments: [entry]).map { row in
      CacheDependency(
        location: row[0], isFile: row[1], digest: (row[2] as Data?).map { Array($0) }, size: row[3], modified: row[4])
    }
  }

  static func bytes(_ row: Row, _ column: Int) -> [UInt8] { Array(row[column] as Data) }

  // MARK: Writing

  static func upsert(_ db: Database, _ key: CacheKey, _ value: ProducedValue, checksum: [UInt8], now: CacheTime) throws {
    let statement = try db.cachedStatement(
      sql: """
        INSERT INTO entry (key, size, checksum, width, height, created, lastUsed, hits, cost, parts, metadata, dependencies)
        VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?)
        ON CONFLICT (key) DO UPDATE SET size = excluded.size, checksum = excluded.checksum, width = excluded.width,
          height = excluded.height, created = excluded.created, lastUsed = excluded.lastUsed, cost = excluded.cost, parts = excluded.parts,
          metadata = excluded.metadata, dependencies = excluded.dependencies
        RETURNING id
        """)
    let arguments: StatementArguments = [
      Data(key.bytes), value.data.count, Data(checksum), value.width, value.height, now.milliseconds, now.milliseconds,
      value.costMilliseconds.isFinite ? value.costMilliseconds : 0, PartsText.encode(value.parts), value.metadata, value.dependencies.count,
    ]
    guard let id = try Int64.fetchOne(statement, arguments: arguments) else { return }
    try db.cachedStatement(sql: "DELETE FROM dependency WHERE entry = ?").execute(arguments: [id])
    for (position, dependency) in value.dependencies.enumerated() {
      try db.cachedStatement(
        sql: "INSERT INTO dependency (entry, position, location, isFile, digest, size, modified) VALUES (?, ?, ?, ?, ?, ?, ?)"
      ).execute(arguments: [
        id, position, dependency.location, dependency.isFile, dependency.digest.map { Data($0) }, dependency.size, dependency.modified,
      ])
    }
    if let identifier = value.identifier { try name(db, identifier, key) }
  }

  /// Makes `identifier` the name of `key`, where that is stored.
  static func name(_ db: Database, _ identifier: String, _ key: CacheKey) throws {
    try db.cachedStatement(sql: "INSERT OR REPLACE INTO name (identifier, entry) SELECT ?, id FROM entry WHERE key = ?")
      .execute(arguments: [identifier, Data(key.bytes)])
  }

  static func apply(_ db: Database, _ pending: PendingUses) throws {
    for (key, use) in pending.uses {
      try db.cachedStatement(sql: "UPDATE entry SET hits = hits + ?, lastUsed = max(lastUsed, ?) WHERE key = ?")
        .execute(arguments: [use.hits, use.lastUsed.milliseconds, Data(key.bytes)])
    }
    for (identifier, key) in pending.names { try name(db, identifier, key) }
    for (location, file) in pending.times {
      guard let digest = file.digest else { continue }
      try db.cachedStatement(sql: "UPDATE dependency SET modified = ? WHERE location = ? AND digest = ? AND size = ?")
        .execute(arguments: [file.modified, location, Data(digest), file.size])
    }
  }

  static func delete(_ db: Database, _ key: CacheKey) throws {
    try db.cachedStatement(sql: "DELETE FROM entry WHERE key = ?").execute(arguments: [Data(key.bytes)])
  }
}

extension CacheError {
  init(_ error: DatabaseError, _ path: String) {
    let detail = error.message ?? "SQLite error \(error.resultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_FULL:
      self.init(.cacheDiskFull, "The index \"\(path)\" cannot grow: \(detail). Free some space, or trim the cache.")
    case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
      self.init(.cacheReadOnly, "The index \"\(path)\" cannot be written: \(detail). Choose a cache folder that can be written.")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      self.init(.cacheBusy, "The index \"\(path)\" is held by another process: \(detail). Try again later.")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      self.init(.cacheDamaged, "The index \"\(path)\" is damaged: \(detail). Clear the cache, or remove its folder.")
    default:
      self.init(.cacheUnusable, "The index \"\(path)\" cannot be used: \(detail).")
    }
  }
}

/// The parts of a key as one text: a line a part, tabs between its fields.
enum PartsText {
  static func encode(_ parts: [CacheKeyPart]) -> String {
    parts.map { [$0.name, $0.digest, $0.summary].map(cleaned).joined(separator: "\t") }.joined(separator: "\n")
  }

  static func decode(_ text: String) -> [CacheKeyPart] {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { line in
      let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
      return CacheKeyPart(
        name: fields.first ?? "", digest: fields.dropFirst().first ?? "", summary: fields.dropFirst(2).first ?? "")
    }
  }

  private static func cleaned(_ text: String) -> String {
    String(decoding: text.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
  }
}
