import Foundation
import Synchronization
import Testing

@testable import OffprintRenderCache

@Suite("Storing and looking up")
struct StoreTests {
  @Test("A stored value is found, by another handle and after reopening too", arguments: [0, 1 << 20])
  func roundTrip(_ memory: Int) throws {
    let folder = try TemporaryFolder()
    let key = makeKey("a")
    let first = try openCache(folder, memory: memory)
    let second = try openCache(folder, memory: memory)
    #expect(first.lookup(key) == nil)
    try first.store(key, makeValue("hello"))
    let entry = try #require(second.lookup(key))
    #expect(entry.data == Array("hello".utf8))
    #expect(entry.metadata == "m:hello")
    #expect(entry.width == 4 && entry.height == 3)
    #expect(entry.tier == .disk)
    #expect(second.lookup(key)?.tier == (memory > 0 ? .memory : .disk))
    first.close()
    second.close()
    #expect(try openCache(folder).lookup(key)?.data == Array("hello".utf8))
    #expect(folder.files("cache/objects") == ["\(key.description.prefix(2))/\(key).png"])
    #expect(folder.files("cache/temporary") == [])
  }

  @Test("A damaged, truncated or missing file is a miss and heals")
  func heals() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    for (number, damage) in ["xello", "hell", nil].enumerated() {
      let key = makeKey("\(number)")
      try cache.store(key, makeValue("hello"))
      let path = cache.objectPath(key)
      try FileManager.default.removeItem(atPath: path)
      if let damage { _ = FileManager.default.createFile(atPath: path, contents: Data(damage.utf8)) }
      #expect(cache.lookup(key) == nil)
      #expect(!FileSystem.exists(path))
      #expect(try cache.record(key) == nil)
      try cache.store(key, makeValue("hello"))
      #expect(cache.lookup(key) != nil)
    }
    #expect(try cache.stats().healed == 3)
  }

  @Test("A changed, removed or created dependency is a miss, and an unchanged or merely touched one is a hit", arguments: [0, 1 << 20])
  func dependencies(_ memory: Int) throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder, memory: memory)
    folder.write("a.css", "one")
    let path = folder.path + "/a.css"
    let missing = folder.path + "/b.css"
    let key = makeKey("a")
    func store() throws {
      var value = makeValue("x")
      value.dependencies = [try dependency(on: path), try dependency(on: missing)]
      try cache.store(key, value)
    }
    try store()
    #expect(cache.lookup(key) != nil)
    try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000_000)], ofItemAtPath: path)
    #expect(cache.lookup(key) != nil)
    try cache.flush()
    #expect(try cache.record(key)?.dependencies.first?.modified == 1_000_000_000_000_000)
    folder.write("a.css", "two")  // the same length
    #expect(cache.lookup(key) == nil)
    #expect(try cache.explain(key, parts: []).status == .stale([path]))
    try store()
    #expect(cache.lookup(key) != nil)
    folder.write("b.css", "new")
    #expect(cache.lookup(key) == nil)
    try store()
    try FileManager.default.removeItem(atPath: path)
    #expect(cache.lookup(key) == nil)
  }

  @Test("A dependency that is not a file is checked by the caller's function, and counts as changed without one")
  func remoteDependency() throws {
    let folder = try TemporaryFolder()
    var value = makeValue("x")
    value.dependencies = [CacheDependency(location: "https://example.org/a.png", isFile: false, digest: [1])]
    let cache = try openCache(folder)
    try cache.store(makeKey("a"), value)
    #expect(cache.lookup(makeKey("a")) == nil)
    var configuration = RenderCacheConfiguration(folder: folder.path + "/cache")
    configuration.revalidate = { dependency, _ in dependency.location.hasPrefix("https://example.org/") }
    #expect(try RenderCache(configuration).lookup(makeKey("a")) != nil)
  }

  @Test("Checks of dependencies that are not files share one deadline")
  func sharedDeadline() throws {
    let folder = try TemporaryFolder()
    var value = makeValue("x")
    value.dependencies = (0..<50).map { CacheDependency(location: "https://example.org/\($0)", isFile: false, digest: [1]) }
    try openCache(folder).store(makeKey("a"), value)
    let asked = Mutex(0)
    var configuration = RenderCacheConfiguration(folder: folder.path + "/cache")
    configuration.revalidationTimeout = .milliseconds(20)
    configuration.revalidate = { _, deadline in
      asked.withLock { $0 += 1 }
      while !deadline.hasPassed { usleep(1000) }
      return false
    }
    let cache = try RenderCache(configuration)
    #expect(cache.lookup(makeKey("a")) == nil)
    configuration.revalidate = { _, deadline in
      asked.withLock { $0 += 1 }
      let isLate = deadline.hasPassed
      while !deadline.hasPassed { usleep(1000) }
      return !isLate
    }
    #expect(try RenderCache(configuration).lookup(makeKey("a")) == nil)
    #expect(asked.withLock { $0 } == 3)
  }

  @Test("An identifier that looks like a key is not written and finds nothing, even in an old index", arguments: [true, false])
  func keyShapedIdentifier(isUppercase: Bool) throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    let text = "\(makeKey("2"))"
    let name = isUppercase ? text.uppercased() : text
    var value = makeValue("one")
    value.identifier = name
    try cache.store(makeKey("1"), value)
    _ = cache.lookup(makeKey("1"), identifier: name)
    #expect(cache.entry(identifier: name) == nil)
    try cache.flush()
    #expect(try cache.record(makeKey("1"))?.identifiers == [])
    try cache.index.write(.never) { db in
      try db.run("INSERT INTO name (identifier, entry) SELECT ?, id FROM entry", [.text(name)])
    }
    let again = try openCache(folder)
    #expect(again.entry(identifier: name) == nil)
    #expect(try again.record(identifier: name) == nil)
    #expect(try !again.remove(identifier: name))
  }

  @Test("An identifier names the latest value stored or found with it")
  func identifiers() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    var value = makeValue("one")
    value.identifier = "card"
    try cache.store(makeKey("1"), value)
    value = makeValue("two")
    value.identifier = "card"
    try cache.store(makeKey("2"), value)
    #expect(cache.entry(identifier: "card")?.data == Array("two".utf8))
    _ = cache.lookup(makeKey("1"), identifier: "card")
    #expect(cache.entry(identifier: "card")?.data == Array("one".utf8))
    cache.close()
    let again = try openCache(folder)
    #expect(try again.record(identifier: "card")?.key == makeKey("1"))
    #expect(try again.remove(identifier: "card"))
    #expect(again.entry(identifier: "card") == nil)
    #expect(again.lookup(makeKey("2")) != nil)
  }

  @Test("The memory tier keeps the most recently used values within its limit")
  func memoryTier() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder, memory: 3500)
    for name in ["a", "b", "c"] { try cache.store(makeKey(name), makeValue(name, size: 1000)) }
    #expect(cache.lookup(makeKey("b"))?.tier == .memory)
    #expect(cache.lookup(makeKey("a"))?.tier == .disk)  // the third value evicted it, and it now evicts the third
    #expect(cache.lookup(makeKey("b"))?.tier == .memory)
    #expect(cache.lookup(makeKey("c"))?.tier == .disk)
    try cache.store(makeKey("big"), makeValue("big", size: 5000))
    #expect(cache.lookup(makeKey("big"))?.tier == .disk)
    #expect(try cache.stats().memoryBytes <= 3500)
  }

  @Test("Temporary files of dead writers are removed after an hour, and new ones or those of living writers are kept")
  func leftovers() throws {
    let folder = try TemporaryFolder()
    try openCache(folder).close()
    for name in ["offprint-10-1-1.png", "offprint-10-1-2.png", "offprint-10-1-3.png", "notes.png", "2024-01-02.png"] {
      folder.write("cache/temporary/" + name, "half")
    }
    for name in ["offprint-10-1-1.png", "offprint-10-1-2.png", "notes.png", "2024-01-02.png"] {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -7200)], ofItemAtPath: folder.path + "/cache/temporary/" + name)
    }
    let held = open(folder.path + "/cache/temporary/offprint-10-1-2.png", O_RDONLY)
    defer { close(held) }
    #expect(flock(held, LOCK_EX) == 0)
    _ = try openCache(folder)
    #expect(
      folder.files("cache/temporary") == ["2024-01-02.png", "notes.png", "offprint-10-1-2.png", "offprint-10-1-3.png"],
      "A file of somebody else is left alone")
  }

  @Test("A folder that cannot be created is an error with a stable code")
  func unusable() throws {
    let folder = try TemporaryFolder()
    folder.write("cache", "a file instead of the folder")
    let error = #expect(throws: CacheError.self) { _ = try openCache(folder) }
    #expect(error?.code == .cacheUnusable)
  }

  @Test(
    "On a full disk the value is returned with a reason, no partial file remains, and small values are still stored",
    .enabled(if: canMount, "needs the right to mount"))
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    let cachePath = folder.path + "/cache"
    mkdir(cachePath, 0o755)
    try #require(mount("tmpfs", cachePath, "tmpfs", 0, "size=512k") == 0)
    defer { umount2(folder.path + "/cache", 2) }  // keeps the folder until then
    let cache = try openCache(folder)
    defer { cache.close() }
    let outcome = try cache.value(for: makeKey("big")) { makeValue("big", size: 1 << 20) }
    #expect(outcome.entry.data.count == 1 << 20)
    #expect(outcome.storeFailure?.code == .cacheDiskFull)
    #expect(folder.files("cache/objects") == [])
    #expect(folder.files("cache/temporary") == [])
    #expect(cache.lookup(makeKey("big")) == nil)
    #expect(try cache.value(for: makeKey("small")) { makeValue("small") }.storeFailure == nil)
    #expect(cache.lookup(makeKey("small")) != nil)
  }

  @Test(
    "On a disk that became read-only existing values are found, and new ones are returned",
    .enabled(if: canMount, "needs the right to mount"))
  func readOnlyDisk() throws {
    let folder = try TemporaryFolder()
    let cachePath = folder.path + "/cache"
    let writer = try openCache(folder)
    try writer.store(makeKey("a"), makeValue("a"))
    writer.close()
    // A mount of its own: while the original mount has a file open for writing (also one that a
    // process just started by another test inherited), it cannot become read-only (EBUSY).
    let bind: UInt = 4096  // MS_BIND
    try #require(mount(cachePath, cachePath, "", bind, "") == 0)
    defer { umount2(folder.path + "/cache", 2) }  // keeps the folder until then
    let readOnly: UInt = bind | 32 | 1  // MS_BIND | MS_REMOUNT | MS_RDONLY
    try #require(mount("", cachePath, "", readOnly, "") == 0)
    let cache = try openCache(folder)
    defer { cache.close() }
    #expect(cache.lookup(makeKey("a"))?.data == Array("a".utf8))
    let outcome = try cache.value(for: makeKey("b")) { makeValue("b") }
    #expect(outcome.entry.data == Array("b".utf8))
    #expect(outcome.storeFailure?.code == .cacheReadOnly)
    #expect(try cache.list().map(\.key) == [makeKey("a")])
  }

  static let canMount: Bool = {
    var template = Array("/tmp/offprint-mount-XXXXXX".utf8CString)
    guard let path = mkdtemp(&template) else { return false }
    defer { rmdir(path) }
    guard mount("tmpfs", path, "tmpfs", 0, "size=64k") == 0 else { return false }
    umount2(path, 2)
    return true
  }()
}
