/// Bounds-checked big-endian reading of an OpenType font file.
/// https://learn.microsoft.com/typography/opentype/spec/otff
struct SFNTReader {
  let bytes: UnsafeBufferPointer<UInt8>

  func u8(_ offset: Int) -> Int { offset >= 0 && offset < bytes.count ? Int(bytes[offset]) : 0 }
  func u16(_ offset: Int) -> Int { u8(offset) << 8 | u8(offset &+ 1) }
  func i16(_ offset: Int) -> Int { Int(Int16(truncatingIfNeeded: u16(offset))) }
  func u32(_ offset: Int) -> Int { u16(offset) << 16 | u16(offset &+ 2) }
  /// A 16.16 number.
  func fixed(_ offset: Int) -> Float { Float(Int32(truncatingIfNeeded: u32(offset))) / 65536 }

  /// The offsets of the file's faces; empty if it is not a font.
  func faceOffsets() -> [Int] {
    switch u32(0) {
    case 0x7474_6366:  // ttcf
      let count = min(u32(8), 256)
      return (0..<count).map { u32(12 + 4 * $0) }.filter { $0 + 12 <= bytes.count }
    case 0x0001_0000, 0x4f54_544f, 0x7472_7565: return [0]  // TrueType, OTTO, true
    default: return []
    }
  }

  /// The tables of the face at `offset` that are within the file.
  func tables(faceAt offset: Int) -> [SFNTTable] {
    let count = min(u16(offset + 4), 512)
    var result: [SFNTTable] = []
    result.reserveCapacity(count)
    for index in 0..<count {
      let record = offset + 12 + 16 * index
      let start = u32(record + 8), length = u32(record + 12)
      guard start <= bytes.count, length <= bytes.count - start else { continue }
      result.append(SFNTTable(tag: FontTag(raw: UInt32(truncatingIfNeeded: u32(record))), range: start..<start + length))
    }
    return result
  }
}

extension SFNTReader {
  /// The tags of tables that are not within the file.
  func tablesBeyondEnd(faceAt offset: Int) -> [FontTag] {
    let count = u16(offset + 4)
    guard count <= 512, offset + 12 + 16 * count <= bytes.count else { return [FontTag("dir")] }
    return (0..<count).compactMap { index in
      let record = offset + 12 + 16 * index, start = u32(record + 8), length = u32(record + 12)
      return start > bytes.count || length > bytes.count - start ? FontTag(raw: UInt32(truncatingIfNeeded: u32(record))) : nil
    }
  }
}

struct SFNTTable {
  var tag: FontTag
  var range: Range<Int>
}

/// A variation axis of a face.
public struct FontAxis: Hashable, Sendable {
  public var tag: FontTag
  public var minimum: Float
  public var defaultValue: Float
  public var maximum: Float
}

/// The properties of a face in a font file.
public struct FaceInfo: Hashable, Sendable {
  public var family = ""
  /// The name that groups at most four faces (regular, italic, bold, bold italic), if it differs.
  public var legacyFamily = ""
  /// Its family and full names in other languages.
  public var localizedFamilies: [String] = []
  public var localizedFullNames: [String] = []
  /// For example "Bold Italic".
  public var styleName = ""
  public var fullName = ""
  public var postScriptName = ""
  public var weight: Float = 400
  /// As a percentage.
  public var stretch: Float = 100
  public var isItalic = false
  public var isOblique = false
  public var isMonospaced = false
  public var axes: [FontAxis] = []
  public var unitsPerEm = 1000
  public var glyphCount = 0
  /// `head.fontRevision`.
  public var revision: Float = 0
  /// Whether it has color glyphs (CBDT, COLR, sbix, SVG).
  public var hasColor = false
  /// Whether it has `COLR` paints.
  var hasColorPaints = false
  /// Whether it has outlines, and can therefore be used at any size.
  public var isScalable = true
  /// Whether it is a math font according to its name: some math fonts have no `MATH` table, and some text fonts have one.
  public var isMathematical = false
  var metrics = FaceMetrics()
  /// Only known for faces from folders.
  var coverage: CoverageSummary?

