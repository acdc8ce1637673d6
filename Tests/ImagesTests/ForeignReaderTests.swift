import OffprintCoreTypes
import Foundation
import Testing

@testable import OffprintImages

/// A third-party program that reads images.
private enum Reader {
  static func path(_ name: String) -> String? {
    ["/usr/bin/", "/usr/local/bin/"].map { $0 + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static func has(_ names: String...) -> Bool { names.allSatisfy { path($0) != nil } }

  /// Its output, and the file that it writes.
  static func run(_ name: String, _ file: [UInt8], _ ending: String, _ arguments: (String, String) -> [String]) throws -> (
    status: Int32, text: String, output: [UInt8]
  ) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-reader-\(UInt64.random(in: 0...UInt64.max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let input = folder.appendingPathComponent("in.\(ending)"), output = folder.appendingPathComponent("out.png")
    try Data(file).write(to: input)
    let process = Process(), pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: try #require(path(name)))
    process.arguments = arguments(input.path, output.path)
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text, [UInt8]((try? Data(contentsOf: output)) ?? Data()))
  }
}

/// The lower half is translucent.
private func sample(opaque: Bool = false) throws -> Bitmap {
  try makeBitmap(37, 23) { x, y in
    let alpha = opaque || y < 11 ? 255 : 128
    return UInt32(alpha) << 24 | UInt32(x * 6 * alpha / 255) << 16 | UInt32(y * 11 * alpha / 255) << 8 | UInt32(90 * alpha / 255)
  }
}

private func file(_ encoding: ImageEncoding, _ image: Bitmap) throws -> [UInt8] {
  var encoder = try ImageEncoder(width: image.width, height: image.height, encoding: encoding, scale: 2)
  try image.withUnsafePixels { try encoder.append(rows: $0) }
  return try encoder.finish()
}

/// The largest difference between channels.
func largestDifference(_ one: Bitmap, _ other: Bitmap) -> Int {
  guard one.width == other.width, one.height == other.height else { return 255 }
  let pixels = [one, other].map { $0.withUnsafePixels { Array($0) } }
  var maximum = 0
  for (a, b) in zip(pixels[0], pixels[1]) {
    for shift in [UInt32(0), 8, 16, 24] { maximum = max(maximum, abs(Int(a >> shift & 255) - Int(b >> shift & 255))) }
  }
  return maximum
}

@Suite("Files in third-party readers")
struct ForeignReaderTests {
  /// With and without a color profile. The profile is equivalent to sRGB, so that pixels do not change.
  private static let profiles: [OutputProfile?] = [nil, try? OutputProfile(ProfileFile.make(ProfileFile.sRGB))]

  private func encodings(_ format: EncodedImageFormat) -> [ImageEncoding] {
    Self.profiles.flatMap { profile in
      [true, false].map { isFine in
        var encoding = ImageEncoding(format)
        (encoding.profile, encoding.quality, encoding.isProgressive) = (profile, format == .jpeg ? 95 : nil, isFine)
        encoding.isLossless = isFine && format != .jpeg
        return encoding
      }
    }
  }

  @Test("webpinfo accepts WebP files, and dwebp decodes their pixels", .enabled(if: Reader.has("webpinfo", "dwebp")))
  func webp() throws {
    for encoding in encodings(.webp) {
      for image in [try sample(), try sample(opaque: true)] {
        let bytes = try file(encoding, image)
        let info = try Reader.run("webpinfo", bytes, "webp") { input, _ in ["-diag", input] }
        #expect(info.status == 0 && info.text.contains("No error detected"), "\(info.text)")
        #expect(info.text.contains("Chunk ICCP") == (encoding.profile != nil), "\(info.text)")
        let read = try Reader.run("dwebp", bytes, "webp") { [$0, "-o", $1] }
        let decoded = try bitmap(try ImageDecoder.decode(read.output))
        #expect(largestDifference(decoded, image) <= (encoding.isLossless ? 1 : 60), "\(encoding)")
      }
    }
  }

  @Test("jpeginfo accepts JPEG files", .enabled(if: Reader.has("jpeginfo")))
  func jpeg() throws {
    for encoding in encodings(.jpeg) {
      let info = try Reader.run("jpeginfo", try file(encoding, try sample()), "jpg") { input, _ in ["-c", input] }
      #expect(
        info.status == 0 && info.text.contains("OK") && info.text.split(separator: " ").joined(separator: " ").contains("37 x 23"),
        "\(info.text)")
      #expect(info.text.contains("ICC") == (encoding.profile != nil), "\(info.text)")
    }
  }

  @Test("avifdec decodes the pixels and the profile of AVIF files", .enabled(if: Reader.has("avifdec") && ForeignReaderTests.hasAVIF))
  func avif() throws {
    for encoding in encodings(.avif) {
      let image = try sample(), bytes = try file(encoding, image)
      let info = try Reader.run("avifdec", bytes, "avif") { input, _ in ["--info", input] }
      #expect(info.status == 0 && info.text.contains("37x23"), "\(info.text)")
      #expect(info.text.contains("ICC Profile    : Present") == (encoding.profile != nil), "\(info.text)")
      // The library with which avifdec writes PNG rejects profiles as small as this one.
      guard encoding.profile == nil else { continue }
      let read = try Reader.run("avifdec", bytes, "avif") { [$0, $1] }
      let decoded = try bitmap(try ImageDecoder.decode(read.output))
      #expect(largestDifference(decoded, image) <= (encoding.isLossless ? 1 : 60), "\(encoding) \(largestDifference(decoded, image))")
    }
  }

  static let hasAVIF: Bool = {
    do { _ = try ImageEncoder(width: 1, height: 1, encoding: ImageEncoding(.avif)) } catch { return false }
    return true
  }()
}
