internal import CCodecs
import Glibc

/// The rows of a PNG being written, each with a leading filter byte, in the most compact form that the pixels so far allow.
struct PNGRows: ~Copyable {
  /// What the header says of the pixels.
  struct Form {
    var colorType: UInt8
    var bitDepth: UInt8
    /// Not premultiplied `0xAARRGGBB`, what is not opaque first; empty unless the colour type is 3.
    var palette: [UInt32] = []
  }

  private enum Storage: Int { case indexed = 1, rgb = 3, rgba = 4 }

  let width: Int
  let height: Int
  /// Rows so far.
  private(set) var count = 0
  private(set) var buffer: HeapBytes
  private var bytes: UnsafeMutablePointer<UInt8> { buffer.base }
  private(set) var byteCount = 0
  private var storage = Storage.indexed
  /// There was no memory for another form: the rows are not what was appended.
  private(set) var failed = false
  private var colors = ColorTable()

  init?(width: Int, height: Int) {
    self.width = width
    self.height = height
    guard let memory = Self.allocate(1 + width, height) else { return nil }
    buffer = memory
  }

  /// Some bytes more than asked for: pixels of three bytes are written as words of four.
  private static func allocate(_ stride: Int, _ height: Int) -> HeapBytes? { HeapBytes(count: stride * height + 16) }

  private var stride: Int { 1 + width * storage.rawValue }

  mutating func append(_ pixels: UnsafePointer<UInt32>) {
    guard count < height else { return }
    if storage == .indexed, !appendIndexed(pixels) { leaveIndexed() }
    if storage == .rgb, !Self.isOpaque(pixels, width) { convert(to: .rgba) }
    let out = bytes + count * stride
    switch storage {
    case .indexed: break
    case .rgb: Self.writeRGB(pixels, width, to: out)
    case .rgba: Self.writeRGBA(pixels, width, to: out)
    }
    out[0] = 0
    count += 1
  }

  // MARK: Writing rows

  /// False as soon as there are more than 256 colours.
  private mutating func appendIndexed(_ pixels: UnsafePointer<UInt32>) -> Bool {
    let out = bytes + count * stride + 1
    var last = pixels[0] ^ 1
    var lastIndex: UInt8 = 0
    for x in 0..<width {
      let pixel = pixels[x]
      if pixel != last {
        guard let index = colors.index(of: pixel) else { return false }
        (last, lastIndex) = (pixel, index)
      }
      out[x] = lastIndex
    }
    return true
  }

  private static func isOpaque(_ pixels: UnsafePointer<UInt32>, _ width: Int) -> Bool {
    var all: UInt32 = 0xff00_0000
    for x in 0..<width { all &= pixels[x] }
    return all == 0xff00_0000
  }

  private static func writeRGB(_ pixels: UnsafePointer<UInt32>, _ width: Int, to row: UnsafeMutablePointer<UInt8>) {
    let out = UnsafeMutableRawPointer(row + 1)
    for x in 0..<width { out.storeBytes(of: (pixels[x].bigEndian >> 8).littleEndian, toByteOffset: x * 3, as: UInt32.self) }
  }

  private static func writeRGBA(_ pixels: UnsafePointer<UInt32>, _ width: Int, to row: UnsafeMutablePointer<UInt8>) {
    let out = UnsafeMutableRawPointer(row + 1)
    var last: UInt32 = 0, written: UInt32 = 0
    for x in 0..<width {
      let pixel = pixels[x]
      if pixel != last {
        last = pixel
        let color = PixelMath.unpremultiply(pixel)
        written = (color << 8 | color >> 24).bigEndian
      }
      out.storeBytes(of: written, toByteOffset: x * 4, as: UInt32.self)
    }
  }

  // MARK: Changing the form

  private mutating func leaveIndexed() {
    convert(to: colors.colors.allSatisfy { $0 >> 24 == 255 } ? .rgb : .rgba)
  }

  /// Rewrites the rows so far.
  private mutating func convert(to form: Storage) {
    let newStride = 1 + width * form.rawValue
    guard let grown = Self.allocate(newStride, height) else { failed = true; return }
    let new = grown.base
    var pixels = [UInt32](repeating: 0, count: width)
    pixels.withUnsafeMutableBufferPointer { buffer in
      guard let row = buffer.baseAddress else { return }
      for y in 0..<count {
        let old = bytes + y * stride + 1
        for x in 0..<width {
          row[x] =
            storage == .indexed
            ? colors.colors[Int(old[x])] : 0xff00_0000 | UInt32(old[x * 3]) << 16 | UInt32(old[x * 3 + 1]) << 8 | UInt32(old[x * 3 + 2])
        }
        let out = new + y * newStride
        if form == .rgb { Self.writeRGB(row, width, to: out) } else { Self.writeRGBA(row, width, to: out) }
        out[0] = 0
      }
    }
    buffer = grown
    storage = form
  }

