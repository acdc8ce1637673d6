import Glibc
import Offprint
import Synchronization

/// A line of JSON a job, as it ends.
final class Reporter: Sendable {
  private let descriptor: Int32?
  private let lock = Mutex(false)  // whether a write failed
  let isActive: Bool

  init(path: String?) throws(OffprintError) {
    isActive = path != nil
    switch path {
    case nil: descriptor = nil
    case "-"?: descriptor = STDOUT_FILENO
    case let path?:
      let opened = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      guard opened >= 0 else {
        throw OffprintError(.outputUnwritable, "The report '\(path)' cannot be written: \(String(cString: strerror(errno))).")
      }
      descriptor = opened
    }
  }

  func report(id: String, status: String, fields: String, since start: ContinuousClock.Instant) {
    guard let descriptor else { return }
    let milliseconds = (ContinuousClock.now - start).seconds * 1000
    let line = Array(
      "{\"id\":\(JSONText.string(id)),\"status\":\"\(status)\"\(fields),\"milliseconds\":\(milliseconds.rounded(places: 3))}\n".utf8)
    lock.withLock { failed in
      if write(descriptor, line, line.count) != line.count { failed = true }
    }
  }

  func finish() throws(OffprintError) {
    if lock.withLock({ $0 }) { throw OffprintError(.outputUnwritable, "The report could not be written in full.") }
    if let descriptor, descriptor != STDOUT_FILENO { close(descriptor) }
  }
}

/// How far a batch is: drawn on a terminal only.
final class Progress: Sendable {
  private let total: Int
  private let isShown: Bool
  private let done = Mutex(0)

  init(total: Int) {
    self.total = total
    isShown = total > 1 && isatty(STDERR_FILENO) == 1
  }

  func step() {
    guard isShown else { return }
    done.withLock { done in
      done += 1
      let filled = 30 * done / max(1, total)
      let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 30 - filled)
      let line = Array("\r\(bar) \(done)/\(total)".utf8)
      _ = write(STDERR_FILENO, line, line.count)
    }
  }

  func finish() { if isShown { Output.error("") } }
}

/// Counts up from zero; `wait` takes one.
final class Semaphore: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t> = .allocate(capacity: 1)
  init() { sem_init(semaphore, 0, 0) }
  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }
  func signal() { sem_post(semaphore) }
  func wait() { while sem_wait(semaphore) != 0 && errno == EINTR {} }
}
