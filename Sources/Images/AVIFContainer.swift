/// The properties of the primary image in an AVIF file's boxes, read without decoding.
///
/// https://aomediacodec.github.io/av1-avif/ and ISO/IEC 23008-12 (HEIF)
struct AVIFContainer {
  private let reader: ByteReader
  private(set) var width = 0
  private(set) var height = 0
  /// The rotation in quarter turns, counterclockwise.
  private var turns = 0
  /// The mirroring after the rotation: 0 exchanges top and bottom, 1 left and right.
  private var mirror: Int?
  /// The range of the ICC profile.
  private(set) var profile: Range<Int>?
  /// Color primaries and transfer characteristics of https://www.itu.int/rec/T-REC-H.273; 2 means unspecified.
  private(set) var primaries = 2
  private(set) var transfer = 2

  /// The maximum number of boxes of a kind to read.
  private static let maximumBoxes = 1_000

  static func isAVIF(_ reader: ByteReader) -> Bool {
    guard reader.hasASCII("ftyp", at: 4), let size = reader.big32(0), size >= 16 else { return false }
    func isBrand(_ offset: Int) -> Bool { reader.hasASCII("avif", at: offset) || reader.hasASCII("avis", at: offset) }
    return isBrand(8) || stride(from: 16, to: min(size, 256), by: 4).contains { $0 + 4 <= size && isBrand($0) }
  }

  /// Whether the file contains an image sequence.
  static func isSequence(_ reader: ByteReader) -> Bool {
    guard isAVIF(reader), let size = reader.big32(0) else { return false }
    return reader.hasASCII("avis", at: 8)
      || stride(from: 16, to: min(size, 256), by: 4).contains { $0 + 4 <= size && reader.hasASCII("avis", at: $0) }
  }

  init?(_ bytes: [UInt8]) {
    reader = ByteReader(bytes: bytes)
    guard Self.isAVIF(reader), let meta = boxes(in: 0..<bytes.count).first(where: { isBox($0, "meta") }) else { return nil }
    let children = boxes(in: meta.contents.dropFirst(4))
    guard let primary = primaryItem(children), let properties = children.first(where: { isBox($0, "iprp") }) else { return nil }
    read(properties, of: primary)
    guard width > 0, height > 0 else { return nil }
  }

  /// The equivalent EXIF orientation. https://github.com/AOMediaCodec/libavif/blob/main/src/exif.c maps in the other direction.
  var orientation: Int {
    switch (turns, mirror) {
    case (0, nil): 1
    case (1, nil): 8
    case (2, nil): 3
    case (3, nil): 6
    case (0, 0?), (2, 1?): 4
    case (0, _?), (2, _?): 2
    case (1, 0?), (3, 1?): 5
    default: 7
    }
  }

  // MARK: Boxes

  private struct Box {
    /// The four-character code of its type.
    var type: Int
    var contents: Range<Int>
  }

  private func isBox(_ box: Box, _ type: StaticString) -> Bool { reader.hasASCII(type, at: box.type) }

  private func boxes(in range: Range<Int>) -> [Box] {
    var result: [Box] = [], offset = range.lowerBound
    while result.count < Self.maximumBoxes, offset + 8 <= range.upperBound, let short = reader.big32(offset) {
      var header = 8, size = short
      if short == 1 {
        // A 64-bit size; one that exceeds 32 bits is larger than any file accepted here.
        guard reader.big32(offset + 8) == 0, let low = reader.big32(offset + 12) else { break }
        (header, size) = (16, low)
      } else if short == 0 {
        size = range.upperBound - offset
      }
      guard size >= header, size <= range.upperBound - offset else { break }
      result.append(Box(type: offset + 4, contents: offset + header..<offset + size))
      offset += size
    }
    return result
  }

  private func primaryItem(_ boxes: [Box]) -> Int? {
    guard let box = boxes.first(where: { isBox($0, "pitm") }), let version = reader.byte(box.contents.lowerBound) else { return nil }
    let number = box.contents.lowerBound + 4
    return version == 0 ? reader.big16(number) : reader.big32(number)
  }

  // MARK: Properties

  private mutating func read(_ properties: Box, of item: Int) {
    let children = boxes(in: properties.contents)
    guard let container = children.first(where: { isBox($0, "ipco") }) else { return }
    let properties = boxes(in: container.contents)
    for association in children where isBox(association, "ipma") {
      for number in numbers(of: item, in: association.contents) where properties.indices.contains(number - 1) {
        read(properties[number - 1])
      }
    }
  }

  private mutating func read(_ property: Box) {
    let start = property.contents.lowerBound
    if isBox(property, "ispe"), property.contents.count >= 12 {
      (width, height) = (reader.big32(start + 4) ?? 0, reader.big32(start + 8) ?? 0)
    } else if isBox(property, "irot"), let value = reader.byte(start), !property.contents.isEmpty {
      turns = value & 3
    } else if isBox(property, "imir"), let value = reader.byte(start), !property.contents.isEmpty {
      mirror = value & 1
    } else if isBox(property, "colr"), property.contents.count > 4,
      reader.hasASCII("prof", at: start) || reader.hasASCII("rICC", at: start)
    {
      profile = start + 4..<property.contents.upperBound
    } else if isBox(property, "colr"), property.contents.count >= 8, reader.hasASCII("nclx", at: start) {
      (primaries, transfer) = (reader.big16(start + 4) ?? 2, reader.big16(start + 6) ?? 2)
    }
  }

  /// The indexes of an item's properties, from 1.
  private func numbers(of item: Int, in range: Range<Int>) -> [Int] {
    guard let version = reader.byte(range.lowerBound), let flags = reader.byte(range.lowerBound + 3),
      let count = reader.big32(range.lowerBound + 4)
    else { return [] }
    var offset = range.lowerBound + 8
    for _ in 0..<min(count, 1 << 16) {
      guard offset < range.upperBound, let id = version < 1 ? reader.big16(offset) : reader.big32(offset) else { return [] }
      offset += version < 1 ? 2 : 4
      guard let properties = reader.byte(offset) else { return [] }
      offset += 1
      let size = flags & 1 == 1 ? 2 : 1
      if id == item {
        return (0..<properties).compactMap { index in
          let at = offset + index * size
          guard at + size <= range.upperBound else { return nil }
          return size == 2 ? reader.big16(at).map { $0 & 0x7fff } : reader.byte(at).map { $0 & 0x7f }
        }
      }
      offset += properties * size
    }
    return []
  }
}
