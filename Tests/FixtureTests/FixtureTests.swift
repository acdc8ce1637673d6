import TestSupport
import Testing

@Suite("Fixtures")
struct FixtureTests {
  @Test("Each test has a folder of its own that it can write to")
  func folder() throws {
    let folder = try TemporaryFolder()
    #expect(folder("a").hasSuffix("/a"))
  }
}
