/// Checks an untrusted font file for the minimum that its readers rely on, and for structures that would take unbounded resources.
///
/// https://learn.microsoft.com/typography/opentype/spec/otff; Chromium's OpenType Sanitizer rejects such files as well:
/// https://github.com/khaledhosny/ots
package struct FontSanity {
  private let reader: SFNTReader
  private let tables: [SFNTTable]

  /// The problem as the end of a sentence, such as "its table 'loca' ends too soon"; nil for a usable font.
  static func problem(_ reader: SFNTReader, faceAt offset: Int) -> String? {
    if let damaged = reader.tablesBeyondEnd(faceAt: offset).first { return "its table '\(damaged)' is outside the file" }
    return FontSanity(reader: reader, tables: reader.tables(faceAt: offset)).problem
  }

  /// Checks all faces of a file.
  package static func problem(ofFile path: String) -> String? {
    guard let file = MappedFile(path: path, largest: maximumFileSize) else { return "it cannot be read, is empty or has more than 1 GiB" }
    return withExtendedLifetime(file) {
      let reader = SFNTReader(bytes: file.bytes.bindMemory(to: UInt8.self)), faces = reader.faceOffsets()
      return faces.isEmpty ? "it has no faces" : faces.lazy.compactMap { problem(reader, faceAt: $0) }.first
    }
  }
  private static let maximumFileSize = 1 << 30

  private func table(_ tag: String) -> Range<Int>? {
    let tag = FontTag(tag)
    return tables.first { $0.tag == tag }?.range
  }

  private var problem: String? {
    for (tag, minimum) in [("head", 54), ("hhea", 36), ("maxp", 6), ("cmap", 4), ("hmtx", 4)] {
      guard let table = table(tag) else { return "it has no table '\(tag)'" }
      if table.count < minimum { return ended(tag) }
    }
    guard let head = table("head"), let hhea = table("hhea"), let maxp = table("maxp"), let hmtx = table("hmtx"), let cmap = table("cmap")
    else { return nil }
    let glyphs = reader.u16(maxp.lowerBound + 4), metrics = reader.u16(hhea.lowerBound + 34)
    if reader.u32(maxp.lowerBound) == 0x0001_0000, maxp.count < 32 { return ended("maxp") }
    if glyphs == 0 { return "it has no glyphs" }
    if metrics == 0 || hmtx.count < 4 * metrics + 2 * max(0, glyphs - metrics) { return ended("hmtx") }
    if let problem = characterMap(cmap) { return problem }
    if let glyf = table("glyf") {
      guard let loca = table("loca") else { return "it has no table 'loca'" }
      return outlines(glyf, loca, glyphs, isLong: reader.u16(head.lowerBound + 50) != 0)
    }
    return ["CFF ", "CFF2", "CBDT", "sbix", "EBDT", "SVG "].contains { table($0) != nil } ? nil : "it has no outlines and no bitmaps"
  }

  private func ended(_ tag: String) -> String { "its table '\(tag)' is truncated" }

  private func characterMap(_ cmap: Range<Int>) -> String? {
    let count = reader.u16(cmap.lowerBound + 2)
    guard cmap.count >= 4 + 8 * count else { return ended("cmap") }
    for index in 0..<count {
      let start = cmap.lowerBound + reader.u32(cmap.lowerBound + 8 + 8 * index)
      let isLong = [8, 10, 12, 13].contains(reader.u16(start)), isVariation = reader.u16(start) == 14
      let length = isLong ? reader.u32(start + 4) : isVariation ? reader.u32(start + 2) : reader.u16(start + 2)
      guard start + 6 <= cmap.upperBound, start + length <= cmap.upperBound else { return ended("cmap") }
    }
    return nil
  }

  // MARK: Outlines

  /// The maximum number of components of a composite glyph, and their maximum nesting depth.
  private static let maximumParts = 4096
  private static let deepest = 32

  private func outlines(_ glyf: Range<Int>, _ loca: Range<Int>, _ glyphs: Int, isLong: Bool) -> String? {
    guard loca.count >= (glyphs + 1) * (isLong ? 4 : 2) else { return ended("loca") }
    func start(_ glyph: Int) -> Int { isLong ? reader.u32(loca.lowerBound + 4 * glyph) : 2 * reader.u16(loca.lowerBound + 2 * glyph) }
    var composites: [Int: [Int]] = [:], last = 0
    for glyph in 0...glyphs {
      // In fonts that FreeType converts from WOFF 2, the last entry is a file offset truncated to 16 bits, at which no glyph begins.
      let next = glyph == glyphs ? glyf.count : start(glyph)
      guard next >= last, next <= glyf.count else { return "its table 'loca' has offsets outside 'glyf'" }
      if glyph > 0, next - last >= 10, reader.i16(glyf.lowerBound + last) < 0 {
        composites[glyph - 1] = parts(glyf.lowerBound + last..<glyf.lowerBound + next)
      }
      last = next
    }
    return composites.isEmpty ? nil : counted(composites, glyphs)
  }

  /// https://learn.microsoft.com/typography/opentype/spec/glyf#composite-glyph-description
  private func parts(_ glyph: Range<Int>) -> [Int] {
    var place = glyph.lowerBound + 10, result: [Int] = []
    while place + 6 <= glyph.upperBound {
      let flags = reader.u16(place)
      result.append(reader.u16(place + 2))
      place += 4 + (flags & 1 != 0 ? 4 : 2) + (flags & 0x80 != 0 ? 8 : flags & 0x40 != 0 ? 4 : flags & 8 != 0 ? 2 : 0)
      if flags & 0x20 == 0 { break }
    }
    return result
  }

  /// Counts each glyph once, after its components.
  private func counted(_ composites: [Int: [Int]], _ glyphs: Int) -> String? {
    var sizes: [Int: (parts: Int, depth: Int)] = [:], open: Set<Int> = []
    func isTooMuch(_ glyph: Int, _ level: Int) -> Bool {
      guard let parts = composites[glyph], sizes[glyph] == nil else { return false }
      guard level < Self.deepest, open.insert(glyph).inserted else { return true }
      defer { open.remove(glyph) }
      var total = 0, depth = 0
      for part in parts {
        if isTooMuch(part, level + 1) { return true }
        let size = sizes[part] ?? (1, 0)
        total += size.parts
        depth = max(depth, size.depth + 1)
        if total > Self.maximumParts || depth > Self.deepest { return true }
      }
      sizes[glyph] = (total, depth)
      return false
    }
    for glyph in composites.keys.sorted() where isTooMuch(glyph, 0) {
      return "its glyph \(glyph) contains itself, or more than \(Self.maximumParts) components"
    }
    return nil
  }
}
