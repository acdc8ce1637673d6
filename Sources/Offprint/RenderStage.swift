/// The stages of a render, in order.
public enum RenderStage: String, Hashable, Sendable, Codable, CaseIterable {
  /// Expanding the template and computing the key.
  case prepare
  /// Waiting for a free worker.
  case queue
  /// Looking up the cache.
  case lookup
  case parse, style, images, boxes, layout, paint, encode
}

/// The duration of a stage, summed over all its passes.
public struct StageTiming: Hashable, Sendable, Codable {
  /// The stage.
  public var stage: RenderStage
  /// Its duration, summed over all its passes.
  public var milliseconds: Double
  public init(stage: RenderStage, milliseconds: Double) { self.stage = stage; self.milliseconds = milliseconds }
}

/// Called as each stage begins, on the rendering thread. Should return quickly. A page can be styled and laid out several times.
public typealias RenderProgress = @Sendable (RenderStage) -> Void

/// Measures milliseconds by stage.
struct StageClock: Sendable {
  private let start = ContinuousClock.now
  private var since = ContinuousClock.now
  private var current: RenderStage?
  private var spent: [StageTiming] = []
  let progress: RenderProgress?

  init(progress: RenderProgress? = nil) { self.progress = progress }

  /// Ends the previous stage.
  mutating func begin(_ stage: RenderStage) {
    end()
    current = stage
    progress?(stage)
  }

  /// - Returns: The duration of this run of the stage that ends.
  @discardableResult
  mutating func end() -> Duration {
    let now = ContinuousClock.now
    let taken = since.duration(to: now)
    since = now
    guard let stage = current else { return .zero }
    current = nil
    if let index = spent.firstIndex(where: { $0.stage == stage }) {
      spent[index].milliseconds += taken.milliseconds
    } else {
      spent.append(StageTiming(stage: stage, milliseconds: taken.milliseconds))
    }
    return taken
  }

  var timings: [StageTiming] { spent }
  /// The duration of all stages except waiting for a worker.
  var workMilliseconds: Double { spent.reduce(0) { $1.stage == .queue ? $0 : $0 + $1.milliseconds } }
  /// The time since the request arrived.
  var milliseconds: Double { start.duration(to: .now).milliseconds }
}
