package import OffprintCoreTypes

/// Identifiers and removals on all machines that share a second tier. Without one, these are the operations of this machine.
extension RenderCache {
  /// The key that an identifier names: on all machines if the store is available, otherwise the latest that this machine knows.
  package func currentKey(identifier: String) -> CacheKey? {
    if CacheKey.isKeyShaped(identifier) { return nil }
    let local = pending.withLock { $0.names[identifier] } ?? (try? key(identifier: identifier))
    guard let tier = configuration.tier, let shared = try? tier.name(identifier, now: configuration.clock()) else { return local }
    if let key = shared.key, key != local { pending.withLock { $0.names[identifier] = key } }
    return shared.key
  }

  /// The value that an identifier names on all machines.
  package func entryEverywhere(identifier: String, deadline: Deadline) -> CacheEntry? {
    currentKey(identifier: identifier).flatMap { lookupEverywhere($0, deadline: deadline) }
  }

  /// Publishes the value of an identifier to the other machines. The value is in the store before its name.
  func shareName(_ identifier: String, _ key: CacheKey) {
    guard let tier = configuration.tier, !tier.configuration.isReadOnly, !CacheKey.isKeyShaped(identifier) else { return }
    try? share(key)
    tier.setName(SharedName(identifier: identifier, key: key, time: configuration.clock()))
  }

  /// Notes the identifier and tags of a use for the other machines.
  func shareLabel(_ label: CacheLabel, _ key: CacheKey) {
    guard let tier = configuration.tier else { return }
    tier.addTags(of: label, key)
    if let identifier = label.identifier { shareName(identifier, key) }
  }

  // MARK: Owners

  /// Like `claim`, for all machines.
  ///
  /// - Throws: `cacheBusy` also if the store is not available and this machine does not know the owner.
  package func claimEverywhere(
    identifier: String, owner: String, isAdministrator: Bool = false, deadline: Deadline
  ) throws(CacheError) -> IdentifierClaim {
    func claimHere() throws(CacheError) -> IdentifierClaim {
      try claim(identifier: identifier, owner: owner, isAdministrator: isAdministrator, deadline: deadline)
    }
    guard let tier = configuration.tier else { return try claimHere() }
    var shared = SharedOwner(identifier: identifier, owner: owner, claimed: configuration.clock())
    do throws(RemoteFailure) {
      // The store decides: this machine may not know yet that the owner has changed.
      if let existing = try tier.owner(shared) {
        guard isAdministrator || existing.owner.hasSameBytes(as: owner) else { return .refused }
        _ = try? claimHere()
        return .held
      }
    } catch {
      let claimed = try claimHere()
      guard claimed.isNew else { return claimed }
      releaseLocally(claimed, identifier, owner, deadline)
      throw unknownOwner(tier, error)
    }
    var claimed = try claimHere()
    if !claimed.isGranted, let name = try? tier.name(identifier, now: shared.claimed), name.key == nil {
      // Another machine removed the identifier and its owner, and this one has not carried that out yet.
      try drop(identifiers: [identifier])
      claimed = try claimHere()
    }
    guard claimed.isGranted else { return .refused }
    if case .new(let time) = claimed { shared.claimed = time }
    do throws(RemoteFailure) {
      if try tier.create(shared) { return claimed }
      releaseLocally(claimed, identifier, owner, deadline)
      return isAdministrator ? .held : .refused
    } catch {
      guard claimed.isNew else { return claimed }
      releaseLocally(claimed, identifier, owner, deadline)
      throw unknownOwner(tier, error)
    }
  }

  private func unknownOwner(_ tier: SecondTier, _ error: RemoteFailure) -> CacheError {
    CacheError(.cacheBusy, "The owner of the identifier is unknown, because the shared cache \(tier.address) failed: \(error.message).")
  }

  private func releaseLocally(_ claim: IdentifierClaim, _ identifier: String, _ owner: String, _ deadline: Deadline) {
    if case .new(let time) = claim { try? releaseClaim(identifier: identifier, owner: owner, since: time, deadline: deadline) }
  }

  /// Like `releaseClaim`, for all machines.
  package func releaseClaimEverywhere(identifier: String, owner: String, since time: CacheTime, deadline: Deadline) throws(CacheError) {
    configuration.tier?.release(SharedOwner(identifier: identifier, owner: owner, claimed: time))
    try releaseClaim(identifier: identifier, owner: owner, since: time, deadline: deadline)
  }

