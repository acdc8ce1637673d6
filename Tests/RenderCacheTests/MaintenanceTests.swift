import Foundation
import Testing

@testable import OffprintCoreTypes
@testable import OffprintRenderCache

@Suite("Conditions") struct ConditionTests {
  @Test("A condition that is nested too deep is an error, and nothing is removed")
  func tooDeep() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    defer { cache.close() }
    try cache.store(makeKey("a"), makeValue("a"))
    var filter = CacheFilter.comparison(.width, .equal, .integer(1))
    for _ in 0..<150 { filter = .not(.and([filter])) }
    let error = #expect(throws: CacheError.self) { try cache.remove(where: filter) }
    #expect(error?.code == .invalidCacheQuery)
    #expect(cache.lookup(makeKey("a")) != nil)
  }
}

@Suite("Maintenance of the store")
struct MaintenanceTests {
  @Test("Trimming removes the least recently used entries first, and no more than necessary")
  func trimOrder() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let cache = try openCache(folder, clock: clock)
    for number in 0..<10 {
      try cache.store(makeKey("\(number)"), makeValue("\(number)", size: 100))
      clock.advance(1000)
    }
    #expect(cache.lookup(makeKey("0")) != nil)
    let foreseen = try cache.trim(maxSize: 500, dryRun: true)
    let removal = try cache.trim(maxSize: 500)
    #expect(foreseen == removal)
    #expect(removal.entries == 5)
    #expect(removal.bytes == 500)
    #expect(try cache.list().map(\.key) == ["0", "9", "8", "7", "6"].map(makeKey))
    #expect(folder.files("cache/objects").count == 5)
    #expect(try cache.trim(maxSize: 500).entries == 0)
  }

  @Test("Entries unused for the given time are trimmed, according to the given clock")
  func trimAge() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let cache = try openCache(folder, clock: clock)
    for name in ["old", "used", "young"] {
      try cache.store(makeKey(name), makeValue(name))
      clock.advance(60_000)
    }
    #expect(cache.lookup(makeKey("used")) != nil)
    #expect(try cache.trim(maxAge: .seconds(100)).entries == 1)
    #expect(cache.lookup(makeKey("old")) == nil)
    #expect(cache.lookup(makeKey("used")) != nil)
  }

  @Test("Storing more than the limit trims in the background")
  func background() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder, maxSize: 1000)
    for number in 0..<40 {
      try cache.store(makeKey("\(number)"), makeValue("\(number)", size: 100))
      cache.background.sync {}
    }
    #expect(try cache.stats().size <= 1000)
    #expect(cache.lookup(makeKey("39")) != nil)
  }

  @Test("Verifying finds damaged, missing and unknown files, changes nothing, and repairs on request")
  func verify() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    for name in ["good", "damaged", "missing"] { try cache.store(makeKey(name), makeValue(name)) }
    _ = FileManager.default.createFile(atPath: cache.objectPath(makeKey("damaged")), contents: Data("xamaged".utf8))
    unlink(cache.objectPath(makeKey("missing")))
    mkdir(folder.path + "/cache/objects/ff", 0o755)
    let stray = "ff/ff" + String(repeating: "0", count: 62) + ".png"
    folder.write("cache/objects/" + stray, "?")
    folder.write("cache/objects/ff/notes.txt", "not the cache's")
    for isRepair in [false, true] {
      let report = try cache.verify(repair: isRepair)
      #expect(report.checked == 3)
      #expect(report.damagedFiles == [makeKey("damaged")])
      #expect(report.missingFiles == [makeKey("missing")])
      #expect(report.orphans == [stray])
      #expect(!report.isSound)
    }
    #expect(FileSystem.exists(folder.path + "/cache/objects/ff/notes.txt"))
    let after = try cache.verify()
    #expect(after.isSound)
    #expect(after.checked == 1)
    #expect(cache.lookup(makeKey("good")) != nil)
  }

  @Test("Hits are counted in the index after flushing, and are summed over handles")
  func counts() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    for _ in 0..<2 {
      let cache = try openCache(folder, memory: 1 << 20, clock: clock)
      if cache.lookup(makeKey("a")) == nil { try cache.store(makeKey("a"), makeValue("a")) }
      clock.advance(5000)
      for _ in 0..<3 { _ = cache.lookup(makeKey("a")) }
      cache.close()
    }
    let record = try #require(try openCache(folder).record(makeKey("a")))
    #expect(record.hits == 7)
    #expect(record.lastUsed.milliseconds - record.created.milliseconds == 10_000)
  }

  @Test("Closing flushes, also when the process exits, and a closed cache answers with misses", arguments: [false, true])
  func closing(_ isExiting: Bool) throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    try cache.store(makeKey("a"), makeValue("a"))
    _ = cache.lookup(makeKey("a"), identifier: "name")
    cache.close(isExiting: isExiting)
    if !isExiting { #expect(cache.lookup(makeKey("a")) == nil) }
    #expect(try openCache(folder).record(identifier: "name")?.hits == 1)
  }

  @Test("Hits are written periodically")
  func occasionally() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let cache = try openCache(folder, clock: clock)
    try cache.store(makeKey("a"), makeValue("a"))
    cache.background.sync {}  // the first store also flushes in the background
    _ = cache.lookup(makeKey("a"))
    #expect(!cache.pending.withLock { $0.isEmpty })
    clock.advance(61_000)
    _ = cache.lookup(makeKey("a"))
    cache.background.sync {}
    #expect(cache.pending.withLock { $0.isEmpty })
  }

  @Test("Clearing leaves no entries and no images")
  func clear() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder, memory: 1 << 20)
    for number in 0..<300 { try cache.store(makeKey("\(number)"), makeValue("\(number)")) }
    #expect(try cache.clear().entries == 300)
    #expect(cache.lookup(makeKey("1")) == nil)
    #expect(folder.files("cache/objects") == [])
    #expect(try cache.stats().entries == 0)
  }

  @Test("Queries filter, search, sort and group")
  func queries() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let cache = try openCache(folder, clock: clock)
    for (name, size) in [("card-1", 100), ("card-2", 3000), ("receipt", 2000), ("100%_sure", 50)] {
      var value = makeValue(name, size: size)
      value.identifier = name
      value.width = name.hasPrefix("card") ? 1200 : 300
      try cache.store(makeKey(name), value)
      clock.advance(3_600_000)
    }
    func names(_ filter: String, search: String? = nil, sort: String = "size") throws -> [String] {
      var query = CacheQuery()
      query.filter = filter.isEmpty ? .all : try CacheFilter.parse(filter)
      query.sort = try CacheSort.parse(sort)
      query.search = search
      return try cache.list(query).flatMap(\.identifiers)
    }
    #expect(try names("size > 1kB and (identifier ~ 'card-*' or hits >= 1)") == ["card-2"])
    #expect(try names("width = 1200", sort: "-size") == ["card-2", "card-1"])
    #expect(try names("identifier != receipt and not width == 1200") == ["100%_sure"])
    #expect(try names("age < 2.5h", sort: "created desc") == ["100%_sure", "receipt"])
    #expect(
      try names("created >= 1970-01-01T01:00 && created < 2000-01-01")
        == ["card-2", "receipt", "100%_sure"].sorted { a, b in
          a == "100%_sure" || (a == "receipt" && b == "card-2")
        })
    #expect(try names("", search: "%_") == ["100%_sure"])
    #expect(try names("", search: "CARD") == ["card-1", "card-2"])
    #expect(try names("key = \(makeKey("receipt"))") == ["receipt"])
    #expect(try cache.records(keyPrefix: String(makeKey("receipt").description.prefix(9))).map(\.key) == [makeKey("receipt")])
    let groups = try cache.groups(by: .width)
    #expect(groups == [.init(value: "1200", entries: 2, size: 3100, hits: 0), .init(value: "300", entries: 2, size: 2050, hits: 0)])
    #expect(try cache.groups(by: .created).map(\.value) == ["1970-01-01"])
    #expect(try cache.remove(where: CacheFilter.parse("identifier ~ card")).entries == 2)
    #expect(try names("") == ["100%_sure", "receipt"])
  }

  @Test(
    "An invalid condition is an error that describes the problem",
    arguments: [
      "", "size", "size >", "colour = 1", "size = big", "(size = 1", "size = 1 width = 2", "created > yesterday", "size = 1 and", "not",
      "a & b",
      "created > 2024-13-01", "'; DROP TABLE entry", String(repeating: "(", count: 5000),
    ])
  func badConditions(_ text: String) {
    let error = #expect(throws: CacheError.self) { try CacheFilter.parse(text) }
    #expect(error?.code == .invalidCacheQuery)
  }

  @Test("Explaining names the parts in which the nearest entry differs")
  func explain() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    func encoder(_ html: String, _ width: Int) -> CanonicalEncoder {
      var encoder = CanonicalEncoder(domain: "test")
      encoder.add("html", html)
      encoder.add("width", width)
      encoder.add("scale", 1.0)
      return encoder
    }
    for (html, width) in [("a", 100), ("b", 200)] {
      var value = makeValue(html)
      value.parts = encoder(html, width).parts
      try cache.store(encoder(html, width).key, value)
    }
    let wanted = encoder("a", 300)
    let explanation = try cache.explain(wanted.key, parts: wanted.parts)
    #expect(explanation.status == .absent)
    #expect(explanation.nearest?.key == encoder("a", 100).key)
    #expect(explanation.differences.map(\.name) == ["width"])
    #expect(try cache.explain(encoder("b", 200).key, parts: []).status == .hit)
  }
}

