import Instrumentation
import Offprint
import ServiceContextModule
import Tracing

/// Receives spans that ended, as JSON of OTLP: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
protocol SpanSink: Sendable {
  /// Must not block.
  func add(_ span: JSONValue)
}

/// Makes spans for a file or a collector. Trace context is propagated as W3C `traceparent`: https://www.w3.org/TR/trace-context/
struct SpanTracer: Tracer {
  private let sinks: [any SpanSink]

  init(_ sinks: [any SpanSink]) { self.sinks = sinks }

  func startSpan<Instant: TracerInstant>(
    _ operationName: String, context: @autoclosure () -> ServiceContext, ofKind kind: SpanKind, at instant: @autoclosure () -> Instant,
    function: String, file fileID: String, line: UInt
  ) -> RecordedSpan {
    var context = context()
    let parent = context.traceParent
    let own = TraceParent(trace: parent?.trace ?? Self.identifier(16), span: Self.identifier(8), isSampled: parent?.isSampled ?? true)
    context.traceParent = own
    return RecordedSpan(operationName, own, parent?.span, kind, context, start: instant().nanosecondsSinceEpoch) { [sinks] span in
      sinks.forEach { $0.add(span) }
    }
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
