import Foundation
import Offprint
import Testing

@testable import OffprintIsolation

@Suite("Isolated and direct renders give the same results")
struct IsolatedResultTests {
  private static let pages = root.appendingPathComponent("Tests/OffprintTests/Pages")

  private static func request(_ name: String) throws -> RenderRequest {
    var request = RenderRequest(html: Array(try Data(contentsOf: pages.appendingPathComponent(name))))
    request.sourceName = name
    request.basePath = pages.path + "/"
    request.allowedFolders = [root.appendingPathComponent("Tests").path]
    request.width = .px(400)
    request.limits.seconds = 120
    return request
  }

  private static func expectSame(_ a: RenderResult, _ b: RenderResult, _ name: String) {
    #expect(a.image == b.image, "\(name)")
    #expect(a.diagnostics == b.diagnostics, "\(name)")
    #expect(a.faces == b.faces, "\(name)")
    #expect(a.width == b.width && a.height == b.height, "\(name)")
    #expect(a.key == b.key && a.identifier == b.identifier && a.wasCached == b.wasCached, "\(name)")
    #expect(a.timings.map(\.stage) == b.timings.map(\.stage), "\(name)")
  }

  @Test("Pages with all features give the same bytes, diagnostics and faces in a sandboxed worker")
  func pages() async throws {
    let inside = try IsolatedRenderer.forTests(workers: 2)
    let outside = try Renderer(.forTests(workers: 2))
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.pages.path).filter { $0.hasSuffix(".html") }.sorted()
    #expect(names.count >= 80)
    for name in names {
      let request = try Self.request(name)
      async let isolated = inside.render(request)
      async let plain = outside.render(request)
      Self.expectSame(try await isolated, try await plain, name)
    }
    #expect(inside.statistics.started <= 2)
  }

  @Test("XML, SVG with text, style sheets, templates, crops and all options give the same bytes")
  func options() async throws {
    let inside = try IsolatedRenderer.forTests()
    let outside = try Renderer(.forTests())
    var requests: [RenderRequest] = []
    var xml = RenderRequest.page(
      "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><p id='a'>x<br/>y</p></body></html>")
    xml.sourceName = "page.xhtml"
    requests.append(xml)
    requests.append(
      RenderRequest.page(
        "<img src=\"data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='80' height='40'><text y='20'>Hi</text></svg>\">"
      ))
    var template = RenderRequest.page("<b>body</b>")
    template.template = .builtIn("snippet")
    template.attributes = ["font-size": "30"]
    template.identifier = "named"
    requests.append(template)
    var crop = RenderRequest.page("<p id=a>one<p id=b>two")
    crop.selector = "#b"
    crop.scale = 2.5
    crop.width = .auto
    crop.maxWidth = 120
    crop.background = .transparent
    crop.styleSheets = [.init(name: "s.css", css: Array("p{color:red;nonsense:1}".utf8))]
    crop.colorScheme = .dark
    requests.append(crop)
    var clip = RenderRequest.page("<p style='@x'>one")
    clip.clip = .init(x: 3, y: 4, width: 50, height: 20)
    clip.height = .px(90)
    clip.media = .print
    requests.append(clip)
    for request in requests { Self.expectSame(try await inside.render(request), try await outside.render(request), "\(request)") }
  }

  @Test("Resources are loaded by the same rules, and failures are reported in the same words")
  func resources() async throws {
    let folder = try Folder()
    let allowed = folder.path("allowed")
    try folder.write("allowed/style.css", "@import 'more.css'; p{color:blue}")
    try folder.write("allowed/more.css", "p{font-size:30px}")
    try folder.write("allowed/large.css", String(repeating: "/* */", count: 500))
    try folder.write("secret/secret.css", "p{color:red}")
    try FileManager.default.createSymbolicLink(atPath: "\(allowed)/link.css", withDestinationPath: folder.path("secret/secret.css"))
    let html =
      ["style.css", "absent.css", "../secret/secret.css", "link.css", "large.css", "http://example.org/a.css", "x:y", "data:nonsense"]
      .map { "<link rel=stylesheet href='\($0)'>" }.joined() + "<p>text<img src=given:picture><img src='style.css'>"
    var request = RenderRequest.page(html)
    request.basePath = allowed + "/"
    request.allowedFolders = [allowed]
    request.limits.resourceBytes = 2000
    let png = [UInt8](Data(base64Encoded: onePixel) ?? Data())
    let provider: ResourceProvider = { query in query.url == "given:picture" ? ResourceContent(bytes: png) : nil }
    let inside = try IsolatedRenderer.forTests { $1.resourceProvider = provider }
    var configuration = RendererConfiguration.forTests()
    configuration.resourceProvider = provider
    let outside = try Renderer(configuration)
    let plain = try await outside.render(request)
    #expect(plain.diagnostics.filter { $0.severity == .degraded }.count >= 6)
    Self.expectSame(try await inside.render(request), plain, "resources")
    request.limits.resources = 2
    Self.expectSame(try await inside.render(request), try await outside.render(request), "limit")
    request.isStrict = true
    await #expect(throws: try #require(await failure(outside, request))) { try await inside.render(request) }
  }

  @Test("Errors are the same")
  func errors() async throws {
    let inside = try IsolatedRenderer.forTests()
    let outside = try Renderer(.forTests())
    var requests = [RenderRequest.page("<p>x"), RenderRequest.page("<p>x"), RenderRequest.page("<p>x"), RenderRequest.page("{{a}}")]
    requests[0].selector = "#absent"
    requests[1].limits.imagePixels = 10
    requests[2].scale = 99
    requests[3].template = .mustache(source: "{{absent}}", name: "t")
    for request in requests {
      let expected = try #require(await failure(outside, request))
      #expect(await inside.failure(request) == expected)
    }
  }

  @Test("An image from a worker is a cache hit afterwards, until a file it used changes")
  func cache() async throws {
    let folder = try Folder()
    try folder.write("page/style.css", "p{color:blue}")
    let inside = try IsolatedRenderer.forTests { $1.cacheFolder = folder.path("cache") }
    var request = RenderRequest.page("<link rel=stylesheet href=style.css><p>text")
    request.basePath = folder.path("page") + "/"
    request.allowedFolders = [folder.path("page")]
    let first = try await inside.render(request)
    #expect(!first.wasCached)
    let hit = try await inside.render(request)
    #expect(hit.wasCached && hit.image == first.image)
    try folder.write("page/style.css", "p{color:green}")
    let changed = try await inside.render(request)
    #expect(!changed.wasCached && changed.image != first.image)
    let outside = try Renderer(
      {
        var it = RendererConfiguration.forTests(); it.cacheFolder = folder.path("cache"); return it
      }())
    let shared = try await outside.render(request)
    #expect(shared.wasCached && shared.image == changed.image)
  }

  @Test("Stages are reported as they begin")
  func progress() async throws {
    let inside = try IsolatedRenderer.forTests()
    let recorder = StageRecorder()
    _ = try await inside.render(RenderRequest.page("<p>x"), progress: { recorder.add($0) })
    #expect(recorder.stages.contains(.layout) && recorder.stages.contains(.encode))
  }

  private func failure(_ renderer: Renderer, _ request: RenderRequest) async -> OffprintError? {
    do throws(OffprintError) {
      _ = try await renderer.render(request)
      return nil
    } catch {
      return error
    }
  }
}

private let onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="

private final class StageRecorder: @unchecked Sendable {
  private let lock = NSLock()
  private var list: [RenderStage] = []
  var stages: [RenderStage] { lock.withLock { list } }
  func add(_ stage: RenderStage) { lock.withLock { list.append(stage) } }
}

/// A temporary folder that is removed after the test.
final class Folder {
  private let url: URL
  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-isolation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }
  deinit { try? FileManager.default.removeItem(at: url) }
  func path(_ name: String) -> String { url.appendingPathComponent(name).path }
  func write(_ name: String, _ text: String) throws {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }
}
