/// How urgent a render is. Within a class requests are served in the order they came.
public enum RenderPriority: String, Hashable, Sendable, Codable, CaseIterable {
  /// Somebody waits for it.
  case interactive
  /// Can wait until nothing interactive is left; but one in eight is served in any case.
  case background

  /// That of the task this is asked in.
  static var current: RenderPriority { Task.currentPriority < .medium ? .background : .interactive }
}

/// Jobs that wait, by priority and age.
struct JobQueue<Job> {
  private struct Waiting {
    var id: UInt64
    /// Nil when it was taken.
    var job: Job?
  }
  /// First in, first out; what was taken is dropped now and then.
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

  /// The next to be served.
  mutating func take() -> Job? {
    served += 1
    if served % 8 == 0, let job = background.take() { return job }
    return interactive.take() ?? background.take()
  }

  /// - Returns: false where it does not wait any more.
  mutating func remove(_ id: UInt64) -> Bool { interactive.remove(id) || background.remove(id) }
}
