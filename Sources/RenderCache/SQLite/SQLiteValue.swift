internal import COffprintSQLite

/// A database error with SQLite's code and message. https://www.sqlite.org/rescode.html
struct SQLiteError: Error, Hashable {
  /// The primary result code.
  var code: Int32
  var message: String

  init(_ code: Int32, _ message: String) {
    self.code = code & 0xff
    self.message = message
  }

  static let busy = SQLiteError(SQLITE_BUSY, "database is locked")

  var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
  /// The file is not a database, or its contents are corrupt.
  var isDamage: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
  /// The database is sound but does not fit the statement: it belongs to another program, or is of another version.
  var isForeign: Bool { code == SQLITE_ERROR || code == SQLITE_SCHEMA || code == SQLITE_MISMATCH || code == SQLITE_CONSTRAINT }
  var isUnwritable: Bool { code == SQLITE_CANTOPEN || code == SQLITE_READONLY }
}

/// An argument of a statement.
enum SQLiteValue: Hashable, Sendable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])

  init(integerLiteral value: Int64) { self = .integer(value) }
  init(stringLiteral value: String) { self = .text(value) }
  init(_ value: Int) { self = .integer(Int64(value)) }
  init(_ value: Bool) { self = .integer(value ? 1 : 0) }
  init(_ value: CacheTime) { self = .integer(value.milliseconds) }
  init(_ key: CacheKey) { self = .blob(key.bytes) }
}

/// The current row of a statement. A column of an unexpected type reads as nil, because a database is untrusted input like any other.
struct SQLiteRow {
  let statement: OpaquePointer

  func integer(_ column: Int32) -> Int64? {
    sqlite3_column_type(statement, column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, column) : nil
  }

  /// A size, a count or a time: a nonnegative integer.
  func count(_ column: Int32) -> Int64? { integer(column).flatMap { $0 >= 0 ? $0 : nil } }

  func int(_ column: Int32) -> Int? { count(column).flatMap { Int(exactly: $0) } }

  /// A finite number.
  func real(_ column: Int32) -> Double? {
    let type = sqlite3_column_type(statement, column)
    guard type == SQLITE_FLOAT || type == SQLITE_INTEGER else { return nil }
    let value = sqlite3_column_double(statement, column)
    return value.isFinite ? value : nil
  }

  func text(_ column: Int32) -> String? {
    withText(column) { String(decoding: $0, as: UTF8.self) }
  }

  /// Calls `body` with the bytes of a text without copying them. They are valid until the statement advances.
  func withText<Value>(_ column: Int32, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value? {
    guard sqlite3_column_type(statement, column) == SQLITE_TEXT, let bytes = sqlite3_column_text(statement, column) else { return nil }
    return body(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
  }

  func blob(_ column: Int32) -> [UInt8]? {
    guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    guard count > 0, let bytes = sqlite3_column_blob(statement, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// A SHA-256 digest.
  func digest(_ column: Int32) -> [UInt8]? { blob(column).flatMap { $0.count == 32 ? $0 : nil } }

  func key(_ column: Int32) -> CacheKey? { blob(column).flatMap { CacheKey($0) } }

  func time(_ column: Int32) -> CacheTime? { integer(column).map { CacheTime(milliseconds: $0) } }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }
}
