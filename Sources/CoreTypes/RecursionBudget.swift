internal import COffprintGLib

/// How deep a recursion may go: counted, which gives the same answer everywhere, and by what is left of the thread's stack, should that be
/// smaller than the count supposes.
///
///     try budget.enter()
///     defer { budget.leave() }
public struct RecursionBudget: Sendable {
  /// The limit's name, as in `Limits`.
  public let limit: String
  public let allowed: Int
  public private(set) var depth = 0
  private let stack: StackBounds

  /// For recursion on the thread that calls this.
  public init(limit: String, allowed: Int) {
    self.limit = limit; self.allowed = allowed
    stack = StackBounds.ofThisThread()
  }

  /// - Throws: `LimitExceeded` where this step would be too deep; it is then not entered.
  @inline(__always)
  public mutating func enter() throws(LimitExceeded) {
    guard depth < allowed, !stack.isNearEnd else { throw LimitExceeded(limit: limit, allowed: depth) }
    depth += 1
  }

  @inline(__always)
  public mutating func leave() { depth -= 1 }
}

/// The addresses of a thread's stack, which grows downward.
public struct StackBounds: Sendable {
  /// Below this address there is only what functions that do not recurse, and C libraries, need.
  private let reserveStart: UInt

  /// Of the thread that calls this; without bounds where the system does not tell them.
  public static func ofThisThread() -> StackBounds {
    var lowest: UnsafeMutableRawPointer?
    let size = offprint_stack_bounds(&lowest)
    guard size > 0, let lowest else { return StackBounds(reserveStart: 0) }
    // A quarter of a small stack, 1 MiB of a large one.
    return StackBounds(reserveStart: UInt(bitPattern: lowest) &+ UInt(min(size / 4, 1 << 20)))
  }

  /// Whether the calling function is in the reserve at the end of the stack. Meaningless on another thread.
  @inline(__always)
  public var isNearEnd: Bool {
    var marker: UInt8 = 0
    return withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) < reserveStart }
  }
}
