import Foundation
import Glibc
import Testing

@testable import OffprintRemote

/// A queue on its own Redis server, with workers that are separate processes.
private struct Queue {
  let server: Server
  let folder: Scratch
  let address: String

  init(isSecure: Bool = false) throws {
    (server, folder) = (isSecure ? try .rediss() : try .redis(), try Scratch())
    let place = "127.0.0.1:\(server.port)/1?queue=tests"
    address = isSecure ? "rediss://\(place)&cacert=\(server.folder.path("cert.pem"))" : "redis://\(place)"
  }

  func enqueue(_ arguments: [String], input: String? = nil) throws -> Run {
    try .finish(["enqueue"] + arguments + ["--queue", address, "--json"], in: folder, input: input)
  }

  /// Adds pages that are all different.
  func fill(_ count: Int) throws {
    let jobs = (1...count).map { "{\"id\":\"job \($0)\",\"html\":\"<h1>\($0)</h1><p>text\"}" }
    let run = try enqueue([try folder.write("jobs.ndjson", jobs.joined(separator: "\n"))])
    #expect(run.lines.first?["added"] as? Int == count)
  }

  /// - Parameter machine: Identifies the cache.
  func work(_ machine: String = "a", _ more: [String] = []) throws -> Run {
    try Run(["work", "--queue", address, "--cache", "cache-\(machine)", "-j", "2", "--json"] + more, in: folder)
  }

  func collect(_ more: [String] = [], status expected: Int32 = 0) throws -> [[String: Any]] {
    let run = try Run(["collect", "--queue", address] + more, in: folder)
    let status = run.end()
    #expect(status == expected, "\(run.messages)")
    return run.lines
  }

  func figures() throws -> (left: Int, results: Int) {
    let run = try Run.finish(["collect", "--queue", address, "--no-wait", "--report", "part-\(UUID()).ndjson", "--json"], in: folder)
    let figures = try #require(run.lines.first)
    return (try #require(figures["left"] as? Int), try #require(figures["jobs"] as? Int))
  }

  /// All results collected in files so far.
  var collected: [[String: Any]] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? []
    return names.filter { $0.hasPrefix("part-") }.flatMap {
      Run.lines((try? String(contentsOf: folder.url.appendingPathComponent($0), encoding: .utf8)) ?? "")
    }
  }
}

private func ids(_ lines: [[String: Any]]) -> [String] { lines.compactMap { $0["id"] as? String }.sorted() }
private func expected(_ count: Int) -> [String] { (1...count).map { "job \($0)" }.sorted() }
/// How many jobs were started more than once.
private func repeated(_ lines: [[String: Any]]) -> Int { lines.count { ($0["attempts"] as? Int ?? 1) > 1 } }

@Suite("A queue", .serialized, .enabled(if: Programs.redis != nil, Programs.noRedis))
struct QueueTests {
  @Test("A queue works over TLS")
  func secure() throws {
    let queue = try Queue(isSecure: true)
    try queue.fill(5)
    #expect(try queue.work("a", ["--until-empty"]).end() == 0)
    #expect(ids(try queue.collect()) == expected(5))
  }

  @Test("A queue gives the same report as batch, regardless of the workers")
  func sameAsBatch() throws {
    let queue = try Queue()
    try queue.folder.write("page.html", "<link rel=stylesheet href=style.css><h1>file")
    try queue.folder.write("style.css", "h1{color:red}")
    try queue.folder.write("ticket.mustache", "<h1>{{name}}</h1>")
    let lists: [(String, String, [String])] = [
      ("jobs.ndjson", "{\"id\":\"a\",\"input\":\"page.html\",\"width\":300}\n{\"id\":\"b\",\"html\":\"<p>x\"}", ["--scale", "2"]),
      ("table.csv", "id,html,width\nc,<p>y,200\nd,<p>z,\n", []),
      ("guests.csv", "id,name\ne,Ada\nf,Grace\n", ["--template", "ticket.mustache", "--name", "guests/{id}.png"]),
      ("pages.txt", "page.html\n", ["--css", "style.css", "-w", "444"]),
    ]
    for (name, text, options) in lists {
      try queue.folder.write(name, text)
      let run = try Run.finish(["batch", name, "--report", "-", "--output", "plain", "--cache", "cache-batch"] + options, in: queue.folder)
      _ = try queue.enqueue([name] + options)
      let worker = try queue.work("a", ["--until-empty"])
      #expect(worker.end() == 0, "\(worker.messages)")
      let lines = try queue.collect()
      #expect(ids(lines) == ids(run.lines) && !lines.isEmpty, "\(name)")
      for line in lines {
        let same = try #require(run.lines.first { $0["id"] as? String == line["id"] as? String })
        #expect(line["key"] as? String == same["key"] as? String && line["key"] != nil, "\(name) \(line)")
        #expect(line["width"] as? Int == same["width"] as? Int)
      }
    }
  }

