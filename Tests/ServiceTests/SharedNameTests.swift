import Foundation
import Glibc
import Testing

/// The kinds of store that three services share.
enum SharedStore: String, CaseIterable, CustomTestStringConvertible {
  case redis, s3

  var testDescription: String { rawValue }
  static var installed: [SharedStore] { allCases.filter { $0.program != nil } }

  fileprivate var program: URL? {
    guard self == .s3 || Redis.program != nil else { return nil }
    let name = self == .redis ? "redis-server" : "moto_server"
    return (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { URL(fileURLWithPath: "\($0)/\(name)") }.first {
      FileManager.default.isExecutableFile(atPath: $0.path)
    }
  }
}

/// An empty store that ends with the test.
final class StoreUnderTest {
  let address: String
  private let process = Process()
  private let folder: URL
  private let arguments: [String]
  private let port: Int

  init(_ kind: SharedStore) throws {
    guard let program = kind.program else { throw ServiceUnderTest.Failure("The store is not installed.") }
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    port = Int.random(in: 20_000..<30_000)
    let isRedis = kind == .redis
    address = isRedis ? "redis://127.0.0.1:\(port)/0" : "s3://pictures/some%20place?endpoint=http://127.0.0.1:\(port)&region=eu-central-1"
    arguments = isRedis ? ["--port", "\(port)", "--save", "", "--dir", folder.path] : ["-H", "127.0.0.1", "-p", "\(port)"]
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    process.currentDirectoryURL = folder
    try process.run()
    for _ in 0..<3000 where (try? RawConnection(port: port)) == nil { usleep(20_000) }
    guard !isRedis else { return }
    let connection = try RawConnection(port: port)
    connection.write("PUT /pictures HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    guard try connection.readResponse().status == 200 else { throw ServiceUnderTest.Failure("There is no bucket.") }
  }

  deinit { stop() }

  func stop() {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
    try? FileManager.default.removeItem(at: folder)
  }

  func service(_ arguments: [String] = ["--no-auth"], files: [String: String] = [:], folder: URL? = nil) throws -> ServiceUnderTest {
    let limits = ["--timeout", "300s", "--request-timeout", "300s"]
    return try ServiceUnderTest(
      arguments + limits + ["--tier", address], files: files, environment: ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"],
      folder: folder)
  }
}

@Suite("Names and tags on three machines", .serialized) struct SharedNameTests {
  private static let tokens = """
    a render 0123456789abcdef-a
    b render 0123456789abcdef-b
    root render,admin 0123456789abcdef-c

    """
  private let html = ["Content-Type": "text/html"]

  private func put(_ service: ServiceUnderTest, _ name: String, _ page: String, _ more: [String: String] = [:]) throws -> TestResponse {
    try service.send("PUT", "/i/\(name)", html.merging(more) { $1 }, body: Array(page.utf8))
  }

