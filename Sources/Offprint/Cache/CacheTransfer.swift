import OffprintRenderCache

extension CacheAdministration {
  /// What came of an import.
  public struct Import: Hashable, Sendable, Codable {
    /// Entries that are new here.
    public var added = 0
    /// Were there already.
    public var known = 0
    /// Whose checksum was wrong, or whose record made no sense: not taken.
    public var refused = 0
    /// Of what was added.
    public var bytes = 0
    public init() {}
  }

  /// Writes entries as a tar archive, a record and a picture each; those that are damaged or out of date are left out.
  ///
  /// - Parameters:
  ///   - query: which entries.
  ///   - write: gets the archive piece by piece.
  /// - Returns: how many entries it has.
  /// - Throws: `usage` for a query that makes no sense, `cacheUnusable`, and what `write` throws.
  public func export(_ query: Query = Query(), to write: ([UInt8]) throws -> Void) throws -> Int {
    let query = try query.parsed()
    do {
      return try cache.export(query, to: write)
    } catch let error as CacheError {
      throw OffprintError(error)
    }
  }

  /// Adds the entries of an archive, each whole or not at all, by its checksum; what is here already stays as it is.
  ///
  /// - Parameters:
  ///   - folder: the cache, made where there is none.
  ///   - dryRun: only says what would be added.
  ///   - read: answers the next bytes, at most as many as asked for, and none at the end.
  /// - Throws: `dataInvalid` for what is no archive of a cache or ends early, `cacheUnusable`, and what `read` throws. What was added before
  ///   stays.
  public static func importArchive(
    into folder: String, dryRun: Bool = false, from read: (Int) throws -> [UInt8]
  ) throws -> Import {
    do {
      let done = try opened(folder, makes: !dryRun).importArchive(dryRun: dryRun, from: read)
      var result = Import()
      (result.added, result.known, result.refused, result.bytes) = (done.added, done.known, done.refused, Int(clamping: done.bytes))
      return result
    } catch let error as CacheError {
      throw OffprintError(error)
    }
  }

  private static func opened(_ folder: String, makes: Bool) throws(CacheError) -> RenderCache {
    var configuration = RenderCacheConfiguration(folder: folder)
    configuration.createsFolder = makes
    configuration.maxSize = .max
    configuration.memoryTierBytes = 0
    return try RenderCache(configuration)
  }
}
