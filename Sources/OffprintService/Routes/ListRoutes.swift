import HTTPTypes
import Hummingbird
import NIOCore
import Offprint
import Synchronization

/// Lists of jobs: NDJSON in, one line of NDJSON out for each job as it ends.
enum ListRoutes {
  static let routes: [ServiceRoute] = [
    ServiceRoute(
      .post, "/batch", .scope(.render),
      Operation(
        "batch", "Renders many pages into the cache; responds with one line per job as it ends, while the list is still being sent.",
        body: OpenAPIDocument.jobList,
        responses: ["200": OpenAPIDocument.reportLines], refusals: [415])
    ) { service, call in try respond(service, call, isWarm: false) },
    ServiceRoute(
      .post, "/warm", .scope(.render),
      Operation(
        "warm", "Like batch, with a last line of totals; jobs that are already in the cache cost only a lookup.",
        body: OpenAPIDocument.jobList,
        responses: ["200": OpenAPIDocument.reportLines], refusals: [415])
    ) { service, call in try respond(service, call, isWarm: true) },
  ]

  private static let mediaTypes: Set = ["application/x-ndjson", "application/ndjson", "application/jsonl"]

  /// Whether the body is a list of jobs, which is processed as a stream: its limits apply to each line and to the time between its parts,
  /// those of other bodies to the whole.
  static func takesStream(_ head: HTTPRequest) -> Bool {
    guard head.method == .post, let path = head.path?.split(byte: "?", maxSplits: 1).first, path == "/batch" || path == "/warm" else {
      return false
    }
    let type = head.headerFields[.contentType]?.split(byte: ";", maxSplits: 1).first
    return type.map { mediaTypes.contains($0.trimmingHTMLSpaces.lowercased()) } ?? false
  }

  private static func respond(_ service: Service, _ call: RouteCall, isWarm: Bool) throws -> Response {
    guard mediaTypes.contains(call.mediaType) else {
      throw ServiceError(
        .unsupportedMediaType, "The Content-Type of the body must be application/x-ndjson, and the body one JSON job per line.")
    }
    let body = ResponseBody { writer in
      let run = ListRun(service: service, call: call, isWarm: isWarm)
      try await run.perform(&writer)
      try await writer.finish(nil)
    }
    return Response(status: .ok, headers: [.contentType: "application/x-ndjson", .cacheControl: "no-store"], body: body)
  }
}

/// A list in progress. Lines are read as jobs end, so memory is bounded whether the client sends fast or reads slowly.
struct ListRun: Sendable {
  let service: Service
  let call: RouteCall
  let isWarm: Bool
  private let start = ContinuousClock.now
  private let tally = Tally()

  private final class Tally: Sendable {
    struct Figures {
      var hits = 0
      var misses = 0
      var failed = 0
      var bytes = 0
    }
    let figures = Mutex(Figures())
  }

  init(service: Service, call: RouteCall, isWarm: Bool) {
    self.service = service
    self.call = call
    self.isWarm = isWarm
  }

  /// The limit of reports that the client has not read; at the limit, no more jobs are started. Long reports count as several, because they
  /// contain job ids of any length.
  private static let waitingReports = 10_000
  private static let bytesPerReport = 1 << 10

  /// A line of the response, and its weight against the limit.
  private struct Report: Sendable {
    var line: String
    var weight: Int

    init(_ line: String) { (self.line, weight) = (line, 1 + line.utf8.count / ListRun.bytesPerReport) }
  }

  func perform(_ writer: inout any ResponseBodyWriter) async throws {
    let (reports, output) = AsyncStream.makeStream(of: Report.self, bufferingPolicy: .unbounded)
    let room = Slots(Self.waitingReports)
    let producer = Task {
      await self.feed(output, room)
      output.finish()
    }
    let number = call.monitor.listen { producer.cancel() }
    defer {
      producer.cancel()
      call.monitor.stop(number)
    }
    for await report in reports {
      try await writer.write(ByteBuffer(string: report.line))
      room.give(report.weight)
    }
    if isWarm {
      let figures = tally.figures.withLock { $0 }
      let seconds = (ContinuousClock.now - start).seconds
      let line: JSONValue = [
        "hits": .number(Double(figures.hits)), "misses": .number(Double(figures.misses)), "failed": .number(Double(figures.failed)),
        "seconds": .number((seconds * 1000).rounded() / 1000), "bytes": .number(Double(figures.bytes)),
      ]
      try await writer.write(ByteBuffer(string: line.text + "\n"))
    }
  }