  public func axis(_ tag: String) -> FontAxis? {
    let tag = FontTag(tag)
    return axes.first { $0.tag == tag }
  }
}

extension SFNTReader {
  /// Reads the face at `offset`; nil if required tables are missing.
  func faceInfo(at offset: Int) -> FaceInfo? {
    let tables = tables(faceAt: offset)
    func table(_ tag: String) -> Range<Int>? {
      let tag = FontTag(tag)
      return tables.first { $0.tag == tag }?.range
    }
    guard let head = table("head"), head.count >= 54, let hhea = table("hhea"), hhea.count >= 36, table("cmap") != nil else { return nil }
    var info = FaceInfo()
    info.unitsPerEm = u16(head.lowerBound + 18)
    guard info.unitsPerEm >= 16, info.unitsPerEm <= 16384 else { return nil }
    info.revision = fixed(head.lowerBound + 4)
    info.glyphCount = table("maxp").map { u16($0.lowerBound + 4) } ?? 0
    let isOutline = table("glyf") != nil || table("CFF ") != nil || table("CFF2") != nil
    info.hasColor = ["CBDT", "COLR", "sbix", "SVG "].contains { table($0) != nil }
    info.isScalable = isOutline
    info.hasColorPaints = isOutline && table("COLR") != nil && table("CBDT") == nil && table("sbix") == nil
    readStyle(&info, head: head, os2: table("OS/2"), post: table("post"))
    readMetrics(&info, hhea: hhea, os2: table("OS/2"), post: table("post"))
    info.metrics.boxWidth = Double(i16(head.lowerBound + 40)) - Double(i16(head.lowerBound + 36))
    info.metrics.hasVerticalAdvances = table("vhea") != nil && table("vmtx") != nil
    if let name = table("name") { readNames(&info, name) }
    info.isMathematical = info.family.contains("Math")
    if let fvar = table("fvar") { readAxes(&info, fvar) }
    return info
  }

  private func readStyle(_ info: inout FaceInfo, head: Range<Int>, os2: Range<Int>?, post: Range<Int>?) {
    let macStyle = u16(head.lowerBound + 44)
    info.weight = macStyle & 1 != 0 ? 700 : 400
    info.isItalic = macStyle & 2 != 0
    info.isMonospaced = post.map { u32($0.lowerBound + 12) != 0 } ?? false
    guard let os2, os2.count >= 68 else { return }
    let weight = u16(os2.lowerBound + 4)
    if weight > 0 { info.weight = Float(weight < 10 ? weight * 100 : min(weight, 1000)) }
    let widths: [Float] = [50, 62.5, 75, 87.5, 100, 112.5, 125, 150, 200]
    let width = u16(os2.lowerBound + 6)
    if width >= 1, width <= 9 { info.stretch = widths[width - 1] }
    let selection = u16(os2.lowerBound + 62)
    info.isItalic = info.isItalic || selection & 1 != 0
    info.isOblique = selection & 0x200 != 0
  }

  /// Ascent, descent and gap as FreeType and Skia choose them: from `hhea`, or the typographic values of `OS/2` if USE_TYPO_METRICS is set,
  /// or the other values if those in `hhea` are zero.
  private func readMetrics(_ info: inout FaceInfo, hhea: Range<Int>, os2: Range<Int>?, post: Range<Int>?) {
    var metrics = FaceMetrics()
    metrics.ascender = Double(i16(hhea.lowerBound + 4))
    metrics.descender = Double(i16(hhea.lowerBound + 6))
    metrics.lineGap = Double(i16(hhea.lowerBound + 8))
    if let os2, os2.count >= 78 {
      let base = os2.lowerBound
      metrics.averageCharWidth = Double(i16(base + 2))
      let useTypo = u16(base + 62) & 0x80 != 0
      let typo = (Double(i16(base + 68)), Double(i16(base + 70)), Double(i16(base + 72)))
      (metrics.typoAscender, metrics.typoDescender) = (typo.0, typo.1)
      let isEmpty = metrics.ascender == 0 && metrics.descender == 0
      if (useTypo || isEmpty) && (typo.0 != 0 || typo.1 != 0) {
        (metrics.ascender, metrics.descender, metrics.lineGap) = typo
      } else if isEmpty {
        (metrics.ascender, metrics.descender, metrics.lineGap) = (Double(u16(base + 74)), -Double(u16(base + 76)), 0)
      }
      metrics.strikeoutThickness = Double(i16(base + 26))
      metrics.strikeoutPosition = Double(i16(base + 28))
      if u16(base) >= 2, os2.count >= 90 {
        metrics.xHeight = Double(i16(base + 86))
        metrics.capHeight = Double(i16(base + 88))
      }
    }
    if let post, post.count >= 12 {
      metrics.underlinePosition = Double(i16(post.lowerBound + 8))
      metrics.underlineThickness = Double(i16(post.lowerBound + 10))
    }
    info.metrics = metrics
  }

