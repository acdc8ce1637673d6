/// Limits the size of a report about a page. Reports contain the path of each node, so their size grows with the page's depth times its
/// nodes.
package struct ReportBudget {
  /// The approximate maximum size of a report, in bytes.
  package static let limit = 64 << 20
  private static let interval = 1 << 16

  private let deadline: Deadline
  private var bytes = 0
  private var nextLook = interval

  package init(_ deadline: Deadline) { self.deadline = deadline }

  /// - Throws: `DeadlineExceeded`, `LimitExceeded`.
  package mutating func spend(_ count: Int) throws {
    bytes &+= count
    guard bytes <= Self.limit else { throw LimitExceeded(limit: "reportBytes", allowed: Self.limit) }
    guard bytes >= nextLook else { return }
    nextLook = bytes &+ Self.interval
    try deadline.check()
  }
}
