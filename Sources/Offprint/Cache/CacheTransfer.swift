import OffprintRenderCache

extension CacheAdministration {
  /// The result of an import.
  public struct Import: Hashable, Sendable, Codable {
    /// New entries.
    public var added = 0
    /// Entries that existed already.
    public var known = 0
    /// Entries rejected because the checksum was wrong or the record malformed.
    public var refused = 0
    /// Bytes of the added entries.
    public var bytes = 0
    public init() {}
  }

  /// Writes entries as a tar archive, with a record and an image each; damaged and stale ones are left out.
  ///
  /// - Parameters:
  ///   - query: Selects the entries.
  ///   - write: Receives the archive in pieces.
  /// - Returns: The number of entries written.
  /// - Throws: `usage` if the query is invalid, `cacheUnusable`, and errors of `write`.
  public func export(_ query: Query = Query(), to write: ([UInt8]) throws -> Void) throws -> Int {
    let query = try query.parsed()
    do {
      return try cache.export(query, to: write)
    } catch let error as CacheError {
      throw OffprintError(error)
    }
  }

  /// Adds the entries of an archive. Each image is verified by its checksum and added completely or not at all; existing entries are not
  /// changed.
  ///
  /// - Parameters:
  ///   - folder: The cache folder, created if it does not exist.
  ///   - dryRun: Only reports what would be added.
  ///   - read: Returns the next bytes, at most as many as requested, and an empty array at the end.
  /// - Throws: `dataInvalid` if the data is not a cache archive or is truncated, `cacheUnusable`, and errors of `read`. Entries added
  ///   before the error remain.
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