  // MARK: Removal

  /// Removes a value from all machines; false if neither this machine nor the store had it.
  @discardableResult
  package func removeEverywhere(_ key: CacheKey) throws(CacheError) -> Bool {
    guard let tier = configuration.tier else { return try remove(key) }
    let isShared = (try? tier.contains(key)) ?? false
    let isLocal = try remove([key]).entries > 0
    var removal = SharedRemoval(origin: tier.origin)
    removal.keys = [key]
    tier.remove(removal)
    return isLocal || isShared
  }

  /// Removes an identifier, its owner and the value that it names from all machines; false if it names nothing.
  @discardableResult
  package func removeEverywhere(identifier: String) throws(CacheError) -> Bool {
    guard let tier = configuration.tier else { return try remove(identifier: identifier) }
    let key = currentKey(identifier: identifier)
    try drop(identifiers: [identifier])
    if let key { _ = try remove([key]) }
    var removal = SharedRemoval(origin: tier.origin)
    removal.identifiers = [identifier]
    removal.keys = key.map { [$0] } ?? []
    tier.remove(removal)
    return key != nil
  }

  /// Removes the values with a tag from all machines.
  ///
  /// - Returns: What was removed from this machine, and how many further values from the store.
  package func removeEverywhere(tag: String) throws(CacheError) -> CacheRemoval {
    guard let tier = configuration.tier else { return try remove(tag: tag) }
    try flushForAdministration(dryRun: false)
    let local = try keys(ofTag: tag)
    var removal = SharedRemoval(origin: tier.origin)
    removal.tag = tag
    removal.keys = Array(Set(local).union(tier.keys(ofTag: tag))).sorted { $0.description < $1.description }
    var result = try remove(removal.keys)
    result.entries = max(result.entries, removal.keys.count)
    tier.remove(removal)
    return result
  }

  /// Removes the values that match a filter here from all machines.
  package func removeEverywhere(where filter: CacheFilter) throws(CacheError) -> CacheRemoval {
    guard let tier = configuration.tier else { return try remove(where: filter) }
    let keys = try matches(filter)
    let result = try remove(keys)
    var removal = SharedRemoval(origin: tier.origin)
    removal.keys = keys
    tier.remove(removal)
    return result
  }

  /// Removes everything from all machines, and from the store what any of them has.
  package func clearEverywhere() throws(CacheError) -> CacheRemoval {
    guard let tier = configuration.tier else { return try clear() }
    var removal = SharedRemoval(origin: tier.origin)
    removal.keys = try keys("SELECT key FROM entry")
    removal.isAll = true
    let result = try clear()
    tier.remove(removal)
    return result
  }

  /// Carries out a removal of another machine.
  func carryOut(_ removal: SharedRemoval) throws(CacheError) {
    guard let tier = configuration.tier else { return }
    tier.removals.add(1, ordering: .sequentiallyConsistent)
    try drop(identifiers: removal.identifiers)
    var further: [CacheKey] = []
    if removal.isAll {
      further = try keys("SELECT key FROM entry")
      try clear()
    } else if let tag = removal.tag {
      try flushForAdministration(dryRun: false)
      let listed = Set(removal.keys)
      further = try keys(ofTag: tag).filter { !listed.contains($0) }
    }
    tier.forget(Set(removal.keys + further))
    _ = try remove(removal.keys + further)
    if removal.isAll { return tier.removeQuietly(further) }
    // Images that had the tag on this machine only: others may have them without the tag.
    var own = SharedRemoval(origin: tier.origin)
    own.keys = further
    tier.remove(own)
  }

  private func keys(ofTag tag: String) throws(CacheError) -> [CacheKey] { try matches(.comparison(.tag, .equal, .text(tag))) }

  /// Removes identifiers and their owners from this machine.
  private func drop(identifiers: [String]) throws(CacheError) {
    guard !identifiers.isEmpty else { return }
    try index.write(Deadline(after: Self.removalPatience)) { db in
      for identifier in identifiers {
        try db.run("DELETE FROM name WHERE identifier = ?", [.text(identifier)])
        try IndexRows.disown(db, identifier)
      }
      pending.withLock { pending in identifiers.forEach { pending.names[$0] = nil } }
    }
  }
}
