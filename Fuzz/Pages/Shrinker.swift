/// Renders pages one at a time in a worker process, which is restarted if it ends.
final class PageTester {
  private let supervisor: Supervisor
  private var worker: WorkerProcess?

  init(_ supervisor: Supervisor) { self.supervisor = supervisor }

  func outcome(_ page: Page) throws -> Outcome { try supervisor.test(page, in: &worker) }

  deinit { worker?.end() }
}

/// Minimizes a page that fails by delta debugging: removes ever smaller runs of items, then simplifies the remaining ones.
///
/// https://www.st.cs.uni-saarland.de/papers/tse2002/
struct Shrinker {
  var page: Page
  let outcome: Outcome
  let tester: PageTester
  private var trials = 0
  private let end: ContinuousClock.Instant

  init(page: Page, outcome: Outcome, tester: PageTester) {
    self.page = page
    self.outcome = outcome
    self.tester = tester
    end = .now + .seconds(90)
  }

  private mutating func fails(_ candidate: Page) throws -> Bool {
    trials += 1
    guard trials < 2500, ContinuousClock.now < end else { return false }
    return try tester.outcome(candidate).isSame(as: outcome)
  }

  mutating func run() throws -> Page {
    guard try fails(page) else { return page }
    var before = -1
    while page.removable.count != before {
      before = page.removable.count
      try leaveOut()
    }
    try simplifyOptions()
    try simplifyValues()
    return page
  }

  private mutating func leaveOut() throws {
    var size = max(1, page.removable.count / 2)
    while true {
      var index = 0
      while case let parts = page.removable, index < parts.count {
        let candidate = page.removing(parts[index..<min(parts.count, index + size)])
        if try fails(candidate) { page = candidate } else { index += size }
      }
      if size == 1 { return }
      size /= 2
    }
  }

  private mutating func simplifyOptions() throws {
    let changes: [(inout Page) -> Void] = [
      { $0.isXHTML = false }, { $0.doctype = "<!DOCTYPE html>" }, { $0.scale = 1 }, { $0.isPrint = false }, { $0.isDark = false },
      { $0.width = 300 }, { $0.height = 200 },
    ]
    for change in changes {
      var candidate = page
      change(&candidate)
      if try fails(candidate) { page = candidate }
    }
  }

  private mutating func simplifyValues() throws {
    for index in page.items.indices where !page.isRemoved[index] {
      switch page.items[index] {
      case .declaration(let declaration): try simplify(declaration.value) { Self.set($1, at: index, in: &$0) }
      case .style(let declaration): try simplify(declaration.value) { Self.set($1, at: index, in: &$0) }
      case .attribute(let name, let value) where value.utf8.count > 2: try simplify(value) { $0.items[index] = .attribute(name, $1) }
      case .ruleOpen(let prelude) where !prelude.hasPrefix("@") && prelude != "*":
        try simplify(prelude, to: "*") { $0.items[index] = .ruleOpen($1) }
      case .text: try simplify("", to: "x") { $0.items[index] = .text($1) }
      default: break
      }
    }
  }

  private static func set(_ value: String, at index: Int, in page: inout Page) {
    switch page.items[index] {
    case .declaration(let declaration): page.items[index] = .declaration(.init(property: declaration.property, value: value))
    case .style(let declaration): page.items[index] = .style(.init(property: declaration.property, value: value))
    default: break
    }
  }

  private mutating func simplify(_ value: String, to other: String, _ set: (inout Page, String) -> Void) throws {
    var candidate = page
    set(&candidate, other)
    if try fails(candidate) { page = candidate }
  }

  /// Removes words from a value.
  private mutating func simplify(_ value: String, _ set: (inout Page, String) -> Void) throws {
    var words = value.split(separator: " ")
    var index = 0
    while index < words.count, words.count > 1 {
      var shorter = words
      shorter.remove(at: index)
      var candidate = page
      set(&candidate, shorter.joined(separator: " "))
      if try fails(candidate) {
        page = candidate
        words = shorter
      } else {
        index += 1
      }
    }
  }
}
