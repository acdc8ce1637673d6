import OffprintCoreTypes
import Testing

@testable import OffprintImages

/// A small deterministic source of numbers.
struct Noise {
  var state: UInt64 = 0x9e37_79b9_7f4a_7c15
  mutating func next() -> UInt32 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return UInt32(truncatingIfNeeded: state >> 33)
  }
  mutating func below(_ bound: Int) -> Int { bound > 0 ? Int(next()) % bound : 0 }
}

func makeBitmap(_ width: Int, _ height: Int, _ pixel: (Int, Int) -> UInt32) throws -> Bitmap {
  try #require(Bitmap(width: width, height: height, pixels: (0..<width * height).map { pixel($0 % width, $0 / width) }))
}

func bitmap(_ image: DecodedImage) throws -> Bitmap {
  guard case .bitmap(let bitmap) = image.content else { throw ImageError(.imageUnknownFormat, "no bitmap") }
  return bitmap
}

func opaque(_ r: Int, _ g: Int, _ b: Int) -> UInt32 { 0xff00_0000 | UInt32(r & 255) << 16 | UInt32(g & 255) << 8 | UInt32(b & 255) }

@Suite struct PNGEncoderTests {
  /// Checks the color type and bit depth of the header, and the decoded pixels.
  static func check(_ image: Bitmap, colorType: UInt8, bitDepth: UInt8, _ source: SourceLocation = #_sourceLocation) throws {
    for compression in PNGEncoder.Compression.allCases {
      let file = try PNGEncoder.encode(image, options: .init(compression: compression))
      #expect(file[24] == bitDepth && file[25] == colorType, "form \(file[25]), \(file[24]) bit", sourceLocation: source)
      let decoded = try ImageDecoder.decode(file)
      #expect(!decoded.isPartial, sourceLocation: source)
      #expect(decoded.intrinsicWidth == Double(image.width) && decoded.intrinsicHeight == Double(image.height), sourceLocation: source)
      #expect(BitmapComparison(try bitmap(decoded), image).isIdentical, sourceLocation: source)
    }
  }

  @Test("Opaque grays use the smallest bit depth that represents them exactly", arguments: [(255, UInt8(1)), (85, 2), (17, 4), (1, 8)])
  func greys(step: Int, depth: UInt8) throws {
    for width in [1, 3, 8, 37] {
      let values = Array(stride(from: 0, through: 255, by: step))
      let height = (values.count + width - 1) / width + 1
      try Self.check(
        makeBitmap(width, height) {
          let v = values[($1 * width + $0) % values.count]; return opaque(v, v, v)
        }, colorType: 0, bitDepth: depth)
    }
  }

  @Test("Few colors become a palette with the smallest bit depth", arguments: [(2, UInt8(1)), (4, 2), (16, 4), (17, 8), (256, 8)])
  func palettes(count: Int, depth: UInt8) throws {
    try Self.check(
      makeBitmap(29, 31) {
        let i = ($1 * 29 + $0) % count; return opaque(i, 255 - i, i * 7)
      }, colorType: 3, bitDepth: depth)
  }

  @Test("Translucent colors are exact in a palette")
  func translucentPalette() throws {
    try Self.check(
      makeBitmap(16, 16) { x, y in x == 0 ? 0 : Color(r: 200, g: UInt8(y * 16), b: 10, a: y < 8 ? 255 : 128).premultipliedPixel },
      colorType: 3, bitDepth: 8)
    try Self.check(makeBitmap(5, 2) { x, y in x == 1 ? 0 : opaque(255, 0, 0) }, colorType: 3, bitDepth: 1)
  }

  @Test("More than 256 opaque colors become RGB, in flat images, gradients and noise")
  func rgb() throws {
    try Self.check(makeBitmap(64, 40) { opaque($0 * 4, $1 * 6, 128) }, colorType: 2, bitDepth: 8)
    var noise = Noise()
    try Self.check(makeBitmap(50, 30) { _, _ in 0xff00_0000 | noise.next() & 0xff_ffff }, colorType: 2, bitDepth: 8)
  }

  @Test("Large images that are encoded in parts decode to the same pixels", arguments: [UInt32(0xff), 0x80])
  func parts(alpha: UInt32) throws {
    var noise = Noise()
    // Groups of three rows are equal, also across boundaries of parts.
    var rows: [[UInt32]] = []
    for y in 0..<1100 {
      let isNew = y % 3 == 0 || rows.isEmpty
      rows.append(isNew ? (0..<16).map { _ in noise.next() & 0x7f_7f7f } : rows[y - 1])
    }
    let large = try makeBitmap(1000, 1100) { x, y in
      let color: UInt32 = rows[y][x / 9 % 16]
      return (x + y == 0 ? alpha : 0xff) << 24 | color
    }
    try Self.check(large, colorType: alpha == 0xff ? 2 : 6, bitDepth: 8)
  }

