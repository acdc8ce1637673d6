import Foundation
import Testing

@testable import OffprintRenderCache

@Suite("Statistics and tags")
struct StatisticsTests {
  private func storing(_ cache: RenderCache, _ name: String, tags: [String] = [], cost: Double = 10) throws {
    var value = makeValue(name, size: 100)
    value.tags = tags
    value.costMilliseconds = cost
    try cache.store(makeKey(name), value)
  }

  @Test("Hits, misses, stores and saved time are reported by day, and remain after their entries")
  func days() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let cache = try openCache(folder, clock: clock)
    for day in 0..<3 {
      for _ in 0...day { #expect(cache.lookup(makeKey("nothing")) == nil) }
      try storing(cache, "\(day)", cost: 10)
      for _ in 0..<4 { #expect(cache.lookup(makeKey("\(day)")) != nil) }
      clock.advance(86_400_000)
    }
    try cache.remove(makeKey("0"))
    let stats = try cache.stats()
    #expect(stats.days.map(\.description) == ["1970-01-03", "1970-01-02", "1970-01-01"])
    #expect(stats.days.map(\.figures.misses) == [3, 2, 1])
    #expect(stats.days.allSatisfy { $0.figures.hits == 4 && $0.figures.stores == 1 && $0.figures.savedMilliseconds == 40 })
    #expect(stats.hitRate == 12.0 / 18)
    #expect((stats.entries, stats.size, stats.totalHits) == (2, 200, 8))
    #expect(stats.savedMilliseconds == 80)
    #expect(stats.totalCostMilliseconds == 20)
  }

  @Test("Totals equal the sums of the rows after replacing, removing and trimming")
  func totals() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    for round in 0..<3 {
      for number in 0..<30 {
        try cache.store(makeKey("\(number)"), makeValue("\(number)", size: 50 + round * number))
        if number % 4 == round { _ = cache.lookup(makeKey("\(number)")) }
      }
      try cache.remove(makeKey("\(round)"))
      try cache.trim(maxSize: 2000)
    }
    let records = try cache.list()
    let stats = try cache.stats()
    #expect(stats.entries == records.count)
    #expect(stats.size == records.reduce(0) { $0 + $1.size })
    #expect(stats.totalHits == records.reduce(0) { $0 + $1.hits })
    #expect(stats.size <= 2000)
    #expect(try cache.verify().indexProblems == [])
  }

  @Test("A value has the tags of everyone who produced or used it, and is removed by any of them")
  func tags() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    try storing(cache, "a", tags: ["summer", "mail"])
    try storing(cache, "b", tags: ["mail"])
    try storing(cache, "c")
    #expect(cache.lookup(makeKey("c"), tags: ["user:7"]) != nil)
    #expect(try cache.record(makeKey("a"))?.tags == ["mail", "summer"])
    #expect(try cache.record(makeKey("c"))?.tags == ["user:7"])
    #expect(try cache.groups(by: .tag).map { "\($0.value) \($0.entries)" } == ["mail 2", "summer 1", "user:7 1"])
    var query = CacheQuery()
    query.filter = try CacheFilter.parse("tag ~ 'user:*' or tag = summer")
    #expect(try cache.list(query).count == 2)
    query.filter = try CacheFilter.parse("tag != mail")
    #expect(try cache.list(query).map(\.key) == [makeKey("c")])
    #expect(try cache.remove(tag: "mail", dryRun: true).entries == 2)
    #expect(try cache.stats().entries == 3)
    #expect(try cache.remove(tag: "mail").entries == 2)
    #expect(try cache.list().map(\.key) == [makeKey("c")])
  }

  @Test("Removing by identifier, key and filter has a dry run")
  func dryRuns() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    var value = makeValue("a")
    value.identifier = "name"
    value.source = "pages/a.html"
    try cache.store(makeKey("a"), value)
    #expect(try cache.remove(makeKey("a"), dryRun: true))
    #expect(try cache.remove(identifier: "name", dryRun: true))
    #expect(try cache.remove(where: .comparison(.source, .matches, .text("pages/*")), dryRun: true).entries == 1)
    #expect(try cache.trim(maxSize: 0, dryRun: true).entries == 1)
    #expect(try cache.clear(dryRun: true).entries == 1)
    #expect(cache.lookup(makeKey("a")) != nil)
    #expect(try cache.remove(where: .comparison(.source, .matches, .text("pages/*"))).entries == 1)
    #expect(try !cache.remove(identifier: "name"))
  }

  @Test("Trimming by size accounts for entries trimmed by age first, also in a dry run")
  func ageAndSize() throws {
    let folder = try TemporaryFolder()
    let clock = ManualClock()
    let cache = try openCache(folder, clock: clock)
    for name in ["old", "a", "b", "c"] {
      try storing(cache, name)
      clock.advance(60_000)
    }
    let foreseen = try cache.trim(maxSize: 200, maxAge: .seconds(200), dryRun: true)
    #expect(foreseen.entries == 2)
    #expect(try cache.trim(maxSize: 200, maxAge: .seconds(200)) == foreseen)
    #expect(try cache.list().map(\.key) == ["c", "b"].map(makeKey))
  }
}
