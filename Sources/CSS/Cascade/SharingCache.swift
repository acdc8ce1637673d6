/// Caches styles by their inputs, so that elements with the same matches and parent share one.
struct SharingCache {
  private struct Entry {
    var hash: UInt64
    var start: Int
    var count: Int
    var style: ComputedStyle
  }
  private var entries: [Entry] = []
  private var keys: [UInt32] = []
  /// Open addressing; a slot contains an entry's index plus 1.
  private var slots = [UInt32](repeating: 0, count: Self.initialSlots)
  private static let initialSlots = 512
  /// The maximum total length of keys. The cache is cleared before an insertion would exceed it.
  private static let maximumKeys = 1 << 22

  static func hash(_ key: [UInt32]) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for word in key {
      hash = (hash ^ UInt64(word)) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
    }
    return hash
  }

  func style(_ key: [UInt32], hash: UInt64) -> ComputedStyle? {
    var slot = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[slot] != 0 {
      let entry = entries[Int(slots[slot]) - 1]
      if entry.hash == hash, entry.count == key.count, keys[entry.start..<(entry.start + entry.count)].elementsEqual(key) {
        return entry.style
      }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  mutating func insert(_ key: [UInt32], hash: UInt64, _ style: ComputedStyle) {
    if keys.count + key.count > Self.maximumKeys { removeAll() }
    entries.append(Entry(hash: hash, start: keys.count, count: key.count, style: style))
    keys.append(contentsOf: key)
    if entries.count * 2 > slots.count {
      slots = Array(repeating: 0, count: slots.count * 2)
      for number in entries.indices { place(number) }
    } else {
      place(entries.count - 1)
    }
  }

  private mutating func removeAll() {
    entries.removeAll(keepingCapacity: true)
    keys.removeAll(keepingCapacity: true)
    slots = Array(repeating: 0, count: Self.initialSlots)
  }

  private mutating func place(_ number: Int) {
    var slot = Int(truncatingIfNeeded: entries[number].hash) & (slots.count - 1)
    while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
    slots[slot] = UInt32(truncatingIfNeeded: number + 1)
  }
}
