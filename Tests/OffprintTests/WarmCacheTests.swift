import OffprintCoreTypes
import Foundation
import OffprintImages
import OffprintTestSupport
import Testing

@testable import Offprint

/// Workers reuse images, halved images, layers, encoders' memory, shaped runs and glyphs in later renders.
@Suite("State that workers reuse")
struct WarmCacheTests {
  private static func image(_ seed: Int) throws -> [UInt8] {
    let pixels = (0..<120 * 90).map { i in 0xff00_0000 | UInt32((i % 120 * 2 + seed * 31) & 255) << 16 | UInt32((i / 120 * seed) & 255) }
    return try PNGEncoder.encode(try #require(Bitmap(width: 120, height: 90, pixels: pixels)))
  }

  /// Pages with the same URLs and other images, among pages of every feature.
  private static func requests(_ folder: TemporaryFolder) throws -> [RenderRequest] {
    try (0..<3).flatMap { seed -> [RenderRequest] in
      let place = folder("\(seed)")
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
      try Data(image(seed)).write(to: URL(fileURLWithPath: place + "/a.png"))
      try Data(image(seed * 7 + 1)).write(to: URL(fileURLWithPath: place + "/b.png"))
      var page = RenderRequest(
        html:
          "<body style='margin:0;background:url(b.png) 0 0/50px'><img src=a.png><img src=a.png width=30 style='opacity:.5'><p>Text \(seed % 2)"
          + "<div style='width:90px;height:40px;border-radius:9px;box-shadow:0 2px \(4 + seed)px #0008;"
          + "background:radial-gradient(#0\(seed)\(seed),#fff 70%)'></div>"
          + "<div style='filter:blur(3px);width:90px;height:40px;background:linear-gradient(45deg,red,blue)'></div>")
      page.basePath = place + "/page.html"
      page.allowedFolders = [place]
      page.width = .px(300)
      return [page] + (try OwnPages.names.prefix(12).map(OwnPages.request))
    }
  }

  @Test("A page gives the same image whatever its worker rendered before, on one thread and on several")
  func independence() async throws {
    let folder = try TemporaryFolder(), requests = try Self.requests(folder)
    var expected: [[UInt8]] = []
    for request in requests {
      let fresh = try Renderer.alone()
      expected.append(try fresh.renderAndWait(request).image)
      fresh.shutdown()
    }
    let renderer = try Renderer.alone { $0.workers = 3 }
    defer { renderer.shutdown() }
    let answers = expected
    for step in [1, 7, requests.count - 1] {
      try await withThrowingTaskGroup(of: (Int, [UInt8]).self) { group in
        for i in requests.indices {
          let index = i * step % requests.count
          group.addTask { (index, try await renderer.render(requests[index]).image) }
        }
        for try await (index, image) in group { #expect(image == answers[index], "page \(index) in steps of \(step)") }
      }
    }
  }

  @Test("An image that changes at its URL is rendered in its current version")
  func changes() throws {
    let folder = try TemporaryFolder(), renderer = try Renderer.alone()
    defer { renderer.shutdown() }
    var page = RenderRequest(html: "<body style='margin:0'><img src=a.png>")
    page.basePath = folder("page.html")
    page.allowedFolders = [folder.path]
    page.cachePolicy = .none
    var images: Set<[UInt8]> = []
    for seed in [1, 2, 1, 3] {
      try Data(Self.image(seed)).write(to: URL(fileURLWithPath: folder("a.png")))
      images.insert(try renderer.renderAndWait(page).image)
    }
    #expect(images.count == 3)
  }

  @Test("Compression changes the file and no pixel")
  func compression() throws {
    let renderer = try Renderer.alone()
    defer { renderer.shutdown() }
    for name in OwnPages.names.prefix(6) {
      var page = try OwnPages.request(name)
      let bitmaps = try ImageCompression.allCases.map { compression -> Bitmap in
        page.encoding.compression = compression
        guard case .bitmap(let bitmap) = try ImageDecoder.decode(renderer.renderAndWait(page).image).content else {
          throw CocoaError(.coderInvalidValue)
        }
        return bitmap
      }
      #expect(bitmaps[0] == bitmaps[1] && bitmaps[1] == bitmaps[2], "\(name)")
    }
  }
}
