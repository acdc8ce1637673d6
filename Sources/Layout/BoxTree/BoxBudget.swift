internal import CoreTypes

/// What box generation may use. Once it is used up no more boxes are made, and `BoxTreeBuilder.build` says so.
final class BoxBudget {
  private let allowed: Int
  private let deadline: Deadline
  private var recursion: RecursionBudget
  private var used = 0
  private(set) var failure: (any Error)?

  init(_ limits: Limits, _ deadline: Deadline) {
    allowed = limits.boxes
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
