/// The most recently used entries, limited by their bytes. Its owner provides the locking.
struct MemoryTier {
  private struct Node {
    var entry: CacheEntry
    var newer: Int
    var older: Int
  }

  private var nodes: [Node?] = []
  private var free: [Int] = []
  private var places: [CacheKey: Int] = [:]
  private var newest = -1
  private var oldest = -1
  private(set) var bytes = 0
  let capacity: Int

  init(capacity: Int) { self.capacity = capacity }

  var count: Int { places.count }

  mutating func entry(_ key: CacheKey) -> CacheEntry? {
    guard let place = places[key] else { return nil }
    if place != newest {
      detach(place)
      attach(place)
    }
    return nodes[place]?.entry
  }

  mutating func insert(_ entry: CacheEntry) {
    remove(entry.key)
    let size = Self.weight(entry)
    guard size <= capacity else { return }
    while bytes + size > capacity, oldest >= 0, let key = nodes[oldest]?.entry.key { remove(key) }
    var entry = entry
    entry.tier = .memory
    let node = Node(entry: entry, newer: -1, older: -1)
    let place: Int
    if let reused = free.popLast() {
      nodes[reused] = node
      place = reused
    } else {
      place = nodes.count
      nodes.append(node)
    }
    places[entry.key] = place
    bytes += size
    attach(place)
  }

  mutating func remove(_ key: CacheKey) {
    guard let place = places.removeValue(forKey: key) else { return }
    detach(place)
    bytes -= nodes[place].map { Self.weight($0.entry) } ?? 0
    nodes[place] = nil
    free.append(place)
  }

  mutating func removeAll() { self = MemoryTier(capacity: capacity) }

  private static func weight(_ entry: CacheEntry) -> Int {
    entry.data.count + entry.metadata.utf8.count + entry.dependencies.count * 256 + 256
  }

  private mutating func attach(_ place: Int) {
    nodes[place]?.newer = -1
    nodes[place]?.older = newest
    if newest >= 0 { nodes[newest]?.newer = place }
    newest = place
    if oldest < 0 { oldest = place }
  }

  private mutating func detach(_ place: Int) {
    guard let node = nodes[place] else { return }
    if node.newer >= 0 { nodes[node.newer]?.older = node.older } else { newest = node.older }
    if node.older >= 0 { nodes[node.older]?.newer = node.newer } else { oldest = node.newer }
  }
}
