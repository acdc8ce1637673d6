import Glibc

/// Distributes seeds to worker processes and records the outcome of each page.
final class Supervisor {
  static let memoryKiB = 1 << 20
  let options: Options
  let symbols = Symbols()
  /// The number of pages by result.
  private(set) var counts: [String: Int] = [:]
  private(set) var slowest: [(milliseconds: Int, seed: UInt64)] = []
  private(set) var largest = 0
  /// Seeds by the kind of failure.
  private(set) var failures: [String: [UInt64]] = [:]
  private var workers: [WorkerProcess] = []
  private var finished = 0
  private var lastReported = 0
  /// The seeds of the last pages of all workers. An abandoned thread of one page may crash the process while it renders another.
  private var recent: [UInt64] = []

  init(_ options: Options) { self.options = options }

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    var next = options.seed
    let end = options.seed + UInt64(options.count)
    let start = ContinuousClock.now
    workers = try (0..<options.jobs).map { _ in try WorkerProcess(options) }
    while next < end || workers.contains(where: { $0.current != nil }) {
      for worker in workers where worker.current == nil && next < end {
        worker.send("seed \(next)\n", next)
        next += 1
      }
      try step()
      if finished >= lastReported + 5000 {
        lastReported = finished
        progress(start)
      }
    }
    workers.forEach { $0.end() }
    progress(start)
  }

  private func progress(_ start: ContinuousClock.Instant) {
    let seconds = (ContinuousClock.now - start).components.seconds
    let resident = workers.map { Memory.residentKiB($0.process) >> 10 }
    print(
      "\(finished) pages in \(seconds) s, \(failures.count) kinds of failures, workers \(resident) MiB, largest page \(largest >> 10) MiB")
    fflush(nil)
  }

  /// Waits up to 100 ms for output of the workers, and stops those that exceed their time or memory.
  private func step() throws {
    var polls = workers.map { pollfd(fd: $0.output, events: Int16(POLLIN), revents: 0) }
    poll(&polls, UInt(polls.count), 100)
    for index in workers.indices {
      let worker = workers[index]
      guard let seed = worker.current else { continue }
      if polls[index].revents != 0 {
        switch worker.receive() {
        case .success(let answer?): try answered(index, seed, answer)
        case .success(nil): break
        case .failure: try died(index, seed)
        }
      } else {
        stopIfOver(worker)
      }
    }
  }

  private func answered(_ index: Int, _ seed: UInt64, _ answer: WorkerProcess.Answer) throws {
    // A worker that was asked to stop just before it answered is about to end.
    if workers[index].isAskedToStop {
      workers[index].end()
      workers[index] = try WorkerProcess(options)
    }
    try finish(index, seed, outcome(answer))
  }

  private func stopIfOver(_ worker: WorkerProcess) {
    if worker.elapsed > options.seconds + 8 { kill(worker.process, SIGKILL) }
    guard !worker.isAskedToStop else { return }
    if worker.elapsed > options.seconds * (options.rendersTwice ? 2 : 1) + 1.5 || Memory.residentKiB(worker.process) > 3 * Self.memoryKiB {
      worker.isAskedToStop = true
      kill(worker.process, SIGUSR2)
    }
  }

  private func outcome(_ answer: WorkerProcess.Answer) -> Outcome {
    if answer.peakKiB > Self.memoryKiB { return .memory(kiB: answer.peakKiB) }
    let limit = options.seconds * (options.rendersTwice ? 2 : 1) * 1000 + 500
    if Double(answer.milliseconds) > limit { return .late(milliseconds: answer.milliseconds, at: "") }
    if answer.outcome == "differs" { return .differs }
    return .answered(answer.outcome, milliseconds: answer.milliseconds, peakKiB: answer.peakKiB)
  }

  /// The outcome of a process that has ended, and its stack.
  private func end(of worker: WorkerProcess) -> (Outcome, stack: String) {
    let status = worker.status()
    let stack = symbols.place(Folders.read(worker.errorPath))
    let signal = status & 0x7F
    if worker.isAskedToStop || worker.elapsed > options.seconds + 7 {
      return (.late(milliseconds: Int(worker.elapsed * 1000), at: stack.short), stack.long)
    }
    return (.crashed(signal: signal, at: stack.short), stack.long)
  }

  private func died(_ index: Int, _ seed: UInt64) throws {
    let (outcome, stack) = end(of: workers[index])
    workers[index] = try WorkerProcess(options)
    try finish(index, seed, outcome, stack)
  }

  private func finish(_ index: Int, _ seed: UInt64, _ outcome: Outcome, _ stack: String = "") throws {
    workers[index].current = nil
    finished += 1
    recent.append(seed)
    if recent.count > 16 { recent.removeFirst() }
    if case .answered(let code, let milliseconds, let peak) = outcome {
      counts[code, default: 0] += 1
      largest = max(largest, peak)
      slowest.append((milliseconds, seed))
      if slowest.count > 200 { slowest = Array(slowest.sorted { $0.milliseconds > $1.milliseconds }.prefix(20)) }
      return
    }
    try report(seed, outcome, stack)
  }

  private func report(_ seed: UInt64, _ outcome: Outcome, _ stack: String) throws {
    let tester = PageTester(self)
    // On a busy machine, any page may be late once: render it again.
    if case .late = outcome, case let again = try tester.outcome(PageGenerator.page(seed: seed, isSVG: options.isSVG)), !again.isFailure {
      counts["late once", default: 0] += 1
      print("seed \(seed): \(outcome.text), then \(again.text)")
      return
    }
    let isKnown = failures[outcome.kind] != nil
    failures[outcome.kind, default: []].append(seed)
    counts["FAILED", default: 0] += 1
    let page = PageGenerator.page(seed: seed, isSVG: options.isSVG)
    print("seed \(seed): \(outcome.text)")
    fflush(nil)
    guard !isKnown, failures.count <= options.shrinks else { return }
    if case let again = try tester.outcome(page), !again.isSame(as: outcome) {
      print("  alone: \(again.text); after the seeds \(recent.map { "\($0)" }.joined(separator: " "))")
      return
    }
    var shrinker = Shrinker(page: page, outcome: outcome, tester: tester)
    let small = try shrinker.run()
    let path = "\(options.folder)/\(seed).\(page.isXHTML ? "xhtml" : "html")"
    Folders.write(small.html, to: path)
    Folders.write(page.html, to: "\(options.folder)/\(seed).whole")
    Folders.write("\(outcome.text)\noptions \(small.options)\n\(stack)\n", to: "\(options.folder)/\(seed).txt")
    print(
      "  \(path): \(small.elementCount) elements, \(small.declarationCount) declarations, options \(small.options)\n  \(small.html.prefix(600))"
    )
    fflush(nil)
  }

  /// Renders one page in `worker`, which is started if it is nil and set to nil if it ends.
  func test(_ page: Page, in worker: inout WorkerProcess?) throws -> Outcome {
    let process = try worker ?? WorkerProcess(options)
    worker = process
    let html = page.html
    process.send("page 0 \(page.options) \(html.utf8.count)\n\(html)", 0)
    while true {
      var polls = [pollfd(fd: process.output, events: Int16(POLLIN), revents: 0)]
      if poll(&polls, 1, 100) > 0 {
        switch process.receive() {
        case .success(let answer?): return outcome(answer)
        case .success(nil): break
        case .failure:
          worker = nil
          return end(of: process).0
        }
      }
      stopIfOver(process)
    }
  }
}
