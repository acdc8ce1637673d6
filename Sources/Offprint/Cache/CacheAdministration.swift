import Glibc
import OffprintCoreTypes
import OffprintRenderCache

/// A cache as its owner looks after it. Safe while others use it.
public struct CacheAdministration: Sendable {
  let cache: RenderCache
  /// The version its index had before it was opened, where opening migrated it.
  public let migratedFrom: Int?

  /// Opens the cache of a folder and migrates the index of an older version; makes no cache.
  ///
  /// - Throws: `cacheUnusable`, also where there is none.
  public init(folder: String) throws(OffprintError) {
    var configuration = RenderCacheConfiguration(folder: folder)
    configuration.createsFolder = false
    // What is removed is what its caller says, never what a default bound says.
    configuration.maxSize = .max
    configuration.memoryTierBytes = 0
    let opened = configuration
    cache = try Self.mapped { () throws(CacheError) in try RenderCache(opened) }
    let before = cache.openedSchemaVersion
    migratedFrom = before > 0 && before < RenderCache.schemaVersion ? before : nil
  }

  /// The version of indexes that this library writes.
  public static var indexVersion: Int { RenderCache.schemaVersion }

  /// Removes all entries of the cache of a folder, whatever state its index is in: a damaged one too, and one of a newer version.
  ///
  /// - Parameters:
  ///   - folder: of the cache.
  ///   - dryRun: only says what would go.
  /// - Throws: `cacheUnusable`, also where there is none, and for a folder of another program, of which nothing is changed.
  @discardableResult
  public static func clear(folder: String, dryRun: Bool = false) throws(OffprintError) -> Removal {
    let removal = Removal(try mapped { () throws(CacheError) in try RenderCache.clear(folder: folder, dryRun: dryRun) })
    if !dryRun { forgetAnswers(in: folder + "/http") }
    return removal
  }

  /// Answers of HTTP servers, whose files have a digest for a name.
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
  /// What a failure of the cache means to a caller.
  init(_ error: CacheError) {
    switch error.code {
    case .invalidCacheQuery: self.init(.usage, error.message)
    case .invalidArchive: self.init(.dataInvalid, error.message)
    case .invalidIdentifier: self.init(.identifierInvalid, error.message)
    default: self.init(.cacheUnusable, error.message)
    }
  }
}
