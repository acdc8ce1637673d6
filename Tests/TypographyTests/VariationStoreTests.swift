import Testing

@testable import OffprintTypography

@Suite("Item variation stores")
struct VariationStoreTests {
  /// One axis; the first region rises to 1, the second lies between 0 and 1; two rows of a word and a byte.
  private static let store: [UInt8] =
    [0, 1, 0, 0, 0, 12, 0, 1, 0, 0, 0, 28] + [0, 1, 0, 2, 0, 0, 0x40, 0, 0x40, 0, 0, 0, 0x20, 0, 0x40, 0]
    + [0, 2, 0, 1, 0, 2, 0, 0, 0, 1, 0x01, 0x2c, 0x14, 0xff, 0x9c, 0xec]

  private func delta(_ at: Double, _ base: Int, _ number: Int, map: [UInt8] = [], length: Int? = nil) -> Double? {
    let bytes = [0, 0, 0, 0] + Self.store + map
    let end = min(length ?? bytes.count, bytes.count)
    return bytes.withUnsafeBufferPointer { buffer in
      VariationStore(SFNTReader(bytes: buffer), 0..<end, store: 4, map: map.isEmpty ? 0 : 4 + Self.store.count, [at])?.delta(base, number)
    }
  }

  @Test("Deltas are interpolated between the start, peak and end of regions")
  func interpolation() {
    #expect(delta(0, 0, 0) == nil)
    #expect(delta(1, 0, 0) == 300 && delta(0.25, 0, 0) == 75 + 10 && delta(0.5, 0, 0) == 150 + 20 && delta(0.75, 0, 0) == 225 + 10)
    #expect(delta(1, 0, 1) == -100 && delta(0.5, 0, 1) == -50 - 20 && delta(-1, 0, 0) == 0)
    #expect(delta(1, 0xffff_ffff, 0) == 0 && delta(1, 2, 0) == 0 && delta(1, 0x1_0000, 0) == 0)
  }

  @Test("A delta-set index map is applied if present, and its last entry applies to all later indexes")
  func map() {
    #expect(delta(1, 0, 0, map: [0, 0, 0, 2, 1, 0]) == -100 && delta(1, 0, 1, map: [0, 0, 0, 2, 1, 0]) == 300)
    #expect(delta(1, 9, 0, map: [0, 0, 0, 2, 1, 0]) == 300 && delta(1, 0, 0, map: [1, 0, 0, 0, 0, 1, 1]) == -100)
    #expect(delta(1, 0, 0, map: [0, 0, 0, 0]) == 0)
  }

  @Test("Truncated and damaged tables have no deltas")
  func damaged() {
    for length in 0..<Self.store.count { _ = delta(1, 0, 1, length: length) }
    for place in Self.store.indices {
      var bytes = [0, 0, 0, 0] + Self.store
      bytes[4 + place] ^= 0xff
      bytes.withUnsafeBufferPointer { buffer in
        _ = VariationStore(SFNTReader(bytes: buffer), 0..<buffer.count, store: 4, map: 0, [1])?.delta(0, 1)
      }
    }
  }
}
