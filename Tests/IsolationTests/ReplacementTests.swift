import Foundation
import Glibc
import Offprint
import Testing

@testable import OffprintIsolation

@Suite("Worker processes are reused and replaced")
struct ReplacementTests {
  private static let page = RenderRequest.page("<p>text")

  @Test("A warm worker renders several pages, and is replaced after the configured number")
  func retires() async throws {
    let renderer = try IsolatedRenderer.forTests { isolation, _ in isolation.retiresAfterRenders = 3 }
    var ids: [Int32] = []
    for _ in 0..<3 {
      if let id = renderer.processIDs.first { ids.append(id) }
      _ = try await renderer.render(Self.page)
    }
    #expect(Set(ids).count == 1 && ids.count == 2)
    _ = try await renderer.render(Self.page)
    #expect(renderer.statistics.retired == 1 && renderer.statistics.started == 2)
    #expect(!renderer.processIDs.contains(ids[0]))
  }

  @Test("A worker that has grown is replaced")
  func grown() async throws {
    let renderer = try IsolatedRenderer.forTests { isolation, _ in isolation.retiresAboveBytes = 1 << 20 }
    for _ in 0..<2 { _ = try await renderer.render(Self.page) }
    #expect(renderer.statistics.retired == 2)
  }

  @Test("A worker killed while idle fails no page")
  func lost() async throws {
    let renderer = try IsolatedRenderer.forTests()
    _ = try await renderer.render(Self.page)
    kill(try #require(renderer.processIDs.first), SIGKILL)
    try await Task.sleep(for: .milliseconds(50))
    _ = try await renderer.render(Self.page)
    #expect(renderer.statistics.crashed == 0 && renderer.statistics.started == 2)
  }

  @Test("Starting in advance starts as many processes as configured before the first page")
  func prestarted() async throws {
    let renderer = try IsolatedRenderer.forTests(workers: 3)
    #expect(renderer.statistics.started == 0)
    renderer.start()
    while renderer.processIDs.count < 3 { try await Task.sleep(for: .milliseconds(5)) }
    _ = try await renderer.render(Self.page)
    #expect(renderer.statistics.started == 3)
  }

  @Test("Workers and their scheduling groups have lower priority than their owner")
  func steppedBack() async throws {
    let renderer = try IsolatedRenderer.forTests(workers: 2) { isolation, _ in isolation.niceness = 7 }
    renderer.start()
    while renderer.processIDs.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
    for id in renderer.processIDs {
      #expect(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), id_t(id)) == 7)
      #expect(sched_getscheduler(id) == 3, "SCHED_BATCH")
      let group = "/proc/\(id)/autogroup"
      guard FileManager.default.fileExists(atPath: group) else { continue }
      // Unprivileged processes can set one value every 0.1 s, on the whole machine.
      while try !String(contentsOfFile: group, encoding: .utf8).hasSuffix("nice 7\n") { try await Task.sleep(for: .milliseconds(20)) }
    }
  }

  @Test("A start that fails repeatedly is reported with its reason, and attempted less and less often")
  func broken() async throws {
    let renderer = try IsolatedRenderer.forTests { isolation, _ in isolation.arguments = ["broken"] }
    let error = await renderer.failure(Self.page)
    #expect(error?.code == .workerUnavailable)
    #expect(error?.message.contains("exit code 3 with the message: no such thing") == true)
    let before = renderer.statistics.failedStarts
    #expect(before >= 3)
    for _ in 0..<20 { #expect(await renderer.failure(Self.page)?.code == .workerUnavailable) }
    #expect(renderer.statistics.failedStarts <= before + 1)
  }

  @Test("A program that is missing, not executable or another program is reported")
  func wrongProgram() async throws {
    for (program, words) in [("/nonexistent", "No such file"), ("/etc/passwd", "Permission denied"), ("/bin/true", "exit code 0")] {
      let renderer = try IsolatedRenderer.forTests { isolation, _ in isolation.program = program }
      let error = await renderer.failure(Self.page)
      #expect(error?.code == .workerUnavailable && error?.message.contains(words) == true, "\(String(describing: error))")
    }
  }

  @Test("Shutting down ends all workers, those that are rendering after their page")
  func shutdown() async throws {
    let renderer = try IsolatedRenderer.forTests(workers: 2)
    renderer.start()
    while renderer.processIDs.count < 2 { try await Task.sleep(for: .milliseconds(5)) }
    let ids = renderer.processIDs
    async let last = renderer.render(Self.page)
    _ = try await last
    renderer.shutdown()
    #expect(ids.allSatisfy { parent(of: $0) == nil })
    #expect(renderer.processIDs.isEmpty)
    #expect(await renderer.failure(Self.page)?.code == .shutDown)
  }

  @Test("Pixels, boxes and dumps are refused, because they would be computed in this process")
  func others() async throws {
    let renderer = try IsolatedRenderer.forTests()
    await #expect(throws: OffprintError.self) { try await renderer.renderer.pixels(Self.page) }
    await #expect(throws: OffprintError.self) { try await renderer.renderer.layout(Self.page) }
    #expect(throws: OffprintError.self) { try renderer.renderer.inspect(Self.page, .dom) }
    #expect(renderer.statistics.started == 0)
  }
}
