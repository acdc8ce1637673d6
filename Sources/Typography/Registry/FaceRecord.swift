/// Serializes information about fonts.
struct FaceRecordWriter {
  var bytes: [UInt8] = []

  mutating func word(_ value: UInt64) { withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) } }
  mutating func number(_ value: Int) { word(UInt64(bitPattern: Int64(value))) }
  mutating func float(_ value: Float) { word(UInt64(value.bitPattern)) }
  mutating func double(_ value: Double) { word(value.bitPattern) }
  mutating func flag(_ value: Bool) { bytes.append(value ? 1 : 0) }
  mutating func text(_ value: String) {
    var value = value
    value.withUTF8 { utf8 in
      let count = UInt16(clamping: utf8.count)
      withUnsafeBytes(of: count.littleEndian) { bytes.append(contentsOf: $0) }
      bytes.append(contentsOf: utf8.prefix(Int(count)))
    }
  }
}

struct FaceRecordReader {
  let bytes: UnsafeRawBufferPointer
  private(set) var range: Range<Int>
  private(set) var hasFailed = false

  /// - Parameter bytes: Must outlive the reader.
  init(bytes: UnsafeRawBufferPointer, range: Range<Int>) {
    self.bytes = bytes
    self.range = range.clamped(to: 0..<bytes.count)
  }

  mutating func take(_ count: Int) -> Range<Int>? {
    guard count >= 0, count <= range.count else {
      hasFailed = true
      return nil
    }
    let taken = range.lowerBound..<range.lowerBound + count
    range = taken.upperBound..<range.upperBound
    return taken
  }

  mutating func word() -> UInt64 {
    guard let place = take(8) else { return 0 }
    return UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place.lowerBound, as: UInt64.self))
  }
  mutating func number() -> Int { Int(truncatingIfNeeded: Int64(bitPattern: word())) }
  mutating func float() -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: word())) }
  mutating func double() -> Double { Double(bitPattern: word()) }
  mutating func flag() -> Bool { take(1).map { bytes[$0.lowerBound] != 0 } ?? false }
  mutating func text() -> String { String(decoding: utf8(), as: UTF8.self) }
  /// The bytes of a text.
  mutating func utf8() -> Slice<UnsafeRawBufferPointer> {
    guard let place = take(2) else { return bytes[0..<0] }
    let count = Int(bytes[place.lowerBound]) | Int(bytes[place.lowerBound + 1]) << 8
    return take(count).map { bytes[$0] } ?? bytes[0..<0]
  }
  mutating func list<Item>(_ item: (inout FaceRecordReader) -> Item) -> [Item] {
    let count = number()
    guard count >= 0, count <= range.count else {
      hasFailed = true
      return []
    }
    return (0..<count).map { _ in item(&self) }
  }
}

extension FaceInfo {
  init(_ reader: inout FaceRecordReader) {
    family = reader.text()
    legacyFamily = reader.text()
    styleName = reader.text()
    fullName = reader.text()
    postScriptName = reader.text()
    localizedFamilies = reader.list { $0.text() }
    localizedFullNames = reader.list { $0.text() }
    (weight, stretch, revision) = (reader.float(), reader.float(), reader.float())
    (isItalic, isOblique, isMonospaced, hasColor) = (reader.flag(), reader.flag(), reader.flag(), reader.flag())
    (hasColorPaints, isScalable, isMathematical) = (reader.flag(), reader.flag(), reader.flag())
    (unitsPerEm, glyphCount) = (max(reader.number(), 16), reader.number())
    axes = reader.list {
      FontAxis(
        tag: FontTag(raw: UInt32(truncatingIfNeeded: $0.word())), minimum: $0.float(), defaultValue: $0.float(), maximum: $0.float())
    }
    metrics = FaceMetrics(&reader)
    coverage = reader.flag() ? CoverageSummary(&reader) : nil
  }

  func write(to writer: inout FaceRecordWriter) {
    for text in [family, legacyFamily, styleName, fullName, postScriptName] { writer.text(text) }
    for list in [localizedFamilies, localizedFullNames] {
      writer.number(list.count)
      for text in list { writer.text(text) }
    }
    for value in [weight, stretch, revision] { writer.float(value) }
    for value in [isItalic, isOblique, isMonospaced, hasColor, hasColorPaints, isScalable, isMathematical] { writer.flag(value) }
    writer.number(unitsPerEm)
    writer.number(glyphCount)
    writer.number(axes.count)
    for axis in axes {
      writer.word(UInt64(axis.tag.raw))
      for value in [axis.minimum, axis.defaultValue, axis.maximum] { writer.float(value) }
    }
    metrics.write(to: &writer)
    writer.flag(coverage != nil)
    coverage?.write(to: &writer)
  }
}

extension FaceMetrics {
  fileprivate init(_ reader: inout FaceRecordReader) {
    ascender = reader.double()
    descender = reader.double()
    lineGap = reader.double()
    typoAscender = reader.double()
    typoDescender = reader.double()
    xHeight = reader.double()
    capHeight = reader.double()
    underlinePosition = reader.double()
    underlineThickness = reader.double()
    strikeoutPosition = reader.double()
    strikeoutThickness = reader.double()
    averageCharWidth = reader.double()
    boxWidth = reader.double()
    hasVerticalAdvances = reader.flag()
  }

  fileprivate func write(to writer: inout FaceRecordWriter) {
    for value in [
      ascender, descender, lineGap, typoAscender, typoDescender, xHeight, capHeight, underlinePosition, underlineThickness,
      strikeoutPosition, strikeoutThickness, averageCharWidth, boxWidth,
    ] { writer.double(value) }
    writer.flag(hasVerticalAdvances)
  }
}
