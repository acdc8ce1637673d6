import OffprintTestSupport
import Testing

@testable import Offprint

@Suite("Limits of vector documents and reports")
struct DocumentLimitTests {
  private func request(_ html: String, _ format: EncodedImageFormat, _ limits: Limits = Limits()) -> RenderRequest {
    var request = RenderRequest(html: html)
    request.limits = limits
    request.encoding.format = format
    return request
  }

  @Test("Strokes of 1e12 px are written without measuring them corner by corner", arguments: [EncodedImageFormat.pdf, .svg])
  func widePens(_ format: EncodedImageFormat) async throws {
    let circles = String(repeating: "<circle r='1' stroke='red'></circle>", count: 40)
    let html = "<svg width='400' height='400' viewBox='0 0 1e-10 1e-10'>\(circles)</svg>"
    #expect(try await !Renderer.alone().render(request(html, format)).image.isEmpty)
  }

  @Test("Text larger than a font's maximum size does not fail the document", arguments: [EncodedImageFormat.pdf, .svg])
  func hugeText(_ format: EncodedImageFormat) async throws {
    for scale in ["1e7", "1e20", "1e300"] {
      var page = request("<div style='position:absolute;transform:scale(\(scale))'>a</div><p>b", format)
      page.height = .px(100)
      #expect(try await !Renderer.alone().render(page).image.isEmpty, "\(scale)")
    }
  }

  @Test("Content inside more than 64 clips is rasterized in a document", arguments: [EncodedImageFormat.pdf, .svg])
  func deepClips(_ format: EncodedImageFormat) async throws {
    func page(_ depth: Int) -> RenderRequest {
      request(String(repeating: "<div style='clip-path:circle(90%)'>", count: depth) + "<b>text</b>", format)
    }
    func hasImage(_ bytes: [UInt8]) -> Bool {
      let text = String(decoding: bytes, as: UTF8.self)
      return text.contains(format == .svg ? "<image" : "/Subtype /Image")
    }
    #expect(try await !hasImage(Renderer.alone().render(page(60)).image))
    #expect(try await hasImage(Renderer.alone().render(page(70)).image))
  }

  @Test("A page whose clips would be written too often is refused")
  func manyClips() async throws {
    let way = (0..<5000).map { "\($0 * 7919 % 1000)px \($0 * 104_729 % 1000)px" }.joined(separator: ",")
    let items = String(repeating: "<i style='display:inline-block;clip-path:circle(3px)'>x</i> ", count: 2000)
    var limits = Limits()
    limits.seconds = 120
    let error = await #expect(throws: OffprintError.self) {
      try await Renderer.alone().render(request("<div style='clip-path:polygon(\(way))'>\(items)", .svg, limits))
    }
    #expect(error?.code == .limitExceeded)
  }

  @Test("A report of more than 64 MiB is refused")
  func longReports() async throws {
    let rules = (0..<2000).map { "--property-number-\($0):a value of some length" }.joined(separator: ";")
    let renderer = try Renderer.alone()
    var page = RenderRequest(html: "<style>:root{\(rules)}</style>" + String(repeating: "<p>", count: 1000))
    page.limits.seconds = 120
    let error = #expect(throws: OffprintError.self) { try renderer.inspect(page, .computed(selector: "*")) }
    #expect(error?.code == .limitExceeded)
  }

  @Test("Outlines of glyphs in an SVG are written once, however often they are used")
  func sharedOutlines() async throws {
    let words = String(repeating: "aba ", count: 200)
    let text = String(decoding: try await Renderer.alone().render(request("<p>\(words)", .svg)).image, as: UTF8.self)
    // The two letters, the space, and the missing glyph, which Cairo always adds.
    #expect(text.split(separator: "<symbol").count - 1 == 4)
    #expect(text.split(separator: "<use").count - 1 >= 600)
  }
}
