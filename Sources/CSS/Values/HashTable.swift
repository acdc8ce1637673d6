/// A hash table whose keys are 64-bit hashes that are already well distributed, such as those of `foldedHash`. Open addressing, at most half full.
struct HashTable<Value: Sendable>: Sendable {
  private var slots: [(hash: UInt64, value: Value)?]
  private var count = 0

  init(minimumCapacity: Int = 16) {
    var capacity = 32
    while capacity < minimumCapacity * 2 { capacity *= 2 }
    slots = Array(repeating: nil, count: capacity)
  }

  subscript(hash: UInt64) -> Value? {
    get { slots[slot(of: hash)]?.value }
    set {
      guard let newValue else { return }
      let slot = slot(of: hash)
      if slots[slot] == nil { count += 1 }
      slots[slot] = (hash, newValue)
      if count * 2 > slots.count { grow() }
    }
  }

  /// The slot of `hash`, or the free slot for it.
  private func slot(of hash: UInt64) -> Int {
    var slot = Int(truncatingIfNeeded: hash ^ hash >> 32) & (slots.count - 1)
    while let entry = slots[slot], entry.hash != hash { slot = (slot + 1) & (slots.count - 1) }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = Array(repeating: nil, count: old.count * 2)
    for case let entry? in old { slots[slot(of: entry.hash)] = entry }
  }
}
