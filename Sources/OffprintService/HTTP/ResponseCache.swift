import OffprintCoreTypes
import HTTPTypes
import Logging
import NIOCore
import Offprint
import Synchronization

/// Caches complete responses to public URLs, by the whole request target. A hit is answered on the connection's own thread, without a task,
/// a template or a cache lookup. A URL means the same image until fonts or templates change; then everything is removed.
final class ResponseCache: Sendable {
  /// A class, so that passing it on retains one object instead of all its members.
  final class Answer: Sendable {
    let representation: Representation
    /// After this time, the request goes to the render cache again, so that it records the use.
    let validUntil: NIODeadline
    let route: String
    let figures: ServiceMetrics.Remembered?
    /// The response heads without the fields that differ between requests.
    let whole: HTTPResponse
    let unchanged: HTTPResponse
    /// `whole` as serialized for HTTP/1.1, up to the fields that differ.
    let head: ByteBuffer

    init(_ representation: Representation, validUntil: NIODeadline, route: String, figures: ServiceMetrics.Remembered?) {
      self.representation = representation; self.validUntil = validUntil; self.route = route; self.figures = figures
      var unchanged = HTTPResponse(status: .notModified, headerFields: representation.headers)
      unchanged.headerFields[.eTag] = representation.entityTag
      unchanged.headerFields[.contentTypeOptions] = "nosniff"
      var whole = unchanged
      whole.status = .ok
      whole.headerFields[.acceptRanges] = "bytes"
      whole.headerFields[.contentLength] = String(representation.bytes.readableBytes)
      unchanged.headerFields[.contentType] = nil
      unchanged.headerFields[.contentSecurityPolicy] = nil
      unchanged.headerFields[.offprintDiagnostics] = nil
      (self.whole, self.unchanged) = (whole, unchanged)
      head = ByteBuffer(string: "HTTP/1.1 200 OK\r\n" + whole.headerFields.map { "\($0.name.rawName): \($0.value)\r\n" }.joined())
    }
  }

  private struct State {
    var young: [ByteString: Answer] = [:]
    var old: [ByteString: Answer] = [:]
    var youngBytes = 0
    /// Counts how often everything was removed.
    var generation = 0
  }

  private let state = Mutex(State())
  /// The limit of the younger half in bytes; the older half has the same.
  private let capacity: Int
  private static let lifetime = TimeAmount.seconds(60)

  init(bytes: Int) { capacity = bytes / 2 }

  /// Increases whenever everything is removed.
  var generation: Int { state.withLock { $0.generation } }

  func answer(_ target: String, now: NIODeadline = .now()) -> Answer? {
    let target = ByteString(target)
    return state.withLock { state -> (Answer?, [ByteString: Answer]) in
      let young = state.young[target]
      guard let answer = young ?? state.old[target] else { return (nil, [:]) }
      guard answer.validUntil > now else {
        state.young[target] = nil
        state.old[target] = nil
        return (nil, [:])
      }
      return (answer, young == nil ? insert(target, answer, &state) : [:])
    }.0
  }

  /// - Parameter generation: The generation when the request began. If everything was removed since, nothing is stored.
  func remember(
    _ target: String, _ representation: Representation, route: String, generation: Int, figures: ServiceMetrics.Remembered? = nil
  ) {
    let answer = Answer(representation, validUntil: .now() + Self.lifetime, route: route, figures: figures)
    _ = state.withLock { state in state.generation == generation ? insert(ByteString(target), answer, &state) : [:] }
  }

  /// - Returns: The evicted responses, for the caller to release after unlocking.
  private func insert(_ target: ByteString, _ answer: Answer, _ state: inout State) -> [ByteString: Answer] {
    var forgotten: [ByteString: Answer] = [:]
    let size = answer.representation.bytes.readableBytes + target.text.utf8.count + 1024
    guard size <= capacity / 4 else { return forgotten }
    if state.youngBytes + size > capacity {
      // Evicted responses are released after the lock.
      forgotten = state.old
      state.old = state.young
      state.young = [:]
      state.youngBytes = 0
    }
    if state.young.updateValue(answer, forKey: target) == nil { state.youngBytes += size }
    return forgotten
  }

  func forgetAll() {
    _ = state.withLock { state in
      defer { state = State(generation: state.generation + 1) }
      return state
    }
  }
}

extension Service {
  /// The response to a request that can be answered from this cache, with the fields of this request; nil if it must go through the HTTP
  /// pipeline.
  func rememberedAnswer(_ head: HTTPRequest) -> (HTTPResponse, ByteBuffer?)? {
    guard head.method == .get || head.method == .head, let target = head.path,
      acceptedHosts?.accepts((head.authority ?? "").utf8) ?? true
    else { return nil }
    let fields = head.headerFields
    guard fields[.authorization] == nil, fields[.origin] == nil || !cors.isOn || cors.allowsAll, fields[.range] == nil,
      fields[.ifMatch] == nil,
      fields[.expect] == nil, fields[.contentLength] == nil,
      fields[.transferEncoding] == nil, fields[.connection]?.lowercased() != "close", let answer = memo.answer(target)
    else { return nil }
    let start = ContinuousClock.now
    let representation = answer.representation
    let isUnchanged = Representation.matches(fields[.ifNoneMatch], representation.entityTag)
    var response = isUnchanged ? answer.unchanged : answer.whole
    let id = requestIDs.of(fields)
    response.headerFields.append(HTTPField(name: .requestID, value: id))
    response.headerFields.append(HTTPField(name: .date, value: clock.now))
    answer.figures?.count(isHead: head.method == .head, isUnchanged: isUnchanged, seconds: (ContinuousClock.now - start).seconds)
    if logsRequests { logRemembered(answer, id, method: head.method.rawValue, status: response.status.code) }
    return (response, isUnchanged || head.method == .head ? nil : representation.bytes)
  }
}

extension Service {
  func logRemembered(_ answer: ResponseCache.Answer, _ id: String, method: String, status: Int) {
    logger.info(
      "request",
      metadata: [
        "request": "\(id)", "method": "\(method)", "route": "\(answer.route)", "status": .stringConvertible(status),
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
