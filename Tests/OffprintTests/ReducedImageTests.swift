import OffprintCoreTypes
import Foundation
import OffprintImages
import OffprintTestSupport
import Testing

@testable import Offprint

/// JPEGs are decoded at a half, a quarter or an eighth of their size if styles specify that they are painted small.
@Suite("Photographs painted small")
struct ReducedImageTests {
  private static let size = (width: 800, height: 600)

  /// An image that resembles a photograph.
  private static let photograph: Bitmap? = {
    let pixels = (0..<size.width * size.height).map { i -> UInt32 in
      let x = Double(i % size.width), y = Double(i / size.width)
      func level(_ a: Double, _ b: Double) -> UInt32 { UInt32(128 + 60 * sin(x / a) + 60 * cos(y / b + x / 90)) }
      return 0xff00_0000 | level(40, 31) << 16 | level(23, 57) << 8 | level(71, 19)
    }
    return Bitmap(width: size.width, height: size.height, pixels: pixels)
  }()

  /// The same page with a JPEG, and with a PNG of the same pixels, which is never reduced.
  private func images(_ img: String) throws -> (photograph: Bitmap, exact: Bitmap) {
    let folder = try TemporaryFolder(), bitmap = try #require(Self.photograph)
    let jpeg = try bitmap.jpeg()
    guard case .bitmap(let decoded) = try ImageDecoder.decode(jpeg).content else { throw CocoaError(.fileReadCorruptFile) }
    try Data(jpeg).write(to: URL(fileURLWithPath: folder("a.jpg")))
    try Data(PNGEncoder.encode(decoded)).write(to: URL(fileURLWithPath: folder("a.png")))
    let renderer = try Renderer.alone()
    defer { renderer.shutdown() }
    let drawn = try ["a.jpg", "a.png"].map { name -> Bitmap in
      var request = RenderRequest(html: "<body style='margin:0'>" + img.replacingOccurrences(of: "SRC", with: name))
      request.basePath = folder("page.html")
      request.allowedFolders = [folder("")]
      request.width = .px(400)
      request.height = .px(300)
      guard case .bitmap(let bitmap) = try ImageDecoder.decode(renderer.renderAndWait(request).image).content else {
        throw CocoaError(.fileReadCorruptFile)
      }
      return bitmap
    }
    return (drawn[0], drawn[1])
  }

  private func largestDifference(_ a: Bitmap, _ b: Bitmap) -> Int {
    var maximum = 0
    for (one, other) in zip(a.pixels, b.pixels) {
      for shift: UInt32 in [0, 8, 16] {
        let (first, second) = (Int(one >> shift & 255), Int(other >> shift & 255))
        maximum = max(maximum, abs(first - second))
      }
    }
    return maximum
  }

  @Test(
    "A photograph decoded at a reduced size looks like the image scaled down",
    arguments: ["width=200", "width=100 height=75", "style='width:20%'", "style='height:70px'"])
  func likeTheWhole(attributes: String) throws {
    let (photograph, exact) = try images("<img src=SRC \(attributes)>")
    #expect(photograph != exact)  // otherwise it was not reduced
    #expect(largestDifference(photograph, exact) <= 6)
  }

  @Test(
    "A photograph painted larger than its style specifies uses all of its pixels",
    arguments: [
      "<img src=SRC width=100 style='transform:scale(5);transform-origin:0 0'>", "<img src=SRC width=100 style='min-width:380px'>",
      "<img src=SRC width=90 style='image-rendering:pixelated'>",
      "<img src=SRC width=40><div style='height:200px;background:url(SRC)'></div>",
      "<img src=SRC width=300 height=20 style='object-fit:none'>", "<img src=SRC>",
    ])
  func larger(img: String) throws {
    let (photograph, exact) = try images(img)
    let large = img.contains("<div") ? largestDifference(photograph, exact) <= 6 : photograph == exact
    #expect(large)
  }

  @Test("An image decoded for small painting is not reused for large painting")
  func cached() throws {
    let bytes = try #require(Self.photograph).jpeg(), cache = DecodedImageCache()
    var budget = DecodingBudget(cache: cache)
    for _ in 0..<2 {
      for (side, width) in [(90.0, 100), (200, 200), (390, 400), (500, 800)] {
        guard case .bitmap(let bitmap) = try ImageDecoder.decode(bytes, within: &budget, shown: (side, side * 0.75)).content else {
          continue
        }
        #expect(bitmap.width == width && bitmap.height == width * 3 / 4)
        #expect((bitmap.whole == nil) == (width == 800))
      }
    }
    #expect(cache.usage.images == 4)
  }
}

extension Bitmap {
  fileprivate func jpeg() throws -> [UInt8] {
    var encoder = try ImageEncoder(width: width, height: height, encoding: ImageEncoding(.jpeg), scale: 1)
    try withUnsafePixels { try encoder.append(rows: $0) }
    return try encoder.finish()
  }
}
