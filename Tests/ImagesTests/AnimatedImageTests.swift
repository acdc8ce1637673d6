import Foundation
import OffprintCoreTypes
import Testing

@testable import OffprintImages

/// AVIF is included only if libavif is installed.
private let decodedFormats: [ImageFormat] = [.gif, .png, .webp] + (EncodedImageFormat.avif.isAvailable ? [.avif] : [])

@Suite("Frames of animated images")
struct AnimatedImageTests {
  /// 4×4 px: red; the same with a green square of 2×2 px in the middle; blue. They are shown for 100, 200 and 300 ms.
  private static let files: [ImageFormat: String] = [
    .gif: """
    R0lGODlhBAAEAIEAAP8AAAAAAAAAAAAAACH/C05FVFNDQVBFMi4wAwEBAAAh+QQACgAAACwAAAAABAAEAAAICQABCBxIsCCAgAAh+QQBFAACACwBAAEAAgAC
    AIH/AAAA/wAAAAAAAAAIBgADCAwQEAAh+QQBHgABACwAAAAABAAEAIEAAP8AAAAAAAAAAAAICQABCBxIsCCAgAA7
    """,
    .png: """
    iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAYAAACp8Z5+AAAACGFjVEwAAAADAAAAAiDj2+wAAAAaZmNUTAAAAAAAAAAEAAAABAAAAAAAAAAAAAEACgAAV3ID
    4QAAABVJREFUeJxj/M/A8J8BCTAxoAHCAgCD0QIGApDvWAAAABpmY1RMAAAAAQAAAAIAAAACAAAAAQAAAAEAAQAFAAAfgqWdAAAAGGZkQVQAAAACeJxjZPjP
    8J+BgYGBiQEKAB4YAgIyan3wAAAAGmZjVEwAAAADAAAABAAAAAQAAAAAAAAAAAADAAoAAFtXabwAAAAZZmRBVAAAAAR4nGNkYPj/nwEJMDGgAcICAIHTAgY+
    UmH/AAAAAElFTkSuQmCC
    """,
    .webp: """
    UklGRrYAAABXRUJQVlA4WAoAAAASAAAAAwAAAwAAQU5JTQYAAAAAAAAAAgBBTk1GKAAAAAAAAAAAAAMAAAMAAGQAAAJWUDhMDwAAAC8DwAAABxD9j/4HIqL/
    AQBBTk1GKgAAAAAAAAAAAAIAAAIAAMgAAABWUDhMEQAAAC8CgAAQDzD/EfMfjDGI6H8YAEFOTUYoAAAAAAAAAAAAAwAAAwAALAEAAFZQOEwPAAAALwPAAAAH
    ENH//gciov8BAA==
    """,
    .avif: """
    AAAALGZ0eXBhdmlzAAAAAGF2aWZhdmlzbXNmMWlzbzhtaWYxbWlhZk1BMUEAAAGGbWV0YQAAAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAAAA
    AAAOcGl0bQAAAAAAAQAAACxpbG9jAAAAAEQAAAIAAQAAAAEAAAdgAAAAJQACAAAAAQAABycAAAAZAAAAQmlpbmYAAAAAAAIAAAAaaW5mZQIAAAAAAQAAYXYw
    MUNvbG9yAAAAABppbmZlAgAAAAACAABhdjAxQWxwaGEAAAAAGmlyZWYAAAAAAAAADmF1eGwAAgABAAEAAADDaXBycAAAAJ1pcGNvAAAAFGlzcGUAAAAAAAAA
    BAAAAAQAAAAQcGl4aQAAAAADCAgIAAAADGF2MUOBIAAAAAAAE2NvbHJuY2x4AAEADQAGgAAAAA5waXhpAAAAAAEIAAAADGF2MUOBABwAAAAAOGF1eEMAAAAA
    dXJuOm1wZWc6bXBlZ0I6Y2ljcDpzeXN0ZW1zOmF1eGlsaWFyeTphbHBoYQAAAAAeaXBtYQAAAAAAAAACAAEEAQKDBAACBAEFhgcAAAVtbW9vdgAAAHhtdmhk
    AQAAAAAAAADnL5DKAAAAAOcvkMoAAAPo//////////8AAQAAAQAAAAAAAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAA
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAgAAAlp0cmFrAAAAaHRraGQBAAABAAAAAOcvkMoAAAAA5y+QygAAAAEAAAAA//////////8AAAAAAAAAAAAAAAAAAAAA
    AAEAAAAAAAAAAAAAAAAAAAABAAAAAAAAAAAAAAAAAABAAAAAAAQAAAAEAAAAAAAsZWR0cwAAACRlbHN0AQAAAQAAAAEAAAAAAAACWAAAAAAAAAAAAAEAAAAA
    Ab5tZGlhAAAALG1kaGQBAAAAAAAAAOcvkMoAAAAA5y+QygAAA+gAAAAAAAACWFXEAAAAAAAhaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAAAAAAFpbWlu
    ZgAAABR2bWhkAAAAAQAAAAAAAAAAAAAAJGRpbmYAAAAcZHJlZgAAAAAAAAABAAAADHVybCAAAAABAAABKXN0YmwAAACVc3RzZAAAAAAAAAABAAAAhWF2MDEA
    AAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAABAAEAEgAAABIAAAAAAAAAAEKQU9NIENvZGluZwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAY//8AAAAMYXYxQ4EgAAAA
    AAATY29scm5jbHgAAQANAAaAAAAAEGNjc3QAAAAAfAAAAAAAAChzdHRzAAAAAAAAAAMAAAABAAAAZAAAAAEAAADIAAAAAQAAASwAAAAcc3RzYwAAAAAAAAAB
    AAAAAQAAAAMAAAABAAAAIHN0c3oAAAAAAAAAAAAAAAMAAAAlAAAANwAAAB0AAAAUc3RjbwAAAAAAAAABAAAHYAAAABRzdHNzAAAAAAAAAAEAAAABAAACk3Ry
    YWsAAABodGtoZAEAAAEAAAAA5y+QygAAAADnL5DKAAAAAgAAAAD//////////wAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAEAAAAAAAAAAAAA
    AAAAAEAAAAAABAAAAAQAAAAAABR0cmVmAAAADGF1eGwAAAABAAAALGVkdHMAAAAkZWxzdAEAAAEAAAABAAAAAAAAAlgAAAAAAAAAAAABAAAAAAHjbWRpYQAA
    ACxtZGhkAQAAAAAAAADnL5DKAAAAAOcvkMoAAAPoAAAAAAAAAlhVxAAAAAAAIWhkbHIAAAAAAAAAAGF1eHYAAAAAAAAAAAAAAAAAAAABjm1pbmYAAAAUdm1o
    ZAAAAAEAAAAAAAAAAAAAACRkaW5mAAAAHGRyZWYAAAAAAAAAAQAAAAx1cmwgAAAAAQAAAU5zdGJsAAAAunN0c2QAAAAAAAAAAQAAAKphdjAxAAAAAAAAAAEA
    AAAAAAAAAAAAAAAAAAAAAAQABABIAAAASAAAAAAAAAABCkFPTSBDb2RpbmcAAAAAAAAAAAAAAAAAAAAAAAAAAAAAGP//AAAADGF2MUOBABwAAAAAEGNjc3QA
    AAAAfAAAAAAAADhhdXhpAAAAAHVybjptcGVnOm1wZWdCOmNpY3A6c3lzdGVtczphdXhpbGlhcnk6YWxwaGEAAAAAKHN0dHMAAAAAAAAAAwAAAAEAAABkAAAA
    AQAAAMgAAAABAAABLAAAABxzdHNjAAAAAAAAAAEAAAABAAAAAwAAAAEAAAAgc3RzegAAAAAAAAAAAAAAAwAAABkAAAAQAAAAEAAAABRzdGNvAAAAAAAAAAEA
    AAcnAAAAFHN0c3MAAAAAAAAAAQAAAAEAAAC6bWRhdBIACgkAAAAAj5tfNUAyChAAgAAAGN6ilVASADIMMAPAgAAARoAEAJGQEgAyDDAEAQQAAEaABACNwBIA
    CgwgAAAAj5tfNAQ0GkAyExAAgAAAD/pAU2ox6kwMNKezZQsSADIzMAPAgAAARoABAB1FA9J9sdQHFQxQfAwRX30zCKbJM1ZMzzrgntuH1Qc/nmmju6O7z735
    EgAyGTAEAQQAAHoABAAAAJfViAjuJe0uJJ0jiYA=
    """,
  ]

