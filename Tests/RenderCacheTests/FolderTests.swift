import OffprintCoreTypes
import Foundation
import Testing

@testable import OffprintRenderCache

@Suite("Only files of a cache")
struct FolderTests {
  /// A repository in git's layout, whose `objects` folder is not a cache's.
  private func repository() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    for name in ["objects/ab", "objects/pack"] {
      try FileManager.default.createDirectory(atPath: folder.path + "/cache/" + name, withIntermediateDirectories: true)
    }
    folder.write("cache/objects/ab/" + String(repeating: "c", count: 38), "a blob")
    folder.write("cache/HEAD", "ref: refs/heads/main")
    return folder
  }

  @Test("Every operation refuses a folder with another program's objects, and nothing in it changes")
  func foreignFolder() throws {
    let folder = try repository()
    let before = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    let errors = [
      #expect(throws: CacheError.self) { _ = try openCache(folder) },
      #expect(throws: CacheError.self) { try RenderCache.clear(folder: folder.path + "/cache") },
    ]
    #expect(errors.map { $0?.code } == [.notACache, .notACache])
    #expect(try FileManager.default.subpathsOfDirectory(atPath: folder.path) == before)
  }

  @Test("A created folder is accessible only to its owner, and an existing one keeps its mode")
  func modes() throws {
    let folder = try TemporaryFolder()
    func mode(_ name: String) throws -> Int {
      try #require(FileManager.default.attributesOfItem(atPath: folder.path + name)[.posixPermissions] as? Int)
    }
    let made = try openCache(folder)
    #expect(try mode("/cache") == 0o700)
    made.close()
    let shared = try TemporaryFolder()
    mkdir(shared.path + "/cache", 0o755)
    let opened = try openCache(shared)
    #expect(try FileManager.default.attributesOfItem(atPath: shared.path + "/cache")[.posixPermissions] as? Int == 0o755)
    opened.close()
  }

  @Test("A folder with another program's database is refused")
  func foreignDatabase() throws {
    let folder = try TemporaryFolder()
    mkdir(folder.path + "/cache", 0o755)
    let db = try SQLiteDatabase(folder.path + "/cache/index.sqlite", .create, deadline: .never)
    try db.execute("CREATE TABLE mail (subject TEXT); PRAGMA user_version = 3")
    db.close()
    #expect(throws: CacheError.self) { _ = try openCache(folder) }
    #expect(throws: CacheError.self) { try RenderCache.clear(folder: folder.path + "/cache") }
    #expect(folder.files("cache") == ["index.sqlite"])
  }

  @Test("A cache older than tag files is recognized by its index, and gets a tag file")
  func untagged() throws {
    let folder = try TemporaryFolder()
    try openCache(folder, schema: IndexSchema(steps: Array(IndexSchema.current.steps.prefix(2)))).close()
    unlink(folder.path + "/cache/CACHEDIR.TAG")
    #expect(CacheFolder(path: folder.path + "/cache").kind == .cache)
    try openCache(folder).close()
    #expect(FileSystem.exists(folder.path + "/cache/CACHEDIR.TAG"))
    unlink(folder.path + "/cache/CACHEDIR.TAG")
    #expect(CacheFolder(path: folder.path + "/cache").kind == .cache, "the application ID of the index identifies the folder")
  }

  @Test("Clearing removes only files named like values, and follows no links")
  func clearing() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    for number in 0..<20 { try cache.store(makeKey("\(number)"), makeValue("\(number)")) }
    let elsewhere = folder.path + "/elsewhere"
    mkdir(elsewhere, 0o755)
    let digits = String(repeating: "0", count: 62)
    for name in ["elsewhere/ee\(digits).png", "cache/notes.png", "cache/objects/README"] { folder.write(name, "mine") }
    symlink(elsewhere, folder.path + "/cache/objects/ee")
    mkdir(folder.path + "/cache/objects/dd", 0o755)
    for name in ["dd/ee\(digits).png", "dd/dd\(digits).jpg", "dd/dd\(digits.dropLast()).png", "dd/DD\(digits).png"] {
      folder.write("cache/objects/" + name, "mine")
    }
    let foreseen = try cache.clear(dryRun: true)
    #expect(foreseen.entries == 20)
    #expect(try cache.stats().entries == 20)
    #expect(try cache.clear() == foreseen)
    #expect(FileSystem.exists(elsewhere + "/ee\(digits).png"))
    #expect(folder.files("cache/objects").filter { !$0.hasPrefix("ee/") }.count == 4)
    #expect(folder.files("cache").contains("notes.png"))
  }

  @Test("An inner folder that is a symbolic link is refused", arguments: ["objects", "temporary"])
  func linkedFolder(_ name: String) throws {
    let folder = try TemporaryFolder()
    try openCache(folder).close()
    try FileManager.default.removeItem(atPath: folder.path + "/cache/" + name)
    mkdir(folder.path + "/elsewhere", 0o755)
    symlink(folder.path + "/elsewhere", folder.path + "/cache/" + name)
    let error = #expect(throws: CacheError.self) { _ = try openCache(folder) }
    #expect(error?.code == .cacheUnusable)
    #expect(FileManager.default.subpaths(atPath: folder.path + "/elsewhere") == [])
  }

  @Test("A cache with a damaged index or one of a newer version can be cleared", arguments: ["garbage", "newer"])
  func clearingStrange(_ state: String) throws {
    let folder = try TemporaryFolder()
    let newer = IndexSchema(steps: IndexSchema.current.steps + [{ try $0.execute("CREATE TABLE future (x)") }])
    let cache = try openCache(folder, schema: state == "newer" ? newer : .current)
    try cache.store(makeKey("a"), makeValue("a"))
    cache.close()
    if state == "garbage" { folder.write("cache/index.sqlite", String(repeating: "no database ", count: 500)) }
    #expect(try RenderCache.clear(folder: folder.path + "/cache", dryRun: true).entries == 1)
    #expect(try RenderCache.clear(folder: folder.path + "/cache").entries == 1)
    #expect(folder.files("cache/objects") == [])
    let again = try openCache(folder)
    try again.store(makeKey("a"), makeValue("a"))
    #expect(again.lookup(makeKey("a")) != nil)
  }

  @Test("An operation that must not create a cache creates none, and reports that")
  func noCache() throws {
    let folder = try TemporaryFolder()
    var configuration = RenderCacheConfiguration(folder: folder.path + "/cache")
    configuration.createsFolder = false
    let closed = configuration
    let error = #expect(throws: CacheError.self) { _ = try RenderCache(closed) }
    #expect(error?.code == .noCache)
    #expect(throws: CacheError.self) { try RenderCache.clear(folder: folder.path + "/cache") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  enum Thing: CaseIterable, CustomTestStringConvertible {
    case fifo, link, brokenLink, folder, device
    var testDescription: String { "\(self)" }

    func put(_ path: String) {
      switch self {
      case .fifo: mkfifo(path, 0o644)
      case .link: symlink("/dev/zero", path)
      case .brokenLink: symlink(path + "-nothing", path)
      case .folder: mkdir(path, 0o755)
      case .device: mknod(path, S_IFCHR | 0o644, 0x0103)  // only root can create one; otherwise nothing exists
      }
    }
  }

  @Test(
    "A FIFO, link, folder or device in place of a value is an immediate miss, and the next store replaces it",
    arguments: Thing.allCases)
  func thingForValue(_ thing: Thing) throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    let key = makeKey("a")
    try cache.store(key, makeValue("a"))
    unlink(cache.objectPath(key))
    thing.put(cache.objectPath(key))
    #expect(cache.lookup(key) == nil)
    try cache.store(key, makeValue("a"))
    #expect(cache.lookup(key) != nil)
  }

  @Test("A FIFO, link, folder or device in place of a dependency is an immediate miss", arguments: Thing.allCases)
  func thingForDependency(_ thing: Thing) throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    folder.write("a.css", "one")
    var value = makeValue("x")
    value.dependencies = [try dependency(on: folder.path + "/a.css")]
    try cache.store(makeKey("a"), value)
    unlink(folder.path + "/a.css")
    thing.put(folder.path + "/a.css")
    #expect(cache.lookup(makeKey("a")) == nil)
  }

  @Test("An empty cache path is refused, and is not the root of the file system")
  func emptyName() throws {
    let error = #expect(throws: CacheError.self) { try RenderCache(RenderCacheConfiguration(folder: "")) }
    #expect(error?.code == .cacheUnusable)
  }
}
