import OffprintCoreTypes
import Foundation
import Synchronization
import Testing

@testable import OffprintRemote
@testable import OffprintResources

@Suite("The HTTP cache", .enabled(if: Programs.find("python3") != nil))
struct HTTPCacheTests {
  private let server: TrapServer
  private let scratch: Scratch
  private final class Clock: Sendable {
    let seconds = Atomic<Int64>(Int64(Date().timeIntervalSince1970))
    func wait(_ time: Int64) { seconds.add(time, ordering: .relaxed) }
  }
  private let clock = Clock()

  init() throws {
    server = try TrapServer()
    scratch = try Scratch()
  }

  private func resources(revalidates: Bool = false, hosts: [String] = ["127.0.0.1"]) throws -> HTTPResources {
    try HTTPResources(
      hosts: hosts, cache: HTTPCache(folder: scratch.path("c/http")), revalidates: revalidates,
      clock: { [clock] in clock.seconds.load(ordering: .relaxed) })
  }

  /// The number of the request that was answered, or the error code.
  private func get(_ fields: String, revalidates: Bool = false, limit: Int = 1 << 20) throws -> String {
    let resources = try resources(revalidates: revalidates)
    do throws(ResourceError) {
      let resource = try resources.load(url(fields), limit: limit, deadline: .never, allows: nil)
      return String(decoding: resource.bytes, as: UTF8.self)
    } catch {
      return error.code.rawValue
    }
  }

  private func set(_ state: String) throws {
    _ = try HTTPResources(hosts: ["127.0.0.1"]).load(
      try #require(ResourceURL(server.url("/set?\(state)"))), limit: 100, deadline: .never, allows: nil)
  }

  private func url(_ fields: String) -> ResourceURL { ResourceURL(server.url("/kept?\(fields)")) ?? ResourceURL(scheme: "x", path: "") }

  @Test("Responses are reused as long as their servers specify")
  func freshness() throws {
    #expect(try get("Cache-Control=max-age=60") == "1" && get("Cache-Control=max-age=60") == "1")
    clock.wait(30)
    #expect(try get("Cache-Control=max-age=60") == "1")
    clock.wait(31)
    #expect(try get("Cache-Control=max-age=60") == "2")
    #expect(try get("Cache-Control=no-store,max-age=60") == "3" && get("Cache-Control=no-store,max-age=60") == "4")
    #expect(try get("X=1") == "5" && get("X=1") == "6")
    #expect(try get("Cache-Control=max-age=60&Vary=*") == "7" && get("Cache-Control=max-age=60&Vary=*") == "8")
    #expect(
      try get("Cache-Control=max-age=60&Vary=accept,%20X-Other") == "9" && get("Cache-Control=max-age=60&Vary=accept,%20X-Other") == "9")
    #expect(try get("Cache-Control=max-age=60&Age=59") == "10")
    clock.wait(1)
    #expect(try get("Cache-Control=max-age=60&Age=59") == "11")
    #expect(try get("Cache-Control=max-age=60", revalidates: true) == "12")
  }

  @Test("Responses are reused until they expire, or for a heuristic lifetime")
  func expiry() throws {
    let fields = HTTPFields(head: Array("Date: Thu, 01 Jan 2026 00:00:00 GMT\r\nExpires: Thu, 01 Jan 2026 00:01:00 GMT\r\n".utf8))
    let start = try #require(HTTPDate.parse("Thu, 01 Jan 2026 00:00:00 GMT"))
    func stored(_ fields: HTTPFields, status: Int = 200) -> StoredResponse {
      StoredResponse(url: "u", status: status, fields: fields, body: [], requested: start, received: start, address: "", selecting: [])
    }
    #expect(stored(fields).isFresh(start + 59) && !stored(fields).isFresh(start + 60) && !stored(fields).isFresh(start - 100))
    let old = HTTPFields(head: Array("Date: Thu, 01 Jan 2026 00:00:00 GMT\r\nLast-Modified: Wed, 31 Dec 2025 00:00:00 GMT\r\n".utf8))
    #expect(stored(old).isFresh(start + 8639) && !stored(old).isFresh(start + 8640))
    #expect(!stored(old, status: 302).isStorable && !stored(old, status: 500).isStorable && stored(old).isStorable)
    let zero = HTTPFields(head: Array("Expires: 0\r\n".utf8))
    #expect(!stored(zero).isFresh(start) && !stored(zero).isStorable)
  }

  @Test("Stale responses are revalidated with their validators")
  func validation() throws {
    let fields = "Cache-Control=max-age=10&ETag=%22a%22"
    #expect(try get(fields) == "1")
    clock.wait(11)
    #expect(try get(fields) == "1")
    #expect(try get(fields) == "1")
    clock.wait(11)
    try set("tag=%22b%22")
    #expect(try get(fields) == "3" && get(fields) == "3")
    let always = "Cache-Control=no-cache&ETag=%22b%22"
    let first = try get(always)
    #expect(try Int(first) != nil && get(always) == first)
  }

