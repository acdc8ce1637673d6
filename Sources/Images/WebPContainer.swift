/// Reads a WebP file's container: its size, and the frames of an animation.
///
/// https://developers.google.com/speed/webp/docs/riff_container
struct WebPContainer {
  private let reader: ByteReader
  let width: Int
  let height: Int
  let isAnimated: Bool

  init?(_ bytes: [UInt8]) {
    reader = ByteReader(bytes: bytes)
    guard let size = Self.size(reader, chunk: 12) else { return nil }
    (width, height) = size
    isAnimated = reader.hasASCII("VP8X", at: 12) && (reader.byte(20) ?? 0) & 2 != 0
  }

  private static func size(_ reader: ByteReader, chunk: Int) -> (width: Int, height: Int)? {
    let data = chunk + 8
    if reader.hasASCII("VP8X", at: chunk) {
      guard let width = reader.little24(data + 4), let height = reader.little24(data + 7) else { return nil }
      return (width + 1, height + 1)
    }
    if reader.hasASCII("VP8L", at: chunk) {
      guard reader.byte(data) == 0x2f, let bits = reader.little32(data + 1) else { return nil }
      return (bits & 0x3fff + 1, bits >> 14 & 0x3fff + 1)
    }
    guard reader.hasASCII("VP8 ", at: chunk), let width = reader.little16(data + 6), let height = reader.little16(data + 8)
    else { return nil }
    return (width & 0x3fff, height & 0x3fff)
  }

  /// A still image as a file of its own, and its position.
  struct Frame {
    var file: [UInt8]
    var x: Int
    var y: Int
    var width: Int
    var height: Int
  }

  /// The first frame of an animation.
  func firstFrame() -> Frame? { frameChunks(maximum: 1).first.flatMap { frame(in: $0) } }

  /// The contents of the chunks with frames.
  func frameChunks(maximum: Int) -> [Range<Int>] {
    var offset = 12, result: [Range<Int>] = []
    while result.count < maximum, let length = reader.little32(offset + 4) {
      if reader.hasASCII("ANMF", at: offset) { result.append(offset + 8..<offset + 8 + length) }
      offset += 8 + length + length % 2
    }
    return result
  }

  func frame(in chunk: Range<Int>) -> Frame? { frame(at: chunk.lowerBound, length: chunk.count) }

  /// https://developers.google.com/speed/webp/docs/riff_container#animation
  func animationFrame(in chunk: Range<Int>) -> ImageAnimation.Frame? {
    let start = chunk.lowerBound
    guard let x = reader.little24(start), let y = reader.little24(start + 3), let width = reader.little24(start + 6),
      let height = reader.little24(start + 9), let milliseconds = reader.little24(start + 12), let flags = reader.byte(start + 15)
    else { return nil }
    return ImageAnimation.Frame(
      x: x * 2, y: y * 2, width: width + 1, height: height + 1, duration: Double(milliseconds) / 1000,
      disposal: flags & 1 == 1 ? .background : .keep, blends: flags & 2 == 0)
  }

  /// The number of times that the frames are shown; nil if forever.
  var plays: Int? {
    var offset = 12
    while let length = reader.little32(offset + 4), !reader.hasASCII("ANMF", at: offset) {
      if reader.hasASCII("ANIM", at: offset) { return reader.little16(offset + 12).flatMap { $0 == 0 ? nil : $0 } }
      offset += 8 + length + length % 2
    }
    return nil
  }

  private func frame(at start: Int, length: Int) -> Frame? {
    guard let x = reader.little24(start), let y = reader.little24(start + 3), let width = reader.little24(start + 6),
      let height = reader.little24(start + 9), length > 16
    else { return nil }
    let end = min(reader.bytes.count, start + length)
    guard end > start + 16 else { return nil }
    let chunks = start + 16..<end
    var body = Array("WEBP".utf8)
    if reader.hasASCII("ALPH", at: start + 16) {
      body += Array("VP8X".utf8) + [10, 0, 0, 0, 0x10, 0, 0, 0]
      for value in [width, height] { body += [UInt8(value & 255), UInt8(value >> 8 & 255), UInt8(value >> 16 & 255)] }
    }
    body += reader.bytes[chunks]
    let size = UInt32(clamping: body.count)
    let file = Array("RIFF".utf8) + (0..<4).map { UInt8(size >> (8 * $0) & 255) } + body
    return Frame(file: file, x: x * 2, y: y * 2, width: width + 1, height: height + 1)
  }
}
