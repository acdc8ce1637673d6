import OffprintCoreTypes
import OffprintDOM

/// A counting Bloom filter of the IDs, classes and types of the current element's ancestors.
struct AncestorFilter {
  private var counters = [UInt8](repeating: 0, count: 4096)

  static func hash(_ kind: SelectorPart.Kind, _ name: Name) -> UInt32 {
    let mixed = (UInt64(name.raw) << 8 | UInt64(kind.rawValue)) &* 0x9E37_79B9_7F4A_7C15
    return UInt32(truncatingIfNeeded: mixed >> 32) | 1
  }

  mutating func add(_ hash: UInt32) {
    for slot in [Int(hash >> 1 & 4095), Int(hash >> 16 & 4095)] where counters[slot] < 255 { counters[slot] += 1 }
  }

  /// Saturated counters are not decremented, since their actual count is unknown.
  mutating func remove(_ hash: UInt32) {
    for slot in [Int(hash >> 1 & 4095), Int(hash >> 16 & 4095)] where counters[slot] < 255 && counters[slot] > 0 { counters[slot] -= 1 }
  }

  @inline(__always) func mayContain(_ hash: UInt32) -> Bool {
    counters[Int(hash >> 1 & 4095)] != 0 && counters[Int(hash >> 16 & 4095)] != 0
  }

  @inline(__always) func mayMatch(_ head: SelectorHead) -> Bool {
    let (a, b, c) = head.ancestorHashes
    return (a == 0 || mayContain(a)) && (b == 0 || mayContain(b)) && (c == 0 || mayContain(c))
  }
}
