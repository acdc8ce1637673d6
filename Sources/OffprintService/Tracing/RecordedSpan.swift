import Instrumentation
import Offprint
import ServiceContextModule
import Synchronization
import Tracing

/// A span that is given to the sinks when it ends, if it is sampled.
final class RecordedSpan: Span {
  private struct State {
    var name: String
    var attributes: SpanAttributes = [:]
    var status: SpanStatus?
    var isEnded = false
  }

  let context: ServiceContext
  private let own: TraceParent
  private let parent: String?
  private let kind: SpanKind
  private let start: UInt64
  private let state: Mutex<State>
  private let write: @Sendable (JSONValue) -> Void

  init(
    _ name: String, _ own: TraceParent, _ parent: String?, _ kind: SpanKind, _ context: ServiceContext, start: UInt64,
    write: @escaping @Sendable (JSONValue) -> Void
  ) {
    self.own = own; self.parent = parent; self.kind = kind; self.context = context; self.start = start; self.write = write
    state = Mutex(State(name: name))
  }

  var isRecording: Bool { own.isSampled && state.withLock { !$0.isEnded } }
  var operationName: String {
    get { state.withLock { $0.name } }
    set { state.withLock { $0.name = newValue } }
  }
  var attributes: SpanAttributes {
    get { state.withLock { $0.attributes } }
    set { state.withLock { $0.attributes = newValue } }
  }
  func setStatus(_ status: SpanStatus) { state.withLock { $0.status = status } }
  func addEvent(_ event: SpanEvent) {}
  func addLink(_ link: SpanLink) {}
  func recordError<Instant: TracerInstant>(_ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant) {
    self.attributes["error.type"] = "\(type(of: error))"
    setStatus(SpanStatus(code: .error))
  }

  func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    let ended = state.withLock { state in
      defer { state.isEnded = true }
      return state.isEnded ? nil : state
    }
    guard let ended, own.isSampled else { return }
    write(json(ended, end: instant().nanosecondsSinceEpoch))
  }

  private func json(_ state: State, end: UInt64) -> JSONValue {
    var span: [String: JSONValue] = [
      "traceId": .string(own.trace), "spanId": .string(own.span), "name": .string(state.name), "kind": kind == .server ? 2 : 1,
      "startTimeUnixNano": .string("\(start)"), "endTimeUnixNano": .string("\(end)"),
      "attributes": .array(Self.attributes(state.attributes)),
    ]
    if let parent { span["parentSpanId"] = .string(parent) }
    if state.status?.code == .error { span["status"] = ["code": 2] }
    return .object(span)
  }

  private static func attributes(_ attributes: SpanAttributes) -> [JSONValue] {
    var values: [String: JSONValue] = [:]
    attributes.forEach { key, value in
      switch value {
      case .int32(let number): values[key] = ["intValue": .string("\(number)")]
      case .int64(let number): values[key] = ["intValue": .string("\(number)")]
      case .double(let number): values[key] = ["doubleValue": .number(number)]
      case .bool(let flag): values[key] = ["boolValue": .bool(flag)]
      case .string(let text): values[key] = ["stringValue": .string(text)]
      default: break
      }
    }
    return values.keys.sorted().map { ["key": .string($0), "value": values[$0] ?? .null] }
  }
}
