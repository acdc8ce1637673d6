import Foundation
import Synchronization
import Testing

@testable import OffprintRenderCache

/// A temporary folder that is removed with its contents.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/offprint-cache-XXXXXX".utf8CString)
    path = String(cString: try #require(mkdtemp(&template)))
  }

  deinit {
    // A cache released a moment ago may still be finishing in the background, and removes files itself.
    for _ in 0..<50 {
      try? FileManager.default.removeItem(atPath: path)
      if !FileManager.default.fileExists(atPath: path) { break }
      usleep(2000)
    }
  }

  func write(_ name: String, _ text: String) { _ = FileManager.default.createFile(atPath: path + "/" + name, contents: Data(text.utf8)) }

  /// The relative paths of all files in a subfolder, sorted.
  func files(_ folder: String) -> [String] {
    (FileManager.default.subpaths(atPath: path + "/" + folder) ?? []).filter { $0.contains(".") }.sorted()
  }
}

/// A clock that is set manually.
final class ManualClock: Sendable {
  private let time = Mutex<Int64>(1_000_000)
  @Sendable func now() -> CacheTime { CacheTime(milliseconds: time.withLock { $0 }) }
  func advance(_ milliseconds: Int64) { time.withLock { $0 += milliseconds } }
}

func makeKey(_ name: String) -> CacheKey {
  var encoder = CanonicalEncoder(domain: "test")
  encoder.add("name", name)
  return encoder.key
}

func makeValue(_ text: String, size: Int = 0) -> ProducedValue {
  ProducedValue(
    data: Array(text.utf8) + [UInt8](repeating: 7, count: max(size - text.utf8.count, 0)), width: 4, height: 3, metadata: "m:" + text)
}

func openCache(
  _ folder: TemporaryFolder, memory: Int = 0, clock: ManualClock? = nil, maxSize: Int64 = 1 << 30, schema: IndexSchema = .current
) throws -> RenderCache {
  var configuration = RenderCacheConfiguration(folder: folder.path + "/cache")
  configuration.memoryTierBytes = memory
  configuration.synchronizesFiles = false
  configuration.maxSize = maxSize
  configuration.lockTimeout = .seconds(5)
  if let clock { configuration.clock = clock.now }
  return try RenderCache(configuration, schema: schema)
}

extension RenderCache {
  func objectPath(_ key: CacheKey) -> String { objects.path(key) }
}

func dependency(on path: String) throws -> CacheDependency {
  var encoded = [UInt8]()
  if let data = FileManager.default.contents(atPath: path) {
    encoded = Array(data)
  } else {
    return CacheDependency(location: path, digest: nil)
  }
  let status = try #require(FileSystem.status(path))
  return CacheDependency(location: path, digest: digest(encoded), size: status.size, modified: status.modified)
}
