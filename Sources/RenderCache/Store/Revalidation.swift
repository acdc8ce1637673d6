internal import OffprintCoreTypes
internal import Glibc

extension RenderCache {
  /// The first dependency that has changed. A file is compared by size and time, and read only if these differ.
  func firstChange(_ dependencies: [CacheDependency]) -> CacheDependency? {
    guard !dependencies.isEmpty else { return nil }
    let deadline = Deadline(after: configuration.revalidationTimeout)
    return dependencies.first { !isUnchanged($0, deadline) }
  }

  private func isUnchanged(_ dependency: CacheDependency, _ deadline: Deadline) -> Bool {
    guard dependency.isFile else { return configuration.revalidate?(dependency, deadline) ?? false }
    guard let status = FileSystem.status(dependency.location) else { return dependency.digest == nil }
    guard let digest = dependency.digest, status.isRegular, status.size == dependency.size else { return false }
    if status.modified == dependency.modified && dependency.modified != 0 { return true }
    if pending.withLock({ $0.times[dependency.location] })?.isSame(digest, status) == true { return true }
    guard let bytes = FileSystem.read(dependency.location, limit: Int(status.size), followsLinks: true), SHA256.hash(bytes) == digest else {
      return false
    }
    var touched = dependency
    touched.modified = status.modified
    touched = RacyTimes.guarded(touched)
    if touched.modified != 0 { pending.withLock { $0.times[dependency.location] = touched } }
    return true
  }
}

extension CacheDependency {
  fileprivate func isSame(_ digest: [UInt8], _ status: FileSystem.Status) -> Bool {
    self.digest == digest && size == status.size && modified == status.modified
  }
}

/// A file modified a moment ago can be modified again without a new timestamp, because file systems have a limited time resolution. Such a
/// time is stored as unknown, so that the file is read at the next check.
enum RacyTimes {
  static func guarded(_ dependency: CacheDependency) -> CacheDependency {
    var result = dependency
    let now = CacheTime.now().milliseconds
    if dependency.modified / 1_000_000 > now - 50 { result.modified = 0 }
    return result
  }
}
