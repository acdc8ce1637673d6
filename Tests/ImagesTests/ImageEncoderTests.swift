import OffprintCoreTypes
import OffprintImages
import Testing

@Suite("Image encoders") struct ImageEncoderTests {
  /// Smooth, so that lossy formats come near it; translucent in its lower half.
  private static func gradient(_ width: Int = 40, _ height: Int = 30, translucent: Bool = false) throws -> Bitmap {
    try makeBitmap(width, height) { x, y in
      let alpha = translucent && y >= height / 2 ? 128 : 255
      let (red, green) = (x * 255 / width * alpha / 255, y * 255 / height * alpha / 255)
      return UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(alpha / 2)
    }
  }

  private static func encode(_ image: Bitmap, _ encoding: ImageEncoding, band: Int = 7, deadline: Deadline = .never) throws -> [UInt8] {
    var encoder = try ImageEncoder(width: image.width, height: image.height, encoding: encoding, scale: 2)
    try image.withUnsafePixels { pixels in
      for row in stride(from: 0, to: image.height, by: band) {
        let rows = row * image.width..<min(row + band, image.height) * image.width
        try encoder.append(rows: UnsafeBufferPointer(rebasing: pixels[rows]), deadline: deadline)
      }
    }
    return try encoder.finish(deadline: deadline)
  }

  /// libavif is installed.
  private static let hasAVIF: Bool = {
    do { _ = try ImageEncoder(width: 1, height: 1, encoding: ImageEncoding(.avif)) } catch { return false }
    return true
  }()

  private static let encodings: [ImageEncoding] = {
    var (lossless, progressive, fine, small) = (ImageEncoding(.webp), ImageEncoding(.jpeg), ImageEncoding(.jpeg), ImageEncoding())
    lossless.isLossless = true
    progressive.isProgressive = true
    fine.quality = 95
    small.compression = .small
    let ofPixels = EncodedImageFormat.allCases.filter { !$0.isVector && !$0.isAlwaysAnimated && ($0 != .avif || hasAVIF) }
    return ofPixels.map { ImageEncoding($0) } + [lossless, progressive, fine, small]
  }()

  @Test("The bytes do not depend on the bands, and the first bytes identify the format", arguments: encodings)
  func bands(_ encoding: ImageEncoding) throws {
    let image = try Self.gradient(translucent: true)
    let file = try Self.encode(image, encoding)
    for band in [1, 30, 100] { #expect(try Self.encode(image, encoding, band: band) == file) }
    #expect(EncodedImageFormat(beginningOf: file) == (encoding.format == .raw ? nil : encoding.format))
    if encoding.format == .raw { #expect(file.count == image.width * image.height * 4) }
  }

  @Test("A lossless WebP has the exact pixels, except for rounding when translucent colors are unpremultiplied")
  func lossless() throws {
    var encoding = ImageEncoding(.webp)
    encoding.isLossless = true
    let image = try Self.gradient()
    #expect(BitmapComparison(try bitmap(try ImageDecoder.decode(Self.encode(image, encoding))), image).isIdentical)
    let translucent = try Self.gradient(translucent: true)
    let decoded = try bitmap(try ImageDecoder.decode(Self.encode(translucent, encoding)))
    #expect(difference(decoded, translucent) <= 1)
    let alphas = [decoded, translucent].map { $0.withUnsafePixels { $0.map { $0 >> 24 } } }
    #expect(alphas[0] == alphas[1])
  }

  /// The largest difference of a channel.
  private func difference(_ one: Bitmap, _ other: Bitmap) -> Int {
    one.withUnsafePixels { one in
      other.withUnsafePixels { other in
        zip(one, other).map { pixels in
          [0, 8, 16].map { abs(Int(pixels.0 >> $0 & 255) - Int(pixels.1 >> $0 & 255)) }.max() ?? 0
        }.max() ?? 0
      }
    }
  }

  @Test("Lossy formats are closer to the original at higher quality, and larger", arguments: [EncodedImageFormat.webp, .jpeg])
  func lossy(_ format: EncodedImageFormat) throws {
    let image = try Self.gradient()
    var (rough, fine) = (ImageEncoding(format), ImageEncoding(format))
    (rough.quality, fine.quality) = (10, 95)
    let files = try [rough, fine].map { try Self.encode(image, $0) }
    let errors = try files.map { difference(try bitmap(try ImageDecoder.decode($0)), image) }
    #expect(errors[1] <= 12, "\(errors)")
    #expect(errors[0] > errors[1] && files[0].count < files[1].count, "\(errors), \(files.map(\.count))")
  }

  @Test("A JPEG is composited over white")
  func white() throws {
    let file = try Self.encode(try makeBitmap(16, 16) { _, _ in 0 }, ImageEncoding(.jpeg))
    let result = try bitmap(try ImageDecoder.decode(file))
    #expect(difference(result, try makeBitmap(16, 16) { _, _ in 0xffff_ffff }) <= 1)
  }

  @Test(
    "A size that a format does not support is rejected, and the message has the maximum",
    arguments: [(EncodedImageFormat.webp, 16_384), (.jpeg, 65_501)])
  func tooLarge(_ format: EncodedImageFormat, _ side: Int) throws {
    let error = #expect(throws: ImageError.self) { _ = try ImageEncoder(width: side, height: 1, encoding: ImageEncoding(format)) }
    #expect(error?.code == .imageTooLarge && error?.message.contains("\(side - 1) px a side") == true)
    _ = try ImageEncoder(width: side - 1, height: 1, encoding: ImageEncoding(format))
  }

  @Test("Encoding stops at the deadline", arguments: [EncodedImageFormat.png, .webp, .jpeg])
  func deadline(_ format: EncodedImageFormat) throws {
    var noise = Noise()
    let image = try makeBitmap(600, 600) { _, _ in noise.next() | 0xff00_0000 }
    let error = #expect(throws: ImageError.self) { _ = try Self.encode(image, ImageEncoding(format), deadline: Deadline(after: .zero)) }
    #expect(error?.code == .timedOut)
  }

  @Test("Formats are found by file extension, regardless of case, and have an extension")
  func names() {
    #expect(EncodedImageFormat(fileExtension: "JPG") == .jpeg && EncodedImageFormat(fileExtension: "WebP") == .webp)
    #expect(
      EncodedImageFormat(fileExtension: "GIF") == .gif && EncodedImageFormat(fileExtension: "bmp") == nil
        && EncodedImageFormat(fileExtension: "") == nil)
    for format in EncodedImageFormat.allCases { #expect(EncodedImageFormat(fileExtension: format.fileExtension) == format) }
  }

  @Test("Options of other formats do not affect the canonical text")
  func canonical() {
    var png = ImageEncoding()
    (png.quality, png.isLossless, png.isProgressive) = (3, true, true)
    #expect(png.canonicalText == ImageEncoding().canonicalText)
    var explicit = ImageEncoding(.jpeg)
    explicit.quality = ImageEncoding.standardQuality
    #expect(explicit.canonicalText == ImageEncoding(.jpeg).canonicalText)
    #expect(Set(Self.encodings.map(\.canonicalText)).count == Self.encodings.count)
  }
}
