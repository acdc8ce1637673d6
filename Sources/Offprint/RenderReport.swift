/// What became of a render, for logs and metrics.
public struct RenderReport: Hashable, Sendable, Codable {
  /// How a render can end.
  public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable { case rendered, cached, failed }

  /// How it ended.
  public var outcome: Outcome
  /// Nil unless it failed.
  public var error: OffprintError?
  /// The request's name for the page.
  public var sourceName: String
  /// The request's.
  public var identifier: String?
  /// The cache key in hexadecimal; nil where the render failed before it had one.
  public var key: String?
  /// Device px; 0 where there is no picture.
  public var width: Int
  /// Device px; 0 where there is no picture.
  public var height: Int
  /// The size of the file.
  public var bytes: Int
  /// Whether the picture lacks something.
  public var isDegraded: Bool
  /// From the call to the answer.
  public var milliseconds: Double
  /// How long each stage took.
  public var timings: [StageTiming]
}

/// Told of every render as it ends, on the thread that ends it, before its caller is: return soon.
public typealias RenderObserver = @Sendable (RenderReport) -> Void

extension RenderReport {
  init(_ answer: Result<RenderResult, OffprintError>, _ job: RenderJob) {
    let result = try? answer.get()
    var failure: OffprintError?
    if case .failure(let error) = answer { failure = error }
    self.init(
      outcome: failure != nil ? .failed : result?.wasCached == true ? .cached : .rendered, error: failure,
      sourceName: job.request.sourceName, identifier: job.request.identifier, key: job.prepared.map { "\($0.key)" },
      width: result?.width ?? 0, height: result?.height ?? 0, bytes: result?.image.count ?? 0, isDegraded: result?.isDegraded ?? false,
      milliseconds: job.clock.milliseconds, timings: result?.timings ?? job.clock.timings)
  }
}
