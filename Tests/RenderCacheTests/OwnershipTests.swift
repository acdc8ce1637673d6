import Testing

@testable import OffprintCoreTypes
@testable import OffprintRenderCache

@Suite("Owners of identifiers")
struct OwnershipTests {
  private let soon = Deadline(after: .seconds(5))

  @Test("The first to claim an identifier owns it, and administrators may write it")
  func first() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    #expect(try cache.claim(identifier: "logo", owner: "a", deadline: soon).isGranted)
    #expect(try cache.claim(identifier: "logo", owner: "a", deadline: soon).isGranted)
    #expect(try !cache.claim(identifier: "logo", owner: "b", deadline: soon).isGranted)
    #expect(try cache.claim(identifier: "logo", owner: "b", isAdministrator: true, deadline: soon).isGranted)
    #expect(try !cache.claim(identifier: "logo", owner: "b", deadline: soon).isGranted)
    #expect(try cache.claim(identifier: "other", owner: "b", deadline: soon).isGranted)
  }

  @Test("Canonically equivalent identifiers and owners are distinguished")
  func equivalent() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    #expect(try cache.claim(identifier: "caf\u{E9}", owner: "\u{E9}", deadline: soon).isGranted)
    #expect(try cache.claim(identifier: "cafe\u{301}", owner: "b", deadline: soon).isGranted)
    #expect(try !cache.claim(identifier: "caf\u{E9}", owner: "e\u{301}", deadline: soon).isGranted)
  }

  @Test("Of eight threads with different owners no two ever own an identifier")
  func race() async throws {
    let folder = try TemporaryFolder()
    let caches = try (0..<2).map { _ in try openCache(folder) }
    for name in 0..<20 {
      let winners = await withTaskGroup(of: Bool.self) { group in
        for owner in 0..<8 {
          group.addTask {
            (try? caches[owner % 2].claim(identifier: "\(name)", owner: "\(owner)", deadline: Deadline(after: .seconds(5))))?.isNew ?? false
          }
        }
        return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(winners == 1)
    }
  }

  @Test("An owner can release a new claim if it names nothing and no later request relies on it")
  func release() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    let first = try claimed(cache, "a")
    #expect(try cache.claim(identifier: "logo", owner: "c", isAdministrator: true, deadline: soon) == .held)
    try cache.releaseClaim(identifier: "logo", owner: "b", since: first, deadline: soon)
    #expect(try cache.claim(identifier: "logo", owner: "b", deadline: soon) == .refused)
    try cache.releaseClaim(identifier: "logo", owner: "a", since: first, deadline: soon)
    let second = try claimed(cache, "b")
    #expect(try cache.claim(identifier: "logo", owner: "b", deadline: soon) == .held)
    try cache.releaseClaim(identifier: "logo", owner: "b", since: second, deadline: soon)
    #expect(try cache.claim(identifier: "logo", owner: "a", deadline: soon) == .refused, "the second request of b is still in progress")
  }

  @Test("A new claim that names a value meanwhile is not released")
  func releaseNamed() throws {
    let folder = try TemporaryFolder()
    let cache = try openCache(folder)
    let time = try claimed(cache, "a")
    try cache.store(makeKey("a"), makeValue("a"))
    #expect(cache.lookup(makeKey("a"), identifier: "logo") != nil)
    try cache.releaseClaim(identifier: "logo", owner: "a", since: time, deadline: soon)
    // The index does not have the identifier yet.
    #expect(try cache.claim(identifier: "logo", owner: "b", deadline: soon) == .refused)
  }

  private func claimed(_ cache: RenderCache, _ owner: String) throws -> CacheTime {
    guard case .new(let time) = try cache.claim(identifier: "logo", owner: owner, deadline: soon) else { throw CancellationError() }
    return time
  }

  @Test("A claim outlives its value by a day, and is deleted with the identifier")
  func end() throws {
    let clock = ManualClock()
    let folder = try TemporaryFolder()
    let cache = try openCache(folder, clock: clock)
    var value = makeValue("a")
    value.identifier = "logo"
    #expect(try cache.claim(identifier: "logo", owner: "a", deadline: soon).isGranted)
    try cache.store(makeKey("a"), value)
    clock.advance(3 * 86_400_000)
    try cache.trim()
    #expect(try !cache.claim(identifier: "logo", owner: "b", deadline: soon).isGranted, "the value still exists")
    #expect(try cache.claim(identifier: "logo", owner: "a", deadline: soon).isGranted)
    try cache.remove(makeKey("a"))
    #expect(try !cache.claim(identifier: "logo", owner: "b", deadline: soon).isGranted)
    clock.advance(86_401_000)
    #expect(try cache.claim(identifier: "logo", owner: "b", deadline: soon).isGranted)
    try cache.store(makeKey("b"), value)
    #expect(try cache.remove(identifier: "logo"))
    #expect(try cache.claim(identifier: "logo", owner: "a", deadline: soon).isGranted)
  }
}
