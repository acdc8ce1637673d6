import Foundation
import Glibc
import Testing

/// A sandbox applies to a thread, so all threads of a worker are inspected from outside.
/// https://man7.org/linux/man-pages/man5/proc_pid_status.5.html
@Suite("The sandbox of the service's workers", .serialized)
struct WorkerSandboxTests {
  private static let page = "<body style='margin:0'><p style='margin:0;height:9px'>x</p>"

  /// The problems of the workers' threads, and the number of threads.
  private func audit(_ service: ServiceUnderTest) throws -> (faults: [String], threads: Int) {
    var faults: [String] = [], threads = 0
    let host = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/net")
    for worker in service.children {
      for task in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(worker)/task")) ?? [] {
        guard let status = try? String(contentsOfFile: "/proc/\(worker)/task/\(task)/status", encoding: .utf8) else { continue }
        threads += 1
        for line in ["CapEff:\t0000000000000000", "CapPrm:\t0000000000000000", "NoNewPrivs:\t1", "Seccomp:\t2"] where !status.contains(line)
        {
          faults.append("\(worker)/\(task): not \(line)")
        }
        let network = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(worker)/task/\(task)/ns/net")
        if network == host { faults.append("\(worker)/\(task): the host's network") }
      }
    }
    return (faults, threads)
  }

  private func check(_ service: ServiceUnderTest, workers: Int) throws {
    // A worker that is just starting is not sandboxed yet.
    let isWhole = try service.eventually {
      let found = try audit(service)
      return service.children.count == workers && found.faults.isEmpty && found.threads >= 2 * workers
    }
    let found = try audit(service)
    #expect(isWhole, "\(found)")
  }

  private func runAll(_ service: ServiceUnderTest) throws {
    try check(service, workers: 2)
    let connection = try service.connect()
    for number in 0..<1000 {
      let body = Array((Self.page + "\(number)").utf8)
      let head = "POST /render?width=20 HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/html\r\nContent-Length: \(body.count)\r\n\r\n"
      connection.write(Array(head.utf8) + body)
      try #require(try connection.readResponse().status == 200)
    }
    try check(service, workers: 2)
    let victims = service.children
    for victim in victims { kill(victim, SIGKILL) }
    #expect(try service.post("/render?width=21", html: Self.page).status == 200)
    try check(service, workers: 2)
    #expect(Set(service.children).isDisjoint(with: victims))
  }

  private static let arguments = ["--no-auth", "--workers", "2"]

  @Test("All threads of workers are confined: at startup, after 1,000 pages, and after replacing a killed worker")
  func ownUser() throws { try runAll(try ServiceUnderTest(Self.arguments)) }

  @Test("All threads are confined in a service of an unprivileged user", .enabled(if: geteuid() == 0, "Needs root to become another user"))
  func ordinaryUser() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-user-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    chown(folder.path, 65_534, 65_534)
    let server = ServiceUnderTest.executable("offprint-server").path
    let leading = ["--reuid=65534", "--regid=65534", "--clear-groups", "--", server]
    try runAll(try ServiceUnderTest(Self.arguments, folder: folder, program: "/usr/bin/setpriv", leading: leading))
  }

  /// Starts a program without privileges, in an environment in which no namespaces can be created.
  private static let withoutNamespaces = [
    "--user", "--map-root-user", "/bin/sh", "-c",
    "echo 0 > /proc/sys/user/max_user_namespaces && exec setpriv --bounding-set=-all --inh-caps=-all \"$@\"", "sh",
  ]

  private static let canRestrictNamespaces: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    process.arguments = withoutNamespaces + ["true"]
    process.standardError = FileHandle.nullDevice
    try? process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test(
    "A missing layer of the sandbox ends startup with its name, unless it is allowed to be missing",
    .enabled(if: canRestrictNamespaces, "Needs user namespaces"))
  func missingLayer() throws {
    let leading = Self.withoutNamespaces + [ServiceUnderTest.executable("offprint-server").path]
    let failure = #expect(throws: ServiceUnderTest.Failure.self) {
      try ServiceUnderTest(Self.arguments, program: "/usr/bin/unshare", leading: leading)
    }
    #expect(failure?.description.contains("noNetwork") == true && failure?.description.contains("--allow-missing-layer") == true)
    let service = try ServiceUnderTest(
      Self.arguments + ["--allow-missing-layer", "noNetwork"], program: "/usr/bin/unshare", leading: leading)
    #expect(try service.post("/render?width=21", html: Self.page).status == 200)
  }
}
