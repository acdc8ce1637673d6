package import OffprintCoreTypes
internal import Synchronization

/// What to do when the deadline passes while another thread or process produces the value.
package enum CacheLatePolicy: Hashable, Sendable {
  /// Produce it in this thread, regardless of the others.
  case produce
  /// Throw the deadline's error: `DeadlineExceeded`, or `RenderCancelled` after cancellation.
  case fail
}

extension RenderCache {
  /// The value of `key`, from the cache or from `produce`. Concurrent requests of any thread and process are coalesced: `produce` runs
  /// once, and the others wait for its result. Blocks the calling thread. Rethrows errors of `produce`; failures of the cache are not
  /// thrown.
  /// - Parameters:
  ///   - refresh: Produces and stores the value even if it is stored already.
  ///   - deadline: Limits every wait, for other producers and for the index.
  ///   - late: What happens if the deadline passes while others produce the value.
  package func value(
    for key: CacheKey, identifier: String? = nil, tags: [String] = [], refresh: Bool = false, deadline: Deadline = .never,
    late: CacheLatePolicy = .produce, produce: () throws -> ProducedValue
  ) throws -> CacheOutcome {
    let label = CacheLabel(identifier: identifier, tags: tags)
    if refresh { return make(key, label, deadline, try produce()) }
    if let entry = lookup(key, identifier: identifier, tags: tags) { return CacheOutcome(entry: entry, wasCached: true) }
    let (flight, isLeader) = flights.withLock { flights in
      if let flight = flights[key] { return (flight, false) }
      let flight = Flight()
      flights[key] = flight
      return (flight, true)
    }
    if isLeader { return try lead(flight, key, label, deadline, late, produce) }
    switch flight.wait(deadline) {
    case .made(var outcome):
      outcome.wasCached = true
      noteHit(outcome.entry, label)
      return outcome
    case .late: if late == .fail { try deadline.check() }
    case .failed:
      // The producer failed, perhaps for its own reasons such as its deadline. The waiting requests now produce the value independently.
      if let entry = lookup(key, identifier: identifier, tags: tags) { return CacheOutcome(entry: entry, wasCached: true) }
    }
    return make(key, label, deadline, try produce())
  }

  private func lead(
    _ flight: Flight, _ key: CacheKey, _ label: CacheLabel, _ deadline: Deadline, _ late: CacheLatePolicy,
    _ produce: () throws -> ProducedValue
  ) throws -> CacheOutcome {
    var outcome: CacheOutcome?
    defer {
      flights.withLock { _ = $0.removeValue(forKey: key) }
      flight.finish(outcome)
    }
    let locks = sharedLocks()
    let isLocked = locks?.lock(FileLocks.number(key), timeout: configuration.lockTimeout, deadline: deadline) ?? false
    defer { if isLocked { locks?.unlock(FileLocks.number(key)) } }
    let result: CacheOutcome
    // Another process, or the previous flight, may have stored it since.
    if let entry = find(key) {
      noteHit(entry, label)
      result = CacheOutcome(entry: entry, wasCached: true)
    } else if let entry = findShared(key, label, deadline) {
      noteHit(entry, label)
      result = CacheOutcome(entry: entry, wasCached: true)
    } else {
      if !isLocked, late == .fail { try deadline.check() }
      result = make(key, label, deadline, try produce())
    }
    outcome = result
    return result
  }

  private func make(_ key: CacheKey, _ label: CacheLabel, _ deadline: Deadline, _ produced: ProducedValue) -> CacheOutcome {
    var value = produced
    if let identifier = label.identifier { value.identifier = identifier }
    value.tags += label.tags
    let entry = CacheEntry(key, value, created: configuration.clock())
    guard value.isStorable else { return CacheOutcome(entry: entry, wasCached: false) }
    do throws(CacheError) {
      try store(key, value, deadline: deadline)
      return CacheOutcome(entry: entry, wasCached: false)
    } catch {
      return CacheOutcome(entry: entry, wasCached: false, storeFailure: error)
    }
  }
}
