import OffprintCoreTypes
import Testing

@testable import Offprint

/// How a field is covered: it affects the key, as a change shows, or it cannot affect the image, for a reason.
private enum Field: Sendable {
  case counts(@Sendable (inout RenderRequest) -> Void)
  case exempt(String, @Sendable (inout RenderRequest) -> Void)
}

@Suite("The cache key")
struct KeyTests {
  private static let page = "<p>text"

  private static let request: [String: Field] = [
    "html": .counts { $0.html += [0x20] },
    "sourceName": .exempt("a name for messages; that it makes a page XML counts") { $0.sourceName = "other.html" },
    "basePath": .counts { $0.basePath = "/other/" },
    "allowedFolders": .counts { $0.allowedFolders = ["/other"] },
    "allowedHosts": .counts { $0.allowedHosts = ["example.org"] },
    "identifier": .exempt("a name for the result") { $0.identifier = "other" },
    "tags": .exempt("groups that the result is kept in") { $0.tags = ["other"] },
    "template": .counts { $0.template = .mustache(source: "<b>{{{body}}}</b>", name: "t") },
    "attributes": .exempt("counts through the page after templates") { $0.attributes = ["a": "b"] },
    "data": .exempt("counts through the page after templates") { $0.data = Array("{}".utf8) },
    "partials": .exempt("counts through the page after templates") { $0.partials = ["p": "x"] },
    "width": .counts { $0.width = .px(801) },
    "height": .counts { $0.height = .px(99) },
    "viewportHeight": .counts { $0.viewportHeight = 700 },
    "maxWidth": .counts { $0.maxWidth = 500 },
    "scale": .counts { $0.scale = 1.5 },
    "background": .counts { $0.background = .transparent },
    "selector": .counts { $0.selector = "p" },
    "clip": .counts { $0.clip = RenderRequest.Clip(x: 1, y: 2, width: 3, height: 4) },
    "styleSheets": .counts { $0.styleSheets = [.init(name: "a", css: Array("p{}".utf8))] },
    "colorScheme": .counts { $0.colorScheme = .dark },
    "chosenMedia": .counts { $0.media = .print },
    "mediaFeatures": .counts { $0.mediaFeatures = [MediaFeature(name: "hover", value: "none")].compactMap(\.self) },
    "glyphPositions": .counts { $0.glyphPositions = .whole },
    "time": .counts { $0.time = .end },
    "pageSetup": .counts { $0.pageSetup.size = .init(width: 300, height: 400) },
    "encoding": .counts { $0.encoding.format = .webp },
    "isStrict": .exempt("a picture that lacks something is never stored") { $0.isStrict = true },
    "fatalDiagnostics": .counts { $0.fatalDiagnostics = [.scriptIgnored] },
    "cachePolicy": .exempt("says how the cache is used") { $0.cachePolicy = .refresh },
    "limits": .counts { $0.limits.depth = 17 },
    "saveHTMLFolder": .exempt("writes a copy of the page") { _ in },
  ]

  private static let limits: [String: Field] = [
    "depth": .counts { $0.limits.depth = 17 },
    "nodes": .counts { $0.limits.nodes = 17 },
    "styleRules": .counts { $0.limits.styleRules = 17 },
    "resources": .counts { $0.limits.resources = 17 },
    "inputBytes": .exempt("a request that exceeds it has no image") { $0.limits.inputBytes = 1 << 20 },
    "imageSide": .exempt("a request that exceeds it has no image") { $0.limits.imageSide = 1000 },
    "imagePixels": .exempt("a request that exceeds it has no image") { $0.limits.imagePixels = 1_000_000 },
    "decodedBytes": .counts { $0.limits.decodedBytes = 1 << 20 },
    "layerBytes": .exempt("a request that exceeds it has no image") { $0.limits.layerBytes = 1 << 20 },
    "layoutDepth": .exempt("a request that exceeds it has no image") { $0.limits.layoutDepth = 1000 },
    "boxes": .exempt("a request that exceeds it has no image") { $0.limits.boxes = 1000 },
    "fragments": .exempt("a request that exceeds it has no image") { $0.limits.fragments = 1000 },
    "frames": .exempt("a request that exceeds it has no image") { $0.limits.frames = 10 },
    "animationPixels": .exempt("a request that exceeds it has no image") { $0.limits.animationPixels = 10 },
    "pathSteps": .exempt("a request that exceeds it has no image") { $0.limits.pathSteps = 10 },
    "templateSteps": .exempt("a request that exceeds it has no image") { $0.limits.templateSteps = 10 },
    "seconds": .exempt("a request that exceeds it has no image") { $0.limits.seconds = 5 },
    "loadedBytes": .exempt("a picture that lacks a resource is never stored") { $0.limits.loadedBytes = 10 },
    "resourceBytes": .exempt("a picture that lacks a resource is never stored") { $0.limits.resourceBytes = 10 },
    "decodedPixels": .exempt("a picture that lacks a resource is never stored") { $0.limits.decodedPixels = 10 },
  ]

