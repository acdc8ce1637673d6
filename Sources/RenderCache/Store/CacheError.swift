internal import Glibc

/// Why an operation of the cache failed. The code is stable, for programs; the message is a sentence that says what to do.
package struct CacheError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The folder or its index cannot be opened, read or written.
    case cacheUnusable
    /// There is no cache in the folder, and the caller did not ask to create one.
    case noCache
    /// The folder belongs to another program.
    case notACache
    /// The index was written by a newer version of the program.
    case cacheFromNewerVersion
    /// Another process holds a lock and did not release it in time.
    case cacheBusy
    /// No space is left on the disk, or a quota is exceeded.
    case cacheDiskFull
    /// The disk or the folder is read-only, or permission is missing.
    case cacheReadOnly
    /// The index is damaged.
    case cacheDamaged
    /// A filter, sort order or group is invalid.
    case invalidCacheQuery
    /// The imported data is not an archive of a cache, or is truncated.
    case invalidArchive
    /// An identifier looks like a key.
    case invalidIdentifier
  }

  package var code: Code
  package var message: String

  package init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  package var description: String { "\(code.rawValue): \(message)" }

  /// The error for a failed system call on `path`.
  init(errno number: Int32, _ action: String, _ path: String) {
    let reason = strerror(number).map { String(cString: $0) } ?? "error \(number)"
    switch number {
    case ENOSPC, EDQUOT:
      self.init(.cacheDiskFull, "Cannot \(action) \"\(path)\": \(reason). Free some space, or trim the cache.")
    case EROFS, EACCES, EPERM:
      self.init(.cacheReadOnly, "Cannot \(action) \"\(path)\": \(reason). Choose a cache folder that can be written.")
    default:
      self.init(.cacheUnusable, "Cannot \(action) \"\(path)\": \(reason).")
    }
  }
}
