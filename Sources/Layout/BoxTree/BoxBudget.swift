internal import OffprintCoreTypes

/// The limits of box generation. Once one is exceeded no more boxes are generated, and `BoxTreeBuilder.build` throws.
final class BoxBudget {
  private let allowed: Int
  private let deadline: Deadline
  private var recursion: RecursionBudget
  private var used = 0
  private var steps = 0
  private var textBytes = 0
  private let allowedText: Int
  private(set) var failure: (any Error)?

  init(_ limits: Limits, _ deadline: Deadline) {
    allowed = limits.boxes
    allowedText = limits.inputBytes
    self.deadline = deadline
    recursion = RecursionBudget(limit: "layoutDepth", allowed: limits.layoutDepth)
  }

  /// Takes one box from the budget. Returns false if the limit is exceeded.
  func take() -> Bool {
    guard failure == nil else { return false }
    used += 1
    if used > allowed { failure = LimitExceeded(limit: "boxes", allowed: allowed) }
    if used & 255 == 0, deadline.hasPassed { failure = DeadlineExceeded() }
    return failure == nil
  }

  /// Accounts for `count` small steps. Returns false if the deadline has passed.
  func spend(_ count: Int) -> Bool {
    guard failure == nil else { return false }
    steps += count
    if steps >= 4096 {
      steps = 0
      if deadline.hasPassed { failure = DeadlineExceeded() }
    }
    return failure == nil
  }

  /// The remaining bytes of generated text. Markers, counters, quotes and `content` together may be as long as the input.
  var textLeft: Int { max(0, allowedText - textBytes) }

  /// Takes generated text from the budget. Returns false if the limit is exceeded.
  func takeText(_ bytes: Int) -> Bool {
    guard spend(1) else { return false }
    if bytes > textLeft { failure = LimitExceeded(limit: "inputBytes", allowed: allowedText) }
    textBytes += min(bytes, textLeft)
    return failure == nil
  }

  /// Runs `body` one level deeper in the document. Fails instead if the limit of nesting is reached.
  func descending(_ body: () -> Void) {
    guard failure == nil else { return }
    do {
      try recursion.enter()
      defer { recursion.leave() }
      body()
    } catch {
      failure = error
    }
  }
}