  private func key(_ request: RenderRequest) throws -> String {
    "\(try PreparedRequest(request, fonts: Self.fonts, deadline: .never).key)"
  }

  private static let fonts = FontRegistryForTests.registry

  private func check(_ fields: [String: Field], of value: Any) throws {
    let labels = Mirror(reflecting: value).children.compactMap(\.label)
    #expect(Set(labels) == Set(fields.keys), "List each new field, with whether it affects the key.")
    let plain = RenderRequest(html: Self.page)
    for label in labels {
      var changed = plain
      switch fields[label] {
      case .counts(let change)?:
        change(&changed)
        #expect(try key(changed) != key(plain), "\(label) changes the picture, but not the key")
      case .exempt(let reason, let change)?:
        change(&changed)
        #expect(try key(changed) == key(plain), "\(label) does not count: \(reason)")
      case nil: Issue.record("\(label) is not in the list")
      }
    }
  }

  @Test("Every field of a request affects the key or is listed as exempt")
  func requestFields() throws { try check(Self.request, of: RenderRequest(html: Self.page)) }

  @Test("Every limit affects the key or is listed as exempt")
  func limitFields() throws { try check(Self.limits, of: Limits()) }

  @Test("Every field of a rectangle affects the key")
  func clipFields() throws {
    var request = RenderRequest(html: Self.page)
    let clip = RenderRequest.Clip(x: 1, y: 2, width: 3, height: 4)
    request.clip = clip
    let plain = try key(request)
    let changes: [String: (inout RenderRequest.Clip) -> Void] = [
      "x": { $0.x = 9 }, "y": { $0.y = 9 }, "width": { $0.width = 9 }, "height": { $0.height = 9 },
    ]
    #expect(Set(Mirror(reflecting: clip).children.compactMap(\.label)) == Set(changes.keys))
    for (name, change) in changes {
      var changed = clip
      change(&changed)
      request.clip = changed
      #expect(try key(request) != plain, "\(name)")
    }
  }

  @Test("The text of a style sheet and each component of a color affect the key")
  func sheetsAndColors() throws {
    var request = RenderRequest(html: Self.page)
    request.styleSheets = [.init(name: "a", css: [0x61])]
    let plain = try key(request)
    request.styleSheets[0].name = "b"
    #expect(try key(request) == plain)
    request.styleSheets[0].css = [0x62]
    #expect(try key(request) != plain)
    let colors = [
      Color(r: 10, g: 20, b: 30, a: 40), Color(r: 11, g: 20, b: 30, a: 40), Color(r: 10, g: 21, b: 30, a: 40),
      Color(r: 10, g: 20, b: 31, a: 40), Color(r: 10, g: 20, b: 30, a: 41),
    ]
    let keys = try colors.map { color in
      var request = RenderRequest(html: Self.page)
      request.background = color
      return try key(request)
    }
    #expect(Set(keys).count == colors.count)
  }

  @Test("A name that makes the page XML affects the key")
  func xmlByName() throws {
    var request = RenderRequest(html: Self.page)
    request.sourceName = "a.html"
    let html = try key(request)
    request.sourceName = "a.xhtml"
    #expect(try key(request) != html)
  }
}
