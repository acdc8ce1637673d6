/// Properties of a face for listings, which rendering text does not need.
public struct FontDetails: Hashable, Sendable {
  /// A named instance of a variable font.
  public struct Instance: Hashable, Sendable {
    public var name: String
    /// In the order of the font's axes.
    public var coordinates: [FontVariation]
  }
  public var version = ""
  public var licence = ""
  public var licenceURL = ""
  /// Embedding permissions: `installable`, `restricted`, `preview`, `editable`, and `no-subsetting`, `bitmaps-only`.
  public var embedding: [String] = []
  /// `truetype`, `cff`, `cff2` or `bitmap`.
  public var outlines = "bitmap"
  /// Tables of color glyphs, in the file's order.
  public var colorTables: [String] = []
  public var instances: [Instance] = []
}

extension FontFace {
  public var details: FontDetails {
    data.withBytes { bytes in
      let reader = SFNTReader(bytes: bytes), offsets = reader.faceOffsets()
      return index < offsets.count ? reader.details(at: offsets[index], axes: info.axes) : FontDetails()
    }
  }
}

extension SFNTReader {
  fileprivate func details(at offset: Int, axes: [FontAxis]) -> FontDetails {
    let tables = tables(faceAt: offset)
    func table(_ tag: String) -> Range<Int>? {
      let tag = FontTag(tag)
      return tables.first { $0.tag == tag }?.range
    }
    var result = FontDetails()
    result.outlines = table("glyf") != nil ? "truetype" : table("CFF ") != nil ? "cff" : table("CFF2") != nil ? "cff2" : "bitmap"
    let colored = ["CBDT", "COLR", "sbix", "SVG "]
    result.colorTables = tables.map(\.tag.description).filter(colored.contains).map { $0.filter { $0 != " " } }
    let names = table("name").map { englishNames($0) } ?? [:]
    result.version = names[5] ?? ""
    result.licence = names[13] ?? ""
    result.licenceURL = names[14] ?? ""
    if let os2 = table("OS/2"), os2.count >= 10 { result.embedding = Self.embedding(u16(os2.lowerBound + 8)) }
    if let fvar = table("fvar") { result.instances = instances(fvar, axes, names) }
    return result
  }

  /// https://learn.microsoft.com/typography/opentype/spec/os2#fstype
  private static func embedding(_ bits: Int) -> [String] {
    let usage = bits & 8 != 0 ? "editable" : bits & 4 != 0 ? "preview" : bits & 2 != 0 ? "restricted" : "installable"
    return [usage] + (bits & 0x100 != 0 ? ["no-subsetting"] : []) + (bits & 0x200 != 0 ? ["bitmaps-only"] : [])
  }

  /// https://learn.microsoft.com/typography/opentype/spec/fvar#instancerecord
  private func instances(_ fvar: Range<Int>, _ axes: [FontAxis], _ names: [Int: String]) -> [FontDetails.Instance] {
    let base = fvar.lowerBound
    let first = base + u16(base + 4) + u16(base + 8) * u16(base + 10), size = u16(base + 14)
    guard size >= 4 + 4 * axes.count else { return [] }
    return (0..<min(u16(base + 12), 1024)).compactMap { index in
      let record = first + index * size
      guard record + size <= fvar.upperBound else { return nil }
      let coordinates = axes.enumerated().map { FontVariation(tag: $1.tag, value: fixed(record + 4 + 4 * $0)) }
      return FontDetails.Instance(name: names[u16(record)] ?? "", coordinates: coordinates)
    }
  }

  /// Names in English, or in another language if there is no English one, by their IDs.
  private func englishNames(_ name: Range<Int>) -> [Int: String] {
    let base = name.lowerBound, storage = base + u16(base + 4)
    var best: [Int: (rank: Int, text: String)] = [:]
    for index in 0..<min(u16(base + 2), 4096) {
      let record = base + 6 + 12 * index
      guard record + 12 <= name.upperBound else { break }
      let platform = u16(record), language = u16(record + 4), identifier = u16(record + 6)
      let rank = platform == 3 ? (language == 0x409 ? 4 : 2) : platform == 0 ? 3 : language == 0 ? 1 : 0
      if let known = best[identifier], known.rank >= rank { continue }
      let start = storage + u16(record + 10), length = u16(record + 8)
      guard start + length <= bytes.count else { continue }
      let text = platform == 1 ? latin(start, length) : utf16(start, length)
      if !text.isEmpty { best[identifier] = (rank, text) }
    }
    return best.mapValues(\.text)
  }
}
