import CoreTypes
import Testing

@Suite("Shared libraries")
struct SharedLibrariesTests {
  @Test("All that stubs stand for can be opened, and has the functions")
  func openAll() {
    #expect(SharedLibraries.openAll() == nil)
  }
}
