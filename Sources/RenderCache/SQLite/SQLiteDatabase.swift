internal import COffprintSQLite
internal import OffprintCoreTypes
internal import Glibc

/// A connection to an SQLite database. Its owner must use it from one thread at a time. Wraps the few calls the index needs; every failure
/// is an error, and nothing traps whatever the file contains.
final class SQLiteDatabase: @unchecked Sendable {
  private var connection: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]
  /// How long statements wait for locks of other connections. The busy handler reads it.
  private let patience: UnsafeMutablePointer<Deadline>

  enum Mode {
    case readWrite
    case create
    /// Opens a database that nobody writes, without locks and journal. https://www.sqlite.org/uri.html#uriimmutable
    case immutable
  }

  init(_ path: String, _ mode: Mode, deadline: Deadline) throws(SQLiteError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_NOMUTEX
    let code =
      switch mode {
      case .readWrite: sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_READWRITE, nil)
      case .create: sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
      case .immutable:
        sqlite3_open_v2("file:\(Self.percentEncoded(path))?immutable=1", &opened, flags | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
      }
    guard code == SQLITE_OK, let opened else {
      let message = opened.flatMap { sqlite3_errmsg($0) }.map { String(cString: $0) } ?? "out of memory"
      sqlite3_close_v2(opened)
      throw SQLiteError(code, message)
    }
    connection = opened
    patience = .allocate(capacity: 1)
    patience.initialize(to: deadline)
    offprint_make_strict(opened)
    TextSearch.register(on: opened)
    sqlite3_busy_handler(opened, Self.wait, patience)
  }

  /// Closes the connection. Closing the last connection to a database checkpoints its journal.
  func close() {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close_v2(connection)
    connection = nil
  }

  deinit {
    close()
    patience.deinitialize(count: 1)
    patience.deallocate()
  }

  /// The time until which statements wait for locks.
  var deadline: Deadline {
    get { patience.pointee }
    set { patience.pointee = newValue }
  }

  private static let wait: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { patience, count in
    guard let deadline = patience?.assumingMemoryBound(to: Deadline.self).pointee, !deadline.hasPassed else { return 0 }
    usleep(UInt32(min(10_000, 200 << min(count, 6))))
    return 1
  }

  /// The path, percent-encoded for a URI. https://www.sqlite.org/uri.html
  private static func percentEncoded(_ path: String) -> String {
    String(
      decoding: path.utf8.flatMap { byte -> [UInt8] in
        let isSpecial = byte == UInt8(ascii: "%") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
        return isSpecial ? [UInt8(ascii: "%")] + Array(Hex.encode([byte]).utf8) : [byte]
      }, as: UTF8.self)
  }

  // MARK: Statements

  /// Runs statements without arguments, ignoring their rows.
  func execute(_ sql: String) throws(SQLiteError) {
    guard let connection else { throw Self.closed }
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw error() }
  }

  /// Runs one statement. Compiled statements are cached by their text.
  func run(_ sql: String, _ values: [SQLiteValue] = []) throws(SQLiteError) {
    try forEach(sql, values) { (_) throws(SQLiteError) in false }
  }

  /// Calls `body` for each row until it returns false.
  func forEach(_ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteRow) throws(SQLiteError) -> Bool) throws(SQLiteError) {
    // Removed from the table while in use, so that `body` can run the same statement.
    let statement: OpaquePointer
    if let cached = statements.removeValue(forKey: sql) { statement = cached } else { statement = try prepare(sql) }
    defer { keep(statement, sql) }
    for (index, value) in values.enumerated() { try bind(value, statement, Int32(index + 1)) }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: if try !body(SQLiteRow(statement: statement)) { return }
      case SQLITE_DONE: return
      default: throw error()
      }
    }
  }

  /// The result of `body` for the first row; nil if there is no row.
  func first<Value>(_ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteRow) -> Value?) throws(SQLiteError) -> Value? {
    var result: Value?
    try forEach(sql, values) { (row) throws(SQLiteError) in
      result = body(row)
      return false
    }
    return result
  }

  /// The results of `body` for all rows, without nil.
  func all<Value>(_ sql: String, _ values: [SQLiteValue] = [], _ body: (SQLiteRow) -> Value?) throws(SQLiteError) -> [Value] {
    var result: [Value] = []
    try forEach(sql, values) { (row) throws(SQLiteError) in
      if let value = body(row) { result.append(value) }
      return true
    }
    return result
  }

  private func prepare(_ sql: String) throws(SQLiteError) -> OpaquePointer {
    guard let connection else { throw Self.closed }
    var statement: OpaquePointer?
    guard sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK, let statement else {
      throw error()
    }
    return statement
  }

  private func keep(_ statement: OpaquePointer, _ sql: String) {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    if statements.count >= 64 || statements[sql] != nil { sqlite3_finalize(statement) } else { statements[sql] = statement }
  }

  private func bind(_ value: SQLiteValue, _ statement: OpaquePointer, _ index: Int32) throws(SQLiteError) {
    let code: Int32
    switch value {
    case .null: code = sqlite3_bind_null(statement, index)
    case .integer(let value): code = sqlite3_bind_int64(statement, index, value)
    case .real(let value): code = sqlite3_bind_double(statement, index, value)
    case .text(let value):
      var value = value
      code = value.withUTF8 { bytes in
        guard let count = Int32(exactly: bytes.count) else { return SQLITE_TOOBIG }
        return bytes.withMemoryRebound(to: CChar.self) {
          $0.baseAddress.map { offprint_bind_text(statement, index, $0, count) } ?? offprint_bind_text(statement, index, "", 0)
        }
      }
    case .blob(let value):
      code = value.withUnsafeBytes { bytes in
        Int32(exactly: bytes.count).map { offprint_bind_blob(statement, index, bytes.baseAddress, $0) } ?? SQLITE_TOOBIG
      }
    }
    guard code == SQLITE_OK else { throw SQLiteError(code, "a value cannot be bound to a statement") }
  }

  private static let closed = SQLiteError(SQLITE_MISUSE, "the database was closed")

  private func error() -> SQLiteError {
    guard let connection else { return Self.closed }
    return SQLiteError(sqlite3_extended_errcode(connection), String(cString: sqlite3_errmsg(connection)))
  }

  // MARK: Transactions

  /// Runs `body` in a transaction that holds the write lock from its start; an error rolls it back.
  func transaction<Value>(_ body: () throws -> Value) throws -> Value {
    try execute("BEGIN IMMEDIATE")
    do {
      let value = try body()
      try execute("COMMIT")
      return value
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }
}
