// A second process for the cache tests. It performs operations concurrently with the test, or is killed during them.
import COffprintSQLite
import OffprintCoreTypes
import Glibc
import OffprintRenderCache

func key(_ name: String) -> CacheKey {
  var encoder = CanonicalEncoder(domain: "test")
  encoder.add("name", name)
  return encoder.key
}

func say(_ text: String) {
  print(text)
  fflush(nil)
}

func open(_ folder: String, maxSize: Int64 = 1 << 30) throws -> RenderCache {
  var configuration = RenderCacheConfiguration(folder: folder)
  configuration.synchronizesFiles = false
  configuration.memoryTierBytes = 0
  configuration.maxSize = maxSize
  return try RenderCache(configuration)
}

/// Locks the index of a cache: `write` like a writer, `all` so that other processes cannot read it either.
func hold(_ folder: String, _ mode: String, milliseconds: UInt32) {
  var db: OpaquePointer?
  sqlite3_open_v2(folder + "/index.sqlite", &db, SQLITE_OPEN_READWRITE, nil)
  let sql = mode == "all" ? "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; DELETE FROM entry WHERE id = -1" : "BEGIN IMMEDIATE"
  say(sqlite3_exec(db, sql, nil, nil, nil) == SQLITE_OK ? "ready" : "failed")
  usleep(milliseconds * 1000)
}

/// Produces one value slowly.
func produce(_ folder: String, _ name: String, milliseconds: UInt32) throws {
  let cache = try open(folder)
  let outcome = try cache.value(for: key(name)) {
    say("started")
    usleep(milliseconds * 1000)
    return ProducedValue(data: Array(name.utf8))
  }
  say(outcome.wasCached ? "cached" : "produced")
  cache.close()
}

/// Stores, looks up, trims, removes, exports and imports until it is killed. Every value begins with its name.
func churn(_ folder: String, seed: UInt64) throws {
  let cache = try open(folder, maxSize: 400_000)
  var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
  func random(_ bound: UInt64) -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state % bound
  }
  say("ready")
  while true {
    let name = "\(random(150))"
    switch random(40) {
    case 0: _ = try? cache.trim(maxSize: 300_000)
    case 1: _ = try? cache.remove(key(name))
    case 2: try? copy(cache, folder)
    case 3: try? cache.flush()
    case 4...24:
      let data = Array((name + " ").utf8) + [UInt8](repeating: 7, count: Int(random(8000)))
      try? cache.store(key(name), ProducedValue(data: data, metadata: name, tags: [name]))
    default:
      guard let entry = cache.lookup(key(name)) else { break }
      if !entry.data.starts(with: Array((name + " ").utf8)) { say("wrong \(name)") }
    }
  }
}

/// Exports a few entries to an archive and imports them.
func copy(_ cache: RenderCache, _ folder: String) throws {
  var archive: [UInt8] = []
  var query = CacheQuery()
  query.limit = 5
  try cache.export(query) { archive += $0 }
  var rest = archive[...]
  try cache.importArchive { count in
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }
}

/// Opens the cache for a single hit, like a process of the command line.
func use(_ folder: String, _ name: String) throws {
  let cache = try open(folder)
  say(cache.use(key(name)) == nil ? "miss" : "hit")
  cache.close(isExiting: true)
}

/// Uses each operation of a cache once and prints whether each value was stored, for tests with failing disks. Lookups return correct values
/// regardless of the disk: "wrong" is never printed.
func work(_ folder: String) throws {
  var configuration = RenderCacheConfiguration(folder: folder)
  configuration.memoryTierBytes = 0
  let cache = try RenderCache(configuration)
  for number in 0..<6 {
    let data = Array("\(number) ".utf8) + [UInt8](repeating: 7, count: number * 3000)
    let outcome = try cache.value(for: key("\(number)")) { ProducedValue(data: data, metadata: "\(number)", tags: ["new"]) }
    if !outcome.entry.data.starts(with: data.prefix(2)) { say("wrong \(number)") }
    say("\(outcome.wasCached || outcome.storeFailure == nil ? "kept" : "answered") \(number)")
  }
  for number in 0..<8 {
    guard let entry = cache.lookup(key("\(number)")) else { continue }
    if !entry.data.starts(with: Array("\(number) ".utf8)) { say("wrong \(number)") }
  }
  do {
    if try cache.remove(key("5")) { say("removed 5") }
  } catch {
    say("failed \(error)")
  }
  try? copy(cache, folder)
  _ = try? cache.trim(maxSize: 1 << 20)
  _ = try? cache.verify()
  say(cache.close() == nil ? "closed" : "not closed")
}

let arguments = CommandLine.arguments
do {
  switch (arguments.dropFirst().first, arguments.count) {
  case ("hold", 5): hold(arguments[2], arguments[3], milliseconds: UInt32(arguments[4]) ?? 0)
  case ("produce", 5): try produce(arguments[2], arguments[3], milliseconds: UInt32(arguments[4]) ?? 0)
  case ("churn", 4): try churn(arguments[2], seed: UInt64(arguments[3]) ?? 1)
  case ("use", 4): try use(arguments[2], arguments[3])
  case ("work", 3): try work(arguments[2])
  case ("open", 3): try open(arguments[2]).close()
  default: exit(64)
  }
} catch {
  say("\(error)")
  exit(1)
}
