import OffprintCoreTypes
import Testing

@Suite("Shared libraries")
struct SharedLibrariesTests {
  @Test("Every library with stubs can be opened and has the functions that the stubs load")
  func missing() {
    #expect(SharedLibraries.missing() == nil)
  }
}