  @Test("Stale responses are used if the server fails or cannot be reached, where that is allowed")
  func failures() throws {
    let free = "Cache-Control=max-age=10", strict = "Cache-Control=max-age=10,must-revalidate",
      allowed = "Cache-Control=max-age=10,stale-if-error=600"
    let first = try [get(free), get(strict), get(allowed)]
    clock.wait(20)
    try set("down=503")
    #expect(try [get(free), get(strict), get(allowed)] == ["resourceUnreadable", "resourceUnreadable", first[2]])
    try set("down=1")
    #expect(try [get(free), get(strict), get(allowed)] == [first[0], "resourceUnreadable", first[2]])
    clock.wait(8 * 86_400)
    #expect(try get(free) == "resourceUnreadable")
  }

  @Test("Redirects and missing resources are cached")
  func kinds() throws {
    for (status, code) in [("404", "resourceMissing"), ("410", "resourceMissing")] {
      #expect(try get("status=\(status)&Cache-Control=max-age=60") == code)
      try set("down=1")
      #expect(try get("status=\(status)&Cache-Control=max-age=60") == code)
      try set("")
    }
    #expect(try get("Cache-Control=max-age=60", limit: 0) == "limitExceeded")
    let before = try get("Cache-Control=max-age=61")
    #expect(try get("Cache-Control=max-age=61", limit: 0) == "limitExceeded" && get("Cache-Control=max-age=61") == before)
  }

  @Test("Cache files are verified, limited in size, and not used for other addresses")
  func files() throws {
    let folder = scratch.path("small")
    let cache = HTTPCache(folder: folder, largestTotal: 80_000, maximumFiles: 20)
    func answer(_ name: String, _ count: Int) -> StoredResponse {
      var answer = StoredResponse(
        url: name, status: 200, fields: HTTPFields(head: Array("Cache-Control: max-age=9\r\nX-A: b\r\n".utf8)),
        body: [UInt8](repeating: 7, count: count), requested: 1, received: 2, address: "192.0.2.1", selecting: ["accept:*/*"])
      answer.redirect = "http://x/"
      return answer
    }
    for index in 0..<100 { cache.store(answer("u\(index)", 2000)) }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(files.count <= 20 && !files.isEmpty && files.allSatisfy { $0.count == 64 })
    cache.store(answer("one", 100))
    #expect(cache.find("one") == answer("one", 100))
    cache.store(answer("large", 20_000))
    #expect(cache.find("large") == nil)
    let path = "\(folder)/\(StoredResponse.hex(Array("one".utf8)))"
    let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    for length in [0, 1, 20, whole.count - 101, whole.count - 1] {
      #expect(StoredResponse(bytes: Array(whole[..<length])) == nil, "\(length)")
    }
    for place in stride(from: whole.count - 100, to: whole.count, by: 7) {
      var damaged = whole
      damaged[place] ^= 1
      #expect(StoredResponse(bytes: damaged) == nil)
    }
    try Data(whole.dropLast()).write(to: URL(fileURLWithPath: path))
    #expect(cache.find("one") == nil && !FileManager.default.fileExists(atPath: path))
    // A response from a private address is not used for a host with public addresses.
    #expect(try get("Cache-Control=max-age=60&X=p") == get("Cache-Control=max-age=60&X=p"))
    let other = try resources(hosts: ["*"])
    #expect(throws: ResourceError.self) { try other.load(url("Cache-Control=max-age=60&X=p"), limit: 100, deadline: .never, allows: nil) }
  }

  @Test("Requests with transient failures are retried a few times")
  func retries() throws {
    func get(_ query: String) throws -> Bool {
      let url = try #require(ResourceURL(server.url("/flaky?\(query)")))
      return (try? HTTPResources(hosts: ["127.0.0.1"]).load(url, limit: 1 << 20, deadline: .never, allows: nil)) != nil
    }
    #expect(try get("503,2"))
    #expect(try get("503,0"))
    let hung = try HTTPCacheTests()
    let url = try #require(ResourceURL(hung.server.url("/flaky?hang-up,2")))
    #expect(try HTTPResources(hosts: ["127.0.0.1"]).load(url, limit: 1 << 20, deadline: .never, allows: nil).bytes.count > 50)
    let down = try HTTPCacheTests()
    let never = try #require(ResourceURL(down.server.url("/flaky?500,1")))
    #expect(throws: ResourceError.self) {
      try HTTPResources(hosts: ["127.0.0.1"]).load(never, limit: 1 << 20, deadline: .never, allows: nil)
    }
    let budget = RetryBudget()
    #expect((0..<20).filter { _ in budget.take() }.count == 10)
    for _ in 0..<5 { budget.give() }
    #expect(budget.take() && !budget.take())
  }

  @Test("Dates are parsed in all three formats")
  func dates() {
    for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
      #expect(HTTPDate.parse(text) == 784_111_777, "\(text)")
    }
    for text in ["", "0", "-1", "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Xyz 1994 25:00:00 GMT"] {
      #expect(HTTPDate.parse(text) == nil, "\(text)")
    }
    #expect(HTTPDate.parse("Thu, 01 Jan 1970 00:00:00 GMT") == 0 && HTTPDate.parse("Tue, 29 Feb 2028 12:00:00 GMT") == 1_835_438_400)
  }
}
