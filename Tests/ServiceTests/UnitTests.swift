import Foundation
import OffprintConfiguration
import HTTPTypes
import OffprintIsolation
import NIOCore
import Synchronization
import Testing

@testable import OffprintCoreTypes
@testable import Offprint
@testable import OffprintService
@testable import OffprintRenderCache

@Suite("Settings")
struct SettingTests {
  private func settings(_ arguments: [String] = [], _ environment: [String: String] = [:], file: [SettingSources.Entry] = []) throws
    -> ServiceSettings
  {
    try SettingSources(arguments: arguments, environment: environment, file: file).settings()
  }

  @Test("Flags take precedence over variables, and variables over the file")
  func order() throws {
    let file = [
      SettingSources.Entry(name: "queue", values: ["1"]), .init(name: "workers", values: ["2"]), .init(name: "fonts", values: ["a", "b"]),
    ]
    let all = try settings(
      ["--queue=3", "--no-auth", "--fonts", "x", "--fonts", "y"],
      ["OFFPRINT_QUEUE_LENGTH": "2", "OFFPRINT_MAX_BODY": "8MiB", "OFFPRINT_FONT_PATH": "c:d", "OFFPRINT_UNKNOWN": "1"], file: file)
    #expect(all.queueCapacity == 3 && all.workers == 2 && all.maxBodyBytes == 8 << 20 && all.isAuthenticationOff)
    #expect(all.fontFolders == ["x", "y"])
    #expect(try settings([], ["OFFPRINT_FONT_PATH": "c:d"], file: file).fontFolders == ["c", "d"])
  }

  @Test("The table [serve] of the file is read, and unknown keys are errors with their line")
  func file() throws {
    func read(_ text: String) throws -> [SettingSources.Entry] {
      try SettingFile.entries(ConfigurationFile(path: "/etc/offprint.toml", text: Array(text.utf8)))
    }
    let entries = try read(
      "width = 3\n[serve]\nlisten = \"0.0.0.0:1\"\nno-auth = true\nqueue = 7\nfonts = [\"a\", \"/b\"]\n[batch]\njobs = 3\n")
    let all = try settings(file: entries)
    #expect(all.port == 1 && all.isAuthenticationOff && all.queueCapacity == 7 && all.fontFolders == ["/etc/a", "/b"])
    let error = #expect(throws: ConfigurationError.self) { try read("[serve]\nqueue = 1\nquue = 2\n") }
    #expect(error?.line == 3 && error?.message.contains("quue") == true)
    #expect(throws: ConfigurationError.self) { try read("[serve.more]\nqueue = 1\n") }
  }

  @Test("Unknown settings and invalid values are errors that name them")
  func errors() {
    for arguments in [
      ["--nonsense"], ["plain"], ["--queue"], ["--queue", "x"], ["--listen", "nowhere"], ["--log-format", "xml"], ["--timeout", "-1s"],
    ] {
      #expect(throws: OffprintError.self) { try settings(arguments) }
    }
    let misspelled = #expect(throws: OffprintError.self) { try settings(["--quue=3"]) }
    #expect(misspelled?.message.contains("did you mean '--queue'?") == true)
    let invalid = #expect(throws: OffprintError.self) { try settings(["--listen", "nowhere"]) }
    #expect(invalid?.message.contains("--listen <host:port>") == true)
    #expect(throws: OffprintError.self) { try settings([], [:], file: [.init(name: "nonsense", values: ["1"])]) }
    #expect(throws: OffprintError.self) { try settings([], ["OFFPRINT_QUEUE_LENGTH": "many"]) }
  }

  @Test("Each setting has a name, a variable and help, without duplicates")
  func table() {
    #expect(Set(SettingTable.rows.map(\.name)).count == SettingTable.rows.count)
    #expect(Set(SettingTable.rows.map(\.variable)).count == SettingTable.rows.count)
    for row in SettingTable.rows {
      #expect(row.variable.hasPrefix("OFFPRINT_") && row.help.hasSuffix("."))
      #expect(SettingSources.help.contains("--\(row.name)"))
    }
  }

