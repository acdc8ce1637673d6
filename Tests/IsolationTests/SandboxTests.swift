import Foundation
import Glibc
import Offprint
import Testing

@testable import OffprintIsolation

@Suite("The sandbox of a worker")
struct SandboxTests {
  @Test("A worker can write, read, connect to, start and signal nothing, and inherits nothing from its owner")
  func attempts() async throws {
    setenv("OFFPRINT_TEST_SECRET", "1", 1)
    let renderer = try IsolatedRenderer.forTests()
    let message = try #require(await renderer.failure(.harm("attempts"))?.message)
    var results: [String: String] = [:]
    for part in message.components(separatedBy: "; ") {
      let words = part.components(separatedBy: ": ")
      results[words[0]] = words.dropFirst().joined(separator: ": ")
    }
    let report = try #require(renderer.report)
    if report.has(.files) || report.has(.systemCalls) {
      #expect(["Permission denied", "Operation not permitted"].contains(results["write"]))
    }
    if report.has(.files) {
      for name in ["read", "list"] { #expect(results[name] == "Permission denied", "\(name)") }
    }
    if report.has(.systemCalls) {
      for name in [
        "memory file", "remove", "make", "socket", "connect", "process", "execute", "kill", "limits", "code", "library code",
        "writable library code",
        "written file code", "made executable",
      ] {
        #expect(results[name] == "Operation not permitted", "\(name)")
      }
    }
    #expect(results["descriptors"] == "0 1 2 3")
    #expect(["SWIFT_BACKTRACE", "LD_LIBRARY_PATH SWIFT_BACKTRACE"].contains(results["environment"]))
    #expect(!FileManager.default.fileExists(atPath: "/tmp/offprint-isolation"))
  }

  @Test("The report lists every layer with its true state, and why one is missing")
  func report() async throws {
    let renderer = try IsolatedRenderer.forTests()
    #expect(renderer.report == nil)
    _ = try await renderer.render(RenderRequest.page("<p>x"))
    let report = try #require(renderer.report)
    #expect(report.layers.map(\.layer) == IsolationReport.Layer.allCases)
    #expect(report.missing.allSatisfy { !$0.detail.isEmpty })
    #expect(report.has(.resourceLimits) && report.has(.endsWithOwner) && report.has(.noPrivileges))
    let id = try #require(renderer.processIDs.first)
    let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    #expect(status.contains("NoNewPrivs:\t1"))
    #expect(status.contains("CapEff:\t0000000000000000"))
    if report.has(.systemCalls) { #expect(status.contains("Seccomp:\t2")) }
    let network = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(id)/ns/net")
    if report.has(.noNetwork), let network {
      #expect(network != (try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/net")))
    }
    let libraries = ["/usr/lib/x86_64-linux-gnu/libseccomp.so.2", "/usr/lib/aarch64-linux-gnu/libseccomp.so.2"]
    if libraries.contains(where: FileManager.default.fileExists) { #expect(report.has(.systemCalls), "\(report)") }
  }

  @Test("A process with several threads cannot enter the sandbox")
  func threads() throws {
    let error = #expect(throws: OffprintError.self) { try Sandbox() }
    #expect(error?.code == .workerUnavailable)
  }

  @Test("A thread of a worker outside of the sandbox is detected from outside")
  func audit() throws {
    let report = IsolationReport(layers: IsolationReport.Layer.allCases.map { .init(layer: $0, isInForce: true) })
    let fault = try #require(ThreadAudit.fault(process: getpid(), report))
    #expect(fault.contains("outside the sandbox"))
  }

  @Test("A required layer that is missing prevents rendering")
  func required() async throws {
    let report = IsolationReport(layers: IsolationReport.Layer.allCases.map { .init(layer: $0, isInForce: $0 != .files, detail: "none") })
    #expect(report.missing.map(\.layer) == [.files])
    let renderer = try IsolatedRenderer.forTests { isolation, _ in isolation.dispensableLayers = Set(IsolationReport.Layer.allCases) }
    _ = try await renderer.render(RenderRequest.page("<p>x"))
  }

  @Test("A worker ends when its owner is killed, even while rendering")
  func orphan() async throws {
    let folder = try Folder()
    try folder.write("slow.html", String(repeating: "<div style='opacity:.9;mix-blend-mode:multiply'>", count: 300) + "x")
    let owner = Process()
    owner.executableURL = URL(fileURLWithPath: Programs.offprint)
    owner.arguments = [
      "render", folder.path("slow.html"), "-o", folder.path("out.png"), "--no-cache", "--isolate", "--timeout", "100", "--width", "3000",
      "--height", "3000",
    ]
    owner.environment = ["OFFPRINT_FONTS": root.appendingPathComponent("Fonts").path]
    owner.standardError = FileHandle.nullDevice
    try owner.run()
    var worker: pid_t?
    while worker == nil, owner.isRunning { worker = children(of: owner.processIdentifier).first }
    let id = try #require(worker)
    kill(owner.processIdentifier, SIGKILL)
    owner.waitUntilExit()
    var rounds = 0
    while parent(of: id) != nil, rounds < 3000 {
      try await Task.sleep(for: .milliseconds(10))
      rounds += 1
    }
    #expect(parent(of: id) == nil)
  }
}

@Suite("Threads of a service")
struct ThreadSchedulingTests {
  private func found(_ change: @escaping @Sendable () -> Void) async -> [[Int32]] {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        func found() -> [Int32] { [getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0), sched_getscheduler(0)] }
        let before = found()
        change()
        continuation.resume(returning: [before, found()])
      }
    }
  }

  @Test("Threads get the niceness and scheduling policy for their priority")
  func turns() async {
    let first = await found { ThreadScheduling.raisePriority() }
    #expect(first[0] == first[1])
    // 3 is SCHED_BATCH.
    #expect(await found { ThreadScheduling.lowerPriority(niceness: 12, isBatch: true) }[1] == [12, 3])
    #expect(
      await found {
        PoolThreads.lowerPriority(niceness: 11)
        PoolThreads.lowerPriority(niceness: 19)
      }[1] == [11, 0])
  }
}
