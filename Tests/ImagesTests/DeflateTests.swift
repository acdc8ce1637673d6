import COffprintCodecs
import Glibc
import Testing

@Suite("The DEFLATE encoder of PNG rows") struct DeflateTests {
  /// The levels of `PNGEncoder.Compression`, and no compression.
  private static let depths = [0, 1, 8]

  private static func libdeflate(_ stream: [UInt8], _ capacity: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = codecs_zlib_decompress(stream, stream.count, buffer.baseAddress, capacity)
    }
  }

  /// zlib is stricter with incomplete codes than libdeflate. https://zlib.net/manual.html#Utility
  private static func zlib(_ stream: [UInt8], _ capacity: Int) throws -> [UInt8] {
    typealias Uncompress = @convention(c) (UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt>, UnsafePointer<UInt8>?, UInt) -> Int32
    let function = try #require(dlsym(dlopen("libz.so.1", RTLD_NOW), "uncompress"))
    var status: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity + 1) { buffer, count in
      var length = UInt(capacity + 1)
      status = unsafeBitCast(function, to: Uncompress.self)(buffer.baseAddress, &length, stream, UInt(stream.count))
      count = status == 0 ? Int(length) : 0
    }
    try #require(status == 0, "zlib reports an error")
    return bytes
  }

  private final class Deflater {
    let pointer: OpaquePointer
    init() throws { pointer = try #require(codecs_pixel_deflater_create()) }
    deinit { codecs_pixel_deflater_destroy(pointer) }
  }

  private static func check(
    _ image: DeflatedPixels, _ deflater: Deflater, _ comment: String, _ source: SourceLocation = #_sourceLocation
  ) throws {
    let stream = try #require(image.stream(deflater.pointer), "\(comment)", sourceLocation: source)
    let decoded = libdeflate(stream, image.decodedCount)
    #expect(image.isDecoded(as: decoded), "\(comment)", sourceLocation: source)
    #expect(try zlib(stream, image.decodedCount) == decoded, "\(comment)", sourceLocation: source)
  }

  /// A kind of pixels that occurs in rendered pages.
  enum Content: CaseIterable {
    case noise, fewColors, runs, repeatedRows, slanted, gradient, shiftedRows, one

    func pixel(_ x: Int, _ y: Int, above: UInt32, left: UInt32, _ noise: inout Noise) -> UInt32 {
      switch self {
      case .noise: noise.next() << 1 ^ noise.next()
      case .fewColors: 0xff00_0000 | UInt32(noise.below(5)) * 0x33_1144
      case .runs: noise.below(20) == 0 ? noise.next() : left
      case .repeatedRows: y % 7 == 0 ? noise.next() : above
      case .slanted: UInt32(truncatingIfNeeded: (x + y) / 3 * 0x01_0203) | 0x8000_0000
      case .gradient: 0xff00_0000 | UInt32(truncatingIfNeeded: x * 5 / 7) << 8 & 0xff00 | UInt32(truncatingIfNeeded: y) & 0xff
      case .shiftedRows: noise.below(50) == 0 ? noise.next() : UInt32(truncatingIfNeeded: (x &+ y / 4) &* 0x9e37_79b1)
      case .one: 0x4010_2030
      }
    }
  }

  private static func image(
    _ content: Content, width: Int, height: Int, bytes: Int, depth: Int, rowsOfPart: Int = .max, _ noise: inout Noise
  ) -> DeflatedPixels {
    var image = DeflatedPixels(pixels: [], width: width, bytes: bytes, depth: depth, rowsOfPart: rowsOfPart)
    var pixels = [UInt32](repeating: 0, count: width * height)
    for index in pixels.indices {
      let x = index % width, above = index >= width ? pixels[index - width] : 0, left = x > 0 ? pixels[index - 1] : 0
      pixels[index] = image.representable(content.pixel(x, index / width, above: above, left: left, &noise))
    }
    image.pixels = pixels
    return image
  }

  @Test("Images of every kind decode to their pixels, at every depth and in parts", arguments: Content.allCases)
  func roundTrips(content: Content) throws {
    var noise = Noise()
    let deflater = try Deflater()
    for width in [1, 2, 3, 5, 31, 200] {
      for bytes in 2...4 {
        for depth in Self.depths {
          let height = 1 + noise.below(60)
          for rowsOfPart in [.max, 1, 1 + noise.below(height)] {
            let image = Self.image(
              content, width: width, height: height, bytes: bytes, depth: depth, rowsOfPart: rowsOfPart, &noise)
            try Self.check(image, deflater, "\(width)×\(height), \(bytes) bytes, depth \(depth), parts of \(rowsOfPart) rows")
          }
        }
      }
    }
  }

  @Test("Rows longer than the window, more rows than the window holds, and full blocks decode to their pixels", arguments: Content.allCases)
  func largeImages(content: Content) throws {
    var noise = Noise()
    let deflater = try Deflater()
    for (width, height) in [(20_000, 5), (1, 40_000), (300, 300)] {
      for bytes in 2...4 {
        try Self.check(
          Self.image(content, width: width, height: height, bytes: bytes, depth: 8, &noise), deflater,
          "\(width)×\(height), \(bytes) bytes")
      }
    }
  }

  @Test("An image without rows is an empty stream")
  func empty() throws {
    let deflater = try Deflater()
    for depth in Self.depths {
      let image = DeflatedPixels(pixels: [], width: 7, bytes: 3, depth: depth)
      // An array without elements has no address.
      var stream = try #require(DeflatedPixels(pixels: [0xff00_0000], width: 1, bytes: 3, depth: depth).stream(deflater.pointer))
      #expect(stream.count > 6)
      try #require(codecs_pixel_deflater_begin(deflater.pointer, image.width, 3, UInt32(depth), nil) != 0)
      let made = codecs_pixel_deflater_finish(deflater.pointer, 1)
      stream = [0x78, 0x5E] + UnsafeBufferPointer(start: made.bytes, count: made.length) + [0, 0, 0, 1]
      #expect(made.adler == 1)
      #expect(try Self.zlib(stream, 0).isEmpty)
    }
  }

  @Test("Translucent pixels are rejected with three bytes per pixel")
  func refusesTranslucence() throws {
    let deflater = try Deflater()
    let image = DeflatedPixels(pixels: [0xff00_0000, 0xfe00_0000], width: 2, bytes: 3, depth: 1)
    #expect(image.stream(deflater.pointer) == nil)
  }

  @Test("Byte streams decode to the same bytes at every level", arguments: [1, 2, 6, 9, 12] as [Int32])
  func byteStreams(level: Int32) throws {
    var noise = Noise()
    for count in [0, 1, 2, 255, 4096, 300_000] {
      for range in [1, 3, 256] {
        let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: noise.below(range)) }
        let stream = [UInt8](unsafeUninitializedCapacity: codecs_zlib_bound(count)) { buffer, length in
          length = codecs_zlib_compress(level, bytes, count, buffer.baseAddress, buffer.count)
        }
        #expect(try Self.zlib(stream, count) == bytes, "\(count) bytes of \(range) values")
      }
    }
  }
}
