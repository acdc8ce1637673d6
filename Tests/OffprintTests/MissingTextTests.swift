import OffprintCoreTypes
import Foundation
import OffprintImages
import OffprintTestSupport
import Testing

@testable import Offprint
@testable import OffprintTypography

@Suite("Missing glyphs")
struct MissingTextTests {
  private func request(_ html: String, strict: Bool = false) -> RenderRequest {
    var request = RenderRequest(html: html)
    request.width = .px(300)
    request.isStrict = strict
    return request
  }

  private func messages(_ result: RenderResult, _ code: String) -> [Diagnostic] { result.diagnostics.filter { $0.code.rawValue == code } }

  @Test("Missing glyphs are reported with character, script and package to install, and the image is not cached")
  func reported() async throws {
    let folder = try TemporaryFolder()
    let renderer = try Renderer.alone { $0.cacheFolder = folder("cache") }
    for _ in 0..<2 {
      let result = try await renderer.render(request("<p>Hi 中文 ไทย"))
      #expect(result.isDegraded && !result.wasCached)
      let reported = messages(result, "missingGlyph")
      #expect(reported.count == 2 && reported.allSatisfy { $0.severity == .degraded })
      let han = try #require(reported.first?.message), thai = try #require(reported.last?.message)
      for word in [
        "2 characters", "中 (U+4E2D)", "文 (U+6587)", "script Han", "apt-get install fonts-noto-cjk", "offprint fonts add cjk",
        "'fontFolders'",
      ] {
        #expect(han.contains(word), "\(word): \(han)")
      }
      #expect(thai.contains("Thai") && thai.contains("'apt-get install fonts-noto-core'") && thai.contains("'offprint fonts add thai'"))
    }
  }

  @Test("Missing glyphs are an error in strict mode")
  func strict() async throws {
    let error = await #expect(throws: OffprintError.self) { _ = try await Renderer.alone().render(request("<p>中", strict: true)) }
    #expect(error?.code == .missingGlyph && error?.code.exitCode == 65 && error?.code.httpStatus == 422)
    #expect(error?.message.contains("中 (U+4E2D)") == true)
    #expect(try await Renderer.alone().render(request("<p>Привет, ελ, — ✓ ☎ → ½", strict: true)).diagnostics.isEmpty)
  }

  /// Chromium selects a face by the base alone, and shows a mark that this face lacks as missing.
  @Test("A mark that its base's face lacks is a missing glyph")
  func lackedMark() async throws {
    let result = try await Renderer.alone().render(request("<p>Приве\u{301}т"))
    #expect(messages(result, "missingGlyph").count == 1 && messages(result, "missingGlyph").first?.message.contains("U+0301") == true)
  }

  @Test(
    "Invisible missing glyphs are not reported",
    arguments: [
      "<p style='visibility:hidden'>中", "<p style='display:none'>中", "<p style='font-size:0'>中", "<title>中</title>",
      "<p style='position:absolute;left:-9999px'>中", "<p>a&#x200d;&#xfe0f;&#x2060;&#x202e;&#xad;&#x7f;b&#x3000;&#x2009;c",
      "<input placeholder=中 value=a>",
      "<p style='color:transparent'>中",
    ])
  func notDrawn(html: String) async throws {
    #expect(messages(try await Renderer.alone().render(request(html)), "missingGlyph").isEmpty)
  }

  @Test(
    "Missing glyphs are reported wherever they are painted",
    arguments: [
      "<ul><li style='list-style-type:\"中\"'>a</ul>", "<p style='--a:1'><q style='quotes:\"中\" \"a\"'>b</q>", "<input value=中>",
      "<svg><text y=20>中</text></svg>", "<svg><text y=20 stroke=red fill='none'>中</text></svg>",
      "<img src='data:image/svg+xml,<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"50\" height=\"50\"><text y=\"20\">中</text></svg>'>",
      "<p style='writing-mode:vertical-rl'>中", "<p style='direction:rtl'>中", "<p style='font-variant:small-caps'>中",
      "<p style='background:red;background-clip:text;color:transparent'>中", "<p style='rotate:20deg'>中", "<p>é中",
    ])
  func everywhere(html: String) async throws {
    let reported = messages(try await Renderer.alone().render(request(html)), "missingGlyph")
    #expect(reported.count == 1 && reported.first?.message.contains("U+4E2D") == true, "\(reported)")
  }

  @Test("The report of many missing glyphs is short")
  func bounded() async throws {
    let text = String(String.UnicodeScalarView((0x4e00..<0x7e00).compactMap(Unicode.Scalar.init)))
    let result = try await Renderer.alone().render(request("<p style='font-size:4px'>\(text)</p><p>😶‍🌫️𓀀\u{E000}\u{378}"))
    let reported = messages(result, "missingGlyph")
    #expect(reported.count <= 6 && reported.allSatisfy { $0.message.utf8.count < 500 })
    #expect(reported.first?.message.contains(" more") == true)
  }

