import OffprintCoreTypes
import Foundation
import Glibc
import Synchronization
import OffprintTestSupport
import Testing

@testable import Offprint

private let page = "<body style='margin:0'><div style='height:20px;background:#08f'>text</div>"

/// A log of events, which can be waited for.
private final class Happenings: Sendable {
  private let state = Mutex<[String]>([])
  func add(_ name: String) { state.withLock { $0.append(name) } }
  var all: [String] { state.withLock { $0 } }
  func wait(for name: String) async throws {
    for _ in 0..<2000 where !all.contains(name) { try await Task.sleep(for: .milliseconds(5)) }
    #expect(all.contains(name))
  }
}

private func code<Value>(_ body: () async throws(OffprintError) -> Value) async -> OffprintError.Code? {
  do throws(OffprintError) {
    _ = try await body()
    return nil
  } catch {
    return error.code
  }
}

private func request(_ html: String = page, width: Double = 30) -> RenderRequest {
  var request = RenderRequest(html: html)
  request.width = .px(width)
  return request
}

/// A page with an image from a provider that returns only on cancellation.
private func endless(_ happenings: Happenings) -> (RenderRequest, ResourceProvider) {
  var endless = request("<img src='wait:1'>")
  endless.limits.seconds = 60
  return (
    endless,
    { _ in
      happenings.add("asked")
      try await Task.sleep(for: .seconds(60))
      return nil
    }
  )
}

@Suite("Rendering with the library")
struct RendererTests {
  @Test("An image is as wide as requested and as high as its contents")
  func size() async throws {
    let result = try await Renderer.alone().render(request())
    #expect((result.width, result.height) == (30, 20))
    #expect(!result.wasCached)
    #expect(result.image.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test(
    "An image ends at the pixel nearest to the end of its contents",
    arguments: [(40.4, 1.0, 40), (40.5, 1, 41), (40.4, 2, 81), (33.4, 3, 100), (0.2, 1, 1)])
  func end(height: Double, scale: Double, pixels: Int) async throws {
    var request = request("<!DOCTYPE html><body style='margin:0'><div style='height:\(height)px'></div>")
    request.scale = scale
    #expect(try await Renderer.alone().render(request).height == pixels)
  }

  @Test("Every render method gives the same image")
  func ways() async throws {
    let renderer = try Renderer.alone()
    let awaited = try await renderer.render(request())
    let completed = await withCheckedContinuation { continuation in
      renderer.render(request()) { continuation.resume(returning: $0) }
    }
    let waited = try await Task.detached { try renderer.renderAndWait(request()) }.value
    #expect(try completed.get().image == awaited.image)
    #expect(waited.image == awaited.image)
  }

  @Test("A renderer has as many workers as the machine has cores by default")
  func workers() { #expect(RendererConfiguration().workers == ProcessInfo.processInfo.activeProcessorCount) }

  @Test("Pixels are red, green, blue, alpha, not premultiplied")
  func pixels() async throws {
    var request = request(
      "<body style='margin:0'><div style='height:1px;background:rgb(255 0 0/.5)'></div><div style='height:1px;background:#08f'>")
    request.width = .px(1)
    request.height = .px(3)
    request.background = .transparent
    let result = try await Renderer.alone().pixels(request)
    #expect((result.width, result.height) == (1, 3))
    #expect(Array(result.pixels) == [255, 0, 0, 128, 0, 0x88, 255, 255, 0, 0, 0, 0])
  }

  @Test("Layout returns typed boxes and no image")
  func layout() async throws {
    let layout = try await Renderer.alone().layout(
      request("<body style='margin:0'><p style='margin:2px;height:10px'>x<p style='display:none'>"))
    #expect(layout.boxes.map(\.name) == ["html", "body", "p"])
    #expect(layout.boxes.last == PageLayout.Box(path: [0, 1, 0], name: "p", x: 2, y: 2, width: 26, height: 10))
    #expect(layout.timings.map(\.stage).contains(.layout))
    #expect(!layout.timings.map(\.stage).contains(.paint))
  }

  @Test("An inline box around another one with margins is reported with them")
  func inlineMargins() async throws {
    let layout = try await Renderer.alone().layout(request("<body style='margin:0'><i><b style='margin:5px;padding:2px'>x</b></i>"))
    let outer = layout.boxes.first { $0.name == "i" }, inner = layout.boxes.first { $0.name == "b" }
    #expect(outer?.x == 0 && inner?.x == 5)
    #expect(outer?.width == inner.map { $0.width + 10 })
  }

  @Test("A result contains the duration of each stage, and progress reports the stages in order")
  func stages() async throws {
    let happenings = Happenings()
    let result = try await Renderer.alone().render(request()) { happenings.add($0.rawValue) }
    let stages = ["queue", "prepare", "parse", "style", "images", "boxes", "layout", "paint", "encode"]
    #expect(happenings.all == stages)
    #expect(result.timings.map(\.stage.rawValue) == stages)
    #expect(result.timings.allSatisfy { $0.milliseconds >= 0 })
    #expect(result.milliseconds > 0)
  }

  @Test("Results and errors can be encoded and decoded")
  func codable() async throws {
    let renderer = try Renderer.alone()
    var result = try await renderer.render(request("<p foo='1' style='colour:red'>text"))
    result.dependencies = []
    #expect(!result.diagnostics.isEmpty && !result.faces.isEmpty)
    #expect(try JSONDecoder().decode(RenderResult.self, from: JSONEncoder().encode(result)) == result)
    let layout = try await renderer.layout(request())
    #expect(try JSONDecoder().decode(PageLayout.self, from: JSONEncoder().encode(layout)) == layout)
    let error = OffprintError(.queueFull, "x")
    #expect(try JSONDecoder().decode(OffprintError.self, from: JSONEncoder().encode(error)) == error)
  }

  @Test("Encoded base64 is decoded to the same bytes", arguments: 0..<7)
  func base64(_ count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 77) }
    #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
    #expect(Base64.decode(Base64.encode(bytes)) == bytes)
    #expect(Base64.decode("a") == nil && Base64.decode("a?==") == nil)
  }
}

