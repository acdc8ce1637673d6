import Offprint
import Testing

@Suite("Pages that need scripts")
struct ScriptDiagnosticTests {
  private func codes(_ html: String) async throws -> [String] {
    var request = RenderRequest(html: html)
    request.width = .px(50)
    request.height = .px(20)
    return try await Renderer().render(request).diagnostics.map(\.code.rawValue).filter { $0 == "scriptIgnored" }
  }

  @Test(
    "Pages whose body has only scripts, or that load a library that builds pages, are reported",
    arguments: [
      "<script>x</script>", "<body><div id=root></div><noscript>no</noscript><script src=app.js></script>",
      "<p>text<script src=https://cdn.tailwindcss.com></script>",
      "<p>text<script src='https://unpkg.com/react@18/umd/react.js'></script>",
    ])
  func reported(_ html: String) async throws {
    #expect(try await codes(html) == ["scriptIgnored"])
  }

  @Test(
    "Pages with other content, or without scripts, are not reported",
    arguments: ["", "<p>text<script>x</script>", "<body><svg></svg><script>x</script>", "<img><script src=a.js></script>"])
  func silent(_ html: String) async throws {
    #expect(try await codes(html) == [])
  }
}
