internal import COffprintSQLite
internal import OffprintCoreTypes
internal import Synchronization

/// The SQLite index. Lookups have a connection that is opened at once; queries and writes have one each that is opened on first use, so
/// that lookups wait for neither. If the index turns out to be damaged it is rebuilt, and the operation is retried.
final class CacheIndex: Sendable {
  /// A connection and the identity of its file.
  private struct Connection {
    var db: SQLiteDatabase
    var file: FileSystem.Status?
  }
  private enum State {
    case none
    case open(Connection)
    case closed
  }

  private let opener: IndexOpener
  private let locks: @Sendable () throws -> FileLocks
  private let lookups: Mutex<State>
  private let queries = Mutex(State.none)
  private let writes = Mutex(State.none)
  private let healings = Mutex(0)
  /// The schema version the index had when it was opened.
  let openedVersion: Int
  let isImmutable: Bool

  /// - Throws: See `IndexOpener.open`.
  init(opener: IndexOpener, deadline: Deadline, locks: @escaping @Sendable () throws -> FileLocks) throws(CacheError) {
    let opened = try Self.mapping(opener.folder.index) {
      let opened = try opener.open(deadline: deadline, locks: locks)
      if !opened.isImmutable { try opened.db.prepareForUse() }
      return opened
    }
    self.opener = opener
    self.locks = locks
    openedVersion = opened.from
    isImmutable = opened.isImmutable
    lookups = Mutex(.open(Connection(db: opened.db, file: opened.file)))
  }

  // MARK: Access

  /// Runs a lookup. Waits only for other lookups, and for a locked index at most 50 ms.
  func lookup<Value>(_ body: (SQLiteDatabase) throws(SQLiteError) -> Value) throws(CacheError) -> Value {
    try healing { () throws(Failure) in try use(lookups, Deadline(after: .milliseconds(50)), body) }
  }

  /// Runs a query that may take longer.
  func query<Value>(_ body: (SQLiteDatabase) throws(SQLiteError) -> Value) throws(CacheError) -> Value {
    if isImmutable { return try lookup(body) }
    return try healing { () throws(Failure) in try use(queries, Deadline(after: .seconds(2)), body) }
  }

  /// Runs `body` in a transaction that holds the write lock from its start, so that files and rows change together.
  /// - Parameters:
  ///   - deadline: How long to wait for other writers.
  ///   - isLast: Whether the process is about to exit, so that opening another connection is not worthwhile.
  /// - Throws: `cacheBusy` if the lock was not acquired in time; errors of `body`.
  func write<Value>(
    _ deadline: Deadline, isLast: Bool = false, _ body: (SQLiteDatabase) throws -> Value
  ) throws(CacheError) -> Value {
    let isOpen = writes.withLock { if case .open = $0 { true } else { false } }
    var failure: CacheError?
    let value = try healing { () throws(Failure) -> Value? in
      failure = nil
      func run(_ db: SQLiteDatabase) throws(SQLiteError) -> Value? {
        do {
          return try db.transaction { try body(db) }
        } catch let error as SQLiteError {
          throw error
        } catch {
          failure = error as? CacheError ?? CacheError(.cacheUnusable, "The index \"\(opener.folder.index)\" cannot be used: \(error).")
          return nil
        }
      }
      return try isLast && !isOpen ? use(lookups, deadline, run) : use(writes, deadline, run)
    }
    guard let value else { throw failure ?? CacheError(.cacheUnusable, "The index \"\(opener.folder.index)\" cannot be used.") }
    return value
  }

  /// Runs `body`, which is about to run many large transactions, with less frequent checkpoints: SQLite's journal is copied to the index in
  /// few large steps instead of many small ones that write the same pages repeatedly. https://www.sqlite.org/wal.html#checkpointing
  func writingMuch<Value>(_ body: () throws(CacheError) -> Value) throws(CacheError) -> Value {
    func tell(_ sql: String) {
      _ = try? use(writes, Deadline(after: .milliseconds(100))) { (db) throws(SQLiteError) in try db.execute(sql) }
    }
    tell("PRAGMA wal_autocheckpoint = 16000")
    defer { tell("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 1000") }
    return try body()
  }

  /// An error and the identity of the file it occurred in.
  private struct Failure: Error {
    var error: SQLiteError
    var file: FileSystem.Status?
    var isDamage = false
  }

  private func use<Value>(
    _ state: borrowing Mutex<State>, _ deadline: Deadline, _ body: (SQLiteDatabase) throws(SQLiteError) -> Value
  ) throws(Failure) -> Value {
    let result = state.withLock { state -> Result<Value, Failure> in
      let connection: Connection
      do throws(SQLiteError) {
        connection = try self.connection(&state, deadline)
      } catch {
        return .failure(Failure(error: error, file: nil))
      }
      connection.db.deadline = deadline
      do throws(SQLiteError) {
        return .success(try body(connection.db))
      } catch {
        return .failure(Failure(error: error, file: connection.file, isDamage: isDamaged(connection.db, error)))
      }
    }
    return try result.get()
  }

