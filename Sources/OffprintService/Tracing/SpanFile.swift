import OffprintCoreTypes
import Glibc
import Offprint

/// Appends spans to a file as lines of OTLP JSON, as the OpenTelemetry collector's `otlpjsonfile` receiver reads them.
final class SpanFile: SpanSink {
  private let descriptor: Int32
  private let resource: TraceResource

  /// - Throws: `outputUnwritable`.
  init(path: String, resource: TraceResource) throws(OffprintError) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0o640)
    self.resource = resource
    guard descriptor >= 0 else {
      throw OffprintError(.outputUnwritable, "The trace file '\(path)' cannot be written: \(String(cString: strerror(errno))).")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// One write per line, so that lines of several threads do not mix.
  func add(_ span: JSONValue) {
    let line = Array((resource.request([span]).text + "\n").utf8)
    _ = line.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }
}
