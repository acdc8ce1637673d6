import OffprintTestSupport
import Testing

@testable import Offprint

@Suite("Text that ends in an ellipsis")
struct ClippedTextTests {
  private static let clip = "overflow:hidden;text-overflow:ellipsis;white-space:nowrap"
  private static let long = "one two three four five six seven eight nine ten eleven"

  private func messages(_ html: String, strict: Bool = false) async throws -> [String] {
    var request = RenderRequest(html: html)
    request.isStrict = strict
    return try await Renderer.alone().render(request).diagnostics.filter { $0.code == .textClipped }.map(\.message)
  }

  /// Flex items, grid items and cells are laid out more than once.
  @Test(
    "Clipped text is counted once for each line of the page",
    arguments: [
      "<div style='width:100px;\(clip)'>\(long)</div>",
      "<div style='display:flex;width:100px'><div style='\(clip)'>\(long)</div></div>",
      "<div style='display:flex;flex-direction:column;align-items:center;width:100px'><div style='max-width:100%;\(clip)'>\(long)</div></div>",
      "<div style='display:grid;width:100px'><div style='\(clip)'>\(long)</div></div>",
      "<div style='display:flex'><table><td><div style='width:50px;\(clip)'>\(long)</div></table></div>",
    ])
  func counted(_ html: String) async throws {
    #expect(try await messages(html) == ["A line of text does not fit and ends in an ellipsis, in div."])
  }

  @Test("Clipped text is reported with its elements in document order")
  func named() async throws {
    let html = "<style>p, b { display: block; width: 50px; \(Self.clip) }</style><p>\(Self.long)</p><b>\(Self.long)</b><p>\(Self.long)"
    #expect(try await messages(html) == ["3 lines of text do not fit and end in an ellipsis, in p, b."])
  }

  @Test("Clipped text is an error in strict mode")
  func strict() async throws {
    let html = "<div style='width:50px;\(Self.clip)'>\(Self.long)</div>"
    let error = await #expect(throws: OffprintError.self) { _ = try await messages(html, strict: true) }
    #expect(error?.code == .textClipped && error?.code.exitCode == 65)
    #expect(try await messages("<div style='width:900px;\(Self.clip)'>\(Self.long)</div>", strict: true).isEmpty)
  }
}
