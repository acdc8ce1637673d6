import Foundation
import Offprint
import Testing

@testable import OffprintIsolation

@Suite("A page that breaks its worker only fails its own render")
struct HarmTests {
  private static let page = RenderRequest.page("<p>text")

  private func expect(
    _ harm: String, _ code: OffprintError.Code, _ words: String, on renderer: IsolatedRenderer, seconds: Double = 60
  ) async throws {
    let error = await renderer.failure(.harm(harm, seconds: seconds))
    #expect(error?.code == code, "\(harm): \(String(describing: error))")
    #expect(error?.message.contains(words) == true, "\(harm): \(String(describing: error))")
    _ = try await renderer.render(Self.page)
  }

  @Test(
    "A worker that exits counts as crashed, and the next page gets another one",
    arguments: [("crash", "signal 11"), ("trap", "signal 6"), ("exit", "exit code 7")])
  func ends(harm: String, words: String) async throws {
    let renderer = try IsolatedRenderer.forTests()
    try await expect(harm, .workerCrashed, words, on: renderer)
    #expect(renderer.statistics.crashed == 1)
  }

  @Test("A worker that is killed counts as crashed")
  func killed() async throws {
    let renderer = try IsolatedRenderer.forTests()
    _ = try await renderer.render(Self.page)
    let worker = try #require(renderer.processIDs.first)
    async let failure = renderer.failure(.harm("hang"))
    while renderer.idleCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
    try await Task.sleep(for: .milliseconds(200))
    kill(worker, SIGKILL)
    let error = await failure
    #expect(error?.code == .workerCrashed && error?.message.contains("signal 9") == true)
    _ = try await renderer.render(Self.page)
  }

  @Test(
    "A worker that does not respond is killed half a second after the page's deadline", arguments: ["hang", "spin", "trickle", "half"])
  func hangs(harm: String) async throws {
    let renderer = try IsolatedRenderer.forTests()
    try await expect(harm, .workerTimedOut, "0.3 s", on: renderer, seconds: 0.3)
    #expect(renderer.statistics.timedOut == 1)
  }

  @Test("A worker that is stopped is killed like one that does not respond")
  func stopped() async throws {
    let renderer = try IsolatedRenderer.forTests()
    _ = try await renderer.render(Self.page)
    kill(try #require(renderer.processIDs.first), SIGSTOP)
    var page = Self.page
    page.limits.seconds = 0.3
    #expect(await renderer.failure(page)?.code == .workerTimedOut)
    _ = try await renderer.render(Self.page)
  }

  @Test("A worker that exceeds its memory limit is killed, and its address space is limited")
  func memory() async throws {
    let renderer = try IsolatedRenderer.forTests { isolation, _ in isolation.memoryBytes = 200 << 20 }
    try await expect("allocate", .workerMemory, "209715200", on: renderer)
    #expect(renderer.statistics.outOfMemory == 1)
    _ = try await renderer.render(.harm("greedy"))
    #expect(renderer.statistics.started == 2)
  }

  @Test("An invalid response never harms the owner", arguments: ["nonsense", "huge", "damaged", "foreign"])
  func nonsense(harm: String) async throws {
    let renderer = try IsolatedRenderer.forTests()
    try await expect(harm, .workerCrashed, "an invalid message", on: renderer)
  }

  @Test("A worker that is killed before it begins does not fail its page, which another worker renders")
  func killedBeforeItBegins() async throws {
    let renderer = try IsolatedRenderer.forTests()
    _ = try await renderer.render(Self.page)
    let worker = try #require(renderer.processIDs.first)
    // The worker receives the page but does not read it.
    kill(worker, SIGSTOP)
    async let result = renderer.render(RenderRequest.page("<p>killed before it begins"))
    while renderer.idleCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
    try await Task.sleep(for: .milliseconds(100))
    kill(worker, SIGKILL)
    _ = try await result
    #expect(renderer.statistics.lost == 1 && renderer.statistics.crashed == 0)
  }

  @Test("A canceled page is given up immediately if the engine checks, otherwise after half a second")
  func cancelled() async throws {
    let renderer = try IsolatedRenderer.forTests()
    _ = try await renderer.render(Self.page)
    let task = Task { await renderer.failure(.harm("hang")) }
    while renderer.idleCount > 0 { try await Task.sleep(for: .milliseconds(1)) }
    task.cancel()
    #expect(await task.value?.code == .cancelled)
    let slow = Task {
      var request = RenderRequest(html: String(repeating: "<div style='display:inline-flex'>", count: 400) + "x")
      request.limits.seconds = 60
      request.styleSheets = [.init(name: "s", css: Array(String(repeating: "div:not(:nth-child(2n+1)) div{color:red}", count: 500).utf8))]
      return await renderer.failure(request)
    }
    slow.cancel()
    #expect(await slow.value?.code == .cancelled)
    _ = try await renderer.render(Self.page)
  }

  @Test("Of 200 pages, those on other workers are unaffected by workers killed at random")
  func storm() async throws {
    let renderer = try IsolatedRenderer.forTests(workers: 4)
    let outside = try Renderer(.forTests())
    var expected: [[UInt8]] = []
    for number in 0..<10 { expected.append(try await outside.render(Self.page(number)).image) }
    renderer.start()
    var kills = 0
    var ended = 0, drawn = 0
    try await withThrowingTaskGroup(of: (Int, Result<RenderResult, OffprintError>).self) { group in
      for number in 0..<200 {
        group.addTask {
          do throws(OffprintError) {
            return (number, .success(try await renderer.render(Self.page(number % 10))))
          } catch {
            return (number, .failure(error))
          }
        }
      }
      for try await (number, result) in group {
        ended += 1
        // By the number of ended renders, not by time: a slow machine would never render anything.
        if ended % 7 == 0, let victim = renderer.processIDs.randomElement(), kill(victim, SIGKILL) == 0 { kills += 1 }
        switch result {
        case .success(let result):
          drawn += 1
          #expect(result.image == expected[number % 10])
        case .failure(let error): #expect(error.code == .workerCrashed, "\(error)")
        }
      }
    }
    #expect(kills > 0)
    #expect(ended == 200)
    #expect(drawn > 0)
    _ = try await renderer.render(Self.page)
  }

  private static func page(_ number: Int) -> RenderRequest {
    var request = RenderRequest(
      html: "<p>page \(number)" + String(repeating: "<p style='box-shadow:0 0 9px red'>text <b>\(number)</b>", count: 30))
    request.limits.seconds = 120
    return request
  }
}

extension IsolatedRenderer {
  /// The number of idle workers.
  var idleCount: Int { workers.state.with { $0.idle.count } }
}
