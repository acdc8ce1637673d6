import Foundation
import OffprintTestSupport
import Testing

@testable import Offprint

@Suite("Diagnostics that fail the render")
struct FatalDiagnosticTests {
  private func failure(_ html: String, _ codes: Set<RenderRequest.FatalDiagnostic>) async throws -> OffprintError? {
    var request = RenderRequest(html: html)
    request.width = .px(50)
    request.fatalDiagnostics = codes
    (request.basePath, request.allowedFolders) = ("/usr/", ["/usr"])
    do {
      _ = try await Renderer.alone().render(request)
      return nil
    } catch let error as OffprintError {
      return error
    }
  }

  private static let clipped =
    "<div style='width:50px;overflow:hidden;text-overflow:ellipsis;white-space:nowrap'>one two three four five six"

  @Test("Each diagnostic fails the render with its own code, if it is named", arguments: RenderRequest.FatalDiagnostic.allCases)
  func codes(_ code: RenderRequest.FatalDiagnostic) async throws {
    let pages: [RenderRequest.FatalDiagnostic: String] = [
      .scriptIgnored: "<div id=root></div><script src=app.js></script>", .missingGlyph: "\u{10FFFD}", .textClipped: Self.clipped,
      .fontUnreadable: "<style>@font-face{font-family:a;src:url(data:font/ttf;base64,AAAA)}p{font-family:a}</style><p>x",
      .resourceMissing: "<img src='no/such/image.png'>", .resourceRefused: "<img src='file:///etc/passwd'>",
    ]
    let page = try #require(pages[code])
    #expect(try await failure(page, []) == nil)
    let error = try await failure(page, [code])
    #expect(error?.code.rawValue == code.rawValue)
    #expect(try await failure(page, Set(RenderRequest.FatalDiagnostic.allCases).subtracting([code])) == nil)
  }

  @Test("A page that needs scripts is refused with status 422 and exit code 65, as HTML and as XHTML")
  func scripts() async throws {
    for page in [
      "<script src=app.js></script>",
      "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'><body><script src='app.js'/></body></html>",
    ] {
      let error = try await failure(page, [.scriptIgnored])
      #expect(error?.code == .scriptIgnored && error?.code.httpStatus == 422 && error?.code.exitCode == 65, "\(page)")
    }
    #expect(try await failure("<p>text<script>x</script>", [.scriptIgnored]) == nil)
  }

  @Test("An image that was stored without the option does not hide the diagnostic")
  func cached() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-fatal-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let renderer = try Renderer.alone { $0.cacheFolder = folder.path }
    var request = RenderRequest(html: "<script src=app.js></script>")
    _ = try await renderer.render(request)
    #expect(try await renderer.render(request).wasCached)
    request.fatalDiagnostics = [.scriptIgnored]
    await #expect(throws: OffprintError.self) { try await renderer.render(request) }
  }
}
