import Images
import Testing

@Suite("SVG pictures and colours") struct SVGImageTests {
  private func draw(_ attributes: String, _ content: String, _ width: Int, _ height: Int, isInline: Bool = false) throws -> Bitmap {
    let bytes = Array("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)>\(content)</svg>".utf8)
    let image = try isInline ? ImageDecoder.decode(inlineSVG: bytes) : ImageDecoder.decode(bytes)
    return try image.bitmap(width: width, height: height)
  }

  @Test("A root of a percentage fills the tile, one of a length grows with it, and one in a page does not")
  func fills() throws {
    let whole = "<rect width='100%' height='100%' fill='#0f0'/>", square = "<rect width='4' height='2' fill='#0f0'/>"
    #expect(try draw("width='50%'", whole, 8, 4)[7, 3] == 0xff00_ff00)
    #expect(try draw("width='4' height='2'", square, 8, 4)[7, 3] == 0xff00_ff00)
    let inline = try draw("width='4' height='2'", square, 8, 4, isInline: true)
    #expect(inline[3, 1] == 0xff00_ff00 && inline[4, 1] == 0 && inline[3, 2] == 0)
  }

  @Test("A view box without area draws nothing and has no ratio; preserveAspectRatio none has none either")
  func emptyViewBox() throws {
    #expect(try draw("viewBox='0 0 8 0' preserveAspectRatio='none'", "<rect width='9' height='9'/>", 4, 4)[1, 1] == 0)
    func ratio(_ attributes: String) throws -> Double? {
      try ImageDecoder.decode(Array("<svg xmlns='http://www.w3.org/2000/svg' \(attributes)/>".utf8)).ratio
    }
    #expect(try ratio("viewBox='0 0 8 0'") == nil)
    #expect(try ratio("viewBox='0 0 8 4'") == 2)
    #expect(try ratio("viewBox='0 0 8 4' preserveAspectRatio='none'") == nil)
  }

  @Test("A PNG's gamma moves its greys to sRGB, and black and white stay")
  func gamma() throws {
    let grey = try PNGEncoder.encode(picture(3, 1) { x, _ in [opaque(0, 0, 0), opaque(128, 128, 128), opaque(255, 255, 255)][x] })
    // Behind the header: signature 8, IHDR 25. Linear light is a gamma of 1.
    let chunk: [UInt8] = [0, 0, 0, 4] + Array("gAMA".utf8) + [0, 1, 0x86, 0xA0] + [0x31, 0xE8, 0x96, 0x5F]
    let file = grey[..<33] + chunk + grey[33...]
    let decoded = try bitmap(try ImageDecoder.decode(Array(file)))
    #expect(decoded[0, 0] == 0xff00_0000 && decoded[2, 0] == 0xffff_ffff)
    #expect(abs(Int(decoded[1, 0] & 255) - 188) <= 1)
  }

  @Test("A filter that would take minutes is given up after seconds")
  func endless() throws {
    let start = ContinuousClock.now
    let filter = "<filter id='f'><feMorphology operator='dilate' radius='400'/></filter><rect width='2000' height='2000' filter='url(#f)'/>"
    #expect(throws: ImageError.self) { try draw("width='2000' height='2000'", filter + String(repeating: " ", count: 9), 2000, 2000) }
    #expect(ContinuousClock.now - start < .seconds(9))
  }
}
