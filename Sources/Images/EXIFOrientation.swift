/// The orientation of an image. https://www.cipa.jp/std/documents/download_e.html?DC-008-Translation-2023-E, Orientation
enum EXIFOrientation {
  /// 1 to 8; 1 if the file does not specify it.
  static func find(_ format: ImageFormat, _ reader: ByteReader) -> Int {
    if format == .avif { return AVIFContainer(reader.bytes)?.orientation ?? 1 }
    let tiff: Range<Int>? =
      switch format {
      case .jpeg: JPEGHeader.exif(reader)
      case .png: pngChunk(reader)
      // Chromium ignores the orientation in WebP, so it is ignored here.
      case .webp, .gif, .bmp, .ico, .avif, .svg: nil
      }
    return tiff.map { orientation(reader, $0) } ?? 1
  }

  /// The `eXIf` chunk. https://www.w3.org/TR/png-3/#eXIf
  private static func pngChunk(_ reader: ByteReader) -> Range<Int>? {
    var offset = 8
    while let length = reader.big32(offset), offset <= reader.bytes.count - 12, length <= reader.bytes.count {
      // A chunk after the pixels is ignored.
      if reader.hasASCII("eXIf", at: offset + 4) { return offset + 8..<offset + 8 + length }
      if reader.hasASCII("IDAT", at: offset + 4) { return nil }
      offset += 12 + length
    }
    return nil
  }

  /// The orientation tag (0x112) of the first directory after a TIFF header at `start`.
  private static func orientation(_ reader: ByteReader, _ tiff: Range<Int>) -> Int {
    let (start, end) = (tiff.lowerBound, tiff.upperBound)
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
