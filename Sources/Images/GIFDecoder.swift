/// Decodes an image of a GIF, at first the first one.
///
/// https://www.w3.org/Graphics/GIF/spec-gif89a.txt
struct GIFDecoder {
  private let reader: ByteReader
  /// The logical screen. Like Chromium, enlarged to the size of the first image if that is larger: in some files the screen is too small.
  private(set) var width = 0
  private(set) var height = 0
  /// The image's rectangle on the screen.
  private var frame = (x: 0, y: 0, width: 0, height: 0)
  private var isInterlaced = false
  private var globalPalette: (offset: Int, count: Int) = (0, 0)
  private var palette: (offset: Int, count: Int) = (0, 0)
  private var transparentIndex = -1
  /// Of the graphic control extension; hundredths of a second.
  private var disposal = 0, delay = 0
  /// The number of times that the images are shown; nil if forever.
  private(set) var plays: Int? = 1
  /// The LZW minimum code size byte.
  private var dataOffset = 0

  /// Nil without a header and an image.
  init?(_ bytes: [UInt8]) {
    reader = ByteReader(bytes: bytes)
    guard let screenWidth = reader.little16(6), let screenHeight = reader.little16(8), let flags = reader.byte(10) else { return nil }
    if flags & 0x80 != 0 { globalPalette = (13, 2 << (flags & 7)) }
    guard readImage(at: 13 + globalPalette.count * 3) else { return nil }
    let grown = frame.width > screenWidth || frame.height > screenHeight
    (width, height) = grown ? (frame.width, frame.height) : (screenWidth, screenHeight)
    if grown { (frame.x, frame.y) = (0, 0) }
  }

  /// The image after this one; nil if it is the last.
  func next() -> GIFDecoder? {
    guard let offset = Self.skipBlocks(reader, dataOffset + 1) else { return nil }
    var next = self
    guard next.readImage(at: offset) else { return nil }
    return next
  }

  /// Reads the extensions and the descriptor of an image.
  private mutating func readImage(at start: Int) -> Bool {
    var offset = start
    (transparentIndex, disposal, delay) = (-1, 0, 0)
    while let introducer = reader.byte(offset), introducer != 0x2c {
      guard introducer == 0x21, let label = reader.byte(offset + 1) else { return false }
      if label == 0xf9, let flags = reader.byte(offset + 3), let index = reader.byte(offset + 6) {
        transparentIndex = flags & 1 == 1 ? index : -1
        (disposal, delay) = (flags >> 2 & 7, reader.little16(offset + 4) ?? 0)
      } else if label == 0xff, reader.hasASCII("NETSCAPE2.0", at: offset + 3) || reader.hasASCII("ANIMEXTS1.0", at: offset + 3),
        reader.byte(offset + 15) == 1, let count = reader.little16(offset + 16)
      {
        // The number of repetitions, after the first time.
        plays = count == 0 ? nil : count + 1
      }
      guard let next = Self.skipBlocks(reader, offset + 2) else { return false }
      offset = next
    }
    guard let x = reader.little16(offset + 1), let y = reader.little16(offset + 3), let frameWidth = reader.little16(offset + 5),
      let frameHeight = reader.little16(offset + 7), let flags = reader.byte(offset + 9)
    else { return false }
    frame = (x, y, frameWidth, frameHeight)
    isInterlaced = flags & 0x40 != 0
    palette = flags & 0x80 != 0 ? (offset + 10, 2 << (flags & 7)) : globalPalette
    dataOffset = offset + 10 + (flags & 0x80 != 0 ? palette.count * 3 : 0)
    return true
  }

  var animationFrame: ImageAnimation.Frame {
    ImageAnimation.Frame(
      x: frame.x, y: frame.y, width: frame.width, height: frame.height, duration: Double(delay) / 100,
      disposal: disposal == 2 ? .background : disposal == 3 || disposal == 4 ? .previous : .keep, blends: transparentIndex >= 0)
  }

  /// Decodes into an image of the frame's size instead of the screen's.
  var atOrigin: GIFDecoder {
    var decoder = self
    (decoder.frame.x, decoder.frame.y, decoder.width, decoder.height) = (0, 0, frame.width, frame.height)
    return decoder
  }

  /// The offset after the terminator of a chain of data blocks.
  private static func skipBlocks(_ reader: ByteReader, _ start: Int) -> Int? {
    var offset = start
    while let length = reader.byte(offset) {
      offset += 1 + length
      if length == 0 { return offset }
    }
    return nil
  }

  /// Nil if nothing could be decoded.
  func decode(into bitmap: inout Bitmap, _ task: DecodingTask) throws(ImageError) -> ImageDecoder.Status? {
    try bitmap.withUnsafeMutablePixels { pixels throws(ImageError) in try decode(into: pixels, task) }
  }

