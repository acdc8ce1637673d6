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
  /// The store failed already, so that only its return is reported.
  package var isLost = false
  /// Removals of other machines are carried out on this one, for as long as the cache is open.
  package var followsRemovals = false
  /// Called after a removal of another machine.
  package var removed: @Sendable () -> Void = {}

  package init() {}
}

package enum SecondTierNotice: Hashable, Sendable {
  case lost(String)
  case back(String)
  /// Closed with this many values unwritten, and the reason.
  case unwritten(Int, String)
}

/// Statistics of this process's use of the second tier.
package struct SecondTierStatistics: Hashable, Sendable {
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
    case write(CacheKey, [UInt8], tags: [String])
    case tag(CacheKey, [String])
    case name(SharedName)
    case remove(SharedRemoval)

    var size: Int { if case .write(_, let bytes, _) = self { bytes.count } else { 0 } }
    var isWrite: Bool { if case .write = self { true } else { false } }
  }

  private struct State {
    var waiting: [Task] = []
    var waitingBytes = 0
    var writers = 0
    var isRetrying = false
    var reading: Breaker
    var writing: Breaker
    var figures = SecondTierStatistics()
    var isClosed = false
    /// Digests of tags and keys that were written, so that a hit writes them once.
    var knownTags: Set<String> = []
  }

  let remote: any RemoteObjects
  package let configuration: SecondTierConfiguration
  private let state: Mutex<State>
  /// Distinguishes this process from others that share the store.
  let origin = Hex.encode((0..<8).map { _ in UInt8.random(in: 0...255) })
  /// Increases with each removal, so that an image that was read before it is not kept after it.
  let removals = Atomic<Int>(0)
  private let background = DispatchQueue(label: "offprint.cache.tier", qos: .utility, attributes: .concurrent)

  package init(_ remote: any RemoteObjects, _ configuration: SecondTierConfiguration) {
    self.remote = remote
    self.configuration = configuration
    let breaker = Breaker(first: configuration.pause)
    var initial = State(reading: breaker, writing: breaker)
    if configuration.isLost {
      initial.figures.isLost = true
      initial.reading.fail(.now, isRefusal: false)
      initial.writing.fail(.now, isRefusal: false)
    }
    state = Mutex(initial)
  }

  package var address: String { remote.address }

  package var figures: SecondTierStatistics {
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

  /// - Parameter isUrgent: Whether to try at once, because the value is about to be named for other machines.
  func store(_ record: CacheRecord, _ data: [UInt8], isUrgent: Bool = false) throws(RemoteFailure) {
    guard !configuration.isReadOnly else { return }
    var record = record
    // Identifiers are local: the latest value here need not be the latest on another machine.
    record.identifiers = []
    let object = TierObject.encode(record, data)
    let task = Task.write(record.key, object, tags: record.tags)
    if configuration.isSynchronous { return try attempt(task) }
    if isUrgent { attemptOrEnqueue(task) } else { enqueue(task) }
  }

  /// Whether the store already has the value.
  func contains(_ key: CacheKey) throws(RemoteFailure) -> Bool {
    try reading { () throws(RemoteFailure) in try remote.contains(key) }
  }

  /// Tries a task at once, and later again if the store is not available.
  func attemptOrEnqueue(_ task: Task) {
    guard state.withLock({ !$0.isClosed && $0.writing.allows(.now) }) else { return enqueue(task) }
    do throws(RemoteFailure) { try attempt(task) } catch { if !error.isRefusal { enqueue(task) } }
  }

  /// Runs an operation that reads, unless the store failed a moment ago.
  func reading<Value>(_ body: () throws(RemoteFailure) -> Value) throws(RemoteFailure) -> Value {
    guard state.withLock({ $0.reading.allows(.now) }) else {
      throw RemoteFailure("it failed a moment ago and was not tried again")
    }
    do throws(RemoteFailure) {
      let value = try body()
      succeeded(isWrite: false) { _ in }
      return value
    } catch {
      failed(error, isWrite: false)
      throw error
    }
  }

  /// Whether a tag of an image was not written before.
  func isNewTag(_ tag: String, _ key: CacheKey) -> Bool {
    state.withLock { state in
      if state.knownTags.count >= Self.maximumKnownTags { state.knownTags = [] }
      return state.knownTags.insert("\(RemoteName.digest(tag))\(key)").inserted
    }
  }

  private static let maximumKnownTags = 8192

  /// Drops what is waiting to be written of values that were removed.
  func forget(_ keys: Set<CacheKey>) {
    state.withLock { state in
      state.knownTags = []
      state.waiting.removeAll { if case .write(let key, _, _) = $0 { keys.contains(key) } else { false } }
      state.waitingBytes = state.waiting.reduce(0) { $0 + $1.size }
    }
  }

  func enqueue(_ task: Task) {
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
        requeue(task, error)
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
      try perform(task)
    } catch {
      failed(error, isWrite: true)
      throw error
    }
    succeeded(isWrite: true) { if task.isWrite { $0.writes += 1 } }
  }

  /// Requeues a task that did not reach the store. A task that the store rejected is dropped.
  private func requeue(_ task: Task, _ failure: RemoteFailure) {
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
    guard isNew else { return }
    let until = failure.isPermanent ? "It is not used until this is corrected." : "It is not used while it fails."
    configuration.notice(.lost("The shared cache \(address) failed: \(failure.message). \(until)"))
  }

  private func succeeded(isWrite: Bool, _ count: (inout SecondTierStatistics) -> Void) {
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
