import Foundation
import OffprintCoreTypes
import OffprintImages
import Testing

@Suite(.enabled(if: EncodedImageFormat.avif.isAvailable)) struct AVIFDecoderTests {
  /// 8 × 4 pixels, the left half red and the right half blue, rotated by 90° counterclockwise and then mirrored vertically.
  private static let turned = bytes(
    """
    AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAAEGbWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABLgAAACwAAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAfmlwcnAAAABdaXBjbwAAABRpc3BlAAAAAAAAAAgAAAAEAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgSAAAAAAABNjb2xybmNseAABAA0ABoAAAAAJaXJvdAEAAAAJaW1pcgAAAAAZaXBtYQAAAAAAAAABAAEGAQKDBIWGAAAANG1kYXQSAAoIOAh+wgIaDSAyHhAAAIuj00vo+oeFFaGDk1iFUKNf0Ke2usPiVY6GgA==
    """)
  /// The same without rotation, 10 bits deep, in the color space Display P3.
  private static let wide = bytes(
    """
    AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUEAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAC8AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAgAAAAEAAAAEHBpeGkAAAAAAwoKCgAAAAxhdjFDgSBAAAAAABNjb2xybmNseAAMAA0ABoAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAADdtZGF0EgAKCDgIfsYYGg0gMiEQAACLo9NLGsoQd9flvYOS9JfZCiWcSOe2s1JWJVThIoA=
    """)

  private static func bytes(_ text: String) -> [UInt8] {
    Data(base64Encoded: text, options: .ignoreUnknownCharacters).map { Array($0) } ?? []
  }

  private func isNear(_ pixel: UInt32, _ red: Int, _ green: Int, _ blue: Int) -> Bool {
    func distance(_ shift: UInt32, _ value: Int) -> Int { abs(Int(pixel >> shift & 255) - value) }
    return pixel >> 24 == 255 && distance(16, red) <= 6 && distance(8, green) <= 6 && distance(0, blue) <= 6
  }

  @Test("AVIF images are rotated and mirrored as their irot and imir boxes specify")
  func turnedImage() throws {
    let image = try ImageDecoder.decode(Self.turned)
    let pixels = try bitmap(image)
    #expect(image.format == .avif && image.intrinsicWidth == 4 && image.intrinsicHeight == 8 && image.orientation == 5)
    #expect(pixels.width == 4 && pixels.height == 8)
    #expect(isNear(pixels[1, 1], 255, 0, 0) && isNear(pixels[1, 6], 0, 0, 255))
  }

  @Test("Colors of Display P3 are converted to sRGB")
  func wideColors() throws {
    let pixels = try bitmap(try ImageDecoder.decode(Self.wide))
    // Red of Display P3 is beyond that of sRGB; its blue is nearly the same.
    #expect(isNear(pixels[1, 1], 255, 0, 0) && isNear(pixels[6, 1], 0, 0, 255))
  }

  @Test("Truncated, empty and damaged AVIF files are errors, for every damaged byte")
  func damaged() {
    for length in stride(from: 16, to: Self.turned.count, by: 7) { _ = try? ImageDecoder.decode(Array(Self.turned.prefix(length))) }
    #expect { try ImageDecoder.decode(Array(Self.turned.prefix(300))) } throws: { ($0 as? ImageError)?.code == .imageDamaged }
    #expect { try ImageDecoder.decode(Array(Self.turned.prefix(40))) } throws: { ($0 as? ImageError)?.code == .imageDamaged }
    for index in Self.turned.indices {
      for value: UInt8 in [0, 1, 255] {
        var file = Self.turned
        file[index] = value
        _ = try? ImageDecoder.decode(file)
      }
    }
  }

  @Test("An AVIF image above the limit is rejected before its pixels are decoded")
  func limit() {
    var limits = Limits()
    limits.decodedPixels = 31
    #expect { try ImageDecoder.decode(Self.turned, limits: limits) } throws: { ($0 as? ImageError)?.code == .imageTooLarge }
  }
}
