import OffprintCoreTypes
import Offprint
import OffprintRenderCache
import Synchronization

/// Objects stored as Redis strings, whose names are `prefix` and the key.
final class RedisObjects: RemoteObjects {
  let address: String
  private let place: RedisLocation
  private let prefix: String
  /// The time to live in milliseconds; 0 for no expiry.
  private let lifetime: Int
  private let free = Mutex<[RedisConnection]>([])
  private static let maximumKept = 16

  /// - Throws: `usage`.
  init(_ address: RemoteAddress, environment: (String) -> String?) throws(OffprintError) {
    let what = OptionName.tier.text
    place = try RedisLocation(address, what, ["prefix", "ttl"], environment: environment)
    prefix = address.parameters["prefix"] ?? "offprint:"
    lifetime = try address.milliseconds("ttl", 1000...31_536_000_000, default: 0, what)
    self.address = place.address
  }

  func read(_ name: RemoteName, limit: Int, deadline: Deadline) throws(RemoteFailure) -> [UInt8]? {
    // GETRANGE returns an empty string for a missing key, and at most one byte more than the limit for an object that is too large.
    let reply = try send(["GETRANGE", text(name), "0", "\(limit)"])
    guard case .text(let bytes) = reply, !bytes.isEmpty else { return nil }
    if bytes.count > limit { throw RemoteFailure("it has an object of more than \(limit) bytes", isRefusal: true) }
    return bytes
  }

  func contains(_ name: RemoteName) throws(RemoteFailure) -> Bool { try send(["EXISTS", text(name)]).integer == 1 }

  func write(_ name: RemoteName, _ bytes: [UInt8]) throws(RemoteFailure) {
    _ = try send([Array("SET".utf8), Array(text(name).utf8), bytes] + expiry(name))
  }

  func create(_ name: RemoteName, _ bytes: [UInt8]) throws(RemoteFailure) -> Bool {
    try send([Array("SET".utf8), Array(text(name).utf8), bytes, Array("NX".utf8)] + expiry(name)) != .none
  }

  func remove(_ names: [RemoteName]) throws(RemoteFailure) {
    for start in stride(from: 0, to: names.count, by: Self.maximumNames) {
      _ = try send(["UNLINK"] + names[start..<min(start + Self.maximumNames, names.count)].map(text))
    }
  }

  /// The most names of one command.
  private static let maximumNames = 500
  /// An owner is known for a day longer than the images that are named.
  private static let ownerMilliseconds = 86_400_000

  private func expiry(_ name: RemoteName) -> [[UInt8]] {
    lifetime > 0 ? ["PX", "\(lifetime + (name.kind == .owner ? Self.ownerMilliseconds : 0))"].map { Array($0.utf8) } : []
  }

  private func text(_ name: RemoteName) -> String {
    name.kind == .image ? prefix + name.digits : "\(prefix)\(name.kind.rawValue):\(name.digits)"
  }

  // MARK: Tags

  func add(_ key: CacheKey, toTag digest: String) throws(RemoteFailure) {
    _ = try send(["SADD", tag(digest), key.description])
    if lifetime > 0 { _ = try send(["PEXPIRE", tag(digest), "\(lifetime)"]) }
  }

  func keys(ofTag digest: String) throws(RemoteFailure) -> [CacheKey] {
    try send(["SMEMBERS", tag(digest)]).list.compactMap { $0.string.flatMap { CacheKey(hex: $0) } }
  }

  func removeTag(_ digest: String) throws(RemoteFailure) { _ = try send(["UNLINK", tag(digest)]) }

  private func tag(_ digest: String) -> String { "\(prefix)tag:\(digest)" }

  // MARK: Messages

  /// A stream instead of a channel: a machine that was not connected for a while receives what it missed.
  /// https://redis.io/docs/latest/develop/data-types/streams/
  private var stream: String { prefix + "removals" }
  private static let maximumMessages = 10_000

  var pollingInterval: Duration? { nil }

  func announce(_ bytes: [UInt8]) throws(RemoteFailure) {
    let words = ["XADD", stream, "MAXLEN", "~", "\(Self.maximumMessages)", "*", "m"].map { Array($0.utf8) }
    _ = try send(words + [bytes])
  }

  func latestPosition() throws(RemoteFailure) -> String {
    try send(["XREVRANGE", stream, "+", "-", "COUNT", "1"]).list.first?.list.first?.string ?? "0-0"
  }

  func messages(after position: String, waiting: Duration) throws(RemoteFailure) -> [RemoteMessage] {
    let milliseconds = max(1, waiting.wholeMilliseconds)
    let words = ["XREAD", "COUNT", "100", "BLOCK", "\(milliseconds)", "STREAMS", stream, position]
    let reply = try send(words.map { Array($0.utf8) }, waiting: milliseconds)
    return (reply.list.first?.list.dropFirst().first?.list ?? []).compactMap { entry in
      guard let position = entry.list.first?.string, case .text(let bytes)? = entry.list.dropFirst().first?.list.dropFirst().first else {
        return nil
      }
      return RemoteMessage(position: position, bytes: bytes)
    }
  }

  func hasDropped(after position: String) throws(RemoteFailure) -> Bool {
    guard try send(["XLEN", stream]).integer ?? 0 >= Self.maximumMessages else { return false }
    return try send(["XRANGE", stream, "-", position, "COUNT", "1"]).list.isEmpty
  }

  private func send(_ words: [String]) throws(RemoteFailure) -> RedisReply { try send(words.map { Array($0.utf8) }) }

  private func send(_ words: [[UInt8]], waiting milliseconds: Int = 0) throws(RemoteFailure) -> RedisReply {
    // A pooled connection may have been closed by Redis, for example by a restart. Its failure is ignored, and a new connection is tried.
    if let kept = free.withLock({ $0.popLast() }) {
      do throws(RemoteFailure) { return try answer(words, kept, milliseconds) } catch { if error.isRefusal { throw error } }
    }
    return try answer(words, RedisConnection(place), milliseconds)
  }

  private func answer(_ words: [[UInt8]], _ connection: RedisConnection, _ milliseconds: Int) throws(RemoteFailure) -> RedisReply {
    let reply = try connection.send(words, waiting: milliseconds)
    free.withLock { free in if free.count < Self.maximumKept { free.append(connection) } }
    if case .error(let text) = reply {
      // These errors are temporary: the server is loading, full or otherwise unavailable.
      let isPassing = ["LOADING", "OOM", "MISCONF", "READONLY", "BUSY", "CLUSTERDOWN"].contains { text.hasPrefix($0) }
      throw RemoteFailure("it responded \(text)", isRefusal: !isPassing, isPermanent: RedisReply.isPermanent(text))
    }
    return reply
  }
}
