import OffprintCoreTypes
import Glibc
import Instrumentation
import Offprint
import ServiceContextModule
import Synchronization
import Tracing

/// Appends spans to a file as lines of OTLP JSON, as the OpenTelemetry collector's `otlpjsonfile` receiver reads them. Trace context is
/// propagated as W3C `traceparent`.
///
/// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding, https://www.w3.org/TR/trace-context/
struct FileTracer: Tracer {
  fileprivate final class Sink: Sendable {
    let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// One write per line, so that lines of several threads do not mix.
    func append(_ line: String) { _ = Array((line + "\n").utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } }
  }

  private let sink: Sink

  /// - Throws: `outputUnwritable`.
  init(path: String) throws(OffprintError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o640)
    guard descriptor >= 0 else {
      throw OffprintError(.outputUnwritable, "The trace file '\(path)' cannot be written: \(String(cString: strerror(errno))).")
    }
    sink = Sink(descriptor)
  }

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind, at instant: @autoclosure () -> Instant,
    function: String, file fileID: String, line: UInt
  ) -> FileSpan {
    var context = context()
    let parent = context.traceParent
    let own = TraceParent(trace: parent?.trace ?? Self.identifier(16), span: Self.identifier(8), isSampled: parent?.isSampled ?? true)
    context.traceParent = own
    return FileSpan(operationName, own, parent?.span, kind, context, start: instant().nanosecondsSinceEpoch) { [sink] in sink.append($0) }
  }

  func forceFlush() {}

  func extract<Carrier, Extract: Extractor>(_ carrier: Carrier, into context: inout ServiceContext, using extractor: Extract)
  where Extract.Carrier == Carrier {
    if let parent = extractor.extract(key: "traceparent", from: carrier).flatMap({ TraceParent($0) }) { context.traceParent = parent }
  }

  func inject<Carrier, Inject: Injector>(_ context: ServiceContext, into carrier: inout Carrier, using injector: Inject)
  where Inject.Carrier == Carrier {
    if let own = context.traceParent { injector.inject(own.text, forKey: "traceparent", into: &carrier) }
  }

  private static func identifier(_ bytes: Int) -> String {
    var text = ""
    for _ in 0..<bytes / 4 {
      let digits = String(UInt32.random(in: 1 ... .max), radix: 16)
      text += String(repeating: "0", count: 8 - digits.count) + digits
    }
    return text
  }
}

/// https://www.w3.org/TR/trace-context/#traceparent-header
struct TraceParent: Hashable, Sendable {
  var trace: String
  var span: String
  var isSampled: Bool

  init(trace: String, span: String, isSampled: Bool) { self.trace = trace; self.span = span; self.isSampled = isSampled }

  init?(_ text: String) {
    let parts = text.split(byte: "-", omittingEmptySubsequences: false)
    func isHex(_ part: Substring, _ count: Int) -> Bool {
      part.utf8.count == count && part.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
    guard parts.count >= 4, isHex(parts[0], 2), parts[0] != "ff", isHex(parts[1], 32), isHex(parts[2], 16), isHex(parts[3], 2),
      parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }), parts[0] != "00" || parts.count == 4
    else { return nil }
    self.init(trace: String(parts[1]), span: String(parts[2]), isSampled: (UInt8(parts[3], radix: 16) ?? 0) & 1 == 1)
  }

  var text: String { "00-\(trace)-\(span)-\(isSampled ? "01" : "00")" }
}

private enum TraceParentKey: ServiceContextKey { typealias Value = TraceParent }

extension ServiceContext {
  var traceParent: TraceParent? {
    get { self[TraceParentKey.self] }
    set { self[TraceParentKey.self] = newValue }
  }
}

/// A span that is written to the file when it ends.
final class FileSpan: Span {
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
  private let write: @Sendable (String) -> Void

  init(
    _ name: String, _ own: TraceParent, _ parent: String?, _ kind: SpanKind, _ context: ServiceContext, start: UInt64,
    write: @escaping @Sendable (String) -> Void
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
    write(json(ended, end: instant().nanosecondsSinceEpoch).text)
  }

  private func json(_ state: State, end: UInt64) -> JSONValue {
    var span: [String: JSONValue] = [
      "traceId": .string(own.trace), "spanId": .string(own.span), "name": .string(state.name), "kind": kind == .server ? 2 : 1,
      "startTimeUnixNano": .string("\(start)"), "endTimeUnixNano": .string("\(end)"),
      "attributes": .array(Self.attributes(state.attributes)),
    ]
    if let parent { span["parentSpanId"] = .string(parent) }
    if state.status?.code == .error { span["status"] = ["code": 2] }
    let service: JSONValue = ["key": "service.name", "value": ["stringValue": "offprint"]]
    return [
      "resourceSpans": [
        ["resource": ["attributes": [service]], "scopeSpans": [["scope": ["name": "offprint"], "spans": [.object(span)]]]]
      ]
    ]
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
