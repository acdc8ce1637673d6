import Foundation
import Testing

@testable import Offprint

@Suite("Template libraries")
final class TemplatesLibraryTests {
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-templates-\(UUID().uuidString)")

  init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ name: String, _ text: String) throws { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }

  private func page(_ name: String, _ attributes: [String: String] = [:]) throws -> String {
    var request = RenderRequest(html: "")
    request.attributes = attributes
    let template = try TemplateLibrary(folders: [folder.path]).template(name)
    do {
      return String(decoding: try template.expand(request, deadline: .never), as: UTF8.self)
    } catch {
      throw OffprintError(error, seconds: 1)
    }
  }

  @Test("A folder's templates are added to the built-in ones, and take precedence over those of the same name")
  func names() throws {
    try write("mine.mustache", "m")
    try write("card.mustache", "my card")
    try write("_part.mustache", "p")
    try write("other.html", "no")
    let library = try TemplateLibrary(folders: [folder.path])
    #expect(library.names == ["badge", "card", "certificate", "countdown", "label", "loader", "mine", "receipt", "snippet", "ticket"])
    #expect(try library.template("card").source == "my card")
    #expect(library.path(of: "mine") == folder.path + "/mine.mustache" && library.path(of: "badge") == nil)
    for name in ["_part", "other", "../mine", ""] {
      #expect(
        throws: OffprintError(
          .templateUnknown, "There is no template '\(name)'; the templates are \(library.names.joined(separator: ", ")).")
      ) {
        try library.template(name)
      }
    }
    #expect(throws: OffprintError.self) { try TemplateLibrary(folders: [folder.path + "/none"]) }
  }

  @Test("Partials are read from the same folder, without their front matter")
  func partials() throws {
    try write("a.mustache", "[{{> _head}}]{{> *which}}")
    try write("_head.mustache", "---\ndescription: x\n---\nhead {{> b}}")
    try write("b.mustache", "B{{x}}")
    #expect(try page("a", ["which": "b", "x": "1"]) == "[head B1]B1")
  }

  @Test(
    "A partial that is missing or outside of the folder is an error with its name and line",
    arguments: ["none", "../x", "/etc/hosts", "_x/y"])
  func missing(_ name: String) throws {
    try write("a.mustache", "\n\n{{> \(name)}}")
    let error = try #require(throws: OffprintError.self) { try page("a") }
    #expect(error.code == .templateInvalid && error.message.contains("'\(name)' (line 3)"), "\(error)")
  }

  @Test("A template that includes itself exceeds the limit, and one with too many partials is refused")
  func bounds() throws {
    try write("a.mustache", "{{> a}}")
    #expect(try #require(throws: OffprintError.self) { try page("a") }.code == .limitExceeded)
    try write("many.mustache", (0..<300).map { "{{> p\($0)}}" }.joined())
    for index in 0..<300 { try write("p\(index).mustache", "x") }
    #expect(try #require(throws: OffprintError.self) { try page("many") }.code == .limitExceeded)
  }

  @Test("Errors in a file are reported with the template's name")
  func invalid() throws {
    try write("bad.mustache", "---\nattributes:\n  a: strin\n---\n")
    let error = try #require(throws: OffprintError.self) { try page("bad") }
    #expect(error.message.contains("'bad'") && error.message.contains("line 3"))
  }
}
