#ifndef OFFPRINT_CSQLITE_H
#define OFFPRINT_CSQLITE_H

#include <sqlite3.h>

// sqlite3_bind_* with SQLITE_TRANSIENT, which Swift cannot import: SQLite copies the bytes.
static inline int offprint_bind_text(sqlite3_stmt *statement, int index, const char *bytes, int count) {
  return sqlite3_bind_text(statement, index, bytes, count, SQLITE_TRANSIENT);
}

static inline int offprint_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
  return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0) : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}

// Double-quoted strings are identifiers only, and functions in a database's own schema are not trusted.
// https://www.sqlite.org/security.html
static inline void offprint_make_strict(sqlite3 *connection) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DML, 0, (int *)0);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, (int *)0);
}

#endif