  @Test("Killing a worker loses no job, and only its jobs in progress are passed to others")
  func killedWorker() throws {
    let queue = try Queue()
    try queue.fill(40)
    let first = try queue.work("a", ["--claim-after", "400ms"])
    try until("some are done") { try queue.figures().left < 36 }
    first.killNow()
    let second = try queue.work("b", ["--claim-after", "400ms", "--until-empty"])
    #expect(second.end() == 0, "\(second.messages)")
    #expect(try queue.figures().left == 0)
    #expect(ids(queue.collected) == expected(40))
    #expect(repeated(queue.collected) <= 2)
  }

  @Test("Killing and restarting Redis loses no job")
  func killedRedis() throws {
    let queue = try Queue()
    try queue.fill(40)
    let worker = try queue.work("a", ["--until-empty", "--claim-after", "5s"])
    try until("some are done") { try queue.figures().left < 36 }
    queue.server.stop()
    try until("the worker says so") { worker.messages.contains("queueUnavailable") }
    try queue.server.start()
    #expect(worker.end() == 0, "\(worker.messages)")
    #expect(worker.messages.contains("reconnected"))
    #expect(try queue.figures().left == 0)
    #expect(ids(queue.collected) == expected(40))
    #expect(repeated(queue.collected) <= 2)
  }

  @Test("A worker that receives SIGTERM leaves no job to be claimed")
  func drained() throws {
    let queue = try Queue()
    try queue.fill(60)
    let worker = try queue.work()
    try until("some are done") { try queue.figures().left < 58 }
    worker.signal(SIGTERM)
    #expect(worker.end() == 0, "\(worker.messages)")
    let left = try queue.figures().left
    #expect(left + queue.collected.count == 60)
    // None of its jobs waits for a timeout.
    let next = try queue.work("b", ["--until-empty", "--claim-after", "1d"])
    #expect(next.end() == 0, "\(next.messages)")
    #expect(try queue.figures().left == 0)
    #expect(ids(queue.collected) == expected(60) && repeated(queue.collected) == 0)
  }

  @Test("A job that failed too often is given up, listed, and can be enqueued again")
  func deadLetters() throws {
    let queue = try Queue()
    let missing = queue.folder.path("later.html")
    let jobs =
      "{\"id\":\"missing\",\"input\":\"\(missing)\"}\n{\"id\":\"wrong\",\"html\":\"x\",\"width\":-1}\n{\"id\":\"right\",\"html\":\"x\"}"
    _ = try queue.enqueue(["-"], input: jobs)
    let worker = try queue.work("a", ["--until-empty", "--tries", "2", "--claim-after", "200ms"])
    #expect(worker.end() == 0)
    let figures = try #require(worker.lines.first)
    #expect(figures["dead"] as? Int == 1 && figures["failed"] as? Int == 1 && figures["rendered"] as? Int == 1)
    let lines = try queue.collect(status: 1)
    #expect(ids(lines) == ["missing", "right", "wrong"])
    let dead = try #require(lines.first { $0["id"] as? String == "missing" })
    #expect(dead["attempts"] as? Int == 2 && (dead["error"] as? [String: Any])?["code"] as? String == "inputNotFound")
    // A permanent error is not retried.
    #expect(lines.first { $0["id"] as? String == "wrong" }?["attempts"] == nil)
    let letters = try Run.finish(["collect", "--dead", "--queue", queue.address], in: queue.folder)
    #expect(ids(letters.lines) == ["missing"] && letters.messages.contains("later.html"))
    try queue.folder.write("later.html", "<p>here")
    _ = try queue.enqueue(["-"], input: letters.text)
    #expect(try queue.work("a", ["--until-empty"]).end() == 0)
    #expect(try queue.collect().first?["status"] as? String == "rendered")
    #expect(try queue.collect(["--dead"]).isEmpty)
  }

  @Test("No output is written whose path leads out of the folder or contains a NUL")
  func outputs() throws {
    let queue = try Queue()
    let link = WorkQueue(try QueueAddress(queue.address))
    let outputs = ["../b.png", "/b.png", "a/../b.png", "a\\u0000b.png"]
    for (number, output) in outputs.enumerated() {
      let job = #"{"fields":{"html":"x"},"output":"\#(output)","options":[]}"#
      _ = try link.add([QueuedJob(id: "\(number)", body: Array(job.utf8))])
    }
    let worker = try queue.work("a", ["--until-empty", "--tries", "1", "--output", "images"])
    #expect(worker.end() == 0)
    let codes = try queue.collect(status: 1).map { ($0["error"] as? [String: Any])?["code"] as? String }
    #expect(codes == Array(repeating: "outputUnwritable", count: outputs.count))
    #expect(try FileManager.default.contentsOfDirectory(atPath: queue.folder.path("images")).isEmpty)
  }

