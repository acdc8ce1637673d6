internal import COffprintSQLite
internal import OffprintCoreTypes
internal import Synchronization

/// The SQLite index: one connection for looking up, opened at once; one for queries and one for writing, opened when first needed, so that
/// a look-up waits for neither. An index that turns out to be damaged is made anew, and what was asked of it is asked again.
final class CacheIndex: Sendable {
  /// A connection and which file it is to.
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
  /// The version the index had when it was opened.
  let openedVersion: Int
  let isImmutable: Bool

  /// - Throws: see `IndexOpener.open`.
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

  /// Looks something up; waits for nobody but other look-ups, and for an index that is held no longer than some milliseconds.
  func lookup<Value>(_ body: (SQLiteDatabase) throws(SQLiteError) -> Value) throws(CacheError) -> Value {
    try healing { () throws(Failure) in try use(lookups, Deadline(after: .milliseconds(50)), body) }
  }

  /// Asks something that may take a while.
  func query<Value>(_ body: (SQLiteDatabase) throws(SQLiteError) -> Value) throws(CacheError) -> Value {
    if isImmutable { return try lookup(body) }
    return try healing { () throws(Failure) in try use(queries, Deadline(after: .seconds(2)), body) }
  }

  /// Runs `body` in a transaction that holds the write lock from its start, so that files and rows change together.
  /// - Parameters:
  ///   - deadline: how long to wait for others that write.
  ///   - isLast: for a process about to end, which need not open another connection for a last word.
  /// - Throws: `cacheBusy` when the lock could not be had; what `body` throws.
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

  /// Runs `body`, which is about to write much in many transactions: what they write is copied from SQLite's journal into the index in few
  /// large steps instead of many small ones that write the same pages again. https://www.sqlite.org/wal.html#checkpointing
  func writingMuch<Value>(_ body: () throws(CacheError) -> Value) throws(CacheError) -> Value {
    func tell(_ sql: String) {
      _ = try? use(writes, Deadline(after: .milliseconds(100))) { (db) throws(SQLiteError) in try db.execute(sql) }
    }
    tell("PRAGMA wal_autocheckpoint = 16000")
    defer { tell("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 1000") }
    return try body()
  }

  /// What went wrong, and with which file.
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
      // An index that was replaced or removed since is left behind: asking the file system costs a microsecond.
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

  // MARK: Healing

  /// Whether it is the index that is wrong, and not the question.
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

  /// Makes the index anew from what can be read of it.
  func rebuild() throws(CacheError) {
    let file = FileSystem.status(opener.folder.index, followsLinks: false)
    try Self.mapping(opener.folder.index) { try opener.replace(file, locks: locks(), deadline: Deadline(after: .seconds(60))) }
    forget()
  }

  /// Lets all connections go; the next use opens another.
  private func forget() {
    func forget(_ state: inout State) { if case .open = state { state = .none } }
    lookups.withLock { forget(&$0) }
    queries.withLock { forget(&$0) }
    writes.withLock { forget(&$0) }
  }

  /// - Parameter isExiting: nothing is written back until the journal is long: closing the last connection would copy it and sync twice.
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

  /// Whoever opens an index that nobody else has open reads all of SQLite's journal, about 3 µs a page, and takes none of it for copied: when
  /// processes come one after the other, only this makes it short again. https://www.sqlite.org/wal.html#avoiding_excessively_large_wal_files
  private static let longestJournal: Int64 = 128 * 4120

  private func leave(_ db: SQLiteDatabase) {
    if !isImmutable, let journal = FileSystem.status(opener.folder.index + "-wal", followsLinks: false), journal.size > Self.longestJournal
    {
      db.deadline = Deadline(after: .milliseconds(5))
      // Where it is being read it stays as it is, for the next one.
      try? db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    _ = Unmanaged.passRetained(db)
  }

  /// Runs `body` and gives its database errors the cache's names.
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
  /// What belongs to an entry goes with it; a power failure costs the last transactions, never the index: files without rows are collected.
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
      self.init(.cacheBusy, "The index \"\(path)\" is held by another process: \(detail). Try again later.")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      self.init(.cacheDamaged, "The index \"\(path)\" is damaged: \(detail). Clear the cache, or remove its folder.")
    default:
      self.init(.cacheUnusable, "The index \"\(path)\" cannot be used: \(detail).")
    }
  }
}
