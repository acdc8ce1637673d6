import OffprintCSS
import Foundation
import OffprintTestSupport
import Testing

/// Determines which properties have a fixture that fails without them, by removing one declaration at a time.
struct DeclarationMutation {
  let fixture: Fixture
  let property: String

  /// The page without each of the property's declarations, one at a time.
  var pages: [String] {
    let text = fixture.html
    var pages: [String] = []
    var start = text.startIndex
    while let found = text.range(of: property, range: start..<text.endIndex) {
      start = found.upperBound
      let before = found.lowerBound == text.startIndex ? " " : text[text.index(before: found.lowerBound)]
      guard "{;\"' ".contains(before), let colon = text[found.upperBound...].first(where: { $0 != " " }), colon == ":" else { continue }
      let end =
        text[found.upperBound...].firstIndex { ";}".contains($0) || $0 == (before == "\"" ? "\"" : ">") || $0 == "\n" } ?? text.endIndex
      var page = text
      page.replaceSubrange(found.lowerBound..<end, with: Self.quoteCount(text[found.lowerBound..<end]))
      pages.append(page)
    }
    return pages
  }

  /// The quote that ends the attribute stays where the value ran into it.
  private static func quoteCount(_ text: Substring) -> String {
    text.count { $0 == "'" } % 2 == 1 ? "'" : ""
  }

  func changes(_ runner: FixtureRunner) -> Bool {
    guard let expected = try? runner.dump(fixture).text else { return false }
    return pages.contains { page in (try? runner.dump(fixture, html: page).text) != expected }
  }
}

@Suite("Coverage of the fixtures", .enabled(if: ProcessInfo.processInfo.environment["OFFPRINT_FIXTURE_COVERAGE"] != nil))
struct FixtureCoverageTests {
  @Test("Properties without a fixture that fails without them are listed")
  func list() throws {
    let runner = try #require(Fixtures.runner)
    let path = try #require(ProcessInfo.processInfo.environment["OFFPRINT_FIXTURE_COVERAGE"])
    var missing: [String] = []
    for row in PropertyTable.grammars where row.isSupported {
      let isCovered = Fixtures.all.contains { DeclarationMutation(fixture: $0, property: row.name).changes(runner, ifItNames: row.name) }
      if !isCovered { missing.append(row.name) }
    }
    try missing.map { $0 + "\n" }.joined().write(toFile: path, atomically: true, encoding: .utf8)
  }
}

extension DeclarationMutation {
  func changes(_ runner: FixtureRunner, ifItNames name: String) -> Bool { fixture.html.contains(name) && changes(runner) }
}
