import Foundation
import OffprintImages
import Offprint

/// Renders fixtures with the whole pipeline and compares the dumps of its stages.
public final class FixtureRunner: Sendable {
  private let renderer: Renderer
  private let folder: String

  /// - Parameter folder: The folder of the fixtures, with the fonts and images that they may use.
  public init(folder: String) throws {
    var configuration = RendererConfiguration()
    configuration.fontFolders = [folder]
    configuration.bundledFontFolder = Self.package + "/Fonts"
    configuration.workers = 2
    renderer = try Renderer(configuration)
    self.folder = folder
  }

  private static let package = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")

  /// Whether expectations are recorded instead of compared: `OFFPRINT_RECORD_FIXTURES` is `1`, or the beginning of their names.
  public static var recorded: String? { ProcessInfo.processInfo.environment["OFFPRINT_RECORD_FIXTURES"] }

  /// The parts of the dump that the fixture compares, and other problems.
  public func dump(_ fixture: Fixture, html: String? = nil) throws -> (text: String, diagnostics: [String]) {
    var request = RenderRequest(html: html ?? fixture.html)
    request.width = .px(fixture.width)
    request.height = fixture.height.map { .px($0) } ?? .auto
    request.time = AnimationTime(fixture.time) ?? .start
    request.basePath = folder + "/"
    request.allowedFolders = [folder]
    request.cachePolicy = .none
    guard case .text(let text) = try renderer.inspect(request, .dump) else { return ("", []) }
    var sections = Self.sections(of: text)
    if fixture.sections.contains("pixels") { sections["pixels"] = try pixels(request) }
    let parts = fixture.sections.map { "== \($0)\n\(sections[$0] ?? "no such part\n")" }
    let codes = (sections["diagnostics"] ?? "").split(separator: "\n").map(String.init)
    return (parts.joined(), codes)
  }

  /// Rows of colors with a hexadecimal digit for each of red, green and blue, so that small rounding differences do not matter; white is `...`.
  private func pixels(_ request: RenderRequest) throws -> String {
    let result = try renderer.renderAndWait(request)
    guard case .bitmap(let bitmap) = try ImageDecoder.decode(result.image).content else { return "" }
    let words = bitmap.pixels.map { pixel -> String in
      let parts = [pixel >> 16, pixel >> 8, pixel].map { (Double($0 & 0xFF) / 17).rounded() }
      return parts == [15, 15, 15] ? "..." : parts.map { String(Int($0), radix: 16) }.joined()
    }
    let rows = stride(from: 0, to: words.count, by: bitmap.width).map { words[$0..<$0 + bitmap.width].joined(separator: " ") }
    return rows.map { $0 + "\n" }.joined()
  }

  private static func sections(of text: String) -> [String: String] {
    var result: [String: String] = [:]
    var name = ""
    for line in text.split(separator: "\n") {
      if line.hasPrefix("== ") { name = String(line.dropFirst(3)) } else { result[name, default: ""] += line + "\n" }
    }
    return result
  }

  /// The problems of a fixture as sentences. Records the fixture instead if requested.
  public func problems(of fixture: Fixture) throws -> [String] {
    let (text, diagnostics) = try dump(fixture)
    var problems = unannounced(diagnostics, fixture)
    if let recorded = Self.recorded, recorded == "1" || fixture.name.hasPrefix(recorded) {
      try fixture.record(text)
    } else if let expected = fixture.expected {
      if text != expected { problems.append(Self.difference(expected, text)) }
    } else {
      problems.append("\(fixture.name) was never recorded: OFFPRINT_RECORD_FIXTURES=\(fixture.name) swift test --filter FixtureTests")
    }
    return problems
  }

  private func unannounced(_ diagnostics: [String], _ fixture: Fixture) -> [String] {
    var announced = fixture.diagnostics
    var problems: [String] = []
    for diagnostic in diagnostics {
      if let index = announced.firstIndex(where: { diagnostic.contains(" \($0): ") || diagnostic.hasPrefix("\($0): ") }) {
        announced.remove(at: index)
      } else {
        problems.append("A diagnostic that was not announced: \(diagnostic)")
      }
    }
    return problems + announced.map { "An announced diagnostic did not come: \($0)" }
  }

  /// The lines that differ, in order of appearance.
  private static func difference(_ expected: String, _ actual: String) -> String {
    let changes = actual.split(separator: "\n").difference(from: expected.split(separator: "\n"))
    let lines = changes.map { change in
      switch change {
      case .remove(let line, let text, _): (line * 2, "-\(line + 1): \(text)")
      case .insert(let line, let text, _): (line * 2 + 1, "+\(line + 1): \(text)")
      }
    }
    return lines.sorted { $0.0 < $1.0 }.prefix(30).map(\.1).joined(separator: "\n")
  }
}