  @Test("The bytes of a large image do not depend on the number of idle processors")
  func idleProcessors() throws {
    let gradient = try makeBitmap(1100, 1900) { opaque($0 * $1 / 50, $1, $0 / 3) }
    let together = try PNGEncoder.encode(gradient)
    let threads = HelperThreads(), taken = threads.takeIdle(.max)
    #expect(taken > 0 && threads.takeIdle(1) == 0)
    for threads in [threads, HelperThreads(sharesProcessors: true)] {
      var encoder = try PNGEncoder(width: 1100, height: 1900, workspace: PNGWorkspace(threads: threads))
      gradient.withUnsafePixels { encoder.append(rows: $0) }
      #expect(try encoder.finish() == together)
    }
    threads.release(taken)
    #expect(threads.takeIdle(.max) == taken && HelperThreads(sharesProcessors: true).takeIdle(1) == 0)
  }

  @Test("Diagonal gradients decode to the same pixels and are smaller than separately compressed rows", arguments: [1, -1, 3, -2])
  func slanting(slope: Int) throws {
    let gradient = try makeBitmap(301, 97) { x, y in
      let place = x + slope * y + 400
      return (x / 40 + y / 30) % 5 == 0 ? opaque(x * y, y * 7, x) : opaque(place / 3, place / 7, place / 5)
    }
    try Self.check(gradient, colorType: 2, bitDepth: 8)
    #expect(try PNGEncoder.encode(gradient).count < 301 * 97)
  }

  @Test("A translucent pixel after many colors changes RGB to RGBA, and gray pixels with alpha use two channels")
  func alpha() throws {
    try Self.check(makeBitmap(64, 40) { $0 == 63 && $1 == 39 ? 0x8040_2010 : opaque($0 * 4, $1 * 6, 7) }, colorType: 6, bitDepth: 8)
    try Self.check(
      makeBitmap(64, 40) { x, y in Color(r: UInt8(x * 4), g: UInt8(x * 4), b: UInt8(x * 4), a: UInt8(y * 6)).premultipliedPixel },
      colorType: 4, bitDepth: 8)
  }

  @Test("The bytes do not depend on the bands in which rows are appended")
  func bands() throws {
    let whole = try makeBitmap(41, 53) { $1 < 20 ? opaque($0, $0, $0) : $1 < 40 ? opaque($0 * 5, $1, 3) : UInt32($0) << 24 }
    let expected = try PNGEncoder.encode(whole)
    for band in [1, 7, 52] {
      var encoder = try PNGEncoder(width: 41, height: 53)
      whole.withUnsafePixels { pixels in
        for y in stride(from: 0, to: 53, by: band) { encoder.append(rows: .init(rebasing: pixels[(y * 41)..<(min(53, y + band) * 41)])) }
      }
      #expect(try encoder.finish() == expected)
    }
  }

  @Test("Missing rows are transparent, and surplus rows are ignored")
  func rowCount() throws {
    var short = try PNGEncoder(width: 2, height: 3)
    [opaque(1, 2, 3), opaque(4, 5, 6)].withUnsafeBufferPointer { short.append(rows: $0) }
    #expect(try bitmap(ImageDecoder.decode(short.finish())).pixels == [opaque(1, 2, 3), opaque(4, 5, 6), 0, 0, 0, 0])
    var long = try PNGEncoder(width: 1, height: 1)
    [opaque(1, 2, 3), opaque(4, 5, 6)].withUnsafeBufferPointer { long.append(rows: $0) }
    #expect(try bitmap(ImageDecoder.decode(long.finish())).pixels == [opaque(1, 2, 3)])
    #expect(throws: ImageError.self) { _ = try PNGEncoder(width: 0, height: 5) }
  }

  @Test("The scale is recorded as a resolution")
  func resolution() throws {
    let file = try PNGEncoder.encode(makeBitmap(1, 1) { _, _ in opaque(0, 0, 0) }, options: .init(scale: 2))
    #expect(file[33..<41].elementsEqual([0, 0, 0, 9] + "pHYs".utf8) && file[41..<45].elementsEqual([0, 0, 0x1d, 0x87]))  // 7559 a metre
  }

