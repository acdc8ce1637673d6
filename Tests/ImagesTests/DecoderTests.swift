import OffprintCoreTypes
import OffprintImages
import Testing

@Suite struct DecoderTests {
  @Test("A truncated PNG is decoded up to its last row, and the remaining rows are transparent")
  func truncatedPNG() throws {
    var noise = Noise()
    let whole = try makeBitmap(60, 60) { _, _ in 0xff00_0000 | noise.next() & 0xff_ffff }
    let file = try PNGEncoder.encode(whole)
    let image = try ImageDecoder.decode(Array(file.prefix(file.count / 2)))
    let part = try bitmap(image)
    #expect(image.isPartial && part.width == 60 && part.height == 60)
    #expect(part.pixels.prefix(60 * 20).elementsEqual(whole.pixels.prefix(60 * 20)) && part[59, 59] == 0)
    #expect(throws: ImageError.self) { try ImageDecoder.decode(Array(file.prefix(45))) }
  }

  @Test("An image above the limit is rejected before its pixels are decoded")
  func limit() throws {
    let file = try PNGEncoder.encode(makeBitmap(40, 40) { opaque($0, $1, 0) })
    var limits = Limits()
    limits.decodedPixels = 1599
    #expect { try ImageDecoder.decode(file, limits: limits) } throws: { ($0 as? ImageError)?.code == .imageTooLarge }
    limits.decodedPixels = 1600
    #expect(throws: Never.self) { try ImageDecoder.decode(file, limits: limits) }
  }

  @Test("Bytes in an unknown format have their own error code")
  func unknown() {
    for bytes in [[], Array("hello".utf8), Array("<html></html>".utf8), [0, 0, 0, 0, 0, 0]] as [[UInt8]] {
      #expect { try ImageDecoder.decode(bytes) } throws: { ($0 as? ImageError)?.code == .imageUnknownFormat }
    }
  }
}

@Suite struct FormatTests {
  /// The three areas of the fixtures.
  static func checkAreas(_ bitmap: Bitmap, tolerance: Int, _ source: SourceLocation = #_sourceLocation) {
    for (x, y, expected) in [(6, 4, opaque(200, 30, 40)), (4, 13, opaque(10, 200, 30)), (25, 8, opaque(20, 60, 210))] {
      for shift: UInt32 in [0, 8, 16, 24] {
        let difference = abs(Int(bitmap[x, y] >> shift & 255) - Int(expected >> shift & 255))
        #expect(difference <= tolerance, "\(String(bitmap[x, y], radix: 16)) at \(x), \(y)", sourceLocation: source)
      }
    }
  }

  static func decoded(_ bytes: [UInt8], _ format: ImageFormat, _ source: SourceLocation = #_sourceLocation) throws -> Bitmap {
    let image = try ImageDecoder.decode(bytes)
    #expect(image.format == format && !image.isPartial, sourceLocation: source)
    #expect(image.intrinsicWidth == 32 && image.intrinsicHeight == 16 && image.ratio == 2, sourceLocation: source)
    return try bitmap(image)
  }

  @Test("Baseline, progressive and CMYK JPEGs are decoded")
  func jpeg() throws {
    Self.checkAreas(try Self.decoded(Fixtures.jpeg, .jpeg), tolerance: 4)
    Self.checkAreas(try Self.decoded(Fixtures.progressiveJPEG, .jpeg), tolerance: 4)
    Self.checkAreas(try Self.decoded(Fixtures.cmykJPEG, .jpeg), tolerance: 12)
  }

  @Test("Lossy and lossless WebP and the first frame of an animated WebP are decoded")
  func webp() throws {
    Self.checkAreas(try Self.decoded(Fixtures.webpLossy, .webp), tolerance: 12)
    for bytes in [Fixtures.webpLossless, Fixtures.webpAnimated] {
      let bitmap = try Self.decoded(bytes, .webp)
      Self.checkAreas(bitmap, tolerance: 0)
      #expect(bitmap[0, 0] == 0 && bitmap[3, 3] == 0 && bitmap[4, 4] == opaque(200, 30, 40))
    }
  }

  @Test("An interlaced GIF is decoded, and its transparent index is transparent")
  func gif() throws {
    Self.checkAreas(try Self.decoded(Fixtures.gifInterlaced, .gif), tolerance: 8)
    // 2 × 2 pixels 0 1 1 0, index 0 transparent, screen 3 × 2, at (1, 0).
    let bytes: [UInt8] =
      Array("GIF89a".utf8) + [3, 0, 2, 0, 0x80, 0, 0, 9, 9, 9, 10, 20, 30] + [0x21, 0xf9, 4, 1, 0, 0, 0, 0]
      + [0x2c, 1, 0, 0, 0, 2, 0, 2, 0, 0, 2, 3, 0x44, 0x02, 0x05, 0, 0x3b]
    #expect(try bitmap(ImageDecoder.decode(bytes)).pixels == [0, 0, opaque(10, 20, 30), 0, opaque(10, 20, 30), 0])
  }

