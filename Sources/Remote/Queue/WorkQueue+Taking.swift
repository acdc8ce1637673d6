package import Offprint

extension WorkQueue {
  /// Creates the stream and its consumer group if they do not exist, or not any more.
  package func prepare() throws(OffprintError) {
    do throws(OffprintError) {
      _ = try run(["XGROUP", "CREATE", address.key("jobs"), Self.group, "0", "MKSTREAM"])
    } catch {
      if !error.message.contains("BUSYGROUP") { throw error }
    }
  }

  /// Takes the next job; nil if absent within the time.
  ///
  /// - Parameter consumer: The unique name of the worker.
  package func take(_ consumer: String, waiting milliseconds: Int) throws(OffprintError) -> QueuedJob? {
    let words = [
      "XREADGROUP", "GROUP", Self.group, consumer, "COUNT", "1", "BLOCK", "\(milliseconds)", "STREAMS", address.key("jobs"), ">",
    ]
    do throws(OffprintError) {
      return Self.stream(try run(words, waiting: milliseconds)).first.map { Self.job($0) }
    } catch {
      // Redis may have restarted empty; jobs added later are served.
      guard error.message.contains("NOGROUP") else { throw error }
      try prepare()
      return nil
    }
  }

  /// Claims a job of a worker that has been silent for longer than `idle`; nil if absent. Entries deleted meanwhile are skipped.
  package func claim(_ consumer: String, idle milliseconds: Int) throws(OffprintError) -> QueuedJob? {
    guard let found = try claimed(consumer, idle: milliseconds) else { return nil }
    var job = Self.job(found)
    // [[entry, consumer, idle, deliveries]]
    let pending = try run(["XPENDING", address.key("jobs"), Self.group, job.entry, job.entry, "1"]).list.first?.list ?? []
    job.deliveries = pending.count == 4 ? pending[3].integer ?? 1 : 1
    return job
  }

  /// XAUTOCLAIM examines ten entries for each it may return, and returns where to continue: claimable jobs can follow many that are held.
  /// https://redis.io/docs/latest/commands/xautoclaim/
  private func claimed(_ consumer: String, idle milliseconds: Int) throws(OffprintError) -> (entry: String, fields: [String: [UInt8]])? {
    var cursor = "0-0"
    for _ in 0..<Self.maximumClaimRounds {
      let reply: RedisReply
      do throws(OffprintError) {
        reply = try run(["XAUTOCLAIM", address.key("jobs"), Self.group, consumer, "\(milliseconds)", cursor, "COUNT", "1"])
      } catch {
        guard error.message.contains("NOGROUP") else { throw error }
        try prepare()
        return nil
      }
      guard reply.list.count >= 2 else { return nil }
      if let found = Self.entries(reply.list[1]).first { return found }
      guard let next = reply.list[0].string, next != "0-0" else { return nil }
      cursor = next
    }
    return nil
  }

  /// Enough for 10,000 held jobs.
  private static let maximumClaimRounds = 1000

  /// Reports that a worker is still working on these jobs.
  package func hold(_ entries: [String], _ consumer: String) throws(OffprintError) {
    guard !entries.isEmpty else { return }
    _ = try run(["XCLAIM", address.key("jobs"), Self.group, consumer, "0"] + entries + ["JUSTID"])
  }

  /// Completes a job: adds its result and deletes the job atomically. If it is completed repeatedly, or by two workers, the first result is
  /// kept.
  ///
  /// - Returns: Whether this was the first.
  @discardableResult
  package func finish(_ job: QueuedJob, report: [UInt8], isDead: Bool = false) throws(OffprintError) -> Bool {
    let text = """
      if redis.call('XACK', KEYS[1], ARGV[1], ARGV[2]) == 0 then return 0 end
      redis.call('XDEL', KEYS[1], ARGV[2])
      redis.call('XADD', KEYS[2], '*', 'id', ARGV[3], 'report', ARGV[4])
      if ARGV[5] == '1' then redis.call('XADD', KEYS[3], '*', 'id', ARGV[3], 'job', ARGV[6], 'report', ARGV[4]) end
      return 1
      """
    let arguments = [
      Array(Self.group.utf8), Array(job.entry.utf8), Array(job.id.utf8), report, Array((isDead ? "1" : "0").utf8), isDead ? job.body : [],
    ]
    return try script(text, keys: ["jobs", "results", "dead"], arguments).integer == 1
  }

  /// Removes a worker's consumer when it ends, unless it still holds jobs.
  package func leave(_ consumer: String) throws(OffprintError) {
    let text = """
      for _, found in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
        if found[2] == ARGV[2] and found[4] == 0 then redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2]) end
      end
      return 0
      """
    _ = try script(text, keys: ["jobs"], [Array(Self.group.utf8), Array(consumer.utf8)])
  }

  private static func job(_ found: (entry: String, fields: [String: [UInt8]])) -> QueuedJob {
    var job = QueuedJob(
      id: found.fields["id"].map { String(decoding: $0, as: UTF8.self) } ?? found.entry, body: found.fields["job"] ?? [])
    job.entry = found.entry
    return job
  }

  // MARK: Results

  /// A result, or a failed job that is not tried again.
  package struct Letter: Sendable {
    package var entry: String
    package var id: String
    package var report: [UInt8]
    /// The job itself, if it failed permanently.
    package var body: [UInt8]
  }

  /// Results after an entry, in order.
  package func results(after entry: String, waiting milliseconds: Int) throws(OffprintError) -> [Letter] {
    var words = ["XREAD", "COUNT", "200"]
    if milliseconds > 0 { words += ["BLOCK", "\(milliseconds)"] }
    return Self.stream(try run(words + ["STREAMS", address.key("results"), entry], waiting: milliseconds)).map(Self.letter)
  }

  /// Jobs that failed permanently and have not been removed.
  package func dead(after entry: String) throws(OffprintError) -> [Letter] {
    Self.entries(try run(["XRANGE", address.key("dead"), entry == "0" ? "-" : "(" + entry, "+", "COUNT", "200"])).map(Self.letter)
  }

  /// Removes results that were collected; their ids can be used again.
  package func forget(_ letters: [Letter]) throws(OffprintError) {
    guard !letters.isEmpty else { return }
    let text = """
      for i = 1, #ARGV, 2 do
        redis.call('XDEL', KEYS[1], ARGV[i])
        redis.call('HDEL', KEYS[2], ARGV[i + 1])
      end
      return 0
      """
    _ = try script(text, keys: ["results", "ids"], letters.flatMap { [Array($0.entry.utf8), Array($0.id.utf8)] })
  }

  package func forgetDead(_ letters: [Letter]) throws(OffprintError) {
    guard !letters.isEmpty else { return }
    _ = try run(["XDEL", address.key("dead")] + letters.map(\.entry))
  }

  private static func letter(_ found: (entry: String, fields: [String: [UInt8]])) -> Letter {
    Letter(
      entry: found.entry, id: found.fields["id"].map { String(decoding: $0, as: UTF8.self) } ?? "", report: found.fields["report"] ?? [],
      body: found.fields["job"] ?? [])
  }
}
