internal import OffprintCoreTypes
internal import Dispatch
internal import Synchronization

/// Configures the use of a second tier.
package struct SecondTierConfiguration: Sendable {
  /// Values are read, but nothing is written or removed.
  package var isReadOnly = false
  /// Storing waits until the second tier has the value, and reports failures. Otherwise writes happen in the background (write-behind).
  package var isSynchronous = false
  /// The maximum size of an object that is read, in bytes.
  package var objectLimit = 256 << 20
  /// The limit of pending writes. Further ones are dropped.
  package var queueCount = 1024
  package var queueBytes = 128 << 20
  package var writers = 4
  /// How long closing waits for pending writes.
  package var drainTime = Duration.seconds(10)
  /// How long a failed store is not tried the first time.
  package var pause = Duration.milliseconds(500)
  /// Called when the store becomes unavailable, and when it is available again.
  package var notice: @Sendable (SecondTierNotice) -> Void = { _ in }

  package init() {}
}

package enum SecondTierNotice: Hashable, Sendable {
  case lost(String)
  case back(String)
  /// Closed with this many values unwritten, and the reason.
  case unwritten(Int, String)
}

/// Statistics of this process's use of the second tier.
package struct SecondTierFigures: Hashable, Sendable {
  package var hits = 0
  package var misses = 0
  /// Objects that failed verification.
  package var damaged = 0
  package var writes = 0
  package var failures = 0
  /// Values that were dropped instead of written.
  package var dropped = 0
  /// Pending writes.
  package var waiting = 0
  package var isLost = false
}

