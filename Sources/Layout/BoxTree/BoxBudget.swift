internal import OffprintCoreTypes

/// What box generation may use. Once it is used up no more boxes are made, and `BoxTreeBuilder.build` says so.
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

  /// Takes a box off the budget; false where there is none left.
  func take() -> Bool {
    guard failure == nil else { return false }
    used += 1
    if used > allowed { failure = LimitExceeded(limit: "boxes", allowed: allowed) }
    if used & 255 == 0, deadline.hasPassed { failure = DeadlineExceeded() }
    return failure == nil
  }

  /// Whether there is time for so many more small steps.
  func spend(_ count: Int) -> Bool {
    guard failure == nil else { return false }
    steps += count
    if steps >= 4096 {
      steps = 0
      if deadline.hasPassed { failure = DeadlineExceeded() }
    }
    return failure == nil
  }

  /// Bytes of generated text that are left: markers, counters, quotes and `content` of all boxes are together as long as a page may be.
  var textLeft: Int { max(0, allowedText - textBytes) }

  /// Takes generated text off the budget; false where it is too much.
  func takeText(_ bytes: Int) -> Bool {
    guard spend(1) else { return false }
    if bytes > textLeft { failure = LimitExceeded(limit: "inputBytes", allowed: allowedText) }
    textBytes += min(bytes, textLeft)
    return failure == nil
  }

  /// Runs `body` one step deeper in the document; not at all where that is too deep.
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
