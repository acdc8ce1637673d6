import OffprintCoreTypes
import Foundation
import Synchronization
import OffprintTestSupport
import Testing

@testable import Offprint

private func request(_ text: String = "text") -> RenderRequest {
  var request = RenderRequest(html: "<body style='margin:0'>\(text)")
  request.width = .px(40)
  return request
}

@Suite("The cache of a renderer")
struct CacheTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func renderer(_ change: (inout RendererConfiguration) -> Void = { _ in }) throws -> Renderer {
    try Renderer.alone {
      $0.cacheFolder = folder("cache")
      change(&$0)
    }
  }

  @Test("An image is rendered once, and is a hit in the next process as well")
  func hit() async throws {
    let first = try await renderer().render(request())
    let renderer = try renderer()
    let second = try await renderer.render(request())
    let third = try await renderer.render(request())
    #expect([first, second, third].map(\.wasCached) == [false, true, true])
    #expect(first.image == second.image && second.image == third.image)
    #expect(second.faces == first.faces && second.key == first.key)
    #expect(second.timings.map(\.stage) == [.prepare, .queue, .lookup], "the request waited for a slot to read")
    #expect(!third.timings.contains { $0.stage == .lookup }, "from memory")
  }

  @Test("A suspended renderer returns cached images from disk and from memory")
  func suspendedHits() async throws {
    _ = try await renderer().render(request())
    let renderer = try renderer()
    renderer.suspend()
    #expect(try await renderer.render(request()).wasCached)
    #expect(try await renderer.render(request()).wasCached)
  }

  @Test("Each cache policy reads and writes what it specifies")
  func policies() async throws {
    let renderer = try renderer()
    func render(_ policy: CachePolicy, _ text: String) async throws -> Bool {
      var request = request(text)
      request.cachePolicy = policy
      return try await renderer.render(request).wasCached
    }
    #expect(try await !render(.none, "a"))
    #expect(try await !render(.standard, "a"))
    #expect(try await !render(.none, "a"))
    #expect(try await !render(.refresh, "a"))
    #expect(try await render(.standard, "a"))
    let readOnly = CachePolicy(storesResult: false)
    #expect(try await render(readOnly, "a"))
    #expect(try await !render(readOnly, "b"))
    #expect(try await !render(.refresh, "b"))
    #expect(try await render(readOnly, "b"))
  }

  @Test("A page with two identifiers is one image")
  func identifiers() async throws {
    let renderer = try renderer()
    var named = request()
    named.identifier = "a"
    _ = try await renderer.render(named)
    named.identifier = "b"
    let second = try await renderer.render(named)
    #expect(second.wasCached && second.identifier == "b")
    renderer.shutdown()
    let entries = try CacheAdministration(folder: folder("cache")).entries(.init(sort: "-created"))
    #expect(entries.map { $0.identifiers.sorted() } == [["a", "b"]])
    #expect(try CacheAdministration(folder: folder("cache")).statistics().entries == 1)
  }

  @Test("A degraded image is not cached")
  func degraded() async throws {
    let renderer = try renderer()
    let broken = request("<img src='nowhere.png'>")
    let first = try await renderer.render(broken)
    #expect(first.isDegraded)
    #expect(try await !renderer.render(broken).wasCached)
  }

  @Test("A strict request gets an error, even if coalesced with one that is not strict")
  func strictBeside() async throws {
    let renderer = try renderer { $0.workers = 4 }
    let lax = request("<img src='nowhere.png'>")
    var strict = lax
    strict.isStrict = true
    let strictRequest = strict
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<12 {
        group.addTask {
          do throws(OffprintError) {
            let result = try await renderer.render(index.isMultiple(of: 2) ? lax : strictRequest)
            #expect(index.isMultiple(of: 2) && result.isDegraded)
          } catch {
            #expect(
              !index.isMultiple(of: 2) && error.code == .resourceDamaged || error.code == .resourceRefused || error.code == .resourceMissing
            )
          }
        }
      }
    }
  }

  @Test("Concurrent requests for the same page render it once")
  func once() async throws {
    let renderer = try renderer { $0.workers = 4 }
    let results = try await withThrowingTaskGroup(of: RenderResult.self) { group in
      for _ in 0..<12 { group.addTask { try await renderer.render(request()) } }
      return try await group.reduce(into: [RenderResult]()) { $0.append($1) }
    }
    #expect(results.filter { !$0.wasCached }.count == 1)
  }

  @Test("An unusable cache is reported once, and images are rendered")
  func unusable() async throws {
    try Data([1]).write(to: URL(fileURLWithPath: folder("file")))
    let renderer = try Renderer.alone { $0.cacheFolder = folder("file") }
    let first = try await renderer.render(request())
    #expect(first.diagnostics.map(\.code.rawValue) == ["cacheUnusable"])
    #expect(try await renderer.render(request()).diagnostics.isEmpty)
  }

  @Test("A provider's resource is requested again before the cached image is returned")
  func provided() async throws {
    let box = Box("p { color: red }")
    let renderer = try renderer {
      $0.resourceProvider = { query in query.url == "app:style" ? ResourceContent(bytes: Array(box.text.utf8)) : nil }
    }
    let styled = request("<link rel=stylesheet href='app:style'><p>x")
    let red = try await renderer.render(styled)
    #expect(try await renderer.render(styled).wasCached)
    box.text = "p { color: blue }"
    let blue = try await renderer.render(styled)
    #expect(!blue.wasCached && blue.image != red.image)
  }
}

private final class Box: Sendable {
  private let content: Mutex<String>
  init(_ text: String) { content = Mutex(text) }
  var text: String {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}
