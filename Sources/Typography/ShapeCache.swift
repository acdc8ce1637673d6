/// Recently shaped runs, in a hash table by the bytes of their text. It is cleared when full.
struct ShapeCache {
  /// The parts of the key other than the text.
  struct Key: Equatable {
    var font: UInt32
    var script: UInt32
    var letterSpacing: Float
    var wordSpacing: Float
    var isRightToLeft: Bool
    var isUpright: Bool
    /// The range of the bytes that is shaped; the rest is context.
    var start: UInt32
    var end: UInt32
  }

  private struct Entry {
    var key: Key
    var bytes: Range<Int>
    var run: ShapedRun
    var base: Int
  }

  private var slots = [Int32](repeating: -1, count: 4096)
  private var hashes: [UInt64] = []
  private var entries: [Entry] = []
  private var pool: [UInt8] = []
  private var glyphs = 0

  static let maximumTextLength = 8192
  private static let maximumEntries = 16_384
  private static let maximumPool = 8 << 20
  private static let maximumGlyphs = 1 << 20

  mutating func removeAll() { self = ShapeCache() }

  static func hash(_ bytes: UnsafeBufferPointer<UInt8>, _ key: Key) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    var hash = (UInt64(key.font) << 32 | UInt64(key.script)) ^ UInt64(key.letterSpacing.bitPattern) &* 0x9e37_79b9
    hash ^=
      UInt64(key.wordSpacing.bitPattern) << 17 ^ UInt64(key.start) << 40 ^ (key.isRightToLeft ? 0x5555 : 0) ^ (key.isUpright ? 0xaaaa : 0)
    var offset = 0
    while offset + 8 <= raw.count {
      mix(&hash, raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      offset += 8
    }
    var rest: UInt64 = UInt64(raw.count)
    while offset < raw.count {
      rest = rest << 8 | UInt64(raw[offset])
      offset += 1
    }
    mix(&hash, rest)
    return hash
  }

  @inline(__always)
  private static func mix(_ hash: inout UInt64, _ word: UInt64) {
    let product = (hash ^ word ^ 0x2d35_8dcc_aa6c_78a5).multipliedFullWidth(by: 0x9e37_79b9_7f4a_7c15)
    hash = product.high ^ product.low
  }

  /// The run for `bytes`, moved to the text range that begins at `base`.
  func find(_ bytes: UnsafeBufferPointer<UInt8>, _ key: Key, hash: UInt64, base: Int) -> ShapedRun? {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if hashes[index] == hash, entries[index].key == key, matches(entries[index].bytes, bytes) {
        let entry = entries[index]
        return entry.base == base ? entry.run : entry.run.moved(by: base - entry.base)
      }
      slot = (slot + 1) & mask
    }
    return nil
  }

  private func matches(_ range: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard range.count == bytes.count else { return false }
    return pool.withUnsafeBufferPointer { $0[range].elementsEqual(bytes) }
  }

  mutating func insert(_ run: ShapedRun, _ bytes: UnsafeBufferPointer<UInt8>, _ key: Key, hash: UInt64, base: Int) {
    if entries.count >= ShapeCache.maximumEntries || pool.count + bytes.count > ShapeCache.maximumPool
      || glyphs + run.glyphs.count > ShapeCache.maximumGlyphs
    {
      removeAll()
    }
    if (entries.count + 1) * 2 > slots.count { grow() }
    let start = pool.count
    pool.append(contentsOf: bytes)
    place(Int32(truncatingIfNeeded: entries.count), hash)
    hashes.append(hash)
    entries.append(Entry(key: key, bytes: start..<pool.count, run: run, base: base))
    glyphs += run.glyphs.count
  }

  private mutating func place(_ index: Int32, _ hash: UInt64) {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: hash) & mask
    while slots[slot] >= 0 { slot = (slot + 1) & mask }
    slots[slot] = index
  }

  private mutating func grow() {
    slots = [Int32](repeating: -1, count: slots.count * 2)
    for (index, hash) in hashes.enumerated() { place(Int32(truncatingIfNeeded: index), hash) }
  }
}

extension ShapedRun {
  /// The same run at another offset of the text.
  func moved(by distance: Int) -> ShapedRun {
    var result = self
    result.textRange = textRange.lowerBound + distance..<textRange.upperBound + distance
    let shift = UInt32(truncatingIfNeeded: distance)
    result.glyphs.withUnsafeMutableBufferPointer { glyphs in
      for index in glyphs.indices { glyphs[index].cluster &+= shift }
    }
    return result
  }
}
