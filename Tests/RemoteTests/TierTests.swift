import Foundation
import Offprint
import OffprintRenderCache
import Synchronization
import Testing

@testable import OffprintRemote

/// The kinds of store whose server is installed.
enum Store: String, CaseIterable, CustomTestStringConvertible {
  case redis, rediss, s3

  var testDescription: String { rawValue }

  static var installed: [Store] { (Programs.redis == nil ? [] : [.redis, .rediss]) + (Programs.moto == nil ? [] : [.s3]) }

  func start() throws -> Server {
    switch self {
    case .redis: try .redis()
    case .rediss: try .rediss()
    case .s3: try .s3()
    }
  }

  /// With an empty bucket.
  func address(_ server: Server) throws -> String {
    if self == .redis { return "redis://127.0.0.1:\(server.port)/3?prefix=some%20thing:" }
    if self == .rediss { return "rediss://127.0.0.1:\(server.port)/3?prefix=some%20thing:&cacert=\(server.folder.path("cert.pem"))" }
    try makeBucket(server)
    return "s3://pictures/some%20thing/below?endpoint=http://127.0.0.1:\(server.port)&region=eu-central-1"
  }

  func makeBucket(_ server: Server) throws {
    let request = HTTPConnections.Request(
      method: "PUT", url: "http://127.0.0.1:\(server.port)/pictures", limit: 1 << 20, milliseconds: 30_000)
    #expect(try HTTPConnections().send(request).status == 200)
  }
}

private let keys = ["AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret"]

private func objects(_ address: String) throws -> any RemoteObjects {
  for (name, value) in keys { setenv(name, value, 1) }
  return try CacheTier(address).objects()
}

