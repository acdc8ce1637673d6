/// The few things of a JPEG's header that are needed before it is decoded.
///
/// https://www.w3.org/Graphics/JPEG/itu-t81.pdf
enum JPEGHeader {
  /// The size in the first frame header.
  static func size(_ reader: ByteReader) -> (width: Int, height: Int)? {
    var found: (Int, Int)?
    segments(reader) { marker, start, length in
      // SOF0…SOF15 without DHT, JPG and DAC, which share the range.
      guard 0xc0...0xcf ~= marker, marker != 0xc4, marker != 0xc8, marker != 0xcc, length >= 5 else { return true }
      if let height = reader.big16(start + 1), let width = reader.big16(start + 3) { found = (width, height) }
      return false
    }
    return found
  }

  /// The EXIF orientation, 1…8; 1 where there is none.
  static func orientation(_ reader: ByteReader) -> Int {
    var found = 1
    segments(reader) { marker, start, length in
      guard marker == 0xe1, length >= 14, reader.hasASCII("Exif", at: start) else { return true }
      found = exifOrientation(reader, start: start + 6, end: start + length)
      return false
    }
    return found
  }

  /// Calls `body` with marker, offset and length of each segment before the picture data, until it answers false.
  private static func segments(_ reader: ByteReader, _ body: (Int, Int, Int) -> Bool) {
    var offset = 2
    while let byte = reader.byte(offset) {
      guard byte == 0xff else { offset += 1; continue }
      guard let marker = reader.byte(offset + 1) else { return }
      if marker == 0xff { offset += 1; continue }  // fill bytes
      if marker == 0 || marker == 1 || 0xd0...0xd8 ~= marker { offset += 2; continue }
      if marker == 0xd9 || marker == 0xda { return }
      guard let length = reader.big16(offset + 2), length >= 2 else { return }
      guard body(marker, offset + 4, length - 2) else { return }
      offset += 2 + length
    }
  }

  /// The orientation tag (0x112) of the first directory of a TIFF header at `start`.
  private static func exifOrientation(_ reader: ByteReader, start: Int, end: Int) -> Int {
    let little = reader.hasASCII("II", at: start)
    guard little || reader.hasASCII("MM", at: start) else { return 1 }
    func word(_ offset: Int) -> Int? { offset + 2 > end ? nil : little ? reader.little16(offset) : reader.big16(offset) }
    func long(_ offset: Int) -> Int? { offset + 4 > end ? nil : little ? reader.little32(offset) : reader.big32(offset) }
    guard let directory = long(start + 4), let entries = word(start + directory) else { return 1 }
    for entry in 0..<min(entries, 200) {
      let offset = start + directory + 2 + entry * 12
      guard let tag = word(offset) else { return 1 }
      guard tag == 0x112 else { continue }
      guard word(offset + 2) == 3, let value = word(offset + 8), 1...8 ~= value else { return 1 }
      return value
    }
    return 1
  }
}
