import Foundation
import Glibc
import Testing

/// An empty Redis server that ends with the test.
final class Redis {
  private static let hiredis = ["so.1.3.0", "so.1.1.0", "so.1.0.0", "so.1", "so.0.14", "so"].contains {
    dlopen("libhiredis.\($0)", RTLD_NOW) != nil
  }
  /// Also nil if libhiredis is not installed.
  static let program =
    !hiredis
    ? nil
    : (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/redis-server" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  private let process = Process()
  private let folder: URL
  let port: Int

  init(port: Int = Int.random(in: 20_000..<30_000), password: String? = nil) throws {
    guard let program = Self.program else { throw ServiceUnderTest.Failure("There is no redis-server.") }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-redis-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    self.port = port
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = ["--port", "\(port)", "--save", "", "--dir", folder.path] + (password.map { ["--requirepass", $0] } ?? [])
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    for _ in 0..<1000 where (try? RawConnection(port: port)) == nil { usleep(20_000) }
  }

  deinit { stop() }

  func stop() {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }
}

@Suite(
  "Services that share a store", .serialized,
  .enabled(if: Redis.program != nil, "redis-server or libhiredis is not installed: apt-get install redis-server libhiredis0.14"))
struct SharedStoreTests {
  @Test("Services share rendered images, also by key, remove them together, and report the state of the store in metrics")
  func shares() throws {
    let redis = try Redis()
    let options = ["--no-auth", "--tier", "redis://127.0.0.1:\(redis.port)/0", "--timeout", "300s", "--request-timeout", "300s"]
    let (first, second) = (try ServiceUnderTest(options), try ServiceUnderTest(options))
    let rendered = try first.post("/render?width=200", html: "<h1>shared")
    let key = try #require(rendered.headers["offprint-key"])
    #expect(try first.eventually { try first.get("/metrics").text.contains("offprint_tier_writes_total 1") })
    let byKey = try second.get("/i/\(key)")
    #expect(byKey.status == 200 && byKey.body == rendered.body)
    let again = try first.post("/render?width=200", html: "<h1>more")
    #expect(try first.eventually { try first.get("/metrics").text.contains("offprint_tier_writes_total 2") })
    let other = try second.post("/render?width=200", html: "<h1>more")
    #expect(other.body == again.body && other.headers["cache-status"] == "offprint; hit")
    let figures = try second.get("/metrics").text
    #expect(figures.contains("offprint_tier_reads_total{result=\"hit\"} 2") && figures.contains("offprint_tier_up 1"))

    #expect(try first.send("DELETE", "/i/\(key)").status == 204)
    let third = try ServiceUnderTest(options)
    #expect(try third.eventually { try third.get("/i/\(key)").status == 404 })

    redis.stop()
    #expect(try second.post("/render?width=200", html: "<h1>alone").status == 200)
    #expect(try second.eventually { try second.get("/metrics").text.contains("offprint_tier_up 0") })
    #expect(second.logText.components(separatedBy: "not used").count == 2)
  }
}
