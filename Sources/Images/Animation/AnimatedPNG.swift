internal import COffprintCodecs

/// The frames of an animated PNG, each decoded as a PNG of its own.
///
/// https://www.w3.org/TR/png-3/#apng-frame-based-animation
struct AnimatedPNG: AnimatedImageFile {
  private struct Chunk {
    var type: Int
    var contents: Range<Int>
  }
  private struct Part {
    /// Of the frame control chunk, without the sequence number.
    var control: Int
    /// The compressed data.
    var data: [Range<Int>] = []
  }

  private let reader: ByteReader
  private var header = 0..<0
  /// Chunks before the image data that all frames share, with their lengths and checksums.
  private var shared: [Range<Int>] = []
  private var parts: [Part] = []
  private(set) var animation = ImageAnimation(frames: [], plays: nil)

  init?(_ bytes: [UInt8]) {
    reader = ByteReader(bytes: bytes)
    guard readChunks(), let width = reader.big32(header.lowerBound), let height = reader.big32(header.lowerBound + 4) else { return nil }
    animation.frames = parts.prefix { !$0.data.isEmpty }.prefix { isInside($0, width, height) }.enumerated().compactMap {
      frame($0.element, isFirst: $0.offset == 0)
    }
  }

  /// False if the file is not animated.
  private mutating func readChunks() -> Bool {
    var offset = 8, isAnimated = false, hasData = false
    while let length = reader.big32(offset), length <= reader.bytes.count - offset - 12, parts.count <= ImageAnimation.maximumFrames {
      let contents = offset + 8..<offset + 8 + length
      func isChunk(_ type: StaticString) -> Bool { reader.hasASCII(type, at: offset + 4) }
      if isChunk("IHDR"), length == 13 {
        header = contents
      } else if isChunk("acTL"), length == 8 {
        isAnimated = true
        animation.plays = reader.big32(contents.lowerBound + 4).flatMap { $0 == 0 ? nil : $0 }
      } else if isChunk("fcTL"), length == 26 {
        parts.append(Part(control: contents.lowerBound + 4))
      } else if isChunk("IDAT") {
        hasData = true
        // Without a preceding frame control chunk, the image is only the fallback for programs without support for animations.
        if !parts.isEmpty { parts[parts.count - 1].data.append(contents) }
      } else if isChunk("fdAT"), length > 4, !parts.isEmpty {
        parts[parts.count - 1].data.append(contents.dropFirst(4))
      } else if isChunk("IEND") {
        break
      } else if !hasData {
        shared.append(offset..<offset + 12 + length)
      }
      if hasData, !isAnimated { return false }
      offset += 12 + length
    }
    return isAnimated && !header.isEmpty
  }

  private func number(_ part: Part, _ offset: Int) -> Int { reader.big32(part.control + offset) ?? 0 }

  private func isInside(_ part: Part, _ width: Int, _ height: Int) -> Bool {
    let size = (number(part, 0), number(part, 4))
    return size.0 > 0 && size.1 > 0 && number(part, 8) + size.0 <= width && number(part, 12) + size.1 <= height
  }

  private func frame(_ part: Part, isFirst: Bool) -> ImageAnimation.Frame? {
    guard let numerator = reader.big16(part.control + 16), let denominator = reader.big16(part.control + 18),
      let disposal = reader.byte(part.control + 20), let blending = reader.byte(part.control + 21)
    else { return nil }
    return ImageAnimation.Frame(
      x: number(part, 8), y: number(part, 12), width: number(part, 0), height: number(part, 4),
      duration: Double(numerator) / Double(denominator == 0 ? 100 : denominator),
      disposal: disposal == 1 || disposal == 2 && isFirst ? .background : disposal == 2 ? .previous : .keep, blends: blending == 1)
  }

  func decode(_ index: Int, into bitmap: inout Bitmap, _ task: DecodingTask) throws(ImageError) -> ImageDecoder.Status? {
    try task.decode(file(of: parts[index]), into: &bitmap, codecs_png_decode)
  }

  private func file(of part: Part) -> [UInt8] {
    let bytes = reader.bytes
    var file = Array(bytes[..<8])
    Self.append("IHDR", Array(bytes[part.control..<part.control + 8]) + bytes[header].dropFirst(8), to: &file)
    for chunk in shared { file += bytes[chunk] }
    for data in part.data { Self.append("IDAT", bytes[data], to: &file) }
    Self.append("IEND", [], to: &file)
    return file
  }

  private static func append(_ type: String, _ contents: some Collection<UInt8>, to file: inout [UInt8]) {
    func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) } }
    let chunk = Array(type.utf8) + contents
    file += word(UInt32(clamping: contents.count)) + chunk + word(codecs_crc32(0, chunk, chunk.count))
  }
}
