import Glibc
import OffprintCoreTypes
import OffprintRenderCache

/// Administers a cache. Safe while other processes use the cache.
public struct CacheAdministration: Sendable {
  let cache: RenderCache
  /// The previous version of the index if opening migrated it; otherwise nil.
  public let migratedFrom: Int?

  /// Opens the cache of a folder, migrating an index of an older version. Does not create a cache.
  ///
  /// - Throws: `cacheUnusable`, also if there is no cache.
  public init(folder: String) throws(OffprintError) {
    var configuration = RenderCacheConfiguration(folder: folder)
    configuration.createsFolder = false
    // Only the caller decides what is removed, not a default limit.
    configuration.maxSize = .max
    configuration.memoryTierBytes = 0
    let opened = configuration
    cache = try Self.mapped { () throws(CacheError) in try RenderCache(opened) }
    let before = cache.openedSchemaVersion
    migratedFrom = before > 0 && before < RenderCache.schemaVersion ? before : nil
  }

  /// The index version this library writes.
  public static var indexVersion: Int { RenderCache.schemaVersion }

  /// Removes all entries of a folder's cache whatever the state of its index, including damaged ones and those of a newer version.
  ///
  /// - Parameters:
  ///   - folder: The cache folder.
  ///   - dryRun: Only reports what would be removed.
  /// - Throws: `cacheUnusable`, also if there is no cache, and for a folder of another program, which is not changed.
  @discardableResult
  public static func clear(folder: String, dryRun: Bool = false) throws(OffprintError) -> Removal {
    let removal = Removal(try mapped { () throws(CacheError) in try RenderCache.clear(folder: folder, dryRun: dryRun) })
    if !dryRun { forgetAnswers(in: folder + "/http") }
    return removal
  }

  /// Removes cached HTTP responses, whose files are named by digests.
  private static func forgetAnswers(in folder: String) {
    guard let directory = opendir(folder) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name.utf8.count == 64, name.allSatisfy(\.isHexDigit) { unlink("\(folder)/\(name)") }
    }
  }

  static func mapped<Value>(_ body: () throws(CacheError) -> Value) throws(OffprintError) -> Value {
    do throws(CacheError) {
      return try body()
    } catch {
      throw OffprintError(error)
    }
  }
}

extension OffprintError {
  /// Converts an error of the cache to one of the library.
  init(_ error: CacheError) {
    switch error.code {
    case .invalidCacheQuery: self.init(.usage, error.message)
    case .invalidArchive: self.init(.dataInvalid, error.message)
    case .invalidIdentifier: self.init(.identifierInvalid, error.message)
    default: self.init(.cacheUnusable, error.message)
    }
  }
}