  @Test("Durations and sizes have units", arguments: [("500ms", 0.5), ("5s", 5), ("2m", 120), ("1h", 3600), ("7", 7)])
  func seconds(text: String, value: Double) {
    #expect(Quantity.seconds(text) == value)
    for bad in ["", "s", "-1s", "nan", "1e99", "5 s"] { #expect(Quantity.seconds(bad) == nil, "\(bad)") }
    #expect(Quantity.bytes("16kB") == 16_000 && Quantity.bytes("4MiB") == 4 << 20 && Quantity.bytes("12") == 12)
    for bad in ["", "0", "-1", "1.5", "1e300", "inf", "MiB"] { #expect(Quantity.bytes(bad) == nil, "\(bad)") }
  }
}

@Suite("Parts of the service")
struct PartTests {
  @Test("Lines are split correctly however the input is divided")
  func lines() {
    let text = "one\n\n  \ntwo\r\nthree"
    for size in 1...text.utf8.count {
      var splitter = LineSplitter(limit: 100)
      var lines: [LineSplitter.Line] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        lines += splitter.add(ByteBuffer(bytes: rest.prefix(size)))
        rest = rest.dropFirst(size)
      }
      if let last = splitter.finish() { lines.append(last) }
      #expect(lines.map { String(decoding: $0.text, as: UTF8.self) } == ["one", "two\r", "three"])
      #expect(lines.map(\.number) == [1, 4, 5])
    }
    var short = LineSplitter(limit: 3)
    let lines = short.add(ByteBuffer(string: "abcd\nab\n"))
    #expect(lines.map(\.isTooLong) == [true, false] && lines[0].text.isEmpty)
  }

  @Test("Parameters are parsed and serialized, and invalid ones are rejected")
  func query() {
    #expect(
      QueryItems("a=1&b=%C3%A4+x&c&=d&&a=2")?.items == [
        .init("a", "1"), .init("b", "ä x"), .init("c", ""), .init("", "d"), .init("a", "2"),
      ])
    for bad in ["a=%", "a=%4", "a=%zz", "a=%FF"] { #expect(QueryItems(bad) == nil, "\(bad)") }
    #expect(QueryItems(String(repeating: "a&", count: 257)) == nil)
    #expect(QueryItems("a=" + PercentEncoding.encode("ä &=%/"))?["a"] == "ä &=%/")
  }

  @Test("The image format is negotiated by the most specific media range")
  func accepted() throws {
    func format(_ fields: String...) throws -> EncodedImageFormat? { try AcceptedFormat.of(fields) }
    #expect(try format() == nil && format("*/*") == .png && format("image/*") == .png)
    #expect(try format("image/png;q=0,*/*") == .webp)
    #expect(try format("*/*", "image/png; q=0.000", "image/webp;Q=0") == .jpeg)
    #expect(try format("image/png;q=0, image/*;q=0.1, image/svg+xml") == .svg)
    #expect(try format("image/*;q=0, image/png") == .png)
    #expect(try format("image/gif") == .gif && format("image/apng") == .apng)
    #expect(try AcceptedFormat.of(["image/*"], isAnimated: true) == .apng)
    #expect(try AcceptedFormat.of(["image/png,image/gif;q=0.9"], isAnimated: true) == .png)
    #expect(try format("image/webp,image/png;q=0.5") == .webp)
    #expect(try format("image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8") == .webp)
    #expect(try format("text/html;q=0.9, image/webp;q=0.8, image/avif;q=0.9, */*;q=0.1") == .avif)
    for none in ["image/heic", "*/*;q=0", "image/*;q=0,application/pdf;q=0", "text/html"] {
      #expect(throws: ServiceError.self, "\(none)") { try format(none) }
    }
  }

  @Test("A token and an IP address with the same spelling are two clients, and proxies are only trusted for addresses")
  func clientKinds() throws {
    let admission = Admission(maximum: 1)
    let slot = try admission.enter(Client(token: "bob", scopes: []).identity)
    _ = try admission.enter(Client(address: "token:bob", scopes: []).identity)
    #expect(throws: ServiceError.self) { try admission.enter(Client(token: "bob", scopes: [.render]).identity) }
    slot.leave()
    #expect(ClientAddress.host("token:bob") == nil && ClientAddress.host("unknown") == nil && ClientAddress.host("") == nil)
    #expect(ClientAddress.host("10.0.0.1") == "10.0.0.1" && ClientAddress.host("10.0.0.1:55") == "10.0.0.1")
    #expect(ClientAddress.host("fe80::1") == "fe80::1" && ClientAddress.host("[fe80::1]:55") == "fe80::1")
  }

  @Test("A request keeps the client's request ID only if it is harmless")
  func ids() {
    for good in ["a", "A-b_c.9", String(repeating: "x", count: 128)] { #expect(RequestID.isHarmless(good)) }
    for bad in ["", "a b", "a\n", "\u{1b}[0m", "ä", "a\"", String(repeating: "x", count: 129)] { #expect(!RequestID.isHarmless(bad)) }
    let ids = RequestIDs()
    #expect(ids.of([:]) != ids.of([:]))
  }

  @Test("Tokens and keys are parsed by line, and errors name the line and never the secret")
  func secrets() throws {
    let tokens = try AccessControl.tokens(Array("# all\n\na render 0123456789abcdef\nb render,admin fedcba9876543210\n".utf8))
    #expect(tokens.map(\.name) == ["a", "b"] && tokens[1].scopes == [.render, .admin])
    for bad in ["a render secretshort", "a wrong 0123456789secret", "a 0123456789secret", "a render b 0123456789secret"] {
      let error = #expect(throws: OffprintError.self) { try AccessControl.tokens(Array(bad.utf8)) }
      #expect(error?.message.contains("secret") == false, "\(bad)")
    }
    for bad in ["a", "a b c", "a secretshort", "a/b 0123456789secret00", "a 0123456789secret00\na 0123456789secret01"] {
      let error = #expect(throws: OffprintError.self) { try AddressSigner(file: bad) }
      #expect(error?.message.contains("secret") == false, "\(bad)")
    }
  }

  @Test("Token and key files can have CRLF and a byte order mark, which are not part of secrets")
  func secretsWithCRLF() throws {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let tokens = try AccessControl.tokens(mark + Array("a render 0123456789abcdef\r\n\r\n# b\r\nb admin\tfedcba9876543210\r\n".utf8))
    #expect(tokens.map(\.name) == ["a", "b"])
    #expect(tokens.map(\.digest) == ["0123456789abcdef", "fedcba9876543210"].map { SHA256.hash(Array($0.utf8)) })
    let keys = try AddressSigner(file: mark + Array("new 0123456789abcdef\r\nold fedcba9876543210\r\n".utf8)).keys
    #expect(keys.map(\.name) == ["new", "old"] && keys.map(\.secret) == ["0123456789abcdef", "fedcba9876543210"].map { Array($0.utf8) })
    // A combining accent is a byte like any other, and is not attached to the preceding space.
    let odd = try AccessControl.tokens(Array("a render \u{301}0123456789abcdef\n".utf8))
    #expect(odd.map(\.digest) == [SHA256.hash(Array("\u{301}0123456789abcdef".utf8))])
  }

  @Test("Only an absolute URL and a path can be signed")
  func signedText() throws {
    let signer = try AddressSigner(file: "main 0123456789abcdef")
    for good in ["/a", "https://img.example.org", "https://img.example.org?a=1", "https://img.example.org/a"] {
      #expect(try signer.sign(good).contains("signature="))
    }
    for bad in ["", "a", "img.example.org/a", "?a=1"] {
      let error = #expect(throws: OffprintError.self) { try signer.sign(bad) }
      #expect(error?.code == .usage && error?.message.contains("an absolute URL") == true, "\(bad)")
    }
  }

  @Test("HMAC-SHA256 matches RFC 4231")
  func hmac() {
    func hex(_ bytes: [UInt8]?) -> String { (bytes ?? []).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
    #expect(
      hex(HMACSHA256.code(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      hex(HMACSHA256.code(Array("Hi There".utf8), key: Array(repeating: 0x0b, count: 20)))
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    #expect(hex(HMACSHA256.code([], key: Array(repeating: 0xaa, count: 131))).count == 64)
  }

  @Test("Every code has a status of its kind")
  func statuses() {
    for code in OffprintError.Code.allCases { #expect((400..<600).contains(code.httpStatus)) }
    for code in ServiceError.Code.allCases {
      #expect((400..<600).contains(code.status))
      #expect(OffprintError.Code(rawValue: code.rawValue) == nil, "the code is used by both kinds of errors")
    }
    // There is a code for every exit code of the command line.
    #expect(Set(OffprintError.Code.allCases.map(\.exitCode)) == [2, 64, 65, 66, 69, 73, 74, 75, 77, 127])
  }

  @Test("Slots are assigned in order, and never to a canceled task")
  func slots() async {
    let slots = Slots(1)
    #expect(await slots.take())
    let gone = Task { await slots.take() }
    gone.cancel()
    #expect(await gone.value == false)
    let next = Task { await slots.take() }
    slots.give()
    #expect(await next.value)
  }

  @Test("Histograms and labels are written in Prometheus format")
  func figures() {
    let registry = PrometheusRegistry()
    registry.counter("b_total", [("code", "a\"b\\c\nd")]).increment(by: 2)
    let histogram = registry.histogram("a_seconds", [], [1, 2])
    [0.5, 1.5, 9].forEach(histogram.observe)
    #expect(
      registry.text == """
        # TYPE a_seconds histogram
        a_seconds_bucket{le="1.0"} 1
        a_seconds_bucket{le="2.0"} 2
        a_seconds_bucket{le="+Inf"} 3
        a_seconds_sum 11.0
        a_seconds_count 3
        # TYPE b_total counter
        b_total{code="a\\"b\\\\c\\nd"} 2

        """)
  }

  @Test("The response cache evicts the least recently used responses, and rejects those from before all entries were removed")
  func responseCache() {
    let cache = ResponseCache(bytes: 100_000)
    let response = Representation(entityTag: "\"a\"", headers: [:], bytes: ByteBuffer(repeating: 0, count: 4000))
    for number in 0..<1000 {
      cache.store("\(number)", response, route: "r", generation: 0)
      #expect(cache.entry("0") != nil, "an entry that is used is not evicted")
    }
    #expect(cache.entry("999") != nil && cache.entry("500") == nil)
    cache.store(
      "large", Representation(entityTag: "", headers: [:], bytes: ByteBuffer(repeating: 0, count: 90_000)), route: "r", generation: 0)
    #expect(cache.entry("large") == nil)
    cache.removeAll()
    #expect(cache.entry("0") == nil)
    cache.store("0", response, route: "r", generation: 0)
    #expect(cache.entry("0") == nil, "the request began before all entries were removed")
    cache.store("0", response, route: "r", generation: cache.generation)
    #expect(cache.entry("0") != nil)
  }

  @Test("traceparent is parsed according to its standard")
  func traceParent() {
    let good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    #expect(TraceParent(good)?.text == good && TraceParent(good)?.isSampled == true)
    for bad in [
      "", "00-1-2-01", good.uppercased(), good + "-x", "ff" + good.dropFirst(2),
      good.replacingOccurrences(of: "b7ad6b7169203331", with: "0000000000000000"),
    ] {
      #expect(TraceParent(bad) == nil, "\(bad)")
    }
  }

  @Test("The API description states the limits of the running configuration")
  func limits() {
    var settings = ServiceSettings()
    settings.maxScale = 3
    settings.maxSide = 500
    let job = OpenAPIDocument.document(settings)["components"]?["schemas"]?["Job"]?["properties"]
    #expect(job?["scale"]?["maximum"]?.number == 3)
    guard case .array(let kinds)? = job?["width"]?["oneOf"] else { return #expect(Bool(false)) }
    #expect(kinds.first?["maximum"]?.number == 500)
  }

  @Test("Dates are in HTTP format")
  func dates() {
    #expect(HTTPDate.text(784_111_777) == "Sun, 06 Nov 1994 08:49:37 GMT")
    #expect(HTTPDate.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
  }

  @Test("Routes have unique names in the API description")
  func contract() {
    let ids = RouteTable.routes.map(\.operation.id)
    #expect(Set(ids).count == ids.count)
    guard case .object(let paths)? = OpenAPIDocument.document(ServiceSettings())["paths"] else { return #expect(Bool(false)) }
    #expect(Set(paths.keys) == Set(RouteTable.routes.map(\.path)))
  }
}

/// A renderer that waits for permission.
private final class HeldRenderer: ImageRenderer {
  private let state = Mutex<(calls: Int, cancelled: Int, held: [CheckedContinuation<Void, Never>], isOpen: Bool)>((0, 0, [], false))
  var calls: Int { state.withLock { $0.calls } }
  var cancelled: Int { state.withLock { $0.cancelled } }
  var waitingCount: Int { 0 }
  var imageCache: RenderCache? { nil }
  var unavailability: OffprintError? { nil }
  func end(isExiting: Bool) {}
  func imageInMemory(_ request: RenderRequest) -> RenderResult? { nil }
  func imageKey(_ request: RenderRequest) throws(OffprintError) -> CacheKey { CanonicalEncoder(domain: "test").key }
  var workerStatistics: WorkerStatistics? { nil }

  func release() {
    let held = state.withLock { state in
      state.isOpen = true
      defer { state.held = [] }
      return state.held
    }
    held.forEach { $0.resume() }
  }

  func work<Value: Sendable>(_ work: @escaping @Sendable () throws(OffprintError) -> Value) async throws(OffprintError) -> Value {
    try work()
  }

  func image(_ request: RenderRequest, priority: RenderPriority) async throws(OffprintError) -> RenderResult {
    state.withLock { $0.calls += 1 }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if state.withLock({ state in
          if state.isOpen || Task.isCancelled { return true }
          state.held.append(continuation)
          return false
        }) {
          continuation.resume()
        }
      }
    } onCancel: {
      self.release()
    }
    if Task.isCancelled {
      state.withLock { $0.cancelled += 1 }
      throw OffprintError(.cancelled, "Cancelled.")
    }
    return RenderResult(image: [1], wasCached: false, width: 1, height: 1, key: "k")
  }
}

@Suite("The request coalescer")
struct RequestCoalescerTests {
  private let renderer = HeldRenderer()
  private func engine() throws -> Engine {
    Engine(renderer: renderer, templates: try TemplateRegistry(folders: []), access: AccessControl(), fonts: [])
  }

  @Test("Callers with the same request share one render, which is canceled when the last one leaves")
  func sharing() async throws {
    let coalescer = RequestCoalescer()
    let engine = try engine()
    let request = RenderRequest(html: "x")
    let asked = (0..<3).map { _ in Task { try await coalescer.image(request, priority: .interactive, engine: engine, seconds: 60) } }
    while renderer.calls == 0 || coalescer.waitingCount < 3 { await Task.yield() }
    asked[0].cancel()
    #expect(await asked[0].result.failureCode == .cancelled)
    renderer.release()
    let others = await [asked[1].result, asked[2].result]
    #expect(others.allSatisfy { $0.failureCode == nil })
    #expect(renderer.calls == 1 && renderer.cancelled == 0 && coalescer.flightCount == 0)
  }

  @Test("If nobody waits any more the render is canceled, and the next caller starts a new one")
  func abandoned() async throws {
    let coalescer = RequestCoalescer()
    let engine = try engine()
    let task = Task { try await coalescer.image(RenderRequest(html: "x"), priority: .interactive, engine: engine, seconds: 60) }
    while renderer.calls == 0 { await Task.yield() }
    task.cancel()
    _ = await task.result
    while renderer.cancelled == 0 { await Task.yield() }
    #expect(coalescer.flightCount == 0)
    _ = try await coalescer.image(RenderRequest(html: "x"), priority: .interactive, engine: engine, seconds: 60)
    #expect(renderer.calls == 2)
  }

  @Test("A caller that is canceled before waiting leaves no render behind")
  func cancelledEarly() async throws {
    let coalescer = RequestCoalescer()
    let engine = try engine()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await coalescer.image(RenderRequest(html: "x"), priority: .interactive, engine: engine, seconds: 60)
    }
    #expect(await task.result.failureCode == .cancelled)
    #expect(coalescer.flightCount == 0)
    while renderer.cancelled < renderer.calls { await Task.yield() }
  }

  @Test("A caller that has waited too long gets an error")
  func late() async throws {
    let coalescer = RequestCoalescer()
    let engine = try engine()
    let result = await Task { try await coalescer.image(RenderRequest(html: "x"), priority: .interactive, engine: engine, seconds: 0.01) }
      .result
    #expect(result.failureCode == .timedOut)
  }
}

extension Result where Failure == any Error {
  fileprivate var failureCode: OffprintError.Code? {
    if case .failure(let error) = self { (error as? OffprintError)?.code ?? .renderFailed } else { nil }
  }
}