  @Test("The EXIF orientation rotates and mirrors the image", arguments: 1...8)
  func orientation(_ orientation: Int) throws {
    let exif: [UInt8] =
      [0xff, 0xe1, 0, 34] + Array("Exif".utf8) + [0, 0, 0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0]
      + [UInt8(orientation), 0, 0, 0, 0, 0, 0]
    let image = try ImageDecoder.decode(Fixtures.jpeg.prefix(2) + exif + Fixtures.jpeg.dropFirst(2))
    let turned = try bitmap(image)
    #expect(image.intrinsicWidth == Double(turned.width) && turned.width == (orientation < 5 ? 32 : 16))
    // The positions of the stored top left corner (red) and bottom left corner (green).
    let (right, bottom) = (turned.width - 3, turned.height - 3)
    let red = [(2, 2), (right, 2), (right, bottom), (2, bottom), (2, 2), (right, 2), (right, bottom), (2, bottom)][orientation - 1]
    let green = [(2, bottom), (right, bottom), (right, 2), (2, 2), (right, 2), (2, 2), (2, bottom), (right, bottom)][orientation - 1]
    #expect(turned[red.0, red.1] >> 16 & 255 > 150 && turned[green.0, green.1] >> 8 & 255 > 150)
  }

  @Test("The EXIF orientation also applies to PNG, unless it is ignored, but not to WebP", arguments: [1, 6, 8, 5])
  func orientationOfOthers(_ orientation: Int) throws {
    let exif: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, UInt8(orientation), 0, 0, 0, 0, 0, 0, 0]
    let stored = try makeBitmap(7, 3) { opaque($0, $1, 0) }
    let png = try PNGEncoder.encode(stored)
    // The checksum is not verified.
    let chunk = [0, 0, 0, UInt8(exif.count)] + Array("eXIf".utf8) + exif + [0, 0, 0, 0]
    let image = try ImageDecoder.decode(Array(png.prefix(33) + chunk + png.dropFirst(33)))
    #expect(image.intrinsicWidth == (orientation < 5 ? 7 : 3))
    var budget = DecodingBudget()
    let unoriented = image.unoriented(&budget)
    #expect(try bitmap(unoriented) == stored)
    #expect(unoriented.intrinsicWidth == 7 && budget.used == (orientation == 1 ? 0 : stored.stride * stored.height))
    let extended = Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBPVP8X".utf8) + [10, 0, 0, 0, 8, 0, 0, 0, 31, 0, 0, 15, 0, 0]
    let webp = extended + Fixtures.webpLossless.dropFirst(12) + Array("EXIF".utf8) + [UInt8(exif.count), 0, 0, 0] + exif
    #expect(try ImageProbe(webp).width == 32, "Chromium ignores the EXIF orientation of WebP")
  }

  @Test("At a density of 2, the natural size is half the number of pixels")
  func density() throws {
    let image = try ImageDecoder.decode(PNGEncoder.encode(makeBitmap(8, 4) { opaque($0, $1, 0) }))
    let dense = image.withDensity(2)
    #expect(dense.intrinsicWidth == 4 && dense.intrinsicHeight == 2 && dense.ratio == 2)
    #expect(image.withDensity(0).intrinsicWidth == 8)
  }

  static func words(_ values: Int...) -> [UInt8] {
    values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
  }

  @Test("BMPs with 24 bits, a palette of 4 bits, run-length encoding and bit fields are decoded")
  func bmp() throws {
    func file(_ header: [UInt8], _ data: [UInt8]) -> [UInt8] {
      [0x42, 0x4d] + Self.words(14 + header.count + data.count, 0, 14 + header.count) + header + data
    }
    let (red, blue) = (opaque(255, 0, 0), opaque(0, 0, 255))
    let deep = file(Self.words(40, 2, 2, 1 | 24 << 16, 0, 0, 0, 0, 0, 0), [255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0])
    #expect(try bitmap(ImageDecoder.decode(deep)).pixels == [red, blue, blue, red])
    let palette = Self.words(0xff0000, 0xff)
    let nibbles = file(Self.words(40, 2, -2, 1 | 4 << 16, 0, 0, 0, 0, 2, 0) + palette, [0x01, 0, 0, 0, 0x10, 0, 0, 0])
    #expect(try bitmap(ImageDecoder.decode(nibbles)).pixels == [red, blue, blue, red])
    let runs = file(Self.words(40, 3, 2, 1 | 8 << 16, 1, 0, 0, 0, 2, 0) + palette, [3, 1, 0, 0, 0, 3, 0, 1, 0, 0, 0, 1])
    #expect(try bitmap(ImageDecoder.decode(runs)).pixels == [red, blue, red, blue, blue, blue])
    let fields = file(Self.words(40, 1, 1, 1 | 16 << 16, 3, 0, 0, 0, 0, 0, 0xf800, 0x7e0, 0x1f), [0xe0, 0x07, 0, 0])
    #expect(try bitmap(ImageDecoder.decode(fields)).pixels == [opaque(0, 255, 0)])
  }

  @Test("The largest image of an ICO is decoded, a PNG or a bitmap with a mask")
  func ico() throws {
    let png = try PNGEncoder.encode(makeBitmap(3, 3) { x, _ in opaque(x, 2, 3) })
    let mask =
      Self.words(40, 2, 4, 1 | 24 << 16, 0, 0, 0, 0, 0, 0)
      + [1, 2, 3, 4, 5, 6, 0, 0, 1, 2, 3, 4, 5, 6, 0, 0] + [0x40, 0, 0, 0, 0, 0, 0, 0]
    func entry(_ size: UInt8, _ count: Int, _ offset: Int) -> [UInt8] { [size, size, 0, 0, 1, 0, 32, 0] + Self.words(count, offset) }
    let both = [0, 0, 1, 0, 2, 0] + entry(2, mask.count, 38) + entry(3, png.count, 38 + mask.count) + mask + png
    #expect(try bitmap(ImageDecoder.decode(both)).width == 3)
    let one = [0, 0, 1, 0, 1, 0] + entry(2, mask.count, 22) + mask
    #expect(try bitmap(ImageDecoder.decode(one)).pixels == [opaque(3, 2, 1), opaque(6, 5, 4), opaque(3, 2, 1), 0])
  }

  @Test("The natural size and aspect ratio of an SVG are available before rendering")
  func svg() throws {
    let text = """
      <?xml version="1.0"?><!-- > --><!DOCTYPE svg [<!ENTITY a "b">]>
      <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="1in" viewBox='0 0 2 1'>
        <rect width="1" height="1" fill="#f00"/><image xlink:href="/etc/hostname" width="2" height="1"/></svg>
      """
    let image = try ImageDecoder.decode(Array(text.utf8))
    #expect(image.intrinsicWidth == 96 && image.intrinsicHeight == nil && image.ratio == 2)
    let broken = try ImageDecoder.decode(Array("<svg width='5' height='100%' viewBox='0 0 1".utf8))
    #expect(broken.intrinsicWidth == 5 && broken.intrinsicHeight == nil && broken.ratio == nil)
    #expect { try broken.bitmap(width: 5, height: 5) } throws: { ($0 as? ImageError)?.code == .imageDamaged }
  }

  @Test("A truncated JPEG or WebP is decoded partially")
  func truncated() throws {
    var noise = Noise()
    for fixture in [Fixtures.jpeg, Fixtures.progressiveJPEG, Fixtures.webpLossy] {
      let image = try? ImageDecoder.decode(Array(fixture.dropLast(12)))
      #expect(image == nil || image?.isPartial == true)
    }
    let wide = try PNGEncoder.encode(makeBitmap(300, 300) { _, _ in 0xff00_0000 | noise.next() & 0xff_ffff })
    #expect(try ImageDecoder.decode(Array(wide.dropLast(30))).isPartial)
  }

  @Test("Damaged files of every format neither trap nor hang")
  func fuzz() throws {
    var noise = Noise()
    let bmp = [0x42, 0x4d] + Self.words(100, 0, 54, 40, 4, 4, 1 | 8 << 16, 1, 0, 0, 0, 2, 0) + (0..<60).map { UInt8($0) }
    let ico =
      [0, 0, 1, 0, 1, 0, 2, 2, 0, 0, 1, 0, 32, 0] + Self.words(80, 22, 40, 2, 4, 1 | 8 << 16, 0, 0, 0, 0, 0, 0)
      + [UInt8](repeating: 1, count: 30)
    let svg = Array("<svg xmlns='http://www.w3.org/2000/svg' width='3' viewBox='0 0 1 1'><path d='M0 0L1 1'/></svg>".utf8)
    let interlaced = try PNGEncoder.encode(makeBitmap(20, 20) { opaque($0 * 3, $1 * 9, 4) })
    var limits = Limits()
    limits.decodedPixels = 100_000
    var decodedCount = 0
    for seed in Fixtures.all + [bmp, ico, svg, interlaced] {
      for round in 0..<400 {
        var bytes = seed
        for _ in 0...(round % 4) { bytes[noise.below(round % 3 == 0 ? min(64, bytes.count) : bytes.count)] = UInt8(noise.below(256)) }
        if round % 5 == 0 { bytes.removeLast(noise.below(bytes.count)) }
        if (try? ImageDecoder.decode(bytes, limits: limits)) != nil { decodedCount += 1 }
      }
    }
    #expect(decodedCount > 500)
  }
}
