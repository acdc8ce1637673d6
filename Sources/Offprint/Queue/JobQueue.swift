/// How urgent a render is. Requests of equal priority are served in order.
public enum RenderPriority: String, Hashable, Sendable, Codable, CaseIterable {
  /// A user is waiting for it.
  case interactive
  /// Served when no interactive request waits, and at least once in eight requests.
  case background

  /// The priority that corresponds to the current task's.
  static var current: RenderPriority { Task.currentPriority < .medium ? .background : .interactive }
}

/// Waiting jobs, by priority and age.
struct JobQueue<Job> {
  private struct Waiting {
    var id: UInt64
    /// Nil after it was removed.
    var job: Job?
  }
  /// A first-in, first-out queue that compacts removed entries occasionally.
  private struct Line {
    var items: [Waiting] = []
    var head = 0
    var count: Int { items.count - head }

    mutating func take() -> Job? {
      guard head < items.count else { return nil }
      let job = items[head].job
      items[head].job = nil
      head += 1
      if head == items.count || head > 64 && head * 2 > items.count {
        items.removeFirst(head)
        head = 0
      }
      return job
    }

    mutating func remove(_ id: UInt64) -> Bool {
      guard let index = items[head...].firstIndex(where: { $0.id == id }) else { return false }
      items.remove(at: index)
      return true
    }
  }

  private var interactive = Line()
  private var background = Line()
  private var nextID: UInt64 = 0
  private var served = 0

  var count: Int { interactive.count + background.count }
  var isEmpty: Bool { count == 0 }

  mutating func add(_ job: Job, _ priority: RenderPriority) -> UInt64 {
    nextID += 1
    switch priority {
    case .interactive: interactive.items.append(Waiting(id: nextID, job: job))
    case .background: background.items.append(Waiting(id: nextID, job: job))
    }
    return nextID
  }

  /// Removes and returns the next job.
  mutating func take() -> Job? {
    served += 1
    if served % 8 == 0, let job = background.take() { return job }
    return interactive.take() ?? background.take()
  }

  /// - Returns: False if it is not waiting any more.
  mutating func remove(_ id: UInt64) -> Bool { interactive.remove(id) || background.remove(id) }
}
