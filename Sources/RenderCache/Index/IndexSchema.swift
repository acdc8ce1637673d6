/// The schema of the index as a list of migration steps, each from the previous version. A released step is never changed.
struct IndexSchema: Sendable {
  var steps: [@Sendable (SQLiteDatabase) throws -> Void]
  /// The expected layout of an index of this version, as `layout(of:)` prints it; nil accepts any.
  var layout: String?

  var version: Int { steps.count }

  static let current = IndexSchema(steps: [step1, step2, step3, step4, step5, step6], layout: currentLayout)

  private static let step1: @Sendable (SQLiteDatabase) throws -> Void = { (db) throws(SQLiteError) in
    try db.execute(
      """
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
  }

  /// An identifier names its latest value: one row per identifier, not one per value.
  private static let step2: @Sendable (SQLiteDatabase) throws -> Void = { (db) throws(SQLiteError) in
    try db.execute(
      """
      CREATE TABLE name (
        identifier TEXT PRIMARY KEY NOT NULL,
        entry INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE
      ) WITHOUT ROWID;
      CREATE INDEX name_entry ON name (entry);
      INSERT OR REPLACE INTO name (identifier, entry)
        SELECT identifier, id FROM entry WHERE identifier IS NOT NULL ORDER BY created, id;
      ALTER TABLE entry DROP COLUMN identifier;
      """)
  }

  /// Adds tags, source pages, statistics by day, and totals that need no counting. Large columns that a hit does not need move to a
  /// separate table, so that scanning all entries reads few bytes.
  private static let step3: @Sendable (SQLiteDatabase) throws -> Void = { (db) throws(SQLiteError) in
    try db.execute(
      """
      ALTER TABLE entry RENAME TO entry2;
      ALTER TABLE dependency RENAME TO dependency2;
      ALTER TABLE name RENAME TO name2;
      DROP INDEX entry_lastUsed;
      DROP INDEX name_entry;
      """ + tables3 + """
        INSERT INTO entry (id, key, size, checksum, width, height, created, lastUsed, hits, cost, dependencies, source, metadata)
          SELECT id, key, size, checksum, width, height, created, lastUsed, hits, cost, dependencies, '', metadata FROM entry2;
        INSERT INTO detail (entry, parts) SELECT id, parts FROM entry2;
        INSERT INTO dependency (entry, position, location, isFile, digest, size, modified)
          SELECT entry, position, location, isFile, digest, size, modified FROM dependency2 WHERE entry IN (SELECT id FROM entry);
        INSERT INTO name (identifier, entry) SELECT identifier, entry FROM name2 WHERE entry IN (SELECT id FROM entry);
        DROP TABLE name2;
        DROP TABLE dependency2;
        DROP TABLE entry2;
        PRAGMA application_id = \(CacheFolder.applicationID);
        """)
  }

  /// Makes the index of creation times a covering index for text searches, which then read a tenth of the table's bytes. It grows at its
  /// end because its rows are ordered by time.
  private static let step4: @Sendable (SQLiteDatabase) throws -> Void = { (db) throws(SQLiteError) in
    try db.execute("DROP INDEX entry_created; CREATE INDEX entry_created ON entry (created, source, metadata)")
  }

  /// Adds the owners of identifiers. Only its owner may assign an identifier to another value; an identifier without a row has no owner.
  private static let step5: @Sendable (SQLiteDatabase) throws -> Void = { (db) throws(SQLiteError) in
    try db.execute(
      """
      CREATE TABLE owner (
        identifier TEXT PRIMARY KEY NOT NULL,
        owner TEXT NOT NULL,
        claimed INTEGER NOT NULL
      ) WITHOUT ROWID;
      """)
  }

  /// Counts the bytes of identifiers and tags in the index toward the size of the cache. Otherwise a client that may only name images
  /// could fill the disk.
  private static let step6: @Sendable (SQLiteDatabase) throws -> Void = { (db) throws(SQLiteError) in
    let counted = [("name", "identifier"), ("tag", "tag")].map { table, column in
      """
      CREATE TRIGGER \(table)_added AFTER INSERT ON \(table) BEGIN
        UPDATE total SET labels = labels + \(labelSize("new.\(column)"));
      END;
      CREATE TRIGGER \(table)_removed AFTER DELETE ON \(table) BEGIN
        UPDATE total SET labels = labels - \(labelSize("old.\(column)"));
      END;
      UPDATE total SET labels = labels + (SELECT coalesce(sum(\(labelSize(column))), 0) FROM \(table));

      """
    }
    try db.execute("ALTER TABLE total ADD COLUMN labels INTEGER NOT NULL DEFAULT 0;\n" + counted.joined())
  }

  /// SQL for the bytes that an identifier or a tag takes. Its text is stored up to three times: in a table, in that table's index and, for
  /// an identifier with an owner, in the table of owners.
  static func labelSize(_ text: String) -> String { "(3 * length(CAST(\(text) AS BLOB)) + 96)" }

  private static let tables3 = """
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY,
      key BLOB NOT NULL UNIQUE,
      size INTEGER NOT NULL,
      checksum BLOB NOT NULL,
      width INTEGER NOT NULL,
      height INTEGER NOT NULL,
      created INTEGER NOT NULL,
      lastUsed INTEGER NOT NULL,
      hits INTEGER NOT NULL,
      cost REAL NOT NULL,
      dependencies INTEGER NOT NULL,
      source TEXT NOT NULL,
      metadata TEXT NOT NULL
    );
    CREATE INDEX entry_lastUsed ON entry (lastUsed, size, created, hits, cost, width, height);
    CREATE INDEX entry_created ON entry (created);
    CREATE TABLE detail (entry INTEGER PRIMARY KEY REFERENCES entry (id) ON DELETE CASCADE, parts TEXT NOT NULL);
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
    CREATE TABLE name (
      identifier TEXT PRIMARY KEY NOT NULL,
      entry INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE
    ) WITHOUT ROWID;
    CREATE INDEX name_entry ON name (entry);
    CREATE TABLE tag (
      tag TEXT NOT NULL,
      entry INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
      PRIMARY KEY (tag, entry)
    ) WITHOUT ROWID;
    CREATE INDEX tag_entry ON tag (entry);
    CREATE TABLE day (
      day INTEGER PRIMARY KEY,
      hits INTEGER NOT NULL,
      misses INTEGER NOT NULL,
      stores INTEGER NOT NULL,
      saved REAL NOT NULL
    );
    CREATE TABLE total (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      entries INTEGER NOT NULL,
      size INTEGER NOT NULL,
      hits INTEGER NOT NULL,
      cost REAL NOT NULL,
      saved REAL NOT NULL
    );
    INSERT INTO total VALUES (1, 0, 0, 0, 0, 0);
    CREATE TRIGGER entry_added AFTER INSERT ON entry BEGIN
      UPDATE total SET entries = entries + 1, size = size + new.size, hits = hits + new.hits, cost = cost + new.cost,
        saved = saved + new.cost * new.hits;
    END;
    CREATE TRIGGER entry_removed AFTER DELETE ON entry BEGIN
      UPDATE total SET entries = entries - 1, size = size - old.size, hits = hits - old.hits, cost = cost - old.cost,
        saved = saved - old.cost * old.hits;
    END;
    CREATE TRIGGER entry_changed AFTER UPDATE OF size, hits, cost ON entry BEGIN
      UPDATE total SET size = size + new.size - old.size, hits = hits + new.hits - old.hits, cost = cost + new.cost - old.cost,
        saved = saved + new.cost * new.hits - old.cost * old.hits;
    END;

    """

  // MARK: Layout

  /// The schema of a database as text: one line per table, index or trigger, sorted by name, with the columns and their types. Fast,
  /// because SQLite keeps the schema in memory.
  static func layout(of db: SQLiteDatabase) throws(SQLiteError) -> String {
    let lines = try db.all(
      """
      SELECT s.type || ' ' || s.name
        || coalesce(group_concat(' ' || c.name || ':' || c.type || iif(c."notnull", '!', '') || iif(c.hidden, '?', ''), ''), '')
      FROM sqlite_schema AS s LEFT JOIN pragma_table_xinfo(s.name) AS c
      WHERE s.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' GROUP BY s.name ORDER BY s.name
      """
    ) { $0.text(0) }
    return lines.joined(separator: "\n")
  }

  private static let currentLayout = """
    table day day:INTEGER hits:INTEGER! misses:INTEGER! stores:INTEGER! saved:REAL!
    table dependency entry:INTEGER! position:INTEGER! location:TEXT! isFile:INTEGER! digest:BLOB size:INTEGER! modified:INTEGER!
    table detail entry:INTEGER parts:TEXT!
    table entry id:INTEGER key:BLOB! size:INTEGER! checksum:BLOB! width:INTEGER! height:INTEGER! created:INTEGER! \
    lastUsed:INTEGER! hits:INTEGER! cost:REAL! dependencies:INTEGER! source:TEXT! metadata:TEXT!
    trigger entry_added
    trigger entry_changed
    index entry_created
    index entry_lastUsed
    trigger entry_removed
    table name identifier:TEXT! entry:INTEGER!
    trigger name_added
    index name_entry
    trigger name_removed
    table owner identifier:TEXT! owner:TEXT! claimed:INTEGER!
    table tag tag:TEXT! entry:INTEGER!
    trigger tag_added
    index tag_entry
    trigger tag_removed
    table total id:INTEGER entries:INTEGER! size:INTEGER! hits:INTEGER! cost:REAL! saved:REAL! labels:INTEGER!
    """
}