  @Test("No package is suggested for private-use and unassigned characters")
  func advice() {
    func sentence(_ codepoint: UInt32) -> String { MissingGlyphReport.diagnostics([codepoint]).first?.message ?? "" }
    #expect(sentence(0xe001).contains("U+E001 (private use)") && sentence(0xe001).contains("@font-face"))
    #expect(sentence(0x378).contains("not assigned") && !sentence(0x378).contains("apt-get"))
    #expect(sentence(0x1f600).contains("(emoji)") && sentence(0x1f600).contains("fonts-noto-color-emoji"))
    #expect(sentence(0x13000).contains("offprint fonts add world"))
    #expect(sentence(0x0301).contains(": U+0301"))
  }

  @Test("A missing glyph's box shows its code point, without changing its width")
  func boxes() async throws {
    func image(_ text: String) async throws -> RenderResult {
      var request = request("<body style='margin:0'><span style='font:24px Liberation Sans'>\(text)</span>")
      request.width = .auto
      request.scale = 2
      return try await Renderer.alone().render(request)
    }
    let first = try await image("中"), second = try await image("文")
    #expect(first.width == second.width && first.image != second.image)
  }

  @Test("Each script that the bundled fonts lack has a font pack, and names of packs are unique")
  func packs() {
    #expect(Set(FontPack.all.map(\.name)).count == FontPack.all.count)
    let pairs: [(UInt32, String)] = [
      (0x4e00, "cjk"), (0x3042, "cjk"), (0xac00, "cjk"), (0xff01, "cjk"), (0x1f600, "emoji"), (0x1f1e6, "emoji"), (0x0e01, "thai"),
      (0x0905, "indic"), (0x0b85, "indic"), (0x1780, "southeast-asian"), (0x0627, "arabic"), (0x05d0, "hebrew"), (0x2800, "symbols"),
      (0x1200, "world"),
    ]
    for (codepoint, name) in pairs { #expect(FontPack.covering(codepoint)?.name == name, "U+\(String(codepoint, radix: 16))") }
  }
}

@Suite("Missing font families")
struct FamilyFallbackTests {
  private func notes(_ html: String) async throws -> [String] {
    var request = RenderRequest(html: html)
    request.width = .px(300)
    let result = try await Renderer.alone().render(request)
    #expect(!result.isDegraded)
    return result.diagnostics.filter { $0.code.rawValue == "familyFallback" && $0.severity == .note }.map(\.message)
  }

  @Test("A missing family is reported once, with the font used instead, and the image is cached")
  func reported() async throws {
    let notes = try await notes(
      """
      <style>body { font-family: "Brand Sans", sans-serif } p { font-family: 'brand sans', monospace } b { font: 20px Lato }</style>
      <p>a</p><p>b</p>c<b>d</b><svg><text y=20 font-family=Curly>e</text></svg>
      """)
    #expect(notes.count == 3)
    #expect(notes.contains { $0.contains("'Lato'") && $0.contains("'Liberation Serif'") && $0.contains("offprint fonts add lato") })
    #expect(notes.contains { $0.lowercased().contains("'brand sans'") && $0.contains("is used instead") && $0.contains("'fontFolders'") })
    #expect(notes.contains { $0.contains("'Curly'") })
  }

  @Test(
    "Generic families, metric-compatible substitutes, interface names and invisible text are not reported",
    arguments: [
      "sans-serif", "system-ui, serif", "Arial", "'Times New Roman', Nowhere", "LiberationSans-Bold",
      "-apple-system, BlinkMacSystemFont, Arial",
      "ui-monospace", "cursive", "DejaVu Sans, Nowhere",
    ])
  func silent(families: String) async throws {
    #expect(try await notes("<p style=\"font-family: \(families)\">a</p><i style='display:none;font-family:Nowhere'>b</i>").isEmpty)
  }
}

@Suite("Font matching reports")
struct TextMatchTests {
  private func match(_ list: String, _ text: String, weight: Float = 400) throws -> [TextMatch] {
    try FontLibrary(RendererConfiguration()).match(list, text: text, weight: weight)
  }

  @Test("The face of each part of a text is reported with the reason")
  func parts() throws {
    let parts = try match("Nowhere, 'Liberation Sans', monospace", "ab ✓ 中")
    #expect(parts.map(\.reason) == [.family, .fallback, .family, .missing])
    #expect(parts.map(\.text).joined() == "ab ✓ 中")
    #expect(parts.first?.asked == "Liberation Sans" && parts.first?.postScriptName == "LiberationSans")
    #expect(try match("Nowhere", "a").map(\.reason) == [.standard])
    #expect(try match("arial", "a", weight: 700).map(\.postScriptName) == ["LiberationSans-Bold"])
    #expect(try match("\"serif\"", "a").first?.asked == "serif")
    #expect(try match("'", "").isEmpty)
  }

  @Test("The faces that support a whole text are listed")
  func covers() throws {
    let library = try FontLibrary(RendererConfiguration())
    #expect(Set(library.faces(covering: "a ☎").map(\.family)) == ["DejaVu Sans"])
    #expect(library.faces(covering: "ab \u{200d}").count == library.faces.count)
    #expect(library.faces(covering: "中").isEmpty)
  }
}
