import OffprintCoreTypes
import Foundation
import Testing

@testable import OffprintImages

/// Builds minimal ICC profiles with three primaries and one tone curve.
enum ProfileFile {
  /// XYZ values of red, green and blue, adapted to D50.
  static let displayP3: [[Double]] = [[0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407]]
  static let sRGB: [[Double]] = [[0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.71410]]

  static func make(_ primaries: [[Double]], space: String = "RGB ") -> [UInt8] {
    func long(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
    func fixed(_ value: Double) -> [UInt8] { long(Int((value * 65536).rounded())) }
    // The tone curve of sRGB, as a table.
    let linearValues = (0..<1024).map { step -> Int in
      let value = Double(step) / 1023
      let linear = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      return Int((linear * 65535).rounded())
    }
    let samples = linearValues.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let curve: [UInt8] = Array("curv".utf8) + long(0) + long(linearValues.count) + samples
    var body: [UInt8] = [], table = long(6)
    for (index, name) in ["rXYZ", "gXYZ", "bXYZ"].enumerated() {
      table += Array(name.utf8) + long(128 + 4 + 72 + body.count) + long(20)
      body += Array("XYZ ".utf8) + long(0) + primaries[index].flatMap(fixed)
    }
    for name in ["rTRC", "gTRC", "bTRC"] {
      table += Array(name.utf8) + long(128 + 4 + 72 + body.count) + long(curve.count)
      body += curve
    }
    var head = [UInt8](repeating: 0, count: 128)
    head.replaceSubrange(0..<4, with: long(132 + 72 + body.count))
    head.replaceSubrange(8..<12, with: [2, 0x10, 0, 0])
    head.replaceSubrange(12..<24, with: Array("mntr\(space)XYZ ".utf8))
    head.replaceSubrange(36..<40, with: Array("acsp".utf8))
    return head + table + body
  }
}

@Suite("Output color profiles")
struct OutputProfileTests {
  private static let translucent = try? makeBitmap(24, 16) { x, y in
    let alpha = y < 8 ? 255 : 160
    return UInt32(alpha) << 24 | UInt32(x * 10 * alpha / 255) << 16 | UInt32(y * 15 * alpha / 255) << 8 | UInt32(100 * alpha / 255)
  }

  private func file(_ encoding: ImageEncoding, _ image: Bitmap, band: Int = 5) throws -> [UInt8] {
    var encoder = try ImageEncoder(width: image.width, height: image.height, encoding: encoding)
    try image.withUnsafePixels { pixels in
      for row in stride(from: 0, to: image.height, by: band) {
        let rows = row * image.width..<min(row + band, image.height) * image.width
        try encoder.append(rows: UnsafeBufferPointer(rebasing: pixels[rows]))
      }
    }
    return try encoder.finish()
  }

  @Test(
    "Colors are converted to the output profile and the profile is embedded, so that the decoded colors are the same",
    arguments: [EncodedImageFormat.png, .webp, .jpeg])
  func roundTrip(_ format: EncodedImageFormat) throws {
    let image = try #require(Self.translucent)
    var encoding = ImageEncoding(format)
    (encoding.isLossless, encoding.quality) = (format == .webp, format == .webp ? nil : 100)
    let plain = try file(encoding, image)
    encoding.profile = try OutputProfile(ProfileFile.make(ProfileFile.displayP3))
    let profiled = try file(encoding, image)
    let otherBands = try file(encoding, image, band: 16)
    #expect(profiled != plain && profiled == otherBands)
    let decoded = try [plain, profiled].map { try bitmap(try ImageDecoder.decode($0)) }
    let maximum = largestDifference(decoded[0], decoded[1])
    #expect(maximum <= 12, "\(maximum)")
  }

  @Test("A profile equivalent to sRGB changes no pixel and is embedded")
  func equivalentToSRGB() throws {
    let image = try #require(Self.translucent)
    var encoding = ImageEncoding()
    let profile = try OutputProfile(ProfileFile.make(ProfileFile.sRGB))
    #expect(profile.conversion == nil)
    encoding.profile = profile
    let written = try file(encoding, image)
    #expect(String(decoding: written, as: UTF8.self).contains("iCCP") && !String(decoding: written, as: UTF8.self).contains("sRGB"))
    let plain = try bitmap(try ImageDecoder.decode(try file(ImageEncoding(), image)))
    let read = try bitmap(try ImageDecoder.decode(written))
    #expect(BitmapComparison(read, plain).isIdentical)
  }

  @Test("Invalid profiles and profiles that colors cannot be converted to are rejected")
  func invalidProfiles() {
    let good = ProfileFile.make(ProfileFile.displayP3)
    var flat = ProfileFile.displayP3
    flat[2] = flat[1]
    let bad: [[UInt8]] = [
      [], Array("not a profile".utf8), Array(good.dropLast()), good + [0], ProfileFile.make(ProfileFile.displayP3, space: "CMYK"),
      ProfileFile.make(flat), Array(good.prefix(128)) + [0xff, 0xff, 0xff, 0xff],
    ]
    for bytes in bad {
      let error = #expect(throws: ImageError.self) { _ = try OutputProfile(bytes) }
      #expect(error?.code == .profileInvalid)
    }
    // Conversion with a damaged profile must not trap.
    for index in good.indices {
      var damaged = good
      damaged[index] ^= 0xff
      _ = try? OutputProfile(damaged).conversion
    }
  }
}