/// Renders one page and returns its state.
private func render(_ html: String, _ machine: String, _ address: String, _ folder: Scratch, _ more: [String] = []) throws -> (
  String, String
) {
  let page = try folder.write("page.html", html)
  let run = try Run.finish(
    ["render", page, "-o", "\(machine).png", "--cache", "cache-\(machine)", "--json", "--tier", address] + more, in: folder)
  return (try #require(run.lines.first?["status"] as? String), try #require(run.lines.first?["key"] as? String))
}

@Suite(
  "A shared store", .serialized, .enabled(if: Programs.redis != nil, Programs.noRedis), .enabled(if: Programs.moto != nil, Programs.noMoto))
struct TierTests {
  @Test("A machine gets the same bytes that another one rendered, and caches them", arguments: Store.installed)
  func shares(store: Store) throws {
    let (server, folder) = (try store.start(), try Scratch())
    let address = try store.address(server)
    #expect(try render("<h1>one", "a", address, folder).0 == "rendered")
    #expect(try render("<h1>one", "b", address, folder).0 == "cached")
    #expect(try folder.data("a.png") == folder.data("b.png"))
    server.stop()
    #expect(try render("<h1>one", "b", address, folder).0 == "cached")
  }

  @Test("Altered or truncated objects are never used, are rendered again, and heal", arguments: Store.installed)
  func wrongBytes(store: Store) throws {
    let (server, folder) = (try store.start(), try Scratch())
    let address = try store.address(server)
    let key = try #require(CacheKey(hex: try render("<h1>two", "a", address, folder).1))
    let remote = try objects(address)
    let whole = try #require(try remote.read(key, limit: 1 << 20, deadline: .never))
    var wrong: [[UInt8]] = [Array(whole.dropLast()), Array(whole.prefix(40)), Array("nonsense".utf8), whole + [0]]
    for place in [3, 22, 60, 150, whole.count - 20] {
      var copy = whole
      copy[place] ^= 1
      wrong.append(copy)
    }
    for (number, bytes) in wrong.enumerated() {
      try remote.write(key, bytes)
      #expect(try render("<h1>two", "b\(number)", address, folder).0 == "rendered", "wrong \(number)")
      #expect(try folder.data("a.png") == folder.data("b\(number).png"))
      #expect(try render("<h1>two", "c\(number)", address, folder).0 == "cached", "healed \(number)")
    }
  }

  @Test("An object stored under another page's key is not used", arguments: Store.installed)
  func swapped(store: Store) throws {
    let (server, folder) = (try store.start(), try Scratch())
    let address = try store.address(server)
    let first = try #require(CacheKey(hex: try render("<h1>three", "a", address, folder).1))
    let second = try #require(CacheKey(hex: try render("<h1>four", "a", address, folder).1))
    let remote = try objects(address)
    try remote.write(first, try #require(try remote.read(second, limit: 1 << 20, deadline: .never)))
    #expect(try render("<h1>three", "b", address, folder).0 == "rendered")
  }

  @Test("An image made from a different version of a file is not used")
  func dependencies() throws {
    let (server, folder) = (try Server.redis(), try Scratch())
    let address = try Store.redis.address(server)
    let html = "<link rel=stylesheet href=style.css><h1>five"
    let style = try folder.write("style.css", "h1{color:#f00}")
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: style)
    #expect(try render(html, "a", address, folder).0 == "rendered")
    // With the size and time of the other machine's file, but different contents.
    try folder.write("style.css", "h1{color:#0f0}")
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: style)
    let run = try Run.finish(
      ["render", "page.html", "-o", "b.png", "--cache", "cache-b", "--json", "--tier", address], in: folder)
    #expect(run.lines.first?["status"] as? String == "rendered")
    #expect(try folder.data("a.png") != folder.data("b.png"))
    let again = try Run.finish(
      ["render", "page.html", "-o", "c.png", "--cache", "cache-c", "--json", "--tier", address], in: folder)
    #expect(again.lines.first?["status"] as? String == "cached")
    #expect(try folder.data("b.png") == folder.data("c.png"))
  }

  @Test("With --tier-read-only the store is only read", arguments: Store.installed)
  func readOnly(store: Store) throws {
    let (server, folder) = (try store.start(), try Scratch())
    let address = try store.address(server)
    #expect(try render("<h1>six", "a", address, folder, ["--tier-read-only"]).0 == "rendered")
    #expect(try render("<h1>six", "b", address, folder).0 == "rendered")
    #expect(try render("<h1>six", "c", address, folder, ["--tier-read-only"]).0 == "cached")
  }

  @Test("A store that is missing or refuses access fails no render and is reported once")
  func absent() throws {
    let (server, folder) = (try Server.s3(), try Scratch())
    let pages = (1...5).map { "{\"id\":\"\($0)\",\"html\":\"<h1>\($0)\"}" }.joined(separator: "\n")
    let list = try folder.write("jobs.ndjson", pages)
    for address in ["redis://127.0.0.1:\(try freePort())", "s3://nowhere/x?endpoint=http://127.0.0.1:\(server.port)"] {
      let run = try Run.finish(["batch", list, "-o", "out", "--cache", "cache-\(UUID())", "--tier", address], in: folder)
      let reported = run.messages.split(separator: "\n").filter { $0.contains("tierUnavailable") && $0.contains("not used") }
      #expect(reported.count == 1, "\(run.messages)")
    }
  }

  @Test("A store that is lost and comes back is reported twice, and receives what was rendered meanwhile", arguments: Store.installed)
  func lostAndBack(store: Store) throws {
    for (name, value) in keys { setenv(name, value, 1) }
    let (server, folder) = (try store.start(), try Scratch())
    var tier = CacheTier(try store.address(server))
    let notices = Notices()
    tier.onNotice = { notices.add($0) }
    var configuration = RendererConfiguration()
    configuration.bundledFontFolder = root.appendingPathComponent("Fonts").path
    configuration.cacheFolder = folder.path("cache")
    let renderer = try Renderer(configuration.sharing(tier))
    let first = try renderer.renderAndWait(RenderRequest(html: "<h1>before"))
    let remote = try objects(tier.address)
    let key = try #require(CacheKey(hex: first.key))
    try until("the first is there") { (try? remote.contains(key)) == true }
    server.stop()
    let second = try renderer.renderAndWait(RenderRequest(html: "<h1>meanwhile"))
    _ = try renderer.renderAndWait(RenderRequest(html: "<h1>meanwhile too"))
    try until("the loss is reported") { !notices.all.isEmpty }
    try server.start()
    if store == .s3 { try store.makeBucket(server) }
    var number = 0
    try until("it is used again") {
      number += 1
      _ = try renderer.renderAndWait(RenderRequest(html: "<h1>after \(number)"))
      usleep(50_000)
      return notices.all.count >= 2
    }
    let meanwhile = try #require(CacheKey(hex: second.key))
    try until("what was drawn meanwhile is there") { (try? remote.contains(meanwhile)) == true }
    renderer.shutdown()
    guard case .lost? = notices.all.first, case .back? = notices.all.last, notices.all.count == 2 else {
      Issue.record("\(notices.all)")
      return
    }
  }

  @Test("Over TLS the store is authenticated by its certificate, and clients by theirs")
  func certificates() throws {
    let (server, folder) = (try Server.rediss(asksForCertificates: true), try Scratch())
    let (place, own, authority) = ("rediss://127.0.0.1:\(server.port)", server.folder.path("cert.pem"), server.folder.path("key.pem"))
    let key = try #require(CacheKey(hex: String(repeating: "0a", count: 32)))
    let good = try objects("\(place)?cacert=\(own)&cert=\(own)&key=\(authority)")
    // Larger than one buffer and than a socket's buffer.
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) }
    try good.write(key, bytes)
    #expect(try good.read(key, limit: 4 << 20, deadline: .never) == bytes)
    for _ in 0..<50 { #expect(try good.contains(key)) }
    let other = try Server.rediss()
    for address in [
      "\(place)?cert=\(own)&key=\(authority)", "\(place)?cacert=\(own)",
      "rediss://localhost:\(server.port)?cacert=\(other.folder.path("cert.pem"))",
      "rediss://127.0.0.1:\(try Server.redis().port)?cacert=\(own)", "\(place)?cacert=\(folder.path("none.pem"))",
    ] { #expect(throws: RemoteFailure.self, "\(address)") { try objects(address).contains(key) } }
    // A connection leaks no descriptors.
    let files = { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }
    let before = files()
    for _ in 0..<20 { #expect(try objects("\(place)?cacert=\(own)&cert=\(own)&key=\(authority)").contains(key)) }
    try until("the connections are closed") { files() <= before + 3 }
  }

  @Test(
    "The URL of a store must be valid",
    arguments: [
      "redis:nowhere", "rediss://host?cert=a.pem", "redis://host?cacert=a.pem", "ftp://host", "redis://host:0", "redis://host/x",
      "redis://host?prefx=a", "redis://h?timeout=-1s",
      "s3://b",
      "s3://bucket?endpoint=ftp://x", "s3://bucket?addressing=odd", "redis://a%zz", "redis://",
    ])
  func addresses(address: String) throws {
    let folder = try Scratch()
    try folder.write("page.html", "x")
    let run = try Run(["render", "page.html", "-o", "x.png", "--tier", address], in: folder)
    #expect(run.end() == 64, "\(run.messages)")
    #expect(run.messages.contains("--tier") && !FileManager.default.fileExists(atPath: folder.path("x.png")))
  }

  @Test("The store can be set in offprint.toml and by OFFPRINT_TIER")
  func sources() throws {
    let (server, folder) = (try Server.redis(), try Scratch())
    let address = try Store.redis.address(server)
    try folder.write("page.html", "<h1>seven")
    try Run.finish(["render", "page.html", "-o", "a.png", "--cache", "a"], in: folder, environment: ["OFFPRINT_TIER": address])
    try folder.write("offprint.toml", "tier = \"\(address)\"\ntier-read-only = true\n")
    let run = try Run.finish(["render", "page.html", "-o", "b.png", "--cache", "b", "--json"], in: folder)
    #expect(run.lines.first?["status"] as? String == "cached")
  }
}

/// The notices received, in order.
private final class Notices: Sendable {
  private let kept = Mutex<[CacheTier.Notice]>([])
  func add(_ notice: CacheTier.Notice) { kept.withLock { $0.append(notice) } }
  var all: [CacheTier.Notice] { kept.withLock { $0 } }
}