@Suite("The queue of a renderer")
struct QueueTests {
  @Test("Each rendering thread first calls the configured function")
  func beginning() async throws {
    let happenings = Happenings()
    let renderer = try Renderer.alone { $0.workerThreadBegins = { happenings.add("\(pthread_self())") } }
    for _ in 0..<2 {
      let thread = await withCheckedContinuation { continuation in renderer.perform { continuation.resume(returning: "\(pthread_self())") }
      }
      #expect(happenings.all == [thread])
    }
  }

  @Test("Work other than pages is queued like renders, and refused if the queue is full")
  func boundedWork() async throws {
    var configuration = RendererConfiguration()
    (configuration.workers, configuration.queueCapacity, configuration.cacheFolder) = (1, 1, nil)
    let renderer = try Renderer(configuration)
    renderer.suspend()
    let first = Task { try await renderer.perform { () throws(OffprintError) -> Int in 7 } }
    for _ in 0..<400 where renderer.waitingCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    let error = await #expect(throws: OffprintError.self) { try await renderer.perform { () throws(OffprintError) -> Int in 8 } }
    #expect(error?.code == .queueFull)
    renderer.resume()
    #expect(try await first.value == 7)
  }

  @Test("A suspended renderer starts nothing until it is resumed")
  func suspend() async throws {
    let renderer = try Renderer.alone()
    renderer.suspend()
    let happenings = Happenings()
    let task = Task {
      let result = try await renderer.render(request())
      happenings.add("done")
      return result
    }
    for _ in 0..<400 where renderer.waitingCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(renderer.waitingCount == 1)
    #expect(happenings.all.isEmpty)
    renderer.resume()
    #expect(try await task.value.height == 20)
  }

  @Test("A full queue is an error, and requests are accepted again later")
  func full() async throws {
    let renderer = try Renderer.alone { $0.queueCapacity = 2 }
    renderer.suspend()
    let tasks = (0..<2).map { _ in Task { try await renderer.render(request()) } }
    for _ in 0..<400 where renderer.waitingCount < 2 { try await Task.sleep(for: .milliseconds(5)) }
    #expect(await code { () async throws(OffprintError) in try await renderer.render(request()) } == .queueFull)
    renderer.resume()
    for task in tasks { #expect(try await task.value.height == 20) }
    #expect(try await renderer.render(request()).height == 20)
  }

  @Test("A waiting request is canceled immediately")
  func cancelWaiting() async throws {
    let renderer = try Renderer.alone()
    renderer.suspend()
    let task = Task { await code { () async throws(OffprintError) in try await renderer.render(request()) } }
    for _ in 0..<400 where renderer.waitingCount == 0 { try await Task.sleep(for: .milliseconds(5)) }
    task.cancel()
    #expect(await task.value == .cancelled)  // although nothing is running
    #expect(renderer.waitingCount == 0)
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await code { () async throws(OffprintError) in try await renderer.render(request()) }
    }
    #expect(await early.value == .cancelled)
  }

  @Test("A running request is canceled at its next check")
  func cancelRunning() async throws {
    let happenings = Happenings()
    let (request, provider) = endless(happenings)
    let renderer = try Renderer.alone { $0.resourceProvider = provider }
    let task = Task { await code { () async throws(OffprintError) in try await renderer.render(request) } }
    try await happenings.wait(for: "asked")
    task.cancel()
    #expect(await task.value == .cancelled)
  }

