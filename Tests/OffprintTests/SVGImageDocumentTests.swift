import OffprintCoreTypes
import Foundation
import OffprintTestSupport
import Testing

@testable import Offprint

@Suite("SVG images")
struct SVGImageDocumentTests {
  private func svg(_ content: String, _ attributes: String = "") -> String {
    "<svg xmlns='http://www.w3.org/2000/svg' width='40' height='20' \(attributes)>\(content)</svg>"
  }

  private func url(_ svg: String) -> String { "data:image/svg+xml;base64,\(Data(svg.utf8).base64EncodedString())" }

  /// An SVG image nested in `levels` others, each with its own square after the nested image.
  private func nested(_ levels: Int) -> String {
    let square = "<rect width='20' height='20' fill='rgb(0,\(levels * 40),0)'/>"
    guard levels > 0 else { return svg(square) }
    return svg("\(square)<image width='10' height='5' href='\(url(nested(levels - 1)))'/><rect x='30' width='10' height='20' fill='red'/>")
  }

  private func render(_ body: String, _ change: (inout RenderRequest) -> Void = { _ in }) async throws -> RenderResult {
    var request = RenderRequest(html: "<!doctype html><body style='margin:0'>\(body)")
    request.width = .px(200)
    change(&request)
    return try await Renderer.alone().render(request)
  }

  private func image(_ svg: String) -> String { "<img style='display:block' src=\"\(url(svg))\">" }

  @Test("Content after a nested image is painted")
  func behind() async throws {
    let plain = svg("<rect width='20' height='20' fill='rgb(0,40,0)'/><rect x='30' width='10' height='20' fill='red'/>")
    let empty = svg("")
    let around = svg(
      "<rect width='20' height='20' fill='rgb(0,40,0)'/><image width='10' height='5' href='\(url(empty))'/>"
        + "<rect x='30' width='10' height='20' fill='red'/>")
    #expect(try await render(image(around)).image == render(image(plain)).image)
  }

  @Test("Images are painted four levels deep, whichever is met first, and deeper ones are reported")
  func depth() async throws {
    let chain = nested(4), inner = nested(1)
    let first = try await render(image(inner) + image(chain)), last = try await render(image(chain) + image(inner))
    #expect(first.isDegraded && last.isDegraded)
    #expect(first.diagnostics.contains { $0.code == "limitExceeded" })
    let alone = try await render(image(inner)), shallow = try await render(image(nested(3)))
    #expect(!alone.isDegraded && !shallow.isDegraded)
    // The upper half of the one is the lower half of the other.
    func rows(_ body: String) async throws -> [UInt8] {
      var request = RenderRequest(html: "<!doctype html><body style='margin:0'>\(body)")
      request.width = .px(40)
      return try await Renderer.alone().pixels(request).pixels
    }
    let above = try await rows(image(inner) + image(chain)), below = try await rows(image(chain) + image(inner))
    #expect(above.count == below.count && above.count == 40 * 40 * 4)
    #expect(Array(above.prefix(40 * 20 * 4)) == Array(below.suffix(40 * 20 * 4)))
  }

  @Test("A resource missing in a nested image degrades the page")
  func damaged() async throws {
    let result = try await render(image(svg("<image width='10' height='10' href='data:image/png;base64,AAAA'/>")))
    #expect(result.isDegraded && result.diagnostics.contains { $0.code == "imageUnknownFormat" })
  }

  @Test("The request's limits apply to images, and are named")
  func limits() async throws {
    let many = svg(String(repeating: "<g/>", count: 200))
    #expect(try await !render(image(many)).isDegraded)
    let result = try await render(image(many)) { $0.limits.nodes = 100 }
    #expect(result.diagnostics.contains { $0.code == "limitExceeded" && $0.message.contains("nodes") }, "\(result.diagnostics)")
  }

  @Test("One image can be shown many times")
  func often() async throws {
    let large = svg(String(repeating: "<rect width='1' height='1'/>", count: 400))
    let result = try await render(String(repeating: image(large), count: 30)) { $0.limits.nodes = 2000 }
    #expect(!result.isDegraded, "\(result.diagnostics)")
  }

  @Test("Text in SVG images uses the fonts of the registry, not those of the page")
  func fonts() async throws {
    let face = "<style>@font-face{font-family:mine;src:local('Liberation Mono')}</style>"
    let text = image(svg("<text y='15' font-family='mine' font-size='15'>ii</text>"))
    #expect(try await render(face + text).image == render(text).image)
  }
}

@Suite("Sources of web fonts")
struct FontSourceTests {
  private func render(_ sources: String) async throws -> RenderResult {
    let folder = try TemporaryFolder()
    try Data("no font".utf8).write(to: URL(fileURLWithPath: folder("bad.ttf")))
    var request = RenderRequest(html: "<style>@font-face{font-family:mine;src:\(sources)}p{font:20px mine}</style><p>text")
    request.basePath = folder("page.html")
    request.allowedFolders = [folder.path]
    return try await Renderer.alone().render(request)
  }

  @Test(
    "The first usable source is used, and the image is not degraded",
    arguments: [
      "url(none.ttf),local('Liberation Mono')", "url(bad.ttf),local('Liberation Mono')",
      "url(none.ttf),url(bad.ttf),local('Liberation Mono')", "local('Liberation Mono'),url(bad.ttf)",
    ])
  func next(sources: String) async throws {
    let result = try await render(sources)
    #expect(!result.isDegraded && result.faces.map(\.family) == ["Liberation Mono"], "\(result.diagnostics)")
  }

  @Test("If no source is usable the image is degraded", arguments: ["url(none.ttf)", "url(bad.ttf)", "url(bad.ttf),url(none.ttf)"])
  func none(sources: String) async throws {
    let result = try await render(sources)
    #expect(result.isDegraded)
    #expect(result.diagnostics.contains { $0.code == "fontUnreadable" } == sources.contains("bad"))
    #expect(result.diagnostics.contains { $0.code == "resourceMissing" } == sources.contains("none"))
  }
}
