import OffprintCoreTypes
import OffprintDOM

/// Lists of item numbers by name, stored contiguously and indexed by the name's raw value.
struct NameBuckets {
  private var ends: [UInt32] = []
  private var items: [UInt32] = []

  init(_ pairs: [(name: Name, item: UInt32)]) {
    guard let largest = pairs.lazy.map(\.name.raw).max() else { return }
    var counts = [UInt32](repeating: 0, count: Int(largest) + 1)
    for pair in pairs { counts[Int(pair.name.raw)] += 1 }
    var total: UInt32 = 0
    ends = counts.map {
      total += $0
      return total
    }
    var next = ends.indices.map { ends[$0] - counts[$0] }
    items = Array(repeating: 0, count: pairs.count)
    for pair in pairs {
      items[Int(next[Int(pair.name.raw)])] = pair.item
      next[Int(pair.name.raw)] += 1
    }
  }

  subscript(name: Name) -> ArraySlice<UInt32> {
    let index = Int(name.raw)
    guard index < ends.count else { return [] }
    return items[Int(index > 0 ? ends[index - 1] : 0)..<Int(ends[index])]
  }
}

/// Lists of item numbers by attribute name and value.
struct ValueBuckets {
  private var numbers = HashTable<UInt32>()
  private var buckets = NameBuckets([])
  /// A Bloom filter of the names, by the low six bits of their raw values.
  private var names: UInt64 = 0

  /// Values are hashed ignoring ASCII case, since some selectors match case-insensitively.
  static func hash(_ name: Name, _ value: UnsafeBufferPointer<UInt8>) -> UInt64 {
    value.foldedHash ^ UInt64(name.raw) &* 0x9E37_79B9_7F4A_7C15
  }

  init(_ values: [(name: Name, hash: UInt64, item: UInt32)]) {
    var pairs: [(name: Name, item: UInt32)] = []
    for value in values {
      let number = numbers[value.hash] ?? UInt32(truncatingIfNeeded: pairs.count)
      numbers[value.hash] = number
      names |= 1 << UInt64(value.name.raw & 63)
      pairs.append((Name(raw: number), value.item))
    }
    buckets = NameBuckets(pairs)
  }

  @inline(__always) func mayContain(_ name: Name) -> Bool { names & 1 << UInt64(name.raw & 63) != 0 }

  subscript(name: Name, value: Slice<UnsafeBufferPointer<UInt8>>) -> ArraySlice<UInt32> {
    numbers[Self.hash(name, UnsafeBufferPointer(rebasing: value))].map { buckets[Name(raw: $0)] } ?? []
  }
}
