import OffprintCoreTypes
import HTTPTypes
import Logging
import NIOCore
import Offprint
import Synchronization

/// Caches complete responses to public URLs by their request targets. A hit is answered on the thread of the connection, without a task, a
/// template or a lookup in the render cache. A URL identifies the same image until fonts or templates change; then all entries are removed.
final class ResponseCache: Sendable {
  /// A cached response. A class, so that passing it retains one object instead of all its members.
  final class Entry: Sendable {
    let representation: Representation
    /// After this time, a request is looked up in the render cache again, so that it records the use.
    let validUntil: NIODeadline
    let route: String
    let metrics: ServiceMetrics.CachedRoute?
    /// The heads of responses with status 200 and 304, without the fields that differ between requests.
    let ok: HTTPResponse
    let notModified: HTTPResponse
    /// `ok` serialized for HTTP/1.1, without the fields that differ.
    let head: ByteBuffer

    init(_ representation: Representation, validUntil: NIODeadline, route: String, metrics: ServiceMetrics.CachedRoute?) {
      self.representation = representation; self.validUntil = validUntil; self.route = route; self.metrics = metrics
      var notModified = HTTPResponse(status: .notModified, headerFields: representation.headers)
      notModified.headerFields[.eTag] = representation.entityTag
      notModified.headerFields[.contentTypeOptions] = "nosniff"
      var ok = notModified
      ok.status = .ok
      ok.headerFields[.acceptRanges] = "bytes"
      ok.headerFields[.contentLength] = String(representation.bytes.readableBytes)
      notModified.headerFields[.contentType] = nil
      notModified.headerFields[.contentSecurityPolicy] = nil
      notModified.headerFields[.offprintDiagnostics] = nil
      (self.ok, self.notModified) = (ok, notModified)
      head = ByteBuffer(string: "HTTP/1.1 200 OK\r\n" + ok.headerFields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined())
    }
  }

  private struct State {
    var young: [ByteString: Entry] = [:]
    var old: [ByteString: Entry] = [:]
    var youngBytes = 0
    /// The number of times that all entries were removed.
    var generation = 0
  }

  private let state = Mutex(State())
  /// The maximum size of each of the two generations of entries, in bytes.
  private let capacity: Int
  private static let lifetime = TimeAmount.seconds(60)

  init(bytes: Int) { capacity = bytes / 2 }

  /// Increases whenever all entries are removed.
  var generation: Int { state.withLock { $0.generation } }

  func entry(_ target: String, now: NIODeadline = .now()) -> Entry? {
    let target = ByteString(target)
    return state.withLock { state -> (Entry?, [ByteString: Entry]) in
      let young = state.young[target]
      guard let entry = young ?? state.old[target] else { return (nil, [:]) }
      guard entry.validUntil > now else {
        state.young[target] = nil
        state.old[target] = nil
        return (nil, [:])
      }
      return (entry, young == nil ? insert(target, entry, &state) : [:])
    }.0
  }

  /// - Parameter generation: The generation when the request began. If entries were removed since then, the response may be outdated and is
  ///   not stored.
  func store(
    _ target: String, _ representation: Representation, route: String, generation: Int, metrics: ServiceMetrics.CachedRoute? = nil
  ) {
    let entry = Entry(representation, validUntil: .now() + Self.lifetime, route: route, metrics: metrics)
    _ = state.withLock { state in state.generation == generation ? insert(ByteString(target), entry, &state) : [:] }
  }

  /// - Returns: The evicted responses, for the caller to release after unlocking.
  private func insert(_ target: ByteString, _ entry: Entry, _ state: inout State) -> [ByteString: Entry] {
    var evicted: [ByteString: Entry] = [:]
    let size = entry.representation.bytes.readableBytes + target.text.utf8.count + 1024
    guard size <= capacity / 4 else { return evicted }
    if state.youngBytes + size > capacity {
      evicted = state.old
      state.old = state.young
      state.young = [:]
      state.youngBytes = 0
    }
    if state.young.updateValue(entry, forKey: target) == nil { state.youngBytes += size }
    return evicted
  }

  func removeAll() {
    _ = state.withLock { state in
      defer { state = State(generation: state.generation + 1) }
      return state
    }
  }
}

extension Service {
  /// The response to a request that can be answered from this cache, with the fields of this request; nil if it must go through the HTTP
  /// pipeline.
  func cachedResponse(_ head: HTTPRequest) -> (HTTPResponse, ByteBuffer?)? {
    guard head.method == .get || head.method == .head, let target = head.path,
      acceptedHosts?.accepts((head.authority ?? "").utf8) ?? true
    else { return nil }
    let fields = head.headerFields
    guard fields[.authorization] == nil, fields[.origin] == nil || !cors.isOn || cors.allowsAll, fields[.range] == nil,
      fields[.ifMatch] == nil,
      fields[.expect] == nil, fields[.contentLength] == nil,
      fields[.transferEncoding] == nil, fields[.connection]?.lowercased() != "close", let entry = responseCache.entry(target)
    else { return nil }
    let start = ContinuousClock.now
    let representation = entry.representation
    let isUnchanged = Representation.matches(fields[.ifNoneMatch], representation.entityTag)
    var response = isUnchanged ? entry.notModified : entry.ok
    let id = requestIDs.of(fields)
    response.headerFields.append(HTTPField(name: .requestID, value: id))
    response.headerFields.append(HTTPField(name: .date, value: clock.now))
    entry.metrics?.count(isHead: head.method == .head, isUnchanged: isUnchanged, seconds: (ContinuousClock.now - start).seconds)
    if logsRequests { logCachedResponse(entry, id, method: head.method.rawValue, status: response.status.code) }
    return (response, isUnchanged || head.method == .head ? nil : representation.bytes)
  }
}

extension Service {
  func logCachedResponse(_ entry: ResponseCache.Entry, _ id: String, method: String, status: Int) {
    logger.info(
      "request",
      metadata: [
        "request": "\(id)", "method": "\(method)", "route": "\(entry.route)", "status": .stringConvertible(status),
        "cache": "offprint; hit; memory",
      ])
  }
}

/// Formats the date of responses once per second.
final class ResponseClock: Sendable {
  private let latest = Mutex<(second: Int, text: String)>((0, ""))

  var now: String {
    let second = WallClock.seconds()
    return latest.withLock { latest in
      if latest.second != second { latest = (second, HTTPDate.text(second)) }
      return latest.text
    }
  }
}

/// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
enum HTTPDate {
  private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  static func text(_ second: Int) -> String {
    // For example 2026-11-22T03:43:28.
    let stamp = WallClock.timestamp(second).split(whereByte: { $0 == 0x2D || $0 == UInt8(ascii: "T") })
    guard stamp.count == 4, let month = Int(stamp[1]), (1...12).contains(month) else { return "" }
    return "\(days[(second / 86_400) % 7]), \(stamp[2]) \(months[month - 1]) \(stamp[0]) \(stamp[3]) GMT"
  }
}
