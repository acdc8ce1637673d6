import OffprintRenderCache

extension CacheAdministration {
  /// The result of ``importArchive(into:dryRun:from:)``. Its encoded form uses the stable names `known` and `refused`.
  public struct ImportResult: Hashable, Sendable, Codable {
    /// Entries added, or that a dry run would add.
    public var added = 0
    /// Entries that existed already.
    public var existing = 0
    /// Entries rejected because the checksum was wrong or the record malformed.
    public var rejected = 0
    /// Bytes of the added entries.
    public var bytes = 0
    public init() {}

    private enum CodingKeys: String, CodingKey { case added, existing = "known", rejected = "refused", bytes }
  }

  /// The former name of ``ImportResult``.
  @available(*, deprecated, renamed: "ImportResult") public typealias Import = ImportResult

  /// Writes entries as a tar archive that contains a record and an image for each. Damaged and stale entries are skipped.
  ///
  /// - Parameters:
  ///   - query: Selects the entries.
  ///   - write: Receives consecutive chunks of the archive.
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
  ///   - dryRun: Whether to report what would be added without changing the cache.
  ///   - read: Returns at most the requested number of bytes; an empty array at the end of the archive.
  /// - Throws: `dataInvalid` if the data is not a cache archive or is truncated, `cacheUnusable`, and errors of `read`. Entries added
  ///   before the error remain.
  public static func importArchive(
    into folder: String, dryRun: Bool = false, from read: (Int) throws -> [UInt8]
  ) throws -> ImportResult {
    do {
      let imported = try openCache(in: folder, createsFolder: !dryRun).importArchive(dryRun: dryRun, from: read)
      var result = ImportResult()
      (result.added, result.existing) = (imported.added, imported.existing)
      (result.rejected, result.bytes) = (imported.rejected, Int(clamping: imported.bytes))
      return result
    } catch let error as CacheError {
      throw OffprintError(error)
    }
  }

  private static func openCache(in folder: String, createsFolder: Bool) throws(CacheError) -> RenderCache {
    var configuration = RenderCacheConfiguration(folder: folder)
    configuration.createsFolder = createsFolder
    // Importing evicts nothing.
    configuration.maxSize = .max
    configuration.memoryTierBytes = 0
    return try RenderCache(configuration)
  }
}
