import OffprintCoreTypes
import Testing

@testable import OffprintRenderCache

@Suite("Finding rows")
struct QueryTests {
  /// Entries with zero, one and several identifiers, and with repeated times, sizes and tags.
  private func filled(_ folder: TemporaryFolder) throws -> RenderCache {
    let clock = ManualClock()
    let cache = try openCache(folder, clock: clock)
    for number in 0..<60 {
      var value = makeValue("text \(number)", size: 40 + number % 7 * 10)
      value.identifier = number % 3 == 0 ? "name \(97 * number % 60)" : nil
      value.source = "pages/\(number % 10).html"
      value.tags = number % 4 == 0 ? ["even"] : []
      try cache.store(makeKey("\(number)"), value)
      if number % 2 == 0 { clock.advance(1000) }
    }
    for number in [0, 3, 30] { _ = cache.lookup(makeKey("\(number)"), identifier: "also \(number)") }
    for number in [4, 5, 17] { _ = cache.lookup(makeKey("\(number)")) }
    _ = try cache.list()  // flushes pending uses
    return cache
  }

  @Test(
    "A list with a limit is the beginning of the complete list, however many rows are read first",
    arguments: CacheField.allCases.filter { $0 != .tag && $0 != .dependency }, [true, false])
  func prefix(field: CacheField, isDescending: Bool) throws {
    let folder = try TemporaryFolder()
    let cache = try filled(folder)
    defer { cache.close() }
    for (filter, search) in [
      ("size >= 0", nil), ("source ~ 7", nil), ("metadata ~ 'text 1*' and not tag = even", nil), ("size > 60 or identifier ~ name", nil),
      ("size >= 0", "ALSO"), ("size >= 0", "0"), ("source = nowhere", nil),
    ] {
      for sort in [[CacheSort(field, descending: isDescending)], [CacheSort(field, descending: isDescending), CacheSort(.size)]] {
        var query = CacheQuery()
        (query.filter, query.search, query.sort) = (try CacheFilter.parse(filter), search, sort)
        let whole = try rows(query, cache)
        for (limit, few) in [(0, 10), (1, 2), (3, 8), (3, 50), (20, 40), (20, 10_000), (60, 10)] {
          query.limit = limit
          #expect(try rows(query, cache, fewRows: few) == Array(whole.prefix(limit)), "\(filter), \(limit) of \(few)")
        }
      }
    }
  }

  private func rows(_ query: CacheQuery, _ cache: RenderCache, fewRows: Int = 10_000) throws -> [Int64] {
    let finder = try RowFinder(query, now: CacheTime(milliseconds: 100_000), fewRows: fewRows)
    return try cache.index.query { (db) throws(SQLiteError) in try finder.rows(db) }
  }

  @Test("Keys are found by any number of leading digits, in either case")
  func keyPrefixes() throws {
    let folder = try TemporaryFolder()
    let cache = try filled(folder)
    defer { cache.close() }
    let keys = try cache.list().map { "\($0.key)" }
    for key in keys.prefix(9) {
      for length in [0, 1, 2, 3, 63, 64] {
        var query = CacheQuery()
        query.filter = .comparison(.key, .matches, .text(key.prefix(length).uppercased() + "*"))
        #expect(try Set(cache.list(query).map { "\($0.key)" }) == Set(keys.filter { $0.hasPrefix(key.prefix(length)) }))
        query.filter = .not(query.filter)
        #expect(try cache.list(query).count == keys.filter { !$0.hasPrefix(key.prefix(length)) }.count)
      }
    }
    for pattern in ["zebra*", String(repeating: "0", count: 65) + "*", "*"] {
      var query = CacheQuery()
      query.filter = .comparison(.key, .matches, .text(pattern))
      #expect(try cache.list(query).count == (pattern == "*" ? 60 : 0))
    }
  }

  /// A pseudorandom text of letters, digits and signs.
  private func scrambled(_ length: Int) -> String {
    var bytes: [UInt8] = []
    for index in 0..<length { bytes.append(UInt8(0x40 + (index * index * 7 + length * 3) % 0x3E)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("A query beyond SQLite's limits is an invalid query, not an unusable cache")
  func bounds() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    for sort in ["size,size", "size desc,-size", Array(repeating: "size", count: 5000).joined(separator: ",")] {
      #expect(throws: CacheError.self, "\(sort.prefix(20))") { try CacheSort.parse(sort) }
    }
    for text in [
      Array(repeating: "size > 1", count: 2000).joined(separator: " and "), "source ~ \"\(String(repeating: "a*", count: 30_000))\"",
    ] {
      let error = #expect(throws: CacheError.self) { try CacheFilter.parse(text) }
      #expect(error?.code == .invalidCacheQuery && error.map { $0.message.utf8.count < 1000 } == true)
    }
    var query = CacheQuery()
    query.search = String(repeating: "a*", count: 30_000)
    let error = #expect(throws: CacheError.self) { try cache.list(query) }
    #expect(error?.code == .invalidCacheQuery)
    query.search = nil
    query.filter = try CacheFilter.parse(Array(repeating: "size > 1", count: 200).joined(separator: " and "))
    query.sort = try CacheSort.parse("size,-created,key")
    #expect(try cache.list(query).isEmpty)
  }

  @Test("A substring is found as by LIKE, ignoring the case of ASCII letters")
  func parts() throws {
    let db = try SQLiteDatabase(":memory:", .create, deadline: Deadline(after: .seconds(9)))
    defer { db.close() }
    let plain: [String] = ["", "a", "A", "Aa", "aAb", "page1/É.png", "é", "[\"x\",\"[\"]", "99", "0999", "zZ@`{["]
    let texts: [String] = plain + (0..<40).map(scrambled)
    for part in texts + ["b", "ab", "@", "`"] {
      var pattern = ""
      for character in part {
        if character == "%" || character == "_" || character == "\\" { pattern.append("\\") }
        pattern.append(character)
      }
      for text in texts {
        let found = try db.first(
          "SELECT has_part(?1, ?2), ?2 LIKE ?3 ESCAPE '\\', has_part(?1, '', ?2)", [.text(part), .text(text), .text("%" + pattern + "%")]
        ) { row -> [Int64?] in [row.integer(0), row.integer(1), row.integer(2)] }
        #expect(found.map { Set($0).count } == 1, "\(part) in \(text)")
      }
    }
  }
}