  @Test("A job that kills its workers is given up")
  func deadlyJob() throws {
    let queue = try Queue()
    try queue.fill(1)
    // Workers that took it and disappeared.
    let dead = WorkQueue(try QueueAddress(queue.address))
    #expect(try dead.take("first", waiting: 1000)?.deliveries == 1)
    usleep(20_000)
    #expect(try dead.claim("second", idle: 10)?.deliveries == 2)
    let worker = try queue.work("a", ["--until-empty", "--claim-after", "100ms", "--tries", "2"])
    #expect(worker.end() == 0)
    let line = try #require(try queue.collect(status: 1).first)
    #expect((line["error"] as? [String: Any])?["code"] as? String == "jobAbandoned" && line["attempts"] as? Int == 2)
  }

  @Test("A dead worker's job after many held jobs is claimed")
  func behindHeldJobs() throws {
    let queue = try Queue()
    try queue.fill(40)
    let link = WorkQueue(try QueueAddress(queue.address))
    let taken = try (0..<40).map { _ in try #require(try link.take("first", waiting: 1000)) }
    usleep(60_000)
    try link.hold(taken.dropLast().map(\.entry), "first")
    let claimed = try #require(try link.claim("second", idle: 50))
    #expect(claimed.id == taken.last?.id)
  }

  @Test("If two workers did the same job, the first result is kept")
  func twice() throws {
    let queue = try Queue()
    try queue.fill(1)
    let link = WorkQueue(try QueueAddress(queue.address))
    let job = try #require(try link.take("first", waiting: 1000))
    usleep(20_000)
    let same = try #require(try link.claim("second", idle: 10))
    #expect(try link.finish(same, report: Array("{\"id\":\"job 1\",\"status\":\"rendered\"}".utf8)))
    #expect(try !link.finish(job, report: Array("{\"id\":\"job 1\",\"status\":\"cached\"}".utf8)))
    #expect(try queue.collect().map { $0["status"] as? String } == ["rendered"])
  }

  @Test("Each job is in the queue once: adding a list again adds missing jobs, and a different job with the same id is refused")
  func sameJobs() throws {
    let queue = try Queue()
    try queue.fill(3)
    let again = try queue.enqueue(["jobs.ndjson"])
    #expect(again.lines.first?["added"] as? Int == 0 && again.lines.first?["known"] as? Int == 3)
    let other = try Run(["enqueue", "-", "--queue", queue.address], in: queue.folder, input: "{\"id\":\"job 2\",\"html\":\"other\"}")
    #expect(other.end() == 65 && other.messages.contains("job 2"))
    #expect(try queue.work("a", ["--until-empty"]).end() == 0)
    #expect(ids(try queue.collect()) == expected(3))
    #expect(try queue.enqueue(["jobs.ndjson"]).lines.first?["added"] as? Int == 3)
  }

  @Test(
    "Images of a queue are in the shared store and can be collected elsewhere", .enabled(if: Programs.moto != nil, Programs.noMoto))
  func images() throws {
    let queue = try Queue()
    let store = try Server.s3()
    let tier = try Store.s3.address(store)
    try queue.fill(5)
    #expect(try queue.work("a", ["--until-empty", "--tier", tier]).end() == 0)
    let lines = try queue.collect(["--output", "images", "--tier", tier, "--cache", "cache-b"])
    #expect(lines.count == 5)
    for line in lines {
      let file = queue.folder.url.appendingPathComponent("images/\(try #require(line["id"] as? String)).png")
      #expect(try Data(contentsOf: file).count == line["bytes"] as? Int)
    }
  }

  @Test("A job whose image is not in the shared store does not count as done", .enabled(if: Programs.moto != nil, Programs.noMoto))
  func storedFirst() throws {
    let queue = try Queue()
    let store = try Server.s3()
    let tier = try Store.s3.address(store)
    try queue.fill(4)
    store.stop()
    let worker = try queue.work("a", ["--tier", tier, "--claim-after", "300ms", "--until-empty", "--tries", "1000"])
    try until("it is retried") { worker.messages.contains("will be retried") }
    #expect(try queue.figures().results == 0)
    try store.start()
    try Store.s3.makeBucket(store)
    #expect(worker.end() == 0, "\(worker.messages)")
    let lines = try queue.collect(["--output", "images", "--tier", tier, "--cache", "cache-b"])
    #expect(ids(lines) == expected(4))
  }

  @Test("An unreachable queue has its own error", arguments: [["enqueue", "-"], ["work"], ["collect"]])
  func unreachable(command: [String]) throws {
    let folder = try Scratch()
    let run = try Run(command + ["--queue", "redis://127.0.0.1:\(try freePort())"], in: folder, input: "{\"html\":\"x\"}")
    #expect(run.end() == 74 && run.messages.contains("queueUnavailable"), "\(run.messages)")
    let none = try Run(command, in: folder, input: "{\"html\":\"x\"}")
    #expect(none.end() == 64 && none.messages.contains("--queue"))
  }
}