/// A store shared with other machines, behind the one on disk: read-through and write-behind. Its failures only cost additional renders.
package final class SecondTier: Sendable {
  enum Task {
    case write(CacheKey, [UInt8])
    case remove(CacheKey)

    var size: Int { if case .write(_, let bytes) = self { bytes.count } else { 0 } }
    var isWrite: Bool { if case .write = self { true } else { false } }
  }

  private struct State {
    var waiting: [Task] = []
    var waitingBytes = 0
    var writers = 0
    var isRetrying = false
    var reading: Breaker
    var writing: Breaker
    var figures = SecondTierFigures()
    var isClosed = false
  }

  let remote: any RemoteObjects
  package let configuration: SecondTierConfiguration
  private let state: Mutex<State>
  private let background = DispatchQueue(label: "offprint.cache.tier", qos: .utility, attributes: .concurrent)

  package init(_ remote: any RemoteObjects, _ configuration: SecondTierConfiguration) {
    self.remote = remote
    self.configuration = configuration
    let breaker = Breaker(first: configuration.pause)
    state = Mutex(State(reading: breaker, writing: breaker))
  }

  package var address: String { remote.address }

  package var figures: SecondTierFigures {
    state.withLock { state in
      var figures = state.figures
      figures.waiting = state.waiting.count + state.writers
      return figures
    }
  }

  // MARK: Reading

  func read(_ key: CacheKey, _ deadline: Deadline) -> (record: CacheRecord, data: [UInt8])? {
    guard !deadline.hasPassed, state.withLock({ $0.reading.allows(.now) }) else { return nil }
    let bytes: [UInt8]?
    do throws(RemoteFailure) {
      bytes = try remote.read(key, limit: configuration.objectLimit, deadline: deadline)
    } catch {
      // A failure of a request without time left does not indicate a problem of the store.
      if !deadline.hasPassed { failed(error, isWrite: false) }
      return nil
    }
    let object = bytes.flatMap { TierObject.decode($0, key) }
    succeeded(isWrite: false) { figures in
      if object != nil { figures.hits += 1 } else if bytes == nil { figures.misses += 1 } else { figures.damaged += 1 }
    }
    return object
  }

  // MARK: Writing

  func store(_ record: CacheRecord, _ data: [UInt8]) throws(RemoteFailure) {
    guard !configuration.isReadOnly else { return }
    var record = record
    // Identifiers are local: the latest value here need not be the latest on another machine.
    record.identifiers = []
    let object = TierObject.encode(record, data)
    guard configuration.isSynchronous else { return enqueue(.write(record.key, object)) }
    try attempt(.write(record.key, object))
  }

  /// Whether the store already has the value.
  func contains(_ key: CacheKey) throws(RemoteFailure) -> Bool {
    guard state.withLock({ $0.reading.allows(.now) }) else { throw RemoteFailure("it failed a moment ago and is not used for now") }
    do throws(RemoteFailure) {
      let isThere = try remote.contains(key)
      succeeded(isWrite: false) { _ in }
      return isThere
    } catch {
      failed(error, isWrite: false)
      throw error
    }
  }

  func remove(_ keys: [CacheKey]) {
    guard !configuration.isReadOnly else { return }
    for key in keys { enqueue(.remove(key)) }
  }

  private func enqueue(_ task: Task) {
    let begins = state.withLock { state -> Bool in
      guard !state.isClosed, state.waiting.count < configuration.queueCount,
        state.waitingBytes + task.size <= configuration.queueBytes
      else {
        state.figures.dropped += 1
        return false
      }
      state.waiting.append(task)
      state.waitingBytes += task.size
      guard state.writers < configuration.writers, !state.isRetrying else { return false }
      state.writers += 1
      return true
    }
    if begins { background.async { self.work() } }
  }

  /// The loop of a writer, which ends when the queue is empty or the store is unavailable.
  private func work() {
    while let task = next() {
      do throws(RemoteFailure) {
        try attempt(task)
      } catch {
        giveBack(task, error)
      }
    }
  }

  private func next() -> Task? {
    state.withLock { state in
      guard !state.waiting.isEmpty, state.writing.allows(.now) else {
        state.writers -= 1
        if !state.waiting.isEmpty { retryLater(&state) }
        return nil
      }
      let task = state.waiting.removeFirst()
      state.waitingBytes -= task.size
      return task
    }
  }

  private func retryLater(_ state: inout State) {
    guard !state.isRetrying, !state.isClosed else { return }
    state.isRetrying = true
    let pause = state.writing.pause.wholeMilliseconds + 1
    background.asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in self?.retry() }
  }

  private func retry() {
    let begins = state.withLock { state -> Bool in
      state.isRetrying = false
      guard !state.waiting.isEmpty, !state.isClosed, state.writers < configuration.writers else { return false }
      state.writers += 1
      return true
    }
    if begins { work() }
  }

  private func attempt(_ task: Task) throws(RemoteFailure) {
    do throws(RemoteFailure) {
      switch task {
      case .write(let key, let bytes): try remote.write(key, bytes)
      case .remove(let key): try remote.remove(key)
      }
    } catch {
      failed(error, isWrite: true)
      throw error
    }
    succeeded(isWrite: true) { if task.isWrite { $0.writes += 1 } }
  }

  /// Requeues a task that did not reach the store. A refused task is dropped.
  private func giveBack(_ task: Task, _ failure: RemoteFailure) {
    state.withLock { state in
      guard !failure.isRefusal, !state.isClosed, state.waiting.count < configuration.queueCount else { return state.figures.dropped += 1 }
      state.waiting.insert(task, at: 0)
      state.waitingBytes += task.size
    }
  }

  // MARK: Availability

  private func failed(_ failure: RemoteFailure, isWrite: Bool) {
    let isNew = state.withLock { state -> Bool in
      state.figures.failures += 1
      if isWrite || !failure.isRefusal { state.writing.fail(.now, isRefusal: failure.isRefusal) }
      if !isWrite || !failure.isRefusal { state.reading.fail(.now, isRefusal: failure.isRefusal) }
      defer { state.figures.isLost = true }
      return !state.figures.isLost
    }
    if isNew { configuration.notice(.lost("The shared cache \(address) failed: \(failure.message). It is not used while it fails.")) }
  }

  private func succeeded(isWrite: Bool, _ count: (inout SecondTierFigures) -> Void) {
    let isBack = state.withLock { state -> Bool in
      count(&state.figures)
      if isWrite { state.writing.succeed() } else { state.reading.succeed() }
      guard state.figures.isLost, !state.reading.isOpen, !state.writing.isOpen || state.waiting.isEmpty else { return false }
      state.figures.isLost = false
      return true
    }
    if isBack { configuration.notice(.back("The shared cache \(address) is available again.")) }
  }

  // MARK: Shutdown

  /// Waits for pending writes up to `drainTime`, or until the store is unavailable.
  package func close() {
    let deadline = Deadline(after: configuration.drainTime)
    while !deadline.hasPassed {
      let isDone = state.withLock { state in
        state.writers == 0 && (state.waiting.isEmpty || state.writing.isOpen) || state.writing.isOpen && state.figures.isLost
      }
      if isDone { break }
      Pause.milliseconds(2)
    }
    let left = state.withLock { state in
      state.isClosed = true
      defer { (state.waiting, state.waitingBytes) = ([], 0) }
      let left = state.waiting.count(where: \.isWrite)
      state.figures.dropped += left
      return left
    }
    if left > 0 { configuration.notice(.unwritten(left, "\(left) images were not stored in the shared cache \(address).")) }
  }
}
