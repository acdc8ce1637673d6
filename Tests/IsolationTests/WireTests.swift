import OffprintCoreTypes
import Foundation
import Offprint
import Testing

@testable import OffprintIsolation

@Suite("Messages between owner and worker")
struct WireTests {
  /// Fields that are processed by the owner before.
  private static let kept: Set = ["template", "attributes", "data", "partials", "identifier", "tags", "cachePolicy", "saveHTMLFolder"]

  private static let changes: [String: @Sendable (inout RenderRequest) -> Void] = [
    "html": { $0.html = Array("other".utf8) }, "sourceName": { $0.sourceName = "n" }, "basePath": { $0.basePath = "/b/" },
    "allowedFolders": { $0.allowedFolders = ["/a", "/b"] }, "allowedHosts": { $0.allowedHosts = ["h"] }, "width": { $0.width = .auto },
    "height": { $0.height = .px(7.25) }, "viewportHeight": { $0.viewportHeight = 640.5 }, "maxWidth": { $0.maxWidth = 9.5 },
    "scale": { $0.scale = 1.1 },
    "background": { $0.background = Color(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4) }, "selector": { $0.selector = "p" },
    "clip": { $0.clip = .init(x: 1, y: 2, width: 3, height: 4) },
    "styleSheets": { $0.styleSheets = [.init(name: "a", css: [1, 2]), .init(name: "b", css: [])] },
    "colorScheme": { $0.colorScheme = .dark }, "chosenMedia": { $0.media = .print },
    "mediaFeatures": { $0.mediaFeatures = [MediaFeature(name: "color-gamut", value: "p3")].compactMap(\.self) },
    "glyphPositions": { $0.glyphPositions = .whole }, "time": { $0.time = .seconds(0.1) },
    "pageSetup": {
      $0.pageSetup = .init(size: .init(width: 300, height: 400), margins: .init(top: 1, right: 2, bottom: 3, left: 4))
    },
    "encoding": {
      ($0.encoding.format, $0.encoding.quality, $0.encoding.isLossless, $0.encoding.isProgressive) = (.webp, 7, true, true)
      $0.encoding.compression = .small
      $0.encoding.animate { ($0.duration, $0.framesPerSecond, $0.plays, $0.poster, $0.isDithered) = (1.5, 7, 3, .end, true) }
    },
    "isStrict": { $0.isStrict = true }, "fatalDiagnostics": { $0.fatalDiagnostics = [.textClipped, .scriptIgnored] },
    "limits": { $0.limits.depth = 3 },
  ]

  private func roundTrip(_ request: RenderRequest) throws -> RenderRequest {
    try PageMessage(PageMessage(request, seconds: 1, tellsStages: false).frame).request
  }

  @Test("Every field of a request is sent to the worker, or listed as handled by the owner")
  func fields() throws {
    var plain = RenderRequest(html: "x")
    plain.cachePolicy = .none
    let labels = Set(Mirror(reflecting: plain).children.compactMap(\.label))
    #expect(labels == Set(Self.changes.keys).union(Self.kept), "List each new field, with how it reaches the worker.")
    #expect(try roundTrip(plain) == plain)
    for (label, change) in Self.changes {
      var changed = plain
      change(&changed)
      #expect(changed != plain, "\(label)")
      #expect(try roundTrip(changed) == changed, "\(label)")
    }
  }

  @Test("Every limit is sent to the worker")
  func limits() throws {
    var request = RenderRequest(html: "x")
    request.cachePolicy = .none
    let counts: [WritableKeyPath<Limits, Int>] = [
      \.inputBytes, \.nodes, \.depth, \.styleRules, \.imageSide, \.imagePixels, \.resourceBytes, \.loadedBytes, \.resources,
      \.decodedPixels,
      \.decodedBytes, \.layerBytes, \.layoutDepth, \.boxes, \.fragments, \.pathSteps, \.templateSteps, \.frames,
      \.animationPixels,
    ]
    #expect(Mirror(reflecting: Limits()).children.count == counts.count + 1, "List each new limit, with how it reaches the worker.")
    for (number, count) in counts.enumerated() { request.limits[keyPath: count] = 1000 + number }
    request.limits.seconds = 3.5
    #expect(try roundTrip(request) == request)
  }

  @Test("Invalid bytes are an error: messages truncated anywhere or with any byte changed, and noise")
  func damage() throws {
    var result = RenderResult(
      image: [1, 2, 3], wasCached: false, width: 2, height: 3,
      diagnostics: [Diagnostic("a", .degraded, "b", at: SourcePosition(source: "s", line: 1, column: 2)), Diagnostic("c", .note, "d")],
      faces: [FaceUsed(family: "f", postScriptName: "g")], key: "")
    result.timings = [StageTiming(stage: .layout, milliseconds: 1.5)]
    #expect(try RenderResult(result.frame, limits: Limits()) == result)
    let error = OffprintError(.limitExceeded, "x")
    #expect(try OffprintError(error.frame) == error)
    let greeting = Handshake(
      library: "1", fontsDigest: "2", report: IsolationReport(layers: [.init(layer: .files, isInForce: true, detail: "3")]))
    #expect(try Handshake(greeting.frame).report == greeting.report)
    let readers: [(Frame, (Frame) throws -> Void)] = [
      (result.frame, { _ = try RenderResult($0, limits: Limits()) }), (error.frame, { _ = try OffprintError($0) }),
      (greeting.frame, { _ = try Handshake($0) }),
    ]
    var generator = SystemRandomNumberGenerator()
    for (frame, read) in readers {
      for count in 0..<frame.values.count {
        var cut = frame
        cut.values.removeLast(frame.values.count - count)
        #expect(throws: WireError.self) { try read(cut) }
        for byte: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
          var changed = frame
          changed.values[count] = byte
          do { try read(changed) } catch { #expect(error is WireError) }
        }
      }
      for _ in 0..<2000 {
        var noise = frame
        noise.values = (0..<Int.random(in: 0...80, using: &generator)).map { _ in UInt8.random(in: 0...255, using: &generator) }
        do { try read(noise) } catch { #expect(error is WireError) }
      }
    }
  }

  @Test("An image above the limits and an invalid duration are rejected")
  func bounds() throws {
    var result = RenderResult(image: [], wasCached: false, width: 70_000, height: 3, key: "")
    #expect(throws: WireError.self) { try RenderResult(result.frame, limits: Limits()) }
    result.width = 0
    #expect(throws: WireError.self) { try RenderResult(result.frame, limits: Limits()) }
    result.width = 1
    result.timings = [StageTiming(stage: .layout, milliseconds: .infinity)]
    #expect(throws: WireError.self) { try RenderResult(result.frame, limits: Limits()) }
  }
}
