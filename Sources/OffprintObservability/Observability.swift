public import Logging
import Metrics
public import Offprint

extension RendererConfiguration {
  /// Logs and counts every render from now on, in addition to the existing `observer`.
  ///
  /// - Parameters:
  ///   - logger: Failures are logged as warnings, degraded images as notices, everything else as debug messages. Nil disables logging.
  ///   - metrics: The prefix of the metrics `…_renders_total{outcome,code}`, `…_render_duration_seconds{outcome}`,
  ///     `…_stage_duration_seconds{stage}` and `…_picture_bytes`. Nil disables metrics.
  public mutating func observe(logger: Logger? = nil, metrics: String? = "offprint") {
    let before = observer
    observer = { report in
      before?(report)
      if let logger { report.log(to: logger) }
      if let metrics { report.count(prefix: metrics) }
    }
  }
}

extension RenderReport {
  func log(to logger: Logger) {
    var metadata: Logger.Metadata = [
      "outcome": "\(outcome.rawValue)", "milliseconds": "\((milliseconds * 1000).rounded() / 1000)", "source": "\(sourceName.prefix(200))",
    ]
    if let identifier { metadata["identifier"] = "\(identifier.prefix(200))" }
    if let key { metadata["key"] = "\(key)" }
    if let error {
      metadata["code"] = "\(error.code.rawValue)"
      return logger.warning("\(error.message)", metadata: metadata)
    }
    metadata["size"] = "\(width)x\(height)"
    logger.log(level: isDegraded ? .notice : .debug, isDegraded ? "An image is degraded." : "An image is rendered.", metadata: metadata)
  }

  func count(prefix: String) {
    let code = error?.code.rawValue ?? "none"
    Counter(label: "\(prefix)_renders_total", dimensions: [("outcome", outcome.rawValue), ("code", code)]).increment()
    record("\(prefix)_render_duration_seconds", milliseconds, ("outcome", outcome.rawValue))
    for timing in timings { record("\(prefix)_stage_duration_seconds", timing.milliseconds, ("stage", timing.stage.rawValue)) }
    if bytes > 0 { Recorder(label: "\(prefix)_picture_bytes").record(bytes) }
  }

  private func record(_ label: String, _ milliseconds: Double, _ dimension: (String, String)) {
    Timer(label: label, dimensions: [dimension], preferredDisplayUnit: .seconds).recordNanoseconds(
      Int64(max(0, min(milliseconds, 1e12)) * 1e6))
  }
}
