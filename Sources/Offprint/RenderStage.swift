/// What a render is at, in order.
public enum RenderStage: String, Hashable, Sendable, Codable, CaseIterable {
  /// The template is expanded and the key made.
  case prepare
  /// Waiting for a free worker.
  case queue
  /// Asking the cache.
  case lookup
  case parse, style, images, boxes, layout, paint, encode
}

/// How long a stage took, all its passes together.
public struct StageTiming: Hashable, Sendable, Codable {
  /// Which.
  public var stage: RenderStage
  /// All its passes together.
  public var milliseconds: Double
  public init(stage: RenderStage, milliseconds: Double) { self.stage = stage; self.milliseconds = milliseconds }
}

/// Told of each stage as it begins, on the thread that renders: return soon. A page may be styled and laid out several times.
public typealias RenderProgress = @Sendable (RenderStage) -> Void

/// Milliseconds by stage.
struct StageClock: Sendable {
  private let start = ContinuousClock.now
  private var since = ContinuousClock.now
  private var current: RenderStage?
  private var spent: [StageTiming] = []
  let progress: RenderProgress?

  init(progress: RenderProgress? = nil) { self.progress = progress }

  /// Ends the stage before.
  mutating func begin(_ stage: RenderStage) {
    end()
    current = stage
    progress?(stage)
  }

  /// - Returns: what the stage that ends took this time.
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
  /// Of all stages but waiting for a worker.
  var workMilliseconds: Double { spent.reduce(0) { $1.stage == .queue ? $0 : $0 + $1.milliseconds } }
  /// Since the request came.
  var milliseconds: Double { start.duration(to: .now).milliseconds }
}