  /// Brings all rows into the form of the file, filtered.
  mutating func settle(level: Int32) -> Form {
    switch storage {
    case .indexed:
      let (form, map) = colors.form()
      pack(map, Int(form.bitDepth))
      byteCount = height * (1 + (width * Int(form.bitDepth) + 7) / 8)
      if form.colorType == 0, colors.colors.count > 128 { filter(bytesPerPixel: 1) }
      return form
    case .rgb:
      byteCount = height * stride
      filter(bytesPerPixel: 3)
      return Form(colorType: 2, bitDepth: 8)
    case .rgba:
      byteCount = height * stride
      let grey = dropColorIfGrey()
      filter(bytesPerPixel: grey ? 2 : 4)
      return Form(colorType: grey ? 4 : 6, bitDepth: 8)
    }
  }

  private func filter(bytesPerPixel: Int) {
    PNGFilter.apply(to: bytes, height: height, stride: byteCount / height, bytesPerPixel: bytesPerPixel)
  }

  /// Indexes to samples of `depth` bits, in place: what is written never overtakes what is read.
  private func pack(_ map: [UInt8], _ depth: Int) {
    let perByte = 8 / depth
    let packed = 1 + (width * depth + 7) / 8
    map.withUnsafeBufferPointer { map in
      for y in 0..<height {
        let row = bytes + y * stride + 1
        let out = bytes + y * packed
        out[0] = 0
        if perByte == 1 {
          for x in 0..<width { out[x + 1] = map[Int(row[x])] }
          continue
        }
        var x = 0, position = 1
        while x + perByte <= width {
          var byte: UInt8 = 0
          for i in 0..<perByte { byte = byte << UInt8(depth) | map[Int(row[x + i])] }
          out[position] = byte
          position += 1
          x += perByte
        }
        guard x < width else { continue }
        var byte: UInt8 = 0
        for i in 0..<perByte { byte = byte << UInt8(depth) | (x + i < width ? map[Int(row[x + i])] : 0) }
        out[position] = byte
      }
    }
  }

  /// RGBA to grey with alpha, in place, if every pixel is grey.
  private mutating func dropColorIfGrey() -> Bool {
    for y in 0..<height {
      let row = bytes + y * stride + 1
      for x in 0..<width where row[x * 4] != row[x * 4 + 1] || row[x * 4] != row[x * 4 + 2] { return false }
    }
    let newStride = 1 + width * 2
    for y in 0..<height {
      let row = bytes + y * stride + 1
      let out = bytes + y * newStride
      out[0] = 0
      for x in 0..<width { (out[x * 2 + 1], out[x * 2 + 2]) = (row[x * 4], row[x * 4 + 3]) }
    }
    byteCount = height * newStride
    return true
  }
}

/// Up to 256 premultiplied colours and their indexes in order of appearance: a small open hash table.
struct ColorTable {
  private(set) var colors: [UInt32] = []
  /// Colour and index + 1; 0: free.
  private var slots = [UInt64](repeating: 0, count: 1024)

  @inline(__always) mutating func index(of pixel: UInt32) -> UInt8? {
    var slot = Int((pixel &* 0x9e37_79b1) >> 22)
    while slots[slot] != 0 {
      if slots[slot] >> 32 == UInt64(pixel) { return UInt8(truncatingIfNeeded: slots[slot] &- 1) }
      slot = (slot + 1) & 1023
    }
    guard colors.count < 256 else { return nil }
    colors.append(pixel)
    slots[slot] = UInt64(pixel) << 32 | UInt64(colors.count)
    return UInt8(colors.count - 1)
  }

  /// The smallest form for these colours, and the sample for each index.
  func form() -> (PNGRows.Form, map: [UInt8]) {
    let plain = colors.map { PixelMath.unpremultiply($0) }
    let depthByCount: UInt8 = colors.count <= 2 ? 1 : colors.count <= 4 ? 2 : colors.count <= 16 ? 4 : 8
    let isGrey = plain.allSatisfy { $0 >> 24 == 255 && $0 & 255 == $0 >> 8 & 255 && $0 & 255 == $0 >> 16 & 255 }
    if isGrey {
      let greys = plain.map { UInt8($0 & 255) }
      // The greys that one, two and four bits hold.
      let exact: [(step: UInt8, depth: UInt8)] = [(255, 1), (85, 2), (17, 4)]
      let (step, depth) = exact.first { form in greys.allSatisfy { $0 % form.step == 0 } } ?? (1, 8)
      if depth <= depthByCount { return (PNGRows.Form(colorType: 0, bitDepth: depth), greys.map { $0 / step }) }
    }
    let order = plain.indices.filter { plain[$0] >> 24 < 255 } + plain.indices.filter { plain[$0] >> 24 == 255 }
    var map = [UInt8](repeating: 0, count: plain.count)
    for (new, old) in order.enumerated() { map[old] = UInt8(new) }
    return (PNGRows.Form(colorType: 3, bitDepth: depthByCount, palette: order.map { plain[$0] }), map)
  }
}
