import OffprintCoreTypes
import Offprint
import OffprintRenderCache
import Synchronization

/// Objects stored as Redis strings, whose names are `prefix` and the key.
final class RedisObjects: RemoteObjects {
  let address: String
  private let place: RedisPlace
  private let prefix: String
  /// The time to live in milliseconds; 0 for no expiry.
  private let lifetime: Int
  private let free = Mutex<[RedisConnection]>([])
  private static let mostKept = 16

  /// - Throws: `usage`.
  init(_ address: RemoteAddress, environment: (String) -> String?) throws(OffprintError) {
    let what = OptionName.tier.text
    place = try RedisPlace(address, what, ["prefix", "ttl"], environment: environment)
    prefix = address.parameters["prefix"] ?? "offprint:"
    lifetime = try address.milliseconds("ttl", 1000...31_536_000_000, default: 0, what)
    self.address = place.address
  }

  func read(_ key: CacheKey, limit: Int, deadline: Deadline) throws(RemoteFailure) -> [UInt8]? {
    // GETRANGE returns an empty string for a missing key, and at most one byte more than the limit for an object that is too large.
    let reply = try send(["GETRANGE", name(key), "0", "\(limit)"])
    guard case .text(let bytes) = reply, !bytes.isEmpty else { return nil }
    if bytes.count > limit { throw RemoteFailure("it has an object of more than \(limit) bytes", isRefusal: true) }
    return bytes
  }

  func contains(_ key: CacheKey) throws(RemoteFailure) -> Bool { try send(["EXISTS", name(key)]).integer == 1 }

  func write(_ key: CacheKey, _ bytes: [UInt8]) throws(RemoteFailure) {
    let words = [Array("SET".utf8), Array(name(key).utf8), bytes]
    _ = try send(lifetime > 0 ? words + [Array("PX".utf8), Array("\(lifetime)".utf8)] : words)
  }

  func remove(_ key: CacheKey) throws(RemoteFailure) { _ = try send(["UNLINK", name(key)]) }

  private func name(_ key: CacheKey) -> String { prefix + key.description }

  private func send(_ words: [String]) throws(RemoteFailure) -> RedisReply { try send(words.map { Array($0.utf8) }) }

  private func send(_ words: [[UInt8]]) throws(RemoteFailure) -> RedisReply {
    // A pooled connection may have been closed by Redis, for example by a restart. Its failure is ignored, and a new connection is tried.
    if let kept = free.withLock({ $0.popLast() }) {
      do throws(RemoteFailure) { return try answer(words, kept) } catch { if error.isRefusal { throw error } }
    }
    return try answer(words, RedisConnection(place))
  }

  private func answer(_ words: [[UInt8]], _ connection: RedisConnection) throws(RemoteFailure) -> RedisReply {
    let reply = try connection.send(words)
    free.withLock { free in if free.count < Self.mostKept { free.append(connection) } }
    if case .error(let text) = reply {
      // These errors are temporary: the server is loading, full or otherwise unavailable.
      let isPassing = ["LOADING", "OOM", "MISCONF", "READONLY", "BUSY", "CLUSTERDOWN"].contains { text.hasPrefix($0) }
      throw RemoteFailure("it responded \(text)", isRefusal: !isPassing)
    }
    return reply
  }
}
