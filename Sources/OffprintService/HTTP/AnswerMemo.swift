import OffprintCoreTypes
import HTTPTypes
import Logging
import NIOCore
import Offprint
import Synchronization

/// Answers to addresses that anybody may ask, by the whole address: what is in here is answered on the connection's own thread, without a
/// task, a template or a look-up. An address means the same picture until fonts or templates change; then all is forgotten.
final class AnswerMemo: Sendable {
  /// A class: handing one out counts one reference, not those of all it has.
  final class Answer: Sendable {
    let representation: Representation
    /// Afterwards the cache is asked again, so that it knows what is in use.
    let validUntil: NIODeadline
    let route: String
    let figures: ServiceMetrics.Remembered?
    /// The heads without what differs from request to request.
    let whole: HTTPResponse
    let unchanged: HTTPResponse
    /// `whole` as it is sent, up to the fields that differ.
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
    /// How often all was forgotten.
    var generation = 0
  }

  private let state = Mutex(State())
  /// Of the younger half; the older has as many.
  private let capacity: Int
  private static let lifetime = TimeAmount.seconds(60)

  init(bytes: Int) { capacity = bytes / 2 }

  /// Rises when all is forgotten.
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

  /// - Parameter generation: of the time when the picture began to be looked for. What was forgotten since is not remembered again.
  func remember(
    _ target: String, _ representation: Representation, route: String, generation: Int, figures: ServiceMetrics.Remembered? = nil
  ) {
    let answer = Answer(representation, validUntil: .now() + Self.lifetime, route: route, figures: figures)
    _ = state.withLock { state in state.generation == generation ? insert(ByteString(target), answer, &state) : [:] }
  }

  /// - Returns: what is not remembered any more.
  private func insert(_ target: ByteString, _ answer: Answer, _ state: inout State) -> [ByteString: Answer] {
    var forgotten: [ByteString: Answer] = [:]
    let size = answer.representation.bytes.readableBytes + target.text.utf8.count + 1024
    guard size <= capacity / 4 else { return forgotten }
    if state.youngBytes + size > capacity {
      // What goes is let go behind the lock.
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
  /// The answer to a request that needs nothing but what is remembered, with what every answer has; nil: the long way.
  func rememberedAnswer(_ head: HTTPRequest) -> (HTTPResponse, ByteBuffer?)? {
    guard head.method == .get || head.method == .head, let target = head.path,
      acceptedHosts?.accepts((head.authority ?? "").utf8) ?? true
    else { return nil }
    let fields = head.headerFields
    guard fields[.authorization] == nil, fields[.range] == nil, fields[.ifMatch] == nil,
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
  func logRemembered(_ answer: AnswerMemo.Answer, _ id: String, method: String, status: Int) {
    logger.info(
      "request",
      metadata: [
        "request": "\(id)", "method": "\(method)", "route": "\(answer.route)", "status": .stringConvertible(status),
        "cache": "offprint; hit; memory",
      ])
  }
}

/// Writes the date of answers once a second.
final class AnswerClock: Sendable {
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
    // 2026-11-22T03:43:28
    let stamp = WallClock.timestamp(second).split(whereByte: { $0 == 0x2D || $0 == UInt8(ascii: "T") })
    guard stamp.count == 4, let month = Int(stamp[1]), (1...12).contains(month) else { return "" }
    return "\(days[(second / 86_400) % 7]), \(stamp[2]) \(months[month - 1]) \(stamp[0]) \(stamp[3]) GMT"
  }
}