  /// Starts a job for each line, with limited concurrency.
  private func feed(_ output: AsyncStream<Report>.Continuation, _ room: Slots) async {
    await withDiscardingTaskGroup { group in
      var lines = LineSplitter(limit: service.settings.maxLineBytes)
      do {
        for try await piece in call.request.body {
          for line in lines.add(piece) { guard await begin(line, &group, output, room) else { return } }
        }
        if let last = lines.finish() { _ = await begin(last, &group, output, room) }
      } catch {
        // The client disconnected, or the body is invalid.
        group.cancelAll()
      }
    }
  }

  private func begin(
    _ line: LineSplitter.Line, _ group: inout DiscardingTaskGroup, _ output: AsyncStream<Report>.Continuation, _ room: Slots
  ) async -> Bool {
    guard await room.take() else { return false }
    guard await service.batchSlots.take() else { return false }
    group.addTask {
      let report = Report(await self.report(line))
      service.batchSlots.give()
      room.overdraw(report.weight - 1)
      output.yield(report)
    }
    return true
  }

  private func report(_ line: LineSplitter.Line) async -> String {
    let begun = ContinuousClock.now
    var id = "\(line.number)"
    var members: [String: JSONValue]
    do {
      guard !line.isTooLong else {
        throw OffprintError(
          .limitExceeded, "Line \(line.number) is longer than the limit 'max-line' (\(service.settings.maxLineBytes) bytes).")
      }
      let job = try JSONValue.members(line.text, of: "Line \(line.number)")
      id = job["id"]?.scalar ?? id
      let order = try ImageOrder(job: job, service.settings, call.engine.templates)
      let image = try await service.draw(order, call, priority: .background)
      count(image)
      members = [
        "status": .string(image.status), "key": .string(image.result.key), "url": .string("/i/\(image.result.key)"),
        "width": .number(Double(image.result.width)), "height": .number(Double(image.result.height)),
        "bytes": .number(Double(image.result.image.count)),
      ]
      if image.result.isDegraded { members["degraded"] = true }
    } catch {
      tally.figures.withLock { $0.failed += 1 }
      let problem = Problem(error is CancellationError ? OffprintError(.cancelled, "The client disconnected.") : error)
      members = ["status": "failed", "error": ["code": .string(problem.code), "message": .string(problem.message)]]
    }
    members["id"] = .string(id)
    members["milliseconds"] = .number(((ContinuousClock.now - begun).seconds * 1e6).rounded() / 1000)
    return JSONValue.object(members).text + "\n"
  }

  private func count(_ image: Service.ServedImage) {
    tally.figures.withLock { figures in
      if image.result.wasCached { figures.hits += 1 } else { figures.misses += 1 }
      figures.bytes += image.result.image.count
    }
  }
}

/// Splits the parts of a body into lines.
struct LineSplitter {
  struct Line: Sendable {
    var number: Int
    var text: [UInt8]
    /// Longer than allowed; the text is dropped.
    var isTooLong = false
  }

  private let limit: Int
  private var pending: [UInt8] = []
  private var isTooLong = false
  private var number = 0

  init(limit: Int) { self.limit = limit }

  /// - Returns: The lines completed by `piece`, without blank ones.
  mutating func add(_ piece: ByteBuffer) -> [Line] {
    var lines: [Line] = []
    var rest = piece.readableBytesView[...]
    while let end = rest.firstIndex(of: 0x0A) {
      append(rest[..<end])
      if let line = take() { lines.append(line) }
      rest = rest[(end + 1)...]
    }
    append(rest)
    return lines
  }

  mutating func finish() -> Line? { pending.isEmpty && !isTooLong ? nil : take() }

  private mutating func append(_ bytes: some Collection<UInt8>) {
    guard !isTooLong else { return }
    guard pending.count + bytes.count <= limit else {
      pending = []
      isTooLong = true
      return
    }
    pending.append(contentsOf: bytes)
  }

  private mutating func take() -> Line? {
    number += 1
    defer {
      pending = []
      isTooLong = false
    }
    if !isTooLong && pending.allSatisfy({ $0 <= 0x20 }) { return nil }
    return Line(number: number, text: pending, isTooLong: isTooLong)
  }
}
