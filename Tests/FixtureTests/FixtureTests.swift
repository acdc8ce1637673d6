import OffprintTestSupport
import Testing

/// Small pages by area; see Tests/FixtureTests/README.md.
enum Fixtures {
  static let folder = "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/") + "/Fixtures"
  static let all = (try? Fixture.all(in: folder)) ?? []
  /// The fixtures with an expectation, or all fixtures while expectations are recorded.
  static let compared = all.filter { FixtureRunner.recorded != nil || $0.expected != nil }
  static let runner = try? FixtureRunner(folder: folder)
}

@Suite("Fixtures")
struct FixtureTests {
  @Test("Each page has the recorded dump", arguments: Fixtures.compared)
  func fixture(_ fixture: Fixture) throws {
    let runner = try #require(Fixtures.runner)
    #expect(try runner.problems(of: fixture) == [])
  }

  @Test("There are several hundred pages")
  func complete() throws {
    #expect(Fixtures.all.count >= 300)
  }

  @Test("Each test has its own writable folder")
  func folder() throws {
    let folder = try TemporaryFolder()
    #expect(folder("a").hasSuffix("/a"))
  }
}