  @Test("Interactive requests are served before background ones, which are served as well")
  func priorities() async throws {
    let happenings = Happenings()
    let renderer = try Renderer.alone()
    renderer.suspend()
    var tasks: [Task<Void, any Error>] = []
    for index in 0..<14 {
      let isBackground = index < 3
      tasks.append(
        Task {
          _ = try await renderer.render(request(), priority: isBackground ? .background : .interactive) { stage in
            if stage == .prepare { happenings.add(isBackground ? "background" : "interactive") }
          }
        })
      for _ in 0..<400 where renderer.waitingCount <= index { try await Task.sleep(for: .milliseconds(5)) }
    }
    renderer.resume()
    for task in tasks { try await task.value }
    let expected = (1...14).map { $0 == 8 || $0 > 12 ? "background" : "interactive" }
    #expect(happenings.all == expected)
  }

  @Test("Without a priority, the task's own priority applies")
  func taskPriority() async {
    let interactive = await Task(priority: .high) { RenderPriority.current }.value
    let background = await Task.detached(priority: .background) { RenderPriority.current }.value
    #expect(interactive == .interactive)
    // Awaiting the task may have raised its priority.
    #expect(background == .background || background == .interactive)
  }

  @Test("Shutting down finishes accepted requests, and refuses later ones")
  func shutdown() async throws {
    let folder = try TemporaryFolder()
    let renderer = try Renderer.alone { $0.cacheFolder = folder("cache") }
    renderer.suspend()
    let tasks = (0..<3).map { index in Task { try await renderer.render(request(width: 40 + Double(index))) } }
    for _ in 0..<400 where renderer.waitingCount < 3 { try await Task.sleep(for: .milliseconds(5)) }
    _ = await Task.detached { renderer.shutdown() }.value
    for task in tasks { #expect(try await task.value.height == 20) }
    #expect(await code { () async throws(OffprintError) in try await renderer.render(request()) } == .shutDown)
    #expect(await code { () async throws(OffprintError) in try await renderer.layout(request()) } == .shutDown)
    renderer.shutdown()
  }

  @Test("A renderer can be released on its own worker")
  func letGo() async throws {
    for _ in 0..<20 {
      await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
        var renderer = try? Renderer.alone()
        let held = renderer
        renderer = nil
        held?.render(request()) { _ in
          _ = held
          continuation.resume()
        }
      }
    }
  }
}

@Suite("Time")
struct TimeTests {
  @Test("A page that takes too long ends with timedOut, not much later than its limit")
  func slowResource() async throws {
    let happenings = Happenings()
    var (request, provider) = endless(happenings)
    request.limits.seconds = 0.5
    let renderer = try Renderer.alone { $0.resourceProvider = provider }
    let start = ContinuousClock.now
    #expect(await code { () async throws(OffprintError) in try await renderer.render(request) } == .timedOut)
    #expect(start.duration(to: .now) < .seconds(5))
  }

  @Test("Styles, layout and painting end with timedOut as well")
  func slowPage() async throws {
    let renderer = try Renderer.alone()
    let items = (0..<3000).map { "<div style='display:flex'><b>\($0)</b> some words <i>that are laid out</i></div>" }
    var request = request(items.joined(), width: 300)
    request.limits.seconds = 0.02
    #expect(await code { () async throws(OffprintError) in try await renderer.render(request) } == .timedOut)
  }

  @Test("Time in the queue does not count as rendering time")
  func waiting() async throws {
    let renderer = try Renderer.alone()
    renderer.suspend()
    var request = request()
    request.limits.seconds = 20
    let shifted = Deadline(after: .zero).extended(by: .seconds(60))
    #expect(!shifted.hasPassed)
    var job = RenderJob(request)
    job.beginWaiting()
    let before = try #require(job.deadline.remaining)
    try await Task.sleep(for: .milliseconds(300))
    job.endWaiting()
    #expect(try #require(job.deadline.remaining) > before - .milliseconds(200))
  }

  @Test("Waiting for another render of the same page counts toward the time limit")
  func waitingForTheSame() async throws {
    let folder = try TemporaryFolder()
    let happenings = Happenings()
    var (first, provider) = endless(happenings)
    let renderer = try Renderer.alone {
      $0.workers = 2
      $0.cacheFolder = folder("cache")
      $0.resourceProvider = provider
    }
    let other = first
    let leader = Task { await code { () async throws(OffprintError) in try await renderer.render(other) } }
    try await happenings.wait(for: "asked")
    first.limits.seconds = 0.3
    #expect(await code { () async throws(OffprintError) in try await renderer.render(first) } == .timedOut)
    leader.cancel()
    #expect(await leader.value == .cancelled)
  }
}
