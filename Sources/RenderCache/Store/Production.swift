package import OffprintCoreTypes
internal import Synchronization

/// What to do when the deadline passes while another thread or process makes the value.
package enum CacheLatePolicy: Hashable, Sendable {
  /// Make it oneself, whatever the others do.
  case produce
  /// Throw what the deadline throws: `DeadlineExceeded`, or `RenderCancelled` where nobody waits for the value any more.
  case fail
}

extension RenderCache {
  /// The value of `key`, from the cache or made by `produce`, which runs once however many threads and processes ask at a time; the others
  /// wait for it. Blocks the calling thread. Rethrows what `produce` throws; that the cache fails is no error
  /// here.
  /// - Parameters:
  ///   - refresh: makes the value anew and stores it, whatever is stored.
  ///   - deadline: no wait is longer: not for others that make the value, nor for the index.
  ///   - late: what happens when it passes while others make the value.
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
      // Whoever made it failed, perhaps for reasons of its own such as a deadline: the others no longer wait for each other.
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
    // Another process, or the flight before this one, may have stored it since.
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
