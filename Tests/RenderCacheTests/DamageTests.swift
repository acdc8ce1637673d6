import OffprintCoreTypes
import Foundation
import Testing

@testable import OffprintRenderCache

/// Modifies an index in a way that our programs never do.
private func alter(_ folder: TemporaryFolder, _ sql: String) throws {
  let db = try SQLiteDatabase(folder.path + "/cache/index.sqlite", .readWrite, deadline: Deadline(after: .seconds(5)))
  try db.execute(sql)
  db.close()
}

/// A closed cache with the values "0" to "9"; "0" has a name, a tag and a dependency, and was used three times.
private func filledCache() throws -> TemporaryFolder {
  let folder = try TemporaryFolder()
  let cache = try openCache(folder)
  folder.write("a.css", "one")
  for number in 0..<10 {
    var value = makeValue("\(number)", size: 100)
    if number == 0 {
      value.identifier = "card"
      value.tags = ["campaign"]
      value.dependencies = [try dependency(on: folder.path + "/a.css")]
    }
    try cache.store(makeKey("\(number)"), value)
  }
  for _ in 0..<3 { #expect(cache.lookup(makeKey("0")) != nil) }
  cache.close()
  return folder
}

/// How many of the ten values are found.
private func found(_ cache: RenderCache) -> Int { (0..<10).count { cache.lookup(makeKey("\($0)")) != nil } }

private func removeJournal(_ folder: TemporaryFolder) throws {
  try FileManager.default.removeItem(atPath: folder.path + "/cache/journal")
}

@Suite("Damaged and foreign indexes")
struct DamageTests {
  @Test(
    "An index with unexpected versions, tables, columns or triggers is rebuilt, and nothing readable is lost",
    arguments: [
      "PRAGMA user_version = -1", "PRAGMA user_version = 0", "PRAGMA user_version = 1", "PRAGMA user_version = 2", "DROP TABLE day",
      "DROP TABLE total", "DROP INDEX entry_lastUsed", "DROP TRIGGER entry_added", "ALTER TABLE entry ADD COLUMN extra TEXT",
      "DROP INDEX entry_created; ALTER TABLE entry DROP COLUMN source", "ALTER TABLE entry RENAME COLUMN metadata TO meta",
      "CREATE TABLE more (x)",
      "CREATE VIEW v AS SELECT * FROM entry", "DROP TABLE detail", "DROP TABLE tag", "DROP TABLE name",
      "PRAGMA application_id = 7; PRAGMA user_version = 99",
    ])
  func strangeSchema(_ sql: String) throws {
    let folder = try filledCache()
    try removeJournal(folder)
    try alter(folder, sql)
    let cache = try openCache(folder)
    #expect(found(cache) == 10)
    #expect(try cache.verify().isSound)
    if !sql.hasPrefix("DROP TABLE name") { #expect(try cache.record(identifier: "card")?.hits ?? 0 >= 3) }
    try cache.store(makeKey("new"), makeValue("new"))
    #expect(cache.lookup(makeKey("new")) != nil)
    cache.close()
    #expect(try openCache(folder).openedSchemaVersion == RenderCache.schemaVersion, "the index is created again once")
  }

  @Test(
    "Malformed rows are misses whatever they contain, they heal, and listing skips them",
    arguments: [
      "width = 'abc'", "size = 'abc'", "size = -1", "size = 9223372036854775807", "checksum = 5", "checksum = x'00'", "metadata = x'ff00'",
      "created = 'now'", "cost = 'dear'", "dependencies = 7", "dependencies = -1", "hits = 1.5", "lastUsed = x'00'",
      "key = 'abc'",
      "key = x'0102'", "source = x'00'",
    ])
  func strangeRows(_ change: String) throws {
    let folder = try filledCache()
    try alter(folder, "UPDATE entry SET \(change) WHERE id = 3")
    let cache = try openCache(folder)
    #expect(found(cache) >= 9)
    _ = try cache.list()
    _ = try cache.stats()
    _ = try cache.groups(by: .width)
    _ = try cache.trim(maxSize: 1 << 20)
    try cache.store(makeKey("2"), makeValue("2"))
    #expect(cache.lookup(makeKey("2")) != nil)
    #expect(found(cache) == 10)
  }

  @Test("An index of the first version with rows of wrong types is migrated without them")
  func oldWrongTypes() throws {
    let folder = try TemporaryFolder()
    try openCache(folder, schema: IndexSchema(steps: Array(IndexSchema.current.steps.prefix(2)))).close()
    let digest = SHA256.hash(Array("x".utf8))
    let db = try SQLiteDatabase(folder.path + "/cache/index.sqlite", .readWrite, deadline: .never)
    for (number, width) in [SQLiteValue.integer(4), .text("abc"), .blob([1])].enumerated() {
      try db.run(
        "INSERT INTO entry (key, size, checksum, width, height, created, lastUsed, cost, parts, metadata, dependencies) "
          + "VALUES (?, 1, ?, ?, 1, 1, 1, 1, '', '', 0)",
        [SQLiteValue(makeKey("\(number)")), .blob(digest), width])
    }
    db.close()
    #expect(try openCache(folder).list().map(\.key) == [makeKey("0")])
  }

  enum Ruin: CaseIterable, CustomTestStringConvertible {
    case garbage, empty, halved, header, removed, removedUnderOpenJournal, folder, fifo, link, otherDatabase
    var testDescription: String { "\(self)" }

    func apply(_ path: String) throws {
      let bytes = FileManager.default.contents(atPath: path) ?? Data()
      unlink(path)
      switch self {
      case .garbage: _ = FileManager.default.createFile(atPath: path, contents: Data(repeating: 0x61, count: 9000))
      case .empty: _ = FileManager.default.createFile(atPath: path, contents: Data())
      case .halved: _ = FileManager.default.createFile(atPath: path, contents: bytes.prefix(bytes.count / 2))
      case .header: _ = FileManager.default.createFile(atPath: path, contents: Data(repeating: 0, count: 100) + bytes.dropFirst(100))
      case .removed: break
      case .removedUnderOpenJournal:
        _ = FileManager.default.createFile(atPath: path + "-wal", contents: Data(repeating: 0x37, count: 40_000))
      case .folder: mkdir(path, 0o755)
      case .fifo: mkfifo(path, 0o644)
      case .link: symlink("/dev/zero", path)
      case .otherDatabase:
        let db = try SQLiteDatabase(path, .create, deadline: .never)
        try db.execute("CREATE TABLE entry (x); INSERT INTO entry VALUES (1); PRAGMA user_version = 3")
        db.close()
      }
    }
  }

  @Test("Whatever replaces the index, entries and their dependencies are restored from the journal", arguments: Ruin.allCases)
  func lostIndex(_ ruin: Ruin) throws {
    let folder = try filledCache()
    try ruin.apply(folder.path + "/cache/index.sqlite")
    let cache = try openCache(folder)
    #expect(found(cache) == 10)
    #expect(try cache.record(identifier: "card")?.tags == ["campaign"])
    folder.write("a.css", "two")
    #expect(cache.lookup(makeKey("0")) == nil, "its dependencies are still recorded, and have changed")
    #expect(try cache.verify().isSound)
  }

  @Test(
    "Without a journal too, an index is rebuilt, unknown values are collected, and new ones are stored",
    arguments: Ruin.allCases)
  func lostBoth(_ ruin: Ruin) throws {
    let folder = try filledCache()
    try removeJournal(folder)
    try ruin.apply(folder.path + "/cache/index.sqlite")
    let cache = try openCache(folder)
    #expect(try cache.trim().orphans == 10 - cache.list().count)
    try cache.store(makeKey("a"), makeValue("a"))
    #expect(cache.lookup(makeKey("a")) != nil)
    #expect(try cache.verify().isSound)
  }

  @Test("If another process replaces the index, the new one is used")
  func replaced() throws {
    let folder = try TemporaryFolder()
    let (cache, other) = (try openCache(folder), try openCache(folder))
    try cache.store(makeKey("a"), makeValue("a"))
    #expect(cache.lookup(makeKey("a")) != nil)
    try other.index.rebuild()
    try other.store(makeKey("b"), makeValue("b"))
    #expect(cache.lookup(makeKey("b"))?.data == Array("b".utf8), "stored after the index was replaced")
    #expect(cache.lookup(makeKey("a"))?.data == Array("a".utf8))
  }

  @Test("An index damaged in the middle while it is open is rebuilt by the process that detects the damage")
  func damagedWhileOpen() throws {
    let folder = try TemporaryFolder()
    let writer = try openCache(folder)
    for number in 0..<400 { try writer.store(makeKey("\(number)"), makeValue("\(number)", size: 50)) }
    writer.close()
    let path = folder.path + "/cache/index.sqlite"
    let cache = try openCache(folder)
    let size = try #require(FileSystem.status(path)?.size)
    let file = open(path, O_RDWR)
    defer { close(file) }
    for page in 3..<(size / 4096) {
      let noise = [UInt8](repeating: 0xa5, count: 4096)
      #expect(pwrite(file, noise, 4096, off_t(page * 4096)) == 4096)
    }
    #expect((0..<400).count { cache.lookup(makeKey("\($0)")) != nil } >= 399)
    try cache.store(makeKey("new"), makeValue("new"))
    #expect(cache.lookup(makeKey("new")) != nil)
    #expect(try cache.verify().isSound)
  }

  @Test("A cache folder removed while a program runs is created again")
  func folderRemoved() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    try cache.store(makeKey("a"), makeValue("a"))
    try FileManager.default.removeItem(atPath: folder.path + "/cache")
    #expect(cache.lookup(makeKey("a")) == nil)
    try cache.store(makeKey("a"), makeValue("a"))
    #expect(try openCache(folder).lookup(makeKey("a")) != nil)
  }

  @Test("An incomplete record of a writer that died is skipped at the end of the journal")
  func halfRecord() throws {
    let folder = try filledCache()
    let key = makeKey("3")
    let path = folder.path + "/cache/journal/\(key.description.prefix(2))"
    let text = try #require(FileManager.default.contents(atPath: path))
    _ = FileManager.default.createFile(atPath: path, contents: text.prefix(text.count / 2) + text)
    unlink(folder.path + "/cache/index.sqlite")
    #expect(found(try openCache(folder)) == 10)
  }

  @Test("A journal that has grown is rewritten without the records of removed values")
  func journalShrinks() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    var value = makeValue("a")
    value.metadata = String(repeating: "m", count: 10_000)
    for _ in 0..<60 { try cache.store(makeKey("a"), value) }
    let before = try cache.stats().indexSize
    try cache.trim()
    #expect(try cache.stats().indexSize < before - 500_000)
    cache.close()
    unlink(folder.path + "/cache/index.sqlite")
    #expect(try openCache(folder).lookup(makeKey("a")) != nil)
  }
}