@Suite("Versions of the index")
struct MigrationTests {
  @Test("An index of an older version is migrated with its entries, and leaves no files behind")
  func migrates() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/cache/index.sqlite"
    let old = IndexSchema(steps: Array(IndexSchema.current.steps.prefix(1)))
    try openCache(folder, schema: old).close()
    let key = makeKey("a")
    let data = Array("hello".utf8)
    let db = try SQLiteDatabase(path, .readWrite, deadline: .never)
    for (row, identifier) in [(key, "card"), (makeKey("older"), "card"), (makeKey("other"), nil)] as [(CacheKey, String?)] {
      try db.run(
        "INSERT INTO entry (key, identifier, size, checksum, width, height, created, lastUsed, cost, parts, metadata, dependencies) "
          + "VALUES (?, ?, 5, ?, 1, 1, ?, 0, 0, '', 'meta', 0)",
        [SQLiteValue(row), identifier.map { .text($0) } ?? .null, .blob(digest(data)), row == key ? 2 : 1])
    }
    db.close()
    let cache = try openCache(folder)
    mkdir(folder.path + "/cache/objects/" + key.description.prefix(2), 0o755)
    _ = FileManager.default.createFile(atPath: cache.objectPath(key), contents: Data(data))
    #expect(cache.openedSchemaVersion == 1)
    #expect(cache.lookup(key)?.metadata == "meta")
    #expect(try cache.record(identifier: "card")?.key == key)
    #expect(try cache.list().count == 3)
    #expect(folder.files("cache/temporary") == [])
    cache.close()
    #expect(try openCache(folder).openedSchemaVersion == RenderCache.schemaVersion)
  }

  @Test("A failed migration leaves the old index unchanged, and the next attempt removes its files")
  func failedMigration() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    try cache.store(makeKey("a"), makeValue("a"))
    cache.close()
    let failing = IndexSchema(steps: IndexSchema.current.steps + [{ try $0.execute("DROP TABLE nothing") }])
    #expect(throws: CacheError.self) { _ = try openCache(folder, schema: failing) }
    let losing = IndexSchema(steps: IndexSchema.current.steps + [{ try $0.execute("DELETE FROM entry") }])
    let error = #expect(throws: CacheError.self) { _ = try openCache(folder, schema: losing) }
    #expect(error?.code == .cacheDamaged)
    let again = try openCache(folder)
    #expect(again.lookup(makeKey("a")) != nil)
    again.close()
    let working = IndexSchema(steps: IndexSchema.current.steps + [{ try $0.execute("ALTER TABLE entry ADD COLUMN extra TEXT") }])
    #expect(try openCache(folder, schema: working).lookup(makeKey("a")) != nil)
    #expect(folder.files("cache/temporary") == [])
  }

  @Test("An index of a newer version is refused and not modified")
  func newer() throws {
    let folder = try TemporaryFolder()
    let newer = IndexSchema(steps: IndexSchema.current.steps + [{ try $0.execute("CREATE TABLE future (x)") }])
    let cache = try openCache(folder, schema: newer)
    try cache.store(makeKey("a"), makeValue("a"))
    cache.close()
    let path = folder.path + "/cache/index.sqlite"
    let before = FileManager.default.contents(atPath: path)
    let error = #expect(throws: CacheError.self) { _ = try openCache(folder) }
    #expect(error?.code == .cacheFromNewerVersion)
    #expect(FileManager.default.contents(atPath: path) == before)
    #expect(try openCache(folder, schema: newer).lookup(makeKey("a")) != nil)
  }

  @Test("An index that another process holds open is not migrated")
  func heldOpen() throws {
    let folder = try TemporaryFolder()
    let holder = try openCache(folder)
    try holder.store(makeKey("a"), makeValue("a"))
    let newer = IndexSchema(steps: IndexSchema.current.steps + [{ try $0.execute("CREATE TABLE future (x)") }])
    let error = #expect(throws: CacheError.self) { _ = try openCache(folder, schema: newer) }
    #expect(error?.code == .cacheBusy)
    #expect(holder.lookup(makeKey("a")) != nil)
    holder.close()
    #expect(try openCache(folder, schema: newer).lookup(makeKey("a")) != nil)
  }

}

