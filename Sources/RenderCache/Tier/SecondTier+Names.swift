internal import OffprintCoreTypes

/// Identifiers, their owners, tags and removals, which all machines that share the store have in common.
extension SecondTier {
  private static let nameLimit = 16 << 10
  /// The number of keys of one message.
  private static let keysPerMessage = 500

  /// Carries out a task on the store.
  func perform(_ task: Task) throws(RemoteFailure) {
    switch task {
    case .write(let key, let bytes, let tags):
      try addTags(tags, key)
      try remote.write(key, bytes)
    case .tag(let key, let tags): try addTags(tags, key)
    case .name(let name):
      // The task may have waited for the store while another machine wrote the name.
      if let existing = try readName(name.identifier), existing.time > name.time { return }
      try remote.write(.name(name.identifier), name.encode())
    case .remove(let removal): try perform(removal)
    }
  }

  private func addTags(_ tags: [String], _ key: CacheKey) throws(RemoteFailure) {
    for tag in tags { try remote.add(key, toTag: RemoteName.digest(tag)) }
  }

  /// The images are removed before other machines remove theirs, so that none is read again.
  private func perform(_ removal: SharedRemoval) throws(RemoteFailure) {
    var removal = removal
    if let tag = removal.tag {
      let digest = RemoteName.digest(tag)
      let listed = Set(removal.keys)
      removal.keys += try remote.keys(ofTag: digest).filter { !listed.contains($0) }
      try remote.removeTag(digest)
    }
    let now = CacheTime.now()
    for identifier in removal.identifiers {
      try remote.write(.name(identifier), SharedName(identifier: identifier, key: nil, time: now).encode())
    }
    try remote.remove(removal.keys.map { .image($0) } + removal.identifiers.map { .owner($0) })
    for part in removal.parts(Self.keysPerMessage) { try remote.announce(part.encode()) }
  }

  // MARK: Names

  /// How long a removal of a name is remembered. After that, the name is treated as never written.
  private static let removedMilliseconds: Int64 = 86_400_000

  private func readName(_ identifier: String) throws(RemoteFailure) -> SharedName? {
    try remote.read(.name(identifier), limit: Self.nameLimit, deadline: .never).flatMap { SharedName($0, of: identifier) }
  }

  /// - Returns: Nil if the store does not know the identifier.
  func name(_ identifier: String, now: CacheTime) throws(RemoteFailure) -> SharedName? {
    let found = try reading { () throws(RemoteFailure) in try readName(identifier) }
    guard let found, found.key != nil || now.milliseconds &- found.time.milliseconds < Self.removedMilliseconds else { return nil }
    return found
  }

  func setName(_ name: SharedName) {
    guard !configuration.isReadOnly else { return }
    attemptOrEnqueue(.name(name))
  }

  // MARK: Owners

  /// The age at which the record of an owner is renewed, as on disk.
  private static let renewalMilliseconds: Int64 = 3_600_000

  private func readOwner(_ identifier: String) throws(RemoteFailure) -> SharedOwner? {
    try remote.read(.owner(identifier), limit: Self.nameLimit, deadline: .never).flatMap { SharedOwner($0, of: identifier) }
  }

  /// The owner of an identifier on all machines. The record is renewed if it belongs to the caller.
  func owner(_ claim: SharedOwner) throws(RemoteFailure) -> SharedOwner? {
    try reading { () throws(RemoteFailure) in
      guard let existing = try readOwner(claim.identifier) else { return nil }
      let age = claim.claimed.milliseconds &- existing.claimed.milliseconds
      if existing.owner.hasSameBytes(as: claim.owner), age > Self.renewalMilliseconds, !configuration.isReadOnly {
        try remote.write(.owner(claim.identifier), claim.encode())
      }
      return existing
    }
  }

  /// Claims an identifier without an owner for all machines; false if another one claimed it in the same moment.
  func create(_ claim: SharedOwner) throws(RemoteFailure) -> Bool {
    if configuration.isReadOnly { return true }
    return try reading { () throws(RemoteFailure) in
      if try remote.create(.owner(claim.identifier), claim.encode()) { return true }
      return try readOwner(claim.identifier)?.owner.hasSameBytes(as: claim.owner) ?? false
    }
  }

  /// Releases a claim unless it was made again since.
  func release(_ claim: SharedOwner) {
    guard !configuration.isReadOnly else { return }
    _ = try? reading { () throws(RemoteFailure) in
      if try readOwner(claim.identifier) == claim { try remote.remove([.owner(claim.identifier)]) }
    }
  }

  // MARK: Tags and removals

  func addTags(of label: CacheLabel, _ key: CacheKey) {
    guard !configuration.isReadOnly, !label.tags.isEmpty else { return }
    let tags = label.tags.filter { isNewTag($0, key) }
    if !tags.isEmpty { enqueue(.tag(key, tags)) }
  }

  /// The number of keys that are removed before the caller continues.
  private static let maximumKeysAtOnce = 64

  /// Removes images and names from the store, and asks all machines to remove theirs.
  func remove(_ removal: SharedRemoval) {
    guard !configuration.isReadOnly, !removal.isEmpty else { return }
    removals.add(1, ordering: .sequentiallyConsistent)
    forget(Set(removal.keys))
    if removal.keys.count > Self.maximumKeysAtOnce { return enqueue(.remove(removal)) }
    attemptOrEnqueue(.remove(removal))
  }

  /// Removes images from the store without a message.
  func removeQuietly(_ keys: [CacheKey]) {
    guard !configuration.isReadOnly, !keys.isEmpty else { return }
    forget(Set(keys))
    _ = try? reading { () throws(RemoteFailure) in try remote.remove(keys.map { .image($0) }) }
  }

  /// The images with a tag in the store; empty if the store is not available.
  func keys(ofTag tag: String) -> [CacheKey] {
    (try? reading { () throws(RemoteFailure) in try remote.keys(ofTag: RemoteName.digest(tag)) }) ?? []
  }

  /// Whether the store can be used, by using it.
  package func probe() throws(RemoteFailure) { try remote.probe(isReadOnly: configuration.isReadOnly) }
}
