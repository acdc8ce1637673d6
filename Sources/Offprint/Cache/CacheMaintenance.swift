import OffprintRenderCache

extension CacheAdministration {
  /// What was removed, or would be.
  public struct Removal: Hashable, Sendable, Codable {
    /// Entries.
    public var entries = 0
    /// Of their pictures.
    public var bytes = 0
    /// Files that no entry knew.
    public var orphans = 0
    public init() {}
  }

  /// What a look at every file found.
  public struct Verification: Hashable, Sendable, Codable {
    /// Entries whose file was read.
    public var checked: Int
    /// Keys of entries whose file is not there.
    public var missing: [String]
    /// Keys of entries whose file is not what was stored.
    public var damaged: [String]
    /// Files that no entry knows.
    public var orphans: [String]
    /// What is wrong with the index.
    public var indexProblems: [String]
    /// Whether what was found was mended: entries without a good file removed, unknown files removed, a damaged index made anew.
    public var isRepaired: Bool
    /// All that is there is right. Files that no entry knows are what a killed program leaves: never served, and removed by trimming.
    public var isSound: Bool { missing.isEmpty && damaged.isEmpty && indexProblems.isEmpty }
  }

  /// Reads every file and compares it with what is known of it.
  ///
  /// - Throws: `cacheUnusable`.
  public func verify(repair: Bool = false) throws(OffprintError) -> Verification {
    let found = try Self.mapped { () throws(CacheError) in try cache.verify(repair: repair) }
    return Verification(
      checked: found.checked, missing: found.missingFiles.map { "\($0)" }, damaged: found.damagedFiles.map { "\($0)" },
      orphans: found.orphans, indexProblems: found.indexProblems, isRepaired: found.repaired && !found.isSound)
  }

  /// Removes what was not used for `maxAge`, then the least recently used until the rest has at most `maxSize` bytes, and files that no entry
  /// knows.
  ///
  /// - Parameters:
  ///   - maxSize: bytes of pictures; nil: no bound.
  ///   - maxAge: since the last use; nil: no bound.
  ///   - dryRun: only says what would go.
  /// - Throws: `cacheUnusable`.
  public func trim(maxSize: Int? = nil, maxAge: Duration? = nil, dryRun: Bool = false) throws(OffprintError) -> Removal {
    let most = maxSize.map { Int64($0) }
    return Removal(try Self.mapped { () throws(CacheError) in try cache.trim(maxSize: most, maxAge: maxAge, dryRun: dryRun) })
  }

  /// Removes the entry that a name belongs to.
  ///
  /// - Throws: `cacheUnusable`.
  public func remove(identifier: String, dryRun: Bool = false) throws(OffprintError) -> Removal {
    let record = try Self.mapped { () throws(CacheError) in try cache.record(identifier: identifier) }
    guard let record, try Self.mapped({ () throws(CacheError) in try cache.remove(identifier: identifier, dryRun: dryRun) }) else {
      return Removal()
    }
    var removal = Removal()
    (removal.entries, removal.bytes) = (1, Int(clamping: record.size))
    return removal
  }

  /// Removes all entries of a tag.
  ///
  /// - Throws: `cacheUnusable`.
  public func remove(tag: String, dryRun: Bool = false) throws(OffprintError) -> Removal {
    Removal(try Self.mapped { () throws(CacheError) in try cache.remove(tag: tag, dryRun: dryRun) })
  }

  /// Removes the entries that a condition means; see `Query.condition`.
  ///
  /// - Throws: `usage` for a condition that makes no sense, `cacheUnusable`.
  public func remove(where condition: String, dryRun: Bool = false) throws(OffprintError) -> Removal {
    Removal(
      try Self.mapped { () throws(CacheError) in try cache.remove(where: try CacheFilter.parse(condition), dryRun: dryRun) })
  }

  /// Removes all entries.
  ///
  /// - Throws: `cacheUnusable`.
  public func clear(dryRun: Bool = false) throws(OffprintError) -> Removal {
    Removal(try Self.mapped { () throws(CacheError) in try cache.clear(dryRun: dryRun) })
  }
}

extension CacheAdministration.Removal {
  init(_ removal: CacheRemoval) {
    (entries, bytes, orphans) = (removal.entries, Int(clamping: removal.bytes), removal.orphans)
  }
}
