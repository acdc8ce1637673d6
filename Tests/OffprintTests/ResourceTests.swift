import OffprintCoreTypes
import Foundation
import Synchronization
import OffprintTestSupport
import Testing

@testable import Offprint

private final class Asked: Sendable {
  private let state = Mutex<[String]>([])
  func add(_ url: String) { state.withLock { $0.append(url) } }
  var urls: [String] { state.withLock { $0 } }
}

@Suite("Resource providers")
struct ResourceTests {
  private static let svg = Array("<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><rect width='10' height='10'/></svg>".utf8)

  private func request(_ html: String, width: PageLength = .px(300)) -> RenderRequest {
    var request = RenderRequest(html: html)
    request.width = width
    return request
  }

  @Test("A closure provides resources, and pages look the same as with files")
  func closure() async throws {
    let html = "<body style='margin:0'><img src='app:a.svg' style='display:block'>"
    let renderer = try Renderer.alone { $0.resourceProvider = { _ in ResourceContent(bytes: Self.svg, mimeType: "image/svg+xml") } }
    let result = try await renderer.render(request(html))
    #expect(result.diagnostics.isEmpty)
    let folder = try TemporaryFolder()
    try Data(Self.svg).write(to: URL(fileURLWithPath: folder("a.svg")))
    var file = request(html.replacingOccurrences(of: "app:", with: ""))
    file.basePath = folder("page.html")
    file.allowedFolders = [folder.path]
    #expect(try await renderer.render(file).image == result.image)
    #expect(try await Renderer.alone().render(file).image == result.image)
  }

  @Test("The closure is not called for anything that the rules refuse")
  func rules() async throws {
    let asked = Asked()
    let renderer = try Renderer.alone {
      $0.resourceProvider = { query in
        asked.add(query.url)
        return ResourceContent(bytes: Self.svg)
      }
    }
    var page = request(
      "<img src='http://other.org/a'><img src='/etc/passwd'><img src='../up'><img src='https://Example.org/b'><img src='in.svg#x'>")
    page.basePath = "/pages/folder/page.html"
    page.allowedFolders = ["/pages/folder"]
    page.allowedHosts = ["example.ORG"]
    let result = try await renderer.render(page)
    #expect(Set(asked.urls) == ["https://Example.org/b"])  // the folder does not exist, so nothing is in it
    #expect(result.diagnostics.filter { $0.code.rawValue == "resourceRefused" }.count == 4)
  }

  @Test("Number and size are limited as for files")
  func limits() async throws {
    let asked = Asked()
    let renderer = try Renderer.alone {
      $0.resourceProvider = { query in
        asked.add(query.url)
        return ResourceContent(bytes: query.url == "app:0" ? [UInt8](repeating: 0, count: query.maximumBytes + 1) : Self.svg)
      }
    }
    var page = request((0..<9).map { "<img src='app:\($0)'>" }.joined())
    page.limits.resources = 5
    page.limits.resourceBytes = 1000
    let result = try await renderer.render(page)
    #expect(asked.urls == (0..<5).map { "app:\($0)" })
    #expect(result.diagnostics.filter { $0.code.rawValue == "limitExceeded" }.count == 5)
  }

  @Test("If the closure fails or has nothing, the image is degraded and reports it")
  func failure() async throws {
    let renderer = try Renderer.alone {
      $0.resourceProvider = { query in
        if query.url == "app:a" { throw OffprintError(.resourceMissing, "The shelf is empty") }
        return nil
      }
    }
    let result = try await renderer.render(request("<img src='app:a'><img src='app:b'>"))
    #expect(result.isDegraded)
    #expect(result.diagnostics.contains { $0.message.contains("The shelf is empty") })
    #expect(result.diagnostics.contains { $0.message.contains("app:b") })
  }

  @Test("However many passes a page needs, each resource is requested once")
  func once() async throws {
    let asked = Asked()
    let renderer = try Renderer.alone {
      $0.resourceProvider = { query in
        asked.add(query.url)
        return query.url.hasSuffix("css")
          ? ResourceContent(bytes: Array("i{background:url(app:b.svg)}".utf8)) : ResourceContent(bytes: Self.svg)
      }
    }
    let html = """
      <link rel=stylesheet href=app:s.css><style>@font-face { font-family: f; src: url(app:f.ttf) } .c { container-type: inline-size; \
      width: 260px; font-family: f } .d { container-type: inline-size } @container (min-width: 200px) { .d { width: 50cqw } } </style>\
      <div class=c><div class=d><img src='app:a.svg'><i>x</i><img src='app:a.svg#part'></div></div>
      """
    for width in [PageLength.px(300), .auto] {
      _ = try await renderer.render(request(html, width: width))
    }
    let each = ["app:s.css", "app:f.ttf", "app:a.svg", "app:b.svg"]
    #expect(asked.urls.sorted() == (each + each).sorted())
  }

  @Test("A resource missing only in an earlier pass does not degrade the image")
  func lastPassCounts() async throws {
    let html = """
      <style>.c { container-type: inline-size; width: 300px } i { background: url(app:none) } \
      @container (min-width: 200px) { i { background: none } }</style><div class=c><i>x</i></div>
      """
    let result = try await Renderer.alone().render(request(html))
    #expect(result.diagnostics.isEmpty)
    let narrow = try await Renderer.alone().render(request(html.replacingOccurrences(of: "300px", with: "100px")))
    #expect(narrow.isDegraded)
  }

  @Test("Invalid fonts of a page are reported")
  func damagedFont() async throws {
    let result = try await Renderer.alone().render(
      request("<style>@font-face { font-family: f; src: url(data:font/ttf;base64,AAAA) } p { font-family: f }</style><p>x"))
    #expect(result.diagnostics.map(\.code.rawValue).contains("fontUnreadable"))
  }

  @Test("The bundled fonts are beside every program built with the package")
  func bundledFonts() throws {
    let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let fonts = program.appendingPathComponent("offprint_OffprintFonts.resources/Fonts").path
    #expect(FileManager.default.fileExists(atPath: fonts + "/LiberationSans-Regular.ttf"))
    if getenv("OFFPRINT_FONTS") == nil { #expect(BundledFonts.find() == fonts) }
  }
}