  /// A page: blank rows, rows of glyph-like pixels, a photograph in a part of some rows, a gradient.
  static func page(_ width: Int, _ height: Int, alpha: Bool = false) throws -> Bitmap {
    var noise = Noise()
    let glyphs = (0..<97).map { _ in noise.below(256) }
    return try makeBitmap(width, height) { x, y in
      if y % 40 < 14 || x < width / 10 { return opaque(255, 255, 255) }
      if y % 40 < 24 {
        let v = x % 7 < 3 ? glyphs[(x / 3 + y % 10 * 9) % 97] : 255
        return opaque(v, v, v)
      }
      if y % 40 < 32 { return opaque(x / 3 + noise.below(4), y * 3, x + y) }
      return alpha ? Color(r: UInt8(x & 255), g: 10, b: UInt8(y & 255), a: UInt8(x * 3 & 255)).premultipliedPixel : opaque(x, y, x * y)
    }
  }

  @Test(
    "Page-like images of any width decode to the same pixels",
    arguments: [(1, 300), (2, 2000), (3, 40), (333, 260), (12_000, 41), (40_000, 3)])
  func pages(width: Int, height: Int) throws {
    for alpha in [false, true] {
      let page = try Self.page(width, height, alpha: alpha)
      for compression in PNGEncoder.Compression.allCases {
        let file = try PNGEncoder.encode(page, options: .init(compression: compression))
        #expect(BitmapComparison(try bitmap(ImageDecoder.decode(file)), page).isIdentical, "\(compression)")
      }
    }
  }

  @Test("Random images decode to the same pixels")
  func random() throws {
    var noise = Noise()
    for _ in 0..<60 {
      let width = 1 + noise.below(90), height = 1 + noise.below(90), colors = 2 + noise.below(600), run = 1 + noise.below(30)
      var color: UInt32 = 0xff00_0000, left = 0
      let made = try makeBitmap(width, height) { _, _ in
        if left == 0 {
          (left, color) = (1 + noise.below(run), 0xff00_0000 | UInt32(noise.below(colors)) &* 0x01_3717)
        }
        left -= 1
        return color
      }
      for compression in PNGEncoder.Compression.allCases {
        let file = try PNGEncoder.encode(made, options: .init(compression: compression))
        #expect(BitmapComparison(try bitmap(ImageDecoder.decode(file)), made).isIdentical)
      }
    }
  }

  @Test("The bytes do not depend on earlier uses of a workspace")
  func workspace() throws {
    let workspace = PNGWorkspace()
    let images = try [
      Self.page(500, 300), Self.page(60, 900, alpha: true), makeBitmap(90, 90) { opaque($0 & 3, $1 & 7, 0) }, Self.page(20, 20),
    ]
    for turn in 0..<3 {
      for (index, made) in images.enumerated() where turn != 1 || index % 2 == 0 {
        var encoder = try PNGEncoder(width: made.width, height: made.height, workspace: workspace)
        made.withUnsafePixels { encoder.append(rows: $0) }
        let file = try encoder.finish(), fresh = try PNGEncoder.encode(made)
        #expect(file == fresh)
      }
    }
  }

  @Test("Two encoders that use a workspace at the same time do not share pixels")
  func nested() throws {
    let workspace = PNGWorkspace(), first = try Self.page(80, 80), second = try makeBitmap(80, 80) { opaque($0 * 3, $1 * 3, 9) }
    var outer = try PNGEncoder(width: 80, height: 80, workspace: workspace)
    first.withUnsafePixels { outer.append(rows: $0) }
    var inner = try PNGEncoder(width: 80, height: 80, workspace: workspace)
    second.withUnsafePixels { inner.append(rows: $0) }
    let (b, a) = (try inner.finish(), try outer.finish())
    #expect(try bitmap(ImageDecoder.decode(a)) == first && bitmap(ImageDecoder.decode(b)) == second)
  }

  @Test("Faster compression does not make smaller files, and no level makes much larger ones")
  func sizes() throws {
    let page = try Self.page(600, 700)
    let sizes = try PNGEncoder.Compression.allCases.map { try PNGEncoder.encode(page, options: .init(compression: $0)).count }
    #expect(sizes[2] <= sizes[1] && sizes[1] <= sizes[0] && sizes[0] * 4 <= sizes[1] * 5)
    // Repeated rows take almost no space.
    let bars = try makeBitmap(700, 2000) { x, _ in opaque(x, x / 3, 7) }
    #expect(try PNGEncoder.encode(bars).count < 16_000)
  }
}