  private func decode(into pixels: UnsafeMutableBufferPointer<UInt32>, _ task: DecodingTask) throws(ImageError) -> ImageDecoder.Status? {
    guard let codeSize = reader.byte(dataOffset), 1...11 ~= codeSize, frame.width > 0, frame.height > 0 else { return nil }
    var lzw = LZWReader(reader: reader, offset: dataOffset + 1, minimumCodeSize: codeSize)
    let colors = colorTable()
    var indexes = [UInt8](repeating: 0, count: frame.width)
    for step in 0..<frame.height {
      try task.check(row: step, width: frame.width)
      let count = lzw.read(into: &indexes)
      write(indexes, count, toRow: frame.y + rowNumber(step), colors, pixels)
      if count < frame.width { return step == 0 && count == 0 ? nil : .partial }
    }
    return .complete
  }

  private func colorTable() -> [UInt32] {
    (0..<256).map { index in
      let offset = palette.offset + index * 3
      guard index != transparentIndex, index < palette.count else { return 0 }
      guard let red = reader.byte(offset), let green = reader.byte(offset + 1), let blue = reader.byte(offset + 2) else { return 0 }
      return 0xff00_0000 | UInt32(red << 16 | green << 8 | blue)
    }
  }

  private func write(_ indexes: [UInt8], _ count: Int, toRow y: Int, _ colors: [UInt32], _ pixels: UnsafeMutableBufferPointer<UInt32>) {
    guard y < height, frame.x < width else { return }
    for x in 0..<min(count, width - frame.x) { pixels[y * width + frame.x + x] = colors[Int(indexes[x])] }
  }

  /// The row at position `step` in the file: every eighth, every eighth from the fourth, every fourth from the second, every second.
  private func rowNumber(_ step: Int) -> Int {
    guard isInterlaced else { return step }
    var step = step
    for (first, distance) in [(0, 8), (4, 8), (2, 4), (1, 2)] {
      let count = first < frame.height ? (frame.height - first + distance - 1) / distance : 0
      if step < count { return first + step * distance }
      step -= count
    }
    return 0
  }
}

/// GIF's LZW: codes of an increasing number of bits, in blocks of up to 255 bytes.
private struct LZWReader {
  private let reader: ByteReader
  private var offset: Int
  private var blockRemaining = 0
  private var bits = 0, bitCount = 0
  private let minimumCodeSize: Int
  private let clearCode: Int
  private var codeSize: Int
  private var nextCode: Int
  private var previous = -1
  private var first: UInt8 = 0
  private var prefix = [UInt16](repeating: 0, count: 4096)
  private var suffix = [UInt8](repeating: 0, count: 4096)
  /// Decoded bytes that were not read yet, last first.
  private var pending: [UInt8] = []
  private var ended = false

  init(reader: ByteReader, offset: Int, minimumCodeSize: Int) {
    self.reader = reader
    self.offset = offset
    self.minimumCodeSize = minimumCodeSize
    clearCode = 1 << minimumCodeSize
    codeSize = minimumCodeSize + 1
    nextCode = clearCode + 2
    for code in 0..<min(clearCode, 256) { suffix[code] = UInt8(code) }
    pending.reserveCapacity(4096)
  }

  /// Fills `row` as far as there is data; returns how many bytes were written.
  mutating func read(into row: inout [UInt8]) -> Int {
    var count = 0
    while count < row.count {
      if let byte = pending.popLast() {
        row[count] = byte
        count += 1
      } else if !decodeCode() {
        break
      }
    }
    return count
  }

  /// False at the end of the data, or if it is invalid.
  private mutating func decodeCode() -> Bool {
    guard !ended, let code = nextBits() else { ended = true; return false }
    if code == clearCode {
      (codeSize, nextCode, previous) = (minimumCodeSize + 1, clearCode + 2, -1)
      return true
    }
    guard code != clearCode + 1, code < nextCode || (code == nextCode && previous >= 0) else { ended = true; return false }
    if previous < 0, code > clearCode { ended = true; return false }
    var walk = code
    if code == nextCode {  // the previous string followed by its own first byte
      pending.append(first)
      walk = previous
    }
    while walk > clearCode {  // a prefix always has a smaller code
      pending.append(suffix[walk])
      walk = Int(prefix[walk])
    }
    first = suffix[walk]
    pending.append(first)
    if previous >= 0, nextCode < 4096 {
      prefix[nextCode] = UInt16(previous)
      suffix[nextCode] = first
      nextCode += 1
      if nextCode == 1 << codeSize, codeSize < 12 { codeSize += 1 }
    }
    previous = code
    return true
  }

  private mutating func nextBits() -> Int? {
    while bitCount < codeSize {
      if blockRemaining == 0 {
        guard let length = reader.byte(offset), length > 0 else { return nil }
        blockRemaining = length
        offset += 1
      }
      guard let byte = reader.byte(offset) else { return nil }
      offset += 1
      blockRemaining -= 1
      bits |= byte << bitCount
      bitCount += 8
    }
    defer {
      bits >>= codeSize
      bitCount -= codeSize
    }
    return bits & (1 << codeSize - 1)
  }
}