  private func connection(_ state: inout State, _ deadline: Deadline) throws(SQLiteError) -> Connection {
    switch state {
    case .closed: throw SQLiteError(SQLITE_MISUSE, "the cache was closed")
    case .open(let connection):
      // If the index was replaced or removed, the connection is reopened. Checking costs a microsecond.
      if isImmutable { return connection }
      if let now = FileSystem.status(opener.folder.index, followsLinks: false), now.isSameFile(connection.file) { return connection }
    case .none: break
    }
    let made = try reopen(deadline)
    state = .open(made)
    return made
  }

  private func reopen(_ deadline: Deadline) throws(SQLiteError) -> Connection {
    do {
      let opened = try opener.open(deadline: deadline, locks: locks)
      try opened.db.prepareForUse()
      return Connection(db: opened.db, file: opened.file)
    } catch let error as SQLiteError {
      throw error
    } catch let error as CacheError where error.code == .cacheBusy {
      throw .busy
    } catch {
      throw SQLiteError(SQLITE_CANTOPEN, (error as? CacheError)?.message ?? "\(error)")
    }
  }

  // MARK: Recovery

  /// Whether the error is caused by a damaged index, not by the statement.
  private func isDamaged(_ db: SQLiteDatabase, _ error: SQLiteError) -> Bool {
    if error.isDamage { return true }
    guard error.isForeign, let layout = opener.schema.layout else { return false }
    return (try? IndexSchema.layout(of: db)).map { $0 != layout } ?? false
  }

  private func healing<Value>(_ body: () throws(Failure) -> Value) throws(CacheError) -> Value {
    do throws(Failure) {
      return try body()
    } catch {
      guard error.isDamage, !isImmutable,
        healings.withLock({ healings in
          healings += 1
          return healings <= 8
        })
      else { throw CacheError(error.error, opener.folder.index) }
      try Self.mapping(opener.folder.index) { try opener.replace(error.file, locks: locks(), deadline: Deadline(after: .seconds(60))) }
    }
    forget()
    do throws(Failure) {
      return try body()
    } catch {
      throw CacheError(error.error, opener.folder.index)
    }
  }

  /// Rebuilds the index from its readable parts and the journal.
  func rebuild() throws(CacheError) {
    let file = FileSystem.status(opener.folder.index, followsLinks: false)
    try Self.mapping(opener.folder.index) { try opener.replace(file, locks: locks(), deadline: Deadline(after: .seconds(60))) }
    forget()
  }

  /// Closes all connections; the next use opens new ones.
  private func forget() {
    func forget(_ state: inout State) { if case .open = state { state = .none } }
    lookups.withLock { forget(&$0) }
    queries.withLock { forget(&$0) }
    writes.withLock { forget(&$0) }
  }

  /// - Parameter isExiting: Whether to skip the checkpoint while the journal is short: closing the last connection would copy the journal
  ///   and sync twice.
  func close(isExiting: Bool) {
    func close(_ state: inout State) {
      if case .open(let connection) = state {
        if isExiting { leave(connection.db) } else { connection.db.close() }
      }
      state = .closed
    }
    writes.withLock { close(&$0) }
    queries.withLock { close(&$0) }
    lookups.withLock { close(&$0) }
  }

  /// When a process opens an index that no other process has open, SQLite reads the whole journal, about 3 µs per page, and treats none of
  /// it as checkpointed. If processes run one after another, only this checkpoint shortens it.
  /// https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files
  private static let longestJournal: Int64 = 128 * 4120

  private func leave(_ db: SQLiteDatabase) {
    if !isImmutable, let journal = FileSystem.status(opener.folder.index + "-wal", followsLinks: false), journal.size > Self.longestJournal
    {
      db.deadline = Deadline(after: .milliseconds(5))
      // If there are readers, the checkpoint is left to the next process.
      try? db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    _ = Unmanaged.passRetained(db)
  }

  /// Runs `body` and converts SQLite's errors to the cache's.
  static func mapping<Value>(_ path: String, _ body: () throws -> Value) throws(CacheError) -> Value {
    do {
      return try body()
    } catch let error as CacheError {
      throw error
    } catch let error as SQLiteError {
      throw CacheError(error, path)
    } catch {
      throw CacheError(.cacheUnusable, "The index \"\(path)\" cannot be used: \(error).")
    }
  }
}

extension SQLiteDatabase {
  /// Deleting an entry deletes the rows that refer to it. With NORMAL, a power failure can lose the last transactions but not corrupt the
  /// index; files left without rows are collected.
  fileprivate func prepareForUse() throws(SQLiteError) { try execute("PRAGMA foreign_keys = ON; PRAGMA synchronous = NORMAL") }
}

extension CacheError {
  init(_ error: SQLiteError, _ path: String) {
    let detail = error.message
    switch error.code {
    case SQLITE_FULL:
      self.init(.cacheDiskFull, "The index \"\(path)\" cannot grow: \(detail). Free some space, or trim the cache.")
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      self.init(.cacheReadOnly, "The index \"\(path)\" cannot be written: \(detail). Choose a cache folder that can be written.")
    case SQLITE_BUSY, SQLITE_LOCKED:
      self.init(.cacheBusy, "The index \"\(path)\" is locked by another process: \(detail). Try again later.")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(.cacheDamaged, "The index \"\(path)\" is damaged: \(detail). Clear the cache, or remove its folder.")
    default:
      self.init(.cacheUnusable, "The index \"\(path)\" cannot be used: \(detail).")
    }
  }
}
