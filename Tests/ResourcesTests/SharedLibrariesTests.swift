import OffprintCoreTypes
import Testing

@Suite("Shared libraries")
struct SharedLibrariesTests {
  @Test("All that stubs stand for can be opened, and has the functions")
  func missing() {
    #expect(SharedLibraries.missing() == nil)
  }
}
