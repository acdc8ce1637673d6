import COffprintRemote
import Offprint
import OffprintRenderCache
import Synchronization

/// A reply of Redis.
enum RedisReply: Hashable, Sendable {
  case text([UInt8])
  case integer(Int)
  case list([RedisReply])
  case none
  /// For example `NOSCRIPT No matching script`.
  case error(String)

  var string: String? { if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil } }
  var list: [RedisReply] { if case .list(let items) = self { items } else { [] } }
  var integer: Int? {
    switch self {
    case .integer(let number): number
    case .text: string.flatMap { Int($0) }
    default: nil
    }
  }

  /// Whether an error is about the credentials, which only its administrator can change.
  static func isPermanent(_ error: String) -> Bool { ["WRONGPASS", "NOAUTH", "NOPERM"].contains { error.hasPrefix($0) } }

  fileprivate init(_ reply: OpaquePointer, depth: Int = 0) {
    var length = 0
    let pointer = remote_reply_bytes(reply, &length)
    let bytes = pointer.map { Array(UnsafeRawBufferPointer(start: $0, count: length)) } ?? []
    switch remote_reply_type(reply) {
    case Int32(REMOTE_INTEGER): self = .integer(Int(remote_reply_integer(reply)))
    case Int32(REMOTE_NIL): self = .none
    case Int32(REMOTE_ERROR): self = .error(String(decoding: bytes.prefix(200), as: UTF8.self))
    case Int32(REMOTE_ARRAY) where depth < 16:
      self = .list(
        (0..<remote_reply_count(reply)).map { index in
          remote_reply_element(reply, index).map { RedisReply($0, depth: depth + 1) } ?? .none
        })
    default: self = .text(bytes)
    }
  }
}

/// The location and credentials of a Redis server.
struct RedisLocation: Hashable, Sendable {
  var host: String
  var port: Int
  var database: Int
  var user: String?
  var password: String?
  var milliseconds: Int
  /// Nil without TLS.
  var tls: TLS?

  /// Paths of PEM files, with the names that redis-cli uses.
  struct TLS: Hashable, Sendable {
    var cacert: String?
    var cert: String?
    var key: String?

    static let parameters = ["cacert", "cert", "key"]

    func withPointer<R>(_ body: (UnsafePointer<remote_tls>) -> R) -> R {
      func pointing(_ text: String?, _ body: (UnsafePointer<CChar>?) -> R) -> R { text.map { $0.withCString(body) } ?? body(nil) }
      return pointing(cacert) { authorities in
        pointing(cert) { certificate in
          pointing(key) { key in
            withUnsafePointer(to: remote_tls(authorities: authorities, certificate: certificate, key: key), body)
          }
        }
      }
    }
  }

  static let schemes = ["redis", "rediss"]

  /// Contains no secrets.
  var address: String { "\(tls == nil ? "redis" : "rediss")://\(host.contains(":") ? "[\(host)]" : host):\(port)/\(database)" }

  /// - Parameter parameters: Parameters in addition to those of every Redis URL.
  /// - Throws: `usage`.
  init(_ address: RemoteAddress, _ what: String, _ parameters: [String], environment: (String) -> String?) throws(OffprintError) {
    let isSecure = address.scheme == "rediss"
    try address.check(parameters + ["timeout"] + (isSecure ? TLS.parameters : []), what)
    if isSecure {
      tls = TLS(cacert: address.parameters["cacert"], cert: address.parameters["cert"], key: address.parameters["key"])
      if (tls?.cert == nil) != (tls?.key == nil) { throw OffprintError(.usage, "\(what) requires both 'cert' and 'key', or neither.") }
    }
    guard let database = address.path.isEmpty ? 0 : Int(address.path), (0...65_535).contains(database) else {
      throw OffprintError(.usage, "The path of \(what) must be the number of a database: redis://host:port/0.")
    }
    (host, port, self.database) = (address.host, address.port ?? 6379, database)
    (user, password) = (address.user, address.password ?? environment("REDISCLI_AUTH"))
    milliseconds = try address.milliseconds("timeout", 10...600_000, default: 2000, what)
  }
}

/// One connection to Redis, opened on first use and reopened after it was lost. Must be used by one thread at a time.
final class RedisConnection: @unchecked Sendable {
  let place: RedisLocation
  private var connection: OpaquePointer?

  init(_ place: RedisLocation) { self.place = place }

  deinit { close() }

  func close() {
    if let connection { remote_redis_close(connection) }
    connection = nil
  }

  /// - Parameter milliseconds: Additional time for the reply, for blocking commands.
  /// - Throws: If the connection is lost. An error of Redis is a reply, `.error`.
  func send(_ words: [[UInt8]], waiting milliseconds: Int = 0) throws(RemoteFailure) -> RedisReply {
    let connection = try open()
    if milliseconds > 0 { remote_redis_timeout(connection, place.milliseconds + milliseconds) }
    let reply = try Self.send(words, connection) { self.close() }
    if milliseconds > 0 { remote_redis_timeout(connection, place.milliseconds) }
    return reply
  }

  func send(_ words: String..., waiting milliseconds: Int = 0) throws(RemoteFailure) -> RedisReply {
    try send(words.map { Array($0.utf8) }, waiting: milliseconds)
  }

  private func open() throws(RemoteFailure) -> OpaquePointer {
    if let connection { return connection }
    var reason = Reason.empty
    func connect(_ tls: UnsafePointer<remote_tls>?) -> OpaquePointer? {
      remote_redis_open(place.host, Int32(place.port), place.milliseconds, tls, &reason)
    }
    let made = if let tls = place.tls { tls.withPointer(connect) } else { connect(nil) }
    guard let opened = made else {
      throw Reason.failure(reason)
    }
    do throws(RemoteFailure) {
      if let password = place.password { try Self.greet(["AUTH"] + (place.user.map { [$0] } ?? []) + [password], opened) }
      if place.database != 0 { try Self.greet(["SELECT", "\(place.database)"], opened) }
    } catch {
      remote_redis_close(opened)
      throw error
    }
    connection = opened
    return opened
  }

  private static func greet(_ words: [String], _ connection: OpaquePointer) throws(RemoteFailure) {
    guard case .error(let text) = try send(words.map { Array($0.utf8) }, connection, lost: {}) else { return }
    throw RemoteFailure("it responded \(text)", isPermanent: RedisReply.isPermanent(text))
  }

  private static func send(_ words: [[UInt8]], _ connection: OpaquePointer, lost: () -> Void) throws(RemoteFailure) -> RedisReply {
    var reason = Reason.empty
    // One buffer for all words; pointers into it are valid until the call returns.
    let all = Array(words.joined()) + [0]
    let reply = all.withUnsafeBytes { buffer -> OpaquePointer? in
      var pointers: [UnsafePointer<CChar>?] = []
      var start = 0
      for word in words {
        pointers.append(buffer.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self))
        start += word.count
      }
      return remote_redis_send(connection, Int32(words.count), &pointers, words.map(\.count), &reason)
    }
    guard let reply else {
      lost()
      throw RemoteFailure(Reason.text(reason))
    }
    defer { remote_reply_free(reply) }
    return RedisReply(reply)
  }
}