@Suite("Identifiers and tags in the size of the cache") struct LabelSizeTests {
  private func total(_ cache: RenderCache) throws -> Int64 {
    try cache.index.query { (db) throws(SQLiteError) in try IndexRows.totalSize(db) }
  }

  @Test("An unbounded number of identifiers for one image is trimmed with it")
  func names() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder, maxSize: 100_000)
    defer { cache.close() }
    try cache.store(makeKey("a"), makeValue("a", size: 100))
    for number in 0..<3000 {
      if cache.lookup(makeKey("a"), identifier: "name-\(number)") == nil { try cache.store(makeKey("a"), makeValue("a", size: 100)) }
    }
    try cache.flush()
    cache.background.sync {}
    #expect(try total(cache) <= 100_000)
    let names = try cache.index.query { (db) throws(SQLiteError) in try db.first("SELECT count(*) FROM name") { $0.int(0) ?? -1 } }
    #expect(try #require(names) < 1000)
  }

  @Test("The total is the sum of values, identifiers and tags, whatever was renamed, tagged twice, replaced or removed")
  func sum() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    defer { cache.close() }
    for step in 0..<200 {
      var value = makeValue("\(step)", size: 10 + step % 7)
      value.identifier = "n\(step % 13)"
      value.tags = ["t\(step % 3)", "é\(step % 5)"]
      try cache.store(makeKey("\(step % 17)"), value)
      if step % 11 == 0 { try cache.remove(makeKey("\(step % 7)")) }
      if step % 29 == 0 { try cache.remove(tag: "t1") }
    }
    try cache.flush()
    let sum = try cache.index.query { (db) throws(SQLiteError) in
      try db.first("SELECT coalesce(sum(\(IndexRows.entrySize)), 0) FROM entry") { $0.count(0) ?? -1 }
    }
    #expect(try total(cache) == sum)
    try cache.clear()
    #expect(try total(cache) == 0)
  }

  @Test("Identifiers in an index older than their accounting are counted")
  func migration() throws {
    let folder = try TemporaryFolder()
    let old = try openCache(folder, schema: IndexSchema(steps: Array(IndexSchema.current.steps.prefix(5))))
    try old.index.write(.never) { db in
      try db.execute(
        """
        INSERT INTO entry (id, key, size, checksum, width, height, created, lastUsed, hits, cost, dependencies, source, metadata)
          VALUES (1, randomblob(32), 1000, randomblob(32), 1, 1, 0, 0, 0, 0, 0, '', '');
        INSERT INTO detail (entry, parts) VALUES (1, '');
        INSERT INTO name VALUES ('café', 1);
        INSERT INTO tag VALUES ('x', 1);
        """)
    }
    old.close()
    let cache = try openCache(folder)
    defer { cache.close() }
    #expect(try total(cache) == 1000 + (3 * 5 + 96) + (3 + 96))
  }

  @Test("Of identifiers without a value each owner keeps the latest, independently of other owners")
  func claims() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    var configuration = RenderCacheConfiguration(folder: folder.path + "/cache")
    configuration.maxUnusedClaims = 10
    configuration.clock = clock.now
    let cache = try RenderCache(configuration)
    defer { cache.close() }
    let soon = Deadline(after: .seconds(5))
    #expect(try cache.claim(identifier: "other", owner: "b", deadline: soon).isNew)
    for number in 0..<30 {
      clock.advance(1000)
      #expect(try cache.claim(identifier: "\(number)", owner: "a", deadline: soon).isNew)
    }
    try cache.trim()
    #expect(try cache.claim(identifier: "other", owner: "c", deadline: soon) == .refused)
    #expect(try cache.claim(identifier: "29", owner: "c", deadline: soon) == .refused)
    #expect(try cache.claim(identifier: "0", owner: "c", deadline: soon).isNew)
  }
}