  private func readAxes(_ info: inout FaceInfo, _ fvar: Range<Int>) {
    let base = fvar.lowerBound
    let first = base + u16(base + 4), size = u16(base + 10)
    guard size >= 20 else { return }
    for index in 0..<min(u16(base + 8), 64) {
      let record = first + index * size
      guard record + 20 <= fvar.upperBound else { return }
      info.axes.append(
        FontAxis(
          tag: FontTag(raw: UInt32(truncatingIfNeeded: u32(record))), minimum: fixed(record + 4), defaultValue: fixed(record + 8),
          maximum: fixed(record + 12)))
    }
  }

  /// https://learn.microsoft.com/typography/opentype/spec/name
  private func readNames(_ info: inout FaceInfo, _ name: Range<Int>) {
    let base = name.lowerBound
    let storage = base + u16(base + 4)
    var best: [Int: (rank: Int, text: String)] = [:]
    for index in 0..<min(u16(base + 2), 1024) {
      let record = base + 6 + 12 * index
      guard record + 12 <= name.upperBound else { break }
      let platform = u16(record), language = u16(record + 4), identifier = u16(record + 6)
      guard [1, 2, 4, 6, 16, 17].contains(identifier) else { continue }
      if platform == 3, language != 0x409, identifier & 3 != 2, identifier != 17 { addLocalizedName(&info, record, identifier, storage) }
      let rank = platform == 3 ? (language == 0x409 ? 4 : 2) : platform == 0 ? 3 : language == 0 ? 1 : 0
      if let known = best[identifier], known.rank >= rank { continue }
      let start = storage + u16(record + 10), length = u16(record + 8)
      guard start + length <= bytes.count else { continue }
      let text = platform == 1 ? latin(start, length) : utf16(start, length)
      if !text.isEmpty { best[identifier] = (rank, text) }
    }
    let legacy = best[1]?.text ?? ""
    info.family = best[16]?.text ?? legacy
    info.legacyFamily = legacy
    info.styleName = best[17]?.text ?? best[2]?.text ?? "Regular"
    info.postScriptName = best[6]?.text ?? (info.family + "-" + info.styleName).filter { $0 != " " }
    info.fullName = best[4]?.text ?? (info.family + " " + info.styleName)
  }

  /// `font-family` matches a family's name in any language of the font. https://drafts.csswg.org/css-fonts-4/#family-name-value
  private func addLocalizedName(_ info: inout FaceInfo, _ record: Int, _ identifier: Int, _ storage: Int) {
    let start = storage + u16(record + 10), length = u16(record + 8)
    guard start + length <= bytes.count, length > 0, info.localizedFamilies.count + info.localizedFullNames.count < 256 else { return }
    let text = utf16(start, length)
    if identifier == 4 {
      if !info.localizedFullNames.contains(text) { info.localizedFullNames.append(text) }
    } else if !info.localizedFamilies.contains(text) {
      info.localizedFamilies.append(text)
    }
  }

  func latin(_ start: Int, _ length: Int) -> String {
    String(decoding: (0..<length).map { UInt8(truncatingIfNeeded: u8(start + $0)) & 0x7f }, as: UTF8.self)
  }

  func utf16(_ start: Int, _ length: Int) -> String {
    String(decoding: (0..<length / 2).map { UInt16(truncatingIfNeeded: u16(start + 2 * $0)) }, as: UTF16.self)
  }
}
