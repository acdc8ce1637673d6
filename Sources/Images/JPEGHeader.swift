/// The properties of a JPEG's header that are needed before decoding.
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

  /// The range of the EXIF data.
  static func exif(_ reader: ByteReader) -> Range<Int>? {
    var found: Range<Int>?
    segments(reader) { marker, start, length in
      guard marker == 0xe1, length >= 14, reader.hasASCII("Exif", at: start) else { return true }
      found = start + 6..<start + length
      return false
    }
    return found
  }

  /// Calls `body` with the marker, offset and length of each segment before the image data, until it returns false.
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
}