  private func bytes(_ format: ImageFormat) throws -> [UInt8] {
    let text = try #require(Self.files[format])
    return [UInt8](try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)))
  }

  private func bitmap(_ bytes: [UInt8], at time: AnimationTime) throws -> Bitmap {
    var budget = DecodingBudget(cache: DecodedImageCache(), time: time)
    return try ImageDecoder.decode(bytes, within: &budget).bitmap(width: 4, height: 4)
  }

  /// The channel with the largest component.
  private func name(_ pixel: UInt32) -> String {
    if pixel >> 24 == 0 { return "-" }
    let channels = [(pixel >> 16 & 255, "r"), (pixel >> 8 & 255, "g"), (pixel & 255, "b")]
    return channels.max { $0.0 < $1.0 }?.1 ?? ""
  }

  @Test(
    "Each format decodes the frame at a given time",
    arguments: [
      (0, "rr"), (0.099, "rr"), (0.1, "rg"), (0.299, "rg"), (0.3, "bb"), (0.599, "bb"), (0.6, "rr"), (0.75, "rg"), (1.1, "bb"),
    ], decodedFormats)
  func formats(_ frame: (time: Double, corner: String), format: ImageFormat) throws {
    let bitmap = try bitmap(try bytes(format), at: .seconds(frame.time))
    #expect(name(bitmap[0, 0]) + name(bitmap[1, 1]) == frame.corner)
  }

  @Test("The last frame remains after the last repetition", arguments: [ImageFormat.gif, .png, .webp])
  func loops(format: ImageFormat) throws {
    let bytes = try bytes(format)
    #expect(try #require(format.animatedFile(bytes)).animation.plays == 2)
    for time in [AnimationTime.seconds(1.25), .seconds(100), .end] { #expect(name(try bitmap(bytes, at: time)[0, 0]) == "b") }
  }

  @Test("The end of an infinitely repeating animation is its first frame", .enabled(if: EncodedImageFormat.avif.isAvailable))
  func forever() throws {
    let bytes = try bytes(.avif)
    #expect(try #require(ImageFormat.avif.animatedFile(bytes)).animation.plays == nil)
    #expect(name(try bitmap(bytes, at: .end)[0, 0]) == "r")
  }

  /// A GIF of 3×1 px with red, green and blue. Each frame is a pixel at `x`.
  private func gif(_ frames: [(x: UInt8, color: UInt8, disposal: UInt8)]) -> [UInt8] {
    var bytes = Array("GIF89a".utf8) + [3, 0, 1, 0, 0x81, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9]
    for frame in frames {
      bytes += [0x21, 0xf9, 4, frame.disposal << 2 | 1, 10, 0, 3, 0, 0x2c, frame.x, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2]
      bytes += [0x44 | frame.color << 3, 1, 0]
    }
    return bytes + [0x3b]
  }

  @Test("GIF disposal methods keep, clear or restore the area of a frame")
  func disposal() throws {
    let bytes = gif([(0, 0, 1), (1, 1, 3), (2, 2, 2), (1, 2, 1), (0, 3, 0)])
    let expected = ["r--", "rg-", "r-b", "rb-", "rb-"]
    for (index, colors) in expected.enumerated() {
      let bitmap = try bitmap(bytes, at: .seconds(Double(index) * 0.1 + 0.05))
      #expect((0..<3).map { name(bitmap[$0, 0]) }.joined() == colors, "\(index)")
    }
  }

  @Test("Frames that specify 10 ms or less are shown for 100 ms")
  func shortFrames() {
    let frame = ImageAnimation.Frame(x: 0, y: 0, width: 1, height: 1, duration: 0.01)
    var animation = ImageAnimation(frames: [frame, frame, frame], plays: 1)
    #expect([0.05, 0.15, 0.25, 0.35].map { animation.index(at: .seconds($0)) } == [0, 1, 2, 2])
    for index in 0..<3 { animation.frames[index].duration = 0.02 }
    #expect([0.01, 0.03, 0.05, 0.07].map { animation.index(at: .seconds($0)) } == [0, 1, 2, 2])
  }

  @Test("An animated WebP that ends within the header of its first frame is an error")
  func shortWebP() throws {
    let whole = try bytes(.webp), container = try #require(WebPContainer(whole)),
      start = try #require(container.frameChunks(maximum: 1).first)
    for length in 0...17 {
      #expect(throws: ImageError.self) { try bitmap(Array(whole.prefix(start.lowerBound + length)), at: .start) }
    }
  }

  @Test("Damaged files are errors or partial images, and nothing traps", arguments: decodedFormats)
  func damage(format: ImageFormat) throws {
    let whole = try bytes(format)
    var generator = SystemRandomNumberGenerator()
    for round in 0..<300 {
      var bytes = round % 2 == 0 ? Array(whole.prefix(Int.random(in: 12..<whole.count, using: &generator))) : whole
      for _ in 0..<3 {
        bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
      }
      do { _ = try bitmap(bytes, at: .seconds(0.35)) } catch { #expect(error is ImageError) }
    }
  }
}
