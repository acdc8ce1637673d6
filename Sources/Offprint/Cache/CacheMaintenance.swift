import OffprintRenderCache

extension CacheAdministration {
  /// What was removed, or would be removed.
  public struct Removal: Hashable, Sendable, Codable {
    /// The number of entries.
    public var entries = 0
    /// Bytes of their images.
    public var bytes = 0
    /// Files without an entry.
    public var orphans = 0
    public init() {}
  }

  /// The result of verifying every file.
  public struct Verification: Hashable, Sendable, Codable {
    /// Entries whose file was read.
    public var checked: Int
    /// Keys of entries whose file is missing.
    public var missing: [String]
    /// Keys of entries whose file does not match what was stored.
    public var damaged: [String]
    /// Files without an entry.
    public var orphans: [String]
    /// Problems of the index.
    public var indexProblems: [String]
    /// Whether the problems were repaired: entries without a valid file removed, unknown files removed, a damaged index rebuilt.
    public var isRepaired: Bool
    /// Whether everything stored is valid. Files without an entry do not matter: they are left by killed processes, never served, and
    /// removed by trimming.
    public var isSound: Bool { missing.isEmpty && damaged.isEmpty && indexProblems.isEmpty }
  }

  /// Reads every file and compares it with its entry.
  ///
  /// - Throws: `cacheUnusable`.
  public func verify(repair: Bool = false) throws(OffprintError) -> Verification {
    let found = try Self.mapped { () throws(CacheError) in try cache.verify(repair: repair) }
    return Verification(
      checked: found.checked, missing: found.missingFiles.map { "\($0)" }, damaged: found.damagedFiles.map { "\($0)" },
      orphans: found.orphans, indexProblems: found.indexProblems, isRepaired: found.repaired && !found.isSound)
  }

  /// Removes entries that were not used for `maxAge`, then the least recently used ones until the rest takes at most `maxSize` bytes, and
  /// files without an entry.
  ///
  /// - Parameters:
  ///   - maxSize: Bytes of images; nil for no limit.
  ///   - maxAge: Time since the last use; nil for no limit.
  ///   - dryRun: Only reports what would be removed.
  /// - Throws: `cacheUnusable`.
  public func trim(maxSize: Int? = nil, maxAge: Duration? = nil, dryRun: Bool = false) throws(OffprintError) -> Removal {
    let maximum = maxSize.map { Int64($0) }
    return Removal(try Self.mapped { () throws(CacheError) in try cache.trim(maxSize: maximum, maxAge: maxAge, dryRun: dryRun) })
  }

  /// Removes the entry that an identifier names.
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

  /// Removes all entries with a tag.
  ///
  /// - Throws: `cacheUnusable`.
  public func remove(tag: String, dryRun: Bool = false) throws(OffprintError) -> Removal {
    Removal(try Self.mapped { () throws(CacheError) in try cache.remove(tag: tag, dryRun: dryRun) })
  }

  /// Removes the entries that match a condition; see `Query.condition`.
  ///
  /// - Throws: `usage` if the condition is invalid, `cacheUnusable`.
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
