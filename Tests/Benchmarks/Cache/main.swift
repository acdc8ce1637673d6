// Measures the cache alone: offprint-cache-benchmark FOLDER ENTRIES [--trim]. First fills the folder up to that number of entries, and leaves it.
import OffprintCoreTypes
import Glibc
import OffprintRenderCache

func key(_ number: Int) -> CacheKey {
  var encoder = CanonicalEncoder(domain: "benchmark")
  encoder.add("number", number)
  return encoder.key
}

/// The number and lengths of the parts are those of a typical page.
func parts(_ number: Int) -> [CacheKeyPart] {
  var encoder = CanonicalEncoder(domain: "benchmark")
  encoder.add("number", number)
  for index in 0..<16 { encoder.add("option\(index)", "some value \(index)") }
  return encoder.parts
}

func value(_ number: Int) -> ProducedValue {
  ProducedValue(
    data: Array("value \(number)".utf8) + [UInt8](repeating: 7, count: 2000), width: number % 2000, height: 300, costMilliseconds: 5,
    parts: parts(number), metadata: "{\"diagnostics\":[],\"faces\":[[\"Liberation Serif\",\"LiberationSerif\"]]}",
    source: "page\(number).html",
    identifier: number % 10 == 0 ? "id\(number)" : nil, tags: number % 100 == 0 ? ["tag\(number % 1000)"] : [])
}

func milliseconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  let (seconds, attoseconds) = (ContinuousClock.now - start).components
  return Double(seconds) * 1e3 + Double(attoseconds) / 1e15
}

func median(_ count: Int, _ body: (Int) throws -> Void) rethrows -> Double {
  var times: [Double] = []
  for number in 0..<count { times.append(try milliseconds { try body(number) }) }
  return times.sorted()[count / 2]
}

func say(_ name: String, _ milliseconds: Double) { print("\(name): \((milliseconds * 10000).rounded() / 10000) ms") }

let arguments = CommandLine.arguments
guard arguments.count > 2, let count = Int(arguments[2]), count > 0 else {
  print("usage: offprint-cache-benchmark FOLDER ENTRIES [--trim]")
  exit(64)
}
var configuration = RenderCacheConfiguration(folder: arguments[1])
configuration.synchronizesFiles = false
configuration.memoryTierBytes = 0
configuration.maxSize = 1 << 50

do {
  let cache = try RenderCache(configuration)
  let existing = try cache.stats().entries
  let time = try milliseconds { for number in min(existing, count)..<count { try cache.store(key(number), value(number)) } }
  if count > existing { say("store", time / Double(count - existing)) }
  cache.close()
}
say("open", try median(50) { _ in try RenderCache(configuration).close(isExiting: true) })
say(
  "open and hit",
  try median(50) { number in
    let cache = try RenderCache(configuration)
    if cache.lookup(key(number * 7919 % count)) == nil { print("a miss") }
    cache.close(isExiting: true)
  })
let cache = try RenderCache(configuration)
say("hit from disk", median(2000) { _ = cache.lookup(key($0 * 7919 % count)) })
try cache.flush()
say("stats", try milliseconds { _ = try cache.stats() })
for (filter, sort, search) in [
  ("", "-lastUsed", ""), ("", "size", ""), ("width = 1999 and size > 100", "-lastUsed", ""), ("width = 5000", "hits", ""),
  ("identifier ~ 'id99*'", "-created", ""), ("tag = tag100", "-lastUsed", ""), ("source ~ 99999", "-lastUsed", ""),
  ("metadata ~ nothing", "-lastUsed", ""), ("", "-lastUsed", "id777"), ("", "identifier", ""),
] {
  var query = CacheQuery()
  if !filter.isEmpty { query.filter = try CacheFilter.parse(filter) }
  query.sort = try CacheSort.parse(sort)
  query.search = search.isEmpty ? nil : search
  query.limit = 20
  say("list \(filter) sort \(sort) \(search)", try milliseconds { _ = try cache.list(query) })
}
say("group by tag", try milliseconds { _ = try cache.groups(by: .tag) })
say("group by day", try milliseconds { _ = try cache.groups(by: .created) })
say("explain", try milliseconds { _ = try cache.explain(key(count + 7), parts: parts(count + 7)) })
if arguments.contains("--trim") {
  let size = try cache.stats().size
  say("trim of a tenth", try milliseconds { try cache.trim(maxSize: size - size / 10) })
}
cache.close()
