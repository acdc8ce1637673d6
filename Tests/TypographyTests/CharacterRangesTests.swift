import Testing

@testable import OffprintTypography

@Suite("unicode-range")
struct CharacterRangesTests {
  @Test("Lookups do not depend on the order and overlaps of the ranges")
  func ranges() {
    let ranges = CharacterRanges([0x400...0x4ff, 0x26...0x26, 0x420...0x430, 0x4f0...0x510, 0x41...0x5a])
    for inside: UInt32 in [0x26, 0x41, 0x5a, 0x400, 0x431, 0x4ff, 0x510] { #expect(ranges.contains(inside)) }
    for outside: UInt32 in [0, 0x25, 0x27, 0x5b, 0x3ff, 0x511, 0x10ffff] { #expect(!ranges.contains(outside)) }
    #expect(!ranges.isAll)
  }

  @Test("A face without a range is used for all characters")
  func none() {
    #expect(CharacterRanges().isAll && CharacterRanges().contains(0) && CharacterRanges().contains(0x10ffff))
  }
}