  @Test("A name written on one machine is known on all when the response arrives", arguments: SharedStore.installed)
  func names(kind: SharedStore) throws {
    let store = try StoreUnderTest(kind)
    let services = try (0..<3).map { _ in try store.service() }
    for round in 0..<6 {
      let made = try put(services[round % 3], "invoice-1", "<h1>Version \(round)")
      #expect(made.status == 200)
      for other in services {
        let read = try other.get("/i/invoice-1")
        #expect(read.status == 200 && read.body == made.body, "round \(round)")
        #expect(try other.get("/i/invoice-1", ["If-None-Match": made.headers["etag"] ?? ""]).status == 304)
      }
    }
    // A machine that starts later knows it too.
    #expect(try store.service().get("/i/invoice-1").body == services[0].get("/i/invoice-1").body)
    #expect(try services[1].send("DELETE", "/i/invoice-1").status == 204)
    for other in services { #expect(try other.get("/i/invoice-1").status == 404) }
    #expect(try put(services[2], "invoice-1", "<h1>Again").status == 200)
    #expect(try services[0].get("/i/invoice-1").status == 200)
  }

  @Test("A tag removes its images from all machines", arguments: SharedStore.installed)
  func tags(kind: SharedStore) throws {
    let store = try StoreUnderTest(kind)
    let services = try (0..<3).map { _ in try store.service() }
    let made = try services[0].post("/render?width=90&tag=spring", html: "<p>tagged")
    let key = try #require(made.headers["offprint-key"])
    #expect(try services[1].eventually { try services[1].get("/i/\(key)").status == 200 })
    // The tag of a later request on another machine counts as well.
    #expect(try services[1].post("/render?width=90&tag=summer", html: "<p>tagged").headers["cache-status"] == "offprint; hit")
    let kept = try #require(try services[2].post("/render?width=90", html: "<p>without a tag").headers["offprint-key"])
    #expect(
      try services[0].eventually {
        let removed = try services[2].send("DELETE", "/tags/summer")
        return removed.status == 200 && (removed.json["entries"] as? Int ?? 0) >= 1
      })
    for service in services { #expect(try service.eventually { try service.get("/i/\(key)").status == 404 }) }
    #expect(try services[1].eventually { try services[1].get("/i/\(kept)").status == 200 })
  }

  @Test("A machine that was not running carries out the removals when it starts")
  func absent() throws {
    let store = try StoreUnderTest(.redis)
    let (first, second) = (try store.service(), try store.service())
    let folder = second.folder.appendingPathComponent("kept")
    var third: ServiceUnderTest? = try store.service(folder: folder)
    let made = try first.post("/render?tag=old", html: "<p>old")
    let key = try #require(made.headers["offprint-key"])
    #expect(try third?.eventually { try third?.get("/i/\(key)").status == 200 } == true)
    third?.signal(SIGTERM)
    _ = third?.wait()
    third = nil
    #expect(try first.send("DELETE", "/tags/old").status == 200)
    let again = try store.service(folder: folder)
    #expect(try again.eventually { try again.get("/i/\(key)").status == 404 })
  }

  @Test("An identifier belongs to its owner on all machines", arguments: SharedStore.installed)
  func owners(kind: SharedStore) throws {
    let store = try StoreUnderTest(kind)
    let services = try (0..<3).map { _ in try store.service(["--tokens", "tokens"], files: ["tokens": Self.tokens]) }
    func token(_ name: String) -> [String: String] { ["Authorization": "Bearer 0123456789abcdef-\(name)"] }
    #expect(try put(services[0], "mine", "<p>1", token("a")).status == 200)
    #expect(try put(services[1], "mine", "<p>2", token("b")).code == "forbidden")
    #expect(try put(services[1], "mine", "<p>3", token("a")).status == 200)
    #expect(try put(services[2], "mine", "<p>4", token("c")).status == 200)
    #expect(try put(services[2], "mine", "<p>5", token("b")).code == "forbidden")
    // A failed render leaves no owner.
    #expect(try put(services[0], "free", "<p>1", token("a").merging(["Accept": "text/css"]) { $1 }).status == 406)
    #expect(try services[0].send("PUT", "/i/free?selector=.none", html.merging(token("a")) { $1 }, body: Array("<p>".utf8)).status == 422)
    #expect(try put(services[1], "free", "<p>1", token("b")).status == 200)
    #expect(try services[2].send("DELETE", "/i/mine", token("c")).status == 204)
    #expect(try put(services[1], "mine", "<p>6", token("b")).status == 200)
    #expect(try put(services[0], "mine", "<p>7", token("a")).code == "forbidden")
  }

  @Test("Without the store, a machine knows the names that it has seen, and writes names when the store is back")
  func outage() throws {
    let store = try StoreUnderTest(.redis)
    let (first, second) = (try store.service(), try store.service())
    let made = try put(first, "seen", "<p>seen")
    #expect(try second.get("/i/seen").body == made.body)
    store.stop()
    #expect(try second.get("/i/seen").body == made.body)
    #expect(try put(second, "later", "<p>later").status == 200)
    #expect(try second.get("/i/later").status == 200)
  }

  // MARK: Readiness

  @Test("A store that cannot be used fails the start, with a code and a reason", .enabled(if: SharedStore.installed.count == 2))
  func missingStore() throws {
    let store = try StoreUnderTest(.s3)
    let wrong = store.address.replacing("pictures", with: "nowhere")
    let redis = try Redis(password: "right")
    for (address, reason) in [
      (wrong, "NoSuchBucket"), ("redis://:wrong@127.0.0.1:\(redis.port)/0", "WRONGPASS"), ("redis://127.0.0.1:\(redis.port)/0", "NOAUTH"),
      ("redis://127.0.0.1:1/0", "refused"),
    ] {
      let outcome = try Program.run(["--no-auth", "--listen", "127.0.0.1:0", "--tier", address])
      #expect(outcome.status == 74, "\(outcome.errors)")
      #expect(outcome.errors.contains("tierUnavailable") && outcome.errors.contains(reason), "\(outcome.errors)")
      #expect(!outcome.errors.contains("wrong") || address == wrong, "no secrets: \(outcome.errors)")
    }
    let outcome = try Program.run(["--no-auth", "--no-cache", "--tier", "redis://127.0.0.1:\(redis.port)/0"])
    #expect(outcome.status == 64 && outcome.errors.contains("--no-cache"))
  }

  /// A folder in which the loader finds files instead of libhiredis that are no libraries.
  private func withoutHiredis(_ body: ([String: String]) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-libraries-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for version in ["so.1.3.0", "so.1.1.0", "so.1.0.0", "so.1", "so.0.14", "so"] {
      try Data("no library".utf8).write(to: folder.appendingPathComponent("libhiredis.\(version)"))
    }
    try body(["LD_LIBRARY_PATH": folder.path])
  }

  @Test("Without libhiredis the service does not start and names the package, or with --tier-optional reports the store as missing")
  func missingLibrary() throws {
    try withoutHiredis { environment in
      let tier = ["--tier", "redis://127.0.0.1:1/0"]
      let outcome = try Program.run(["--no-auth", "--listen", "127.0.0.1:0"] + tier, environment)
      #expect(outcome.status == 74, "\(outcome.errors)")
      #expect(outcome.errors.contains("tierUnavailable") && outcome.errors.contains("libhiredis0.14"), "\(outcome.errors)")
      #expect(outcome.errors.contains("--tier-optional") && !outcome.errors.contains("for now"), "\(outcome.errors)")
      let service = try ServiceUnderTest(["--no-auth", "--tier-optional"] + tier, environment: environment)
      #expect(service.logText.components(separatedBy: "libhiredis0.14").count == 2, "\(service.logText)")
      let ready = try service.get("/health/ready")
      #expect(ready.status == 200 && ready.json["missing"] as? [String] == ["tier"])
      #expect(try service.post("/render", html: "<p>alone").isPNG)
    }
  }

  @Test("With --tier-optional the service starts, warns once, and reports the missing store until it is available")
  func optionalStore() throws {
    let port = Int.random(in: 30_000..<32_000)
    let service = try ServiceUnderTest(["--no-auth", "--tier-optional", "--tier", "redis://127.0.0.1:\(port)/0"])
    #expect(try service.get("/health/ready").json["missing"] as? [String] == ["tier"])
    #expect(try service.post("/render", html: "<p>alone").status == 200)
    #expect(service.logText.components(separatedBy: "\"warning\"").count == 2, "\(service.logText)")
    let redis = try Redis(port: port)
    var number = 0
    #expect(
      try service.eventually {
        number += 1
        _ = try service.post("/render", html: "<p>\(number)")
        return try service.get("/health/ready").json["missing"] as? [String] == []
      })
    #expect(service.logText.contains("available again"))
    redis.stop()
  }
}

/// Runs `offprint-server` to its end.
private enum Program {
  static func run(_ arguments: [String], _ environment: [String: String] = [:]) throws -> (status: Int32, errors: String) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offprint-start-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process(), errors = Pipe()
    process.executableURL = ServiceUnderTest.executable("offprint-server")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"]) {
      $1
    }.merging(environment) { $1 }
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }
}
