import CoreTypes
import Images
import Testing

@Suite struct DecoderTests {
  @Test("A truncated PNG shows the rows it has, the rest transparent")
  func truncatedPNG() throws {
    var noise = Noise()
    let whole = try picture(60, 60) { _, _ in 0xff00_0000 | noise.next() & 0xff_ffff }
    let file = try PNGEncoder.encode(whole)
    let image = try ImageDecoder.decode(Array(file.prefix(file.count / 2)))
    let part = try bitmap(image)
    #expect(image.isPartial && part.width == 60 && part.height == 60)
    #expect(part.pixels.prefix(60 * 20).elementsEqual(whole.pixels.prefix(60 * 20)) && part[59, 59] == 0)
    #expect(throws: ImageError.self) { try ImageDecoder.decode(Array(file.prefix(45))) }
  }

  @Test("A picture over the limit is refused by its header alone")
  func limit() throws {
    let file = try PNGEncoder.encode(picture(40, 40) { opaque($0, $1, 0) })
    var limits = Limits()
    limits.decodedPixels = 1599
    #expect { try ImageDecoder.decode(file, limits: limits) } throws: { ($0 as? ImageError)?.code == .imageTooLarge }
    limits.decodedPixels = 1600
    #expect(throws: Never.self) { try ImageDecoder.decode(file, limits: limits) }
  }

  @Test("Bytes that are no picture have a code of their own")
  func unknown() {
    for bytes in [[], Array("hello".utf8), Array("<html></html>".utf8), [0, 0, 0, 0, 0, 0]] as [[UInt8]] {
      #expect { try ImageDecoder.decode(bytes) } throws: { ($0 as? ImageError)?.code == .imageUnknownFormat }
    }
  }
}
