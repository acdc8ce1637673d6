/// The outcome of a render, for logs and metrics.
public struct RenderReport: Hashable, Sendable, Codable {
  /// How a render can end.
  public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable { case rendered, cached, failed }

  /// How it ended.
  public var outcome: Outcome
  /// Nil unless it failed.
  public var error: OffprintError?
  /// The request's name for the page.
  public var sourceName: String
  /// The identifier of the request.
  public var identifier: String?
  /// The cache key in hexadecimal; nil if the render failed before the key was computed.
  public var key: String?
  /// Device px; 0 if there is no image.
  public var width: Int
  /// Device px; 0 if there is no image.
  public var height: Int
  /// The size of the file.
  public var bytes: Int
  /// Whether the image is incomplete.
  public var isDegraded: Bool
  /// The time from the call to the result.
  public var milliseconds: Double
  /// The duration of each stage.
  public var timings: [StageTiming]
}

/// Called at the end of every render, on the thread that ends it and before the caller gets the result. Should return quickly.
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
