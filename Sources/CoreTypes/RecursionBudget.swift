internal import COffprintGLib

/// Limits recursion in two ways: by a count, which gives the same result on every machine, and by the rest of the thread's stack, in case
/// it is smaller than the count assumes.
///
///     try budget.enter()
///     defer { budget.leave() }
public struct RecursionBudget: Sendable {
  /// The limit's name, as in `Limits`.
  public let limit: String
  public let allowed: Int
  public private(set) var depth = 0
  private let stack: StackBounds

  /// For recursion on the calling thread.
  public init(limit: String, allowed: Int) {
    self.limit = limit; self.allowed = allowed
    stack = StackBounds.ofThisThread()
  }

  /// - Throws: `LimitExceeded` if this step would be too deep. The depth is then unchanged, so `leave()` must not be called.
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
  /// The start of the reserve for functions that do not recurse and for C libraries; the stack below this address.
  private let reserveStart: UInt

  /// The bounds for the calling thread; unbounded if the system does not provide them.
  public static func ofThisThread() -> StackBounds {
    var lowest: UnsafeMutableRawPointer?
    let size = offprint_stack_bounds(&lowest)
    guard size > 0, let lowest else { return StackBounds(reserveStart: 0) }
    // A quarter of a small stack, 1 MiB of a large one.
    return StackBounds(reserveStart: UInt(bitPattern: lowest) &+ UInt(min(size / 4, 1 << 20)))
  }

  /// Whether the calling function is in the reserve at the end of the stack. Only valid on the thread the bounds are from.
  @inline(__always)
  public var isNearEnd: Bool {
    var marker: UInt8 = 0
    return withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) < reserveStart }
  }
}
