import Testing

@testable import OffprintTypography

/// Damaged and malicious fonts.
@Suite("Invalid fonts are rejected")
struct BadFontTests {
  private let good = Fixture.bytes("LiberationSans-Regular.ttf")

  private func reason(_ bytes: [UInt8]) -> String? {
    FontSet(registry: Fixture.registry, webFonts: [WebFont(family: "F", data: bytes)]).rejections.first?.reason
  }

  /// The tables of a file with one face: tag, and the offsets of the record and the table.
  private func tables(_ bytes: [UInt8]) -> [(tag: String, record: Int, range: Range<Int>)] {
    bytes.withUnsafeBufferPointer { buffer in
      let reader = SFNTReader(bytes: buffer)
      return reader.tables(faceAt: 0).enumerated().map { ($1.tag.description, 12 + 16 * $0, $1.range) }
    }
  }

  private func set32(_ bytes: inout [UInt8], _ place: Int, _ value: Int) {
    for (index, shift) in [24, 16, 8, 0].enumerated() { bytes[place + index] = UInt8(truncatingIfNeeded: value >> shift) }
  }

  @Test("if a required table is truncated, missing or beyond the end of the file")
  func truncated() throws {
    #expect(reason(good) == nil)
    let needed = ["head", "hhea", "maxp", "hmtx", "cmap", "loca", "glyf"]
    for table in tables(good) {
      var short = good, far = good, gone = good
      set32(&short, table.record + 12, table.range.count / 2)
      set32(&far, table.record + 8, good.count)
      gone[table.record] = 0x7a
      #expect(reason(far)?.contains("is outside the file") == true, "\(table.tag)")
      guard needed.contains(table.tag) else {
        // Optional tables may be missing.
        for bytes in [short, gone] {
          _ = FontContext(fonts: FontSet(registry: Fixture.registry, webFonts: [WebFont(family: "F", data: bytes)])).shape(
            "abc", Fixture.description("F"))
        }
        continue
      }
      #expect(reason(short) != nil, "\(table.tag) is short")
      if table.tag != "glyf" { #expect(reason(gone)?.contains("'\(table.tag)'") == true, "\(table.tag) is gone") }
    }
    for length in [0, 1, 4, 11, 12, 40, 200, 400, 1000, good.count / 2] { #expect(reason(Array(good.prefix(length))) != nil, "\(length)") }
    for table in tables(good) where table.range.count > 1 {
      #expect(reason(Array(good.prefix(table.range.upperBound - 1))) != nil, "\(table.tag)")
    }
  }

  @Test("if a composite glyph contains itself, or too many glyphs")
  func composites() throws {
    let found = tables(good)
    let loca = try #require(found.first { $0.tag == "loca" }).range, glyf = try #require(found.first { $0.tag == "glyf" }).range
    let head = try #require(found.first { $0.tag == "head" }).range
    let isLong = good[head.lowerBound + 51] != 0
    func start(_ glyph: Int) -> Int {
      good.withUnsafeBufferPointer { buffer in
        let reader = SFNTReader(bytes: buffer)
        return glyf.lowerBound + (isLong ? reader.u32(loca.lowerBound + 4 * glyph) : 2 * reader.u16(loca.lowerBound + 2 * glyph))
      }
    }
    let roomy = (1..<2000).filter { start($0 + 1) - start($0) >= 200 }
    func composite(_ bytes: inout [UInt8], _ glyph: Int, of parts: [Int]) {
      let place = start(glyph)
      bytes.replaceSubrange(place..<place + 10, with: [0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0])
      for (index, part) in parts.enumerated() {
        let flags: UInt8 = index + 1 < parts.count ? 0x22 : 2
        bytes.replaceSubrange(
          place + 10 + 6 * index..<place + 16 + 6 * index,
          with: [0, flags, UInt8(part >> 8), UInt8(part & 0xff), UInt8(index), 0])
      }
    }
    var loop = good
    composite(&loop, roomy[0], of: [roomy[1]])
    composite(&loop, roomy[1], of: [roomy[0]])
    #expect(reason(loop)?.contains("contains itself") == true)
    var own = good
    composite(&own, roomy[0], of: [roomy[0]])
    #expect(reason(own) != nil)
    // 30⁹ components.
    var bomb = good
    for level in 0..<9 { composite(&bomb, roomy[level], of: Array(repeating: roomy[level + 1], count: 30)) }
    #expect(reason(bomb) != nil)
    var fine = good
    composite(&fine, roomy[0], of: Array(repeating: roomy[1], count: 30))
    #expect(reason(fine) == nil)
  }

  @Test("if they would decompress to more than the maximum size of a font")
  func bombs() {
    // wOF2 with one table that declares 2 GB, and with one whose transformed form declares 2 GB.
    func packed(_ directory: [UInt8], declared: [UInt8] = [0, 0, 1, 0]) -> [UInt8] {
      [0x77, 0x4f, 0x46, 0x32, 0, 1, 0, 0, 0, 0, 0, 100, 0, 1, 0, 0] + declared + [UInt8](repeating: 0, count: 28) + directory
    }
    for directory in [
      [0, 0x87, 0xff, 0xff, 0xff, 0x7f], [10, 4, 0x87, 0xff, 0xff, 0xff, 0x7f], [0, 0x80, 0x80, 1], [0, 0xff, 0xff, 0xff, 0xff, 0xff, 1],
      [], [0x3f, 1],
    ] as [[UInt8]] {
      #expect(reason(packed(directory)) == "it cannot be decompressed, or is too large", "\(directory)")
    }
    #expect(reason(packed([0, 4], declared: [0x7f, 0xff, 0xff, 0xff])) != nil)
    // wOFF with a table that declares 2 GB.
    let table: [UInt8] = [0x68, 0x65, 0x61, 0x64, 0, 0, 0, 64, 0, 0, 0, 4, 0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 0]
    let woff: [UInt8] =
      [0x77, 0x4f, 0x46, 0x46, 0, 1, 0, 0, 0, 0, 0, 68, 0, 1, 0, 0, 0, 0, 1, 0] + [UInt8](repeating: 0, count: 24) + table + [0, 0, 0, 0]
    #expect(reason(woff) != nil)
  }

  @Test("if all fonts of a page together decompress to more than the limit of its resources")
  func total() {
    let other = Fixture.bytes("LiberationSerif-Regular.ttf")
    let files = WebFontFiles(unpackedBytes: good.count + other.count / 2)
    let fonts = [good, good, other].map { WebFont(family: "F", data: $0) }
    let set = FontSet(registry: Fixture.registry, webFonts: fonts, files: files)
    #expect(set.rejections.map(\.index) == [2])
    #expect(set.rejections.first?.reason.contains("loadedBytes") == true)
    // Fonts that were opened before are not counted again.
    #expect(FontSet(registry: Fixture.registry, webFonts: [fonts[0]], files: files).rejections.isEmpty)
  }
}
