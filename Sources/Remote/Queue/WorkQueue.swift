import OffprintCoreTypes
package import Offprint
import OffprintRenderCache

/// A job in the queue.
package struct QueuedJob: Hashable, Sendable {
  /// Its unique id, which cannot be reused until the results are collected.
  package var id: String
  /// The job as JSON.
  package var body: [UInt8]
  /// Its entry in the stream; empty before it is added.
  package var entry = ""
  /// How often it was delivered, including this time.
  package var deliveries = 1

  package init(id: String, body: [UInt8]) {
    self.id = id
    self.body = body
  }
}

/// The URL of a queue: `redis://host:port/database?queue=name`, `rediss://` with TLS.
package struct QueueAddress: Hashable, Sendable {
  let place: RedisLocation
  /// The prefix `{name}` of its keys, a hash tag that keeps them on one node of a cluster.
  let name: String

  /// - Throws: `usage`.
  package init(_ text: String) throws(OffprintError) {
    let what = OptionName.queue.text
    let address = try RemoteAddress(text, for: what, schemes: RedisLocation.schemes)
    place = try RedisLocation(address, what, ["queue"], environment: Environment.value)
    name = address.parameters["queue"] ?? "offprint"
    guard !name.isEmpty, name.utf8.count <= 200, !name.contains(where: { "{}".contains($0) }) else {
      throw OffprintError(.usage, "The name of a queue must have 1 to 200 bytes and no braces.")
    }
  }

  /// For messages; contains no secrets.
  package var description: String { name == "offprint" ? place.address : "\(place.address)?queue=\(name)" }

  func key(_ part: String) -> String { "{\(name)}:\(part)" }
}

/// A queue of jobs on Redis Streams (https://redis.io/docs/latest/develop/data-types/streams/). Uses one connection, on one thread.
///
/// `jobs` contains unfinished jobs: an entry is deleted in the same step that adds its result to `results`, so its length is the number of
/// unfinished jobs. `ids` contains the ids of all jobs whose results are not collected yet. `dead` contains jobs that failed permanently.
package final class WorkQueue {
  let connection: RedisConnection
  let address: QueueAddress
  static let group = "workers"

  package init(_ address: QueueAddress) {
    self.address = address
    connection = RedisConnection(address.place)
  }

  package func close() { connection.close() }

  /// - Throws: `queueUnavailable`.
  func run(_ words: [String], waiting milliseconds: Int = 0) throws(OffprintError) -> RedisReply {
    try run(words.map { Array($0.utf8) }, waiting: milliseconds)
  }

  func run(_ words: [[UInt8]], waiting milliseconds: Int = 0) throws(OffprintError) -> RedisReply {
    let reply: RedisReply
    do throws(RemoteFailure) {
      reply = try connection.send(words, waiting: milliseconds)
    } catch {
      throw OffprintError(.queueUnavailable, "The queue \(address.description) cannot be reached: \(error.message).")
    }
    if case .error(let text) = reply {
      throw OffprintError(.queueUnavailable, "The queue \(address.description) responded with an error: \(text).")
    }
    return reply
  }

  /// Runs a script atomically: https://redis.io/docs/latest/develop/interact/programmability/eval-intro/
  func script(_ text: String, keys: [String], _ arguments: [[UInt8]]) throws(OffprintError) -> RedisReply {
    let names = keys.map { Array(address.key($0).utf8) }
    return try run([Array("EVAL".utf8), Array(text.utf8), Array("\(keys.count)".utf8)] + names + arguments)
  }

  // MARK: Adding

  /// Adds jobs that are not in the queue yet; adding the same job again has no effect.
  ///
  /// - Returns: The number of jobs added.
  /// - Throws: `dataInvalid` if another job has the same id.
  package func add(_ jobs: [QueuedJob]) throws(OffprintError) -> Int {
    let text = """
      local added = 0
      for i = 1, #ARGV, 3 do
        local known = redis.call('HGET', KEYS[2], ARGV[i])
        if not known then
          redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 1])
          redis.call('XADD', KEYS[1], '*', 'id', ARGV[i], 'job', ARGV[i + 2])
          added = added + 1
        elseif known ~= ARGV[i + 1] then
          return {added, ARGV[i]}
        end
      end
      return {added}
      """
    let arguments = jobs.flatMap { [Array($0.id.utf8), Array(SHA256.hash($0.body).prefix(16)), $0.body] }
    let answer = try script(text, keys: ["jobs", "ids"], arguments).list
    if answer.count > 1, let id = answer[1].string {
      throw OffprintError(
        .dataInvalid,
        "Another job '\(id.prefix(100))' is in the queue, or its result was not collected; change the id of this one, or collect the result."
      )
    }
    guard let added = answer.first?.integer, (0...jobs.count).contains(added) else { throw unexpected() }
    return added
  }

  private func unexpected() -> OffprintError {
    OffprintError(.queueUnavailable, "The queue \(address.description) sent an invalid response.")
  }

  // MARK: Statistics

  /// The number of unfinished jobs, including those in progress.
  package func left() throws(OffprintError) -> Int { try length("jobs") }
  /// The number of results that have not been collected.
  package func waiting() throws(OffprintError) -> Int { try length("results") }

  private func length(_ key: String) throws(OffprintError) -> Int {
    guard let length = try run(["XLEN", address.key(key)]).integer, length >= 0 else { throw unexpected() }
    return length
  }
  package func deadCount() throws(OffprintError) -> Int { try run(["XLEN", address.key("dead")]).integer ?? 0 }

  // MARK: Entries

  /// Parses `[[entry, [field, value, …]], …]`.
  static func entries(_ reply: RedisReply) -> [(entry: String, fields: [String: [UInt8]])] {
    reply.list.compactMap { item in
      let parts = item.list
      guard parts.count == 2, let entry = parts[0].string else { return nil }
      var fields: [String: [UInt8]] = [:]
      let words = parts[1].list
      for index in stride(from: 0, to: words.count - 1, by: 2) {
        if let name = words[index].string, case .text(let value) = words[index + 1] { fields[name] = value }
      }
      return (entry, fields)
    }
  }

  /// Parses `[[stream, entries]]` of one stream, or nil.
  static func stream(_ reply: RedisReply) -> [(entry: String, fields: [String: [UInt8]])] {
    reply.list.first.map { $0.list.count == 2 ? entries($0.list[1]) : [] } ?? []
  }
}
