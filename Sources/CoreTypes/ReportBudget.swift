/// What a report about a page may take. Reports give the way to each node, so theirs grow with the depth of a page times its nodes.
package struct ReportBudget {
  /// Bytes of a report, nearly.
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
