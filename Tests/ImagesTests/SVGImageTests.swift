import OffprintImages
import Testing

@Suite("SVG sizes and color profiles") struct SVGImageTests {
  @Test("A view box without area and preserveAspectRatio=none have no aspect ratio")
  func ratio() throws {
    func ratio(_ attributes: String) throws -> Double? {
      try ImageDecoder.decode(Array("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)/>".utf8)).ratio
    }
    #expect(try ratio("viewBox='0 0 8 0'") == nil)
    #expect(try ratio("viewBox='0 0 8 4'") == 2)
    #expect(try ratio("viewBox='0 0\r\n8 4'") == 2)
    #expect(try ratio("viewBox='0 0 8 4' preserveAspectRatio='none'") == nil)
  }

  @Test("The gamma of a PNG converts grays to sRGB and keeps black and white")
  func gamma() throws {
    let grey = try PNGEncoder.encode(makeBitmap(3, 1) { x, _ in [opaque(0, 0, 0), opaque(128, 128, 128), opaque(255, 255, 255)][x] })
    // After the signature (8 bytes) and IHDR (25 bytes). Linear light is a gamma of 1.
    let chunk: [UInt8] = [0, 0, 0, 4] + Array("gAMA".utf8) + [0, 1, 0x86, 0xA0] + [0x31, 0xE8, 0x96, 0x5F]
    let file = grey[..<33] + chunk + grey[33...]
    let decoded = try bitmap(try ImageDecoder.decode(Array(file)))
    #expect(decoded[0, 0] == 0xff00_0000 && decoded[2, 0] == 0xffff_ffff)
    #expect(abs(Int(decoded[1, 0] & 255) - 188) <= 1)
  }
}
