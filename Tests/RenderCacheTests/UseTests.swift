import Foundation
import Testing

@testable import OffprintRenderCache

@Suite("Uses without reading the value")
struct UseTests {
  private func change(_ path: String, _ bytes: [UInt8], secondsAgo: Double = -10) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -secondsAgo)], ofItemAtPath: path)
  }

  @Test("Using an existing value returns its properties and counts a hit, and a missing one is nil")
  func there() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    let key = makeKey("a")
    #expect(cache.use(key) == nil)
    try cache.store(key, makeValue("a", size: 50))
    let use = try #require(cache.use(key, identifier: "name", tags: ["t"]))
    #expect(use.size == 50 && use.width == 4 && use.height == 3 && use.metadata == "m:a")
    try cache.flush()
    let record = try #require(try cache.record(key))
    #expect(record.hits == 1 && record.identifiers == ["name"] && record.tags == ["t"])
  }

  @Test("The index's journal stays short if each hit is in its own process, and no hit is lost")
  func processes() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/cache"
    #expect(try Peer("produce", path, "a", "0").rest() == "started\nproduced\n")
    var longest: UInt64 = 0
    for _ in 0..<120 {
      #expect(try Peer("use", path, "a").rest() == "hit\n")
      longest = max(longest, try FileManager.default.attributesOfItem(atPath: path + "/index.sqlite-wal")[.size] as? UInt64 ?? 0)
    }
    // A hit writes three or four pages of 4,120 bytes to the journal.
    #expect(longest > 0 && longest < 160 * 4120)
    let cache = try RenderCache(RenderCacheConfiguration(folder: path))
    #expect(try cache.stats().totalHits == 120)
    cache.close()
  }

  @Test("A file modified after it was stored is verified, and its entry is removed if it is damaged")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    let key = makeKey("a")
    try cache.store(key, makeValue("a", size: 50))
    let whole = makeValue("a", size: 50).data
    try change(cache.objectPath(key), whole)
    #expect(cache.use(key) != nil)
    try change(cache.objectPath(key), whole.reversed())
    #expect(cache.use(key) == nil)
    #expect(!FileManager.default.fileExists(atPath: cache.objectPath(key)))
  }

  @Test("An entry whose file is missing, has another size or was replaced by a link is a miss", arguments: ["short", "link", "gone"])
  func invalidFile(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    let key = makeKey("a")
    try cache.store(key, makeValue("a", size: 50))
    let path = cache.objectPath(key)
    try FileManager.default.removeItem(atPath: path)
    switch kind {
    case "short": try change(path, Array(makeValue("a", size: 49).data), secondsAgo: 0)
    case "link":
      folder.write("elsewhere", String(repeating: "x", count: 50))
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + "/elsewhere")
    default: break
    }
    #expect(cache.use(key) == nil)
  }

  @Test("Dependencies are revalidated")
  func dependencies() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    folder.write("style.css", "a")
    var value = makeValue("a")
    value.dependencies = [try dependency(on: folder.path + "/style.css")]
    try cache.store(makeKey("a"), value)
    #expect(cache.use(makeKey("a")) != nil)
    folder.write("style.css", "b!")
    #expect(cache.use(makeKey("a")) == nil)
  }

  @Test("A value whose row is pending can be used")
  func waiting() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    let holder = try SQLiteDatabase(folder.path + "/cache/index.sqlite", .readWrite, deadline: .never)
    try holder.execute("BEGIN IMMEDIATE")
    try cache.store(makeKey("a"), makeValue("a"))
    #expect(cache.use(makeKey("a")) != nil)
    try holder.execute("ROLLBACK")
  }
}
